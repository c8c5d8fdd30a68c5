"""Writes games as Gambit's extensive-form files, with exact payoffs, which OpenSpiel (in C++) and pygambit can read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import numpy as np

from relance.model.arguments import checked
from relance.model.deal import FiniteDeal
from relance.model.game import Game, as_game
from relance.model.game_tree import GameTree
from relance.model.limits import check_memory
from relance.model.numbers import Number, fraction
from relance.model.tree import Case, Leaf, Node, Reveal, path_name, steps_from
from relance.registration.efg_file import write_efg

LINE = 120
"""The bytes that a line takes until the text is complete."""


@checked
def to_efg(game: Game | GameTree | str, exact: bool = False) -> str:
    """Return a game with finite hands (for [0, 1], a grid or cells), or a game tree, as the text of a Gambit .efg file.

    Chance deals player 0's hand and then player 1's; payoffs and probabilities are fractions. Information sets are named "hand history";
    where events turn up, chance moves again. A game tree is written as it is.

    Args:
        game: the game.
        exact: write every fraction in full; by default those too long for OpenSpiel's reader are decimals.

    Raises:
        ValueError: hands are on [0, 1].
    """
    if isinstance(game, GameTree):
        return write_efg(game)
    game = as_game(game)
    deal = game.finite_deal()
    lines = deal.size(0) * deal.size(1) * len(game.tree.table.names)
    check_memory(
        LINE * lines, f"a Gambit file of {game}, of about {lines:,} lines,", instead="make the game with fewer hands"
    )
    return "\n".join(_lines(game, deal, _in_full if exact else _text)) + "\n"


def _lines(game: Game, deal: FiniteDeal, text: Callable[[Number], str]) -> Iterator[str]:
    joint, cases = deal.joint(), game.tree.cases
    laws = {case: deal.in_case(case) for name in cases for case in (cases[name], Case(cases[name].events))}
    chances = {case: law.joint() for case, law in laws.items()}
    edges = {cases[name]: laws[cases[name]].joint_edge() for name, leaf in game.tree.leaves.items() if leaf.stake}
    rows = [row.sum() for row in joint]
    dealt = [h for h, p in enumerate(rows) if p]
    sets: tuple[dict[tuple[int, str], int], ...] = ({}, {})
    outcomes, reveals = count(1), count(len(dealt) + 2)

    def visit(node: Node, history: tuple[str, ...], hands: tuple[int, int]) -> Iterator[str]:
        case = cases[path_name(history)]
        if isinstance(node, Leaf):
            edge = edges[case][hands] / chances[case][hands] if node.stake else 0
            chips = node.constant + node.stake * edge
            yield f't "" {next(outcomes)} "" {{ {text(chips)}, {text(-chips)} }}'
            return
        if isinstance(node, Reveal):
            after = {event: chances[Case((*case.events, event))][hands] / chances[case][hands] for event in node.events}
            possible = {event: chance for event, chance in after.items() if chance}
            yield _chance(next(reveals), list(possible.items()), text)
            for event, child in steps_from(node):
                if event in possible:
                    yield from visit(child, (*history, event), hands)
            return
        player, hand = node.player, hands[node.player]
        name = f"{deal.labels[player][hand]} {path_name(history)}".strip()
        number = sets[player].setdefault((hand, name), len(sets[player]) + 1)
        actions = " ".join(f'"{action}"' for action in node.actions)
        yield f'p "" {player + 1} {number} "{name}" {{ {actions} }} 0'
        for action, child in zip(node.actions, node.children, strict=True):
            yield from visit(child, (*history, action), hands)

    yield f'EFG 2 R "{game}" {{ "player 0" "player 1" }}'
    yield f'"{game.source}"'
    yield _chance(1, [(deal.labels[0][h], rows[h]) for h in dealt], text)
    for i, h in enumerate(dealt):
        others = np.flatnonzero(joint[h]).tolist()
        yield _chance(i + 2, [(deal.labels[1][k], joint[h, k] / rows[h]) for k in others], text)
        for k in others:
            yield from visit(game.tree.root, (), (h, k))


def _text(number: Number) -> str:
    """A number as text for the file: a fraction, or a decimal if it is too long for OpenSpiel's reader."""
    value = fraction(number, "number")
    return str(value) if max(abs(value.numerator), value.denominator) < 2**31 else repr(float(value))


def _in_full(number: Number) -> str:
    return str(fraction(number, "number"))


def _chance(number: int, outcomes: list[tuple[str, Number]], text: Callable[[Number], str]) -> str:
    branches = " ".join(f'"{label}" {text(probability)}' for label, probability in outcomes)
    return f'c "" {number} "" {{ {branches} }} 0'
