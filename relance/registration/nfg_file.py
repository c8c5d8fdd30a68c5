"""Gambit's strategic-form files (.nfg), read as a tree in which nobody sees what the others choose."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from math import prod
from typing import Any

from relance.model.game_tree import DecisionNode, TerminalNode, TreeNode
from relance.model.numbers import short, unique_names
from relance.registration.efg_file import GambitFile, tokens_of


def read_nfg(text: str) -> tuple[TreeNode, str]:
    """Return the root and the title of a game in Gambit's strategic form; each cell has its payoffs, or the number of an outcome.

    Raises:
        ValueError: the text is not such a file; the message shows where.
    """
    file = GambitFile(tokens_of(text), ".nfg")
    if [value for _, value in file.tokens[:2]] != ["NFG", "1"]:
        raise ValueError(f"a Gambit file of a strategic form begins with NFG 1 R, not {short(text[:20])}")
    file.at = 3
    title = file.next("text")
    players = unique_names(file.many(file.action))
    names = [unique_names(of) for of in _strategies(file)]
    if len(names) != len(players) or not all(names):
        raise ValueError(
            f"the .nfg file has {len(players)} players and strategies for {len(names)}; each player needs one or more"
        )
    if file.peek() == "text":  # a comment
        file.next()
    cells = prod(len(of) for of in names)
    if file.peek() == "{":
        outcomes = [(Fraction(0),) * len(players), *file.many(lambda: _outcome(file))]
        numbers = [int(file.number()) for _ in range(cells)]
        if wrong := [number for number in numbers if number not in range(len(outcomes))]:
            raise ValueError(f"the .nfg file uses outcome {wrong[0]}; its last is {len(outcomes) - 1}")
        paid = [outcomes[number] for number in numbers]
    else:
        paid = [tuple(file.number() for _ in players) for _ in range(cells)]
    if file.peek():
        raise ValueError(f"the .nfg file goes on after its {cells} cells: {short(file.next())}")
    if uneven := [pays for pays in paid if len(pays) != len(players)]:
        raise ValueError(f"an outcome of the .nfg file has {len(uneven[0])} payoffs for {len(players)} players")
    return strategic_form(players, names, paid), title


def _strategies(file: GambitFile) -> list[list[str]]:
    """The strategies of each player by name, or by number if the file only counts them."""

    def of_player() -> list[str]:
        if file.peek() == "{":
            return file.many(file.action)
        return [str(i + 1) for i in range(int(file.number()))]

    return file.many(of_player)


def _outcome(file: GambitFile) -> tuple[Fraction, ...]:
    file.next("{")
    file.next("text")
    pays = []
    while file.peek() != "}":
        pays.append(file.number())
    file.next("}")
    return tuple(pays)


def strategic_form(players: list[str], names: list[list[str]], paid: list[Any]) -> TreeNode:
    """The tree of a strategic form, in which the players choose in turn and nobody sees the others' choices.

    Args:
        players: for each player the name of the one information set.
        names: for each player the names of the strategies.
        paid: for each cell a tuple of payoffs, or what player 0 wins from player 1; player 0's strategy changes fastest from cell to cell.
    """
    strides = [prod(len(of) for of in names[:player]) for player in range(len(names))]

    def node(player: int, cell: int) -> TreeNode:
        if player == len(players):
            return TerminalNode(paid[cell])
        steps = zip(names[player], count(cell, strides[player]), strict=False)
        return DecisionNode(player, players[player], {name: node(player + 1, to) for name, to in steps})

    return node(0, 0)
