"""One way in for any sequential game: from OpenSpiel, from Gambit's files, from Relance, or written node by node."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from relance.envs.catalogue import BLUEPRINTS, make
from relance.model.arguments import Count, checked
from relance.model.arrays import Array
from relance.model.files import read_text
from relance.model.game import Game, as_profile
from relance.model.game_tree import MOST_HISTORIES, ChanceNode, DecisionNode, GameTree, TerminalNode, TreeProfile
from relance.model.numbers import short
from relance.model.strategy import Profile
from relance.registration.efg import by_information_set, histories
from relance.registration.efg_file import read_efg
from relance.registration.openspiel_trees import load_openspiel, tree_of_openspiel


@checked
def game_tree(source: object, most: Count = MOST_HISTORIES) -> GameTree:
    """Read a sequential game, exactly: chance and payoffs as fractions.

    Args:
        source: a game of OpenSpiel, or its short name such as "leduc_poker" (one that Relance has too is Relance's); a Gambit file, by its
            path or its text; a game of Relance, or its text such as "von_neumann(hands=9)"; the root of a tree of one's own, made of
            the nodes of `relance.model.game_tree`; or a matrix, a list of rows or an array: what player 0, who chooses the row, wins
            from player 1, who chooses the column and does not see the row; or in each cell what each of them gets.
        most: the most histories to read.

    Raises:
        ValueError: there is no such game or file, moves are simultaneous, a number means no fraction, a player forgets, or there are more
            histories; the message names the place and what would do.
        TypeError: `source` is of another kind.
    """
    match source:
        case GameTree():
            return source
        case Game():
            return GameTree(histories(source), str(source), most=most, source=source, reader=_profile_of_relance)
        case pyspiel.Game():
            return tree_of_openspiel(source, most)
        case TerminalNode() | ChanceNode() | DecisionNode():
            return GameTree(source, most=most)
        case list() | np.ndarray():
            return GameTree(_of_matrix(source), "the matrix game", most=most)
        case os.PathLike():
            return _of_efg(read_text(Path(source)), most)
        case str():
            return _of_text(source, most)
    raise TypeError(
        f"source={short(source)} must be a game of OpenSpiel or Relance, the name of one, a Gambit file, the root of a tree, or a matrix"
    )


def _of_matrix(matrix: list[Any] | Array) -> DecisionNode:
    rows = matrix.tolist() if isinstance(matrix, np.ndarray) else matrix
    widths = {len(row) if isinstance(row, (list, tuple)) else 0 for row in rows}
    if len(widths) != 1 or 0 in widths:
        raise ValueError(f"source={short(matrix)} must be a matrix: rows of equally many numbers, at least one")
    columns = [DecisionNode(1, "column", {str(j): TerminalNode(pays) for j, pays in enumerate(row)}) for row in rows]
    return DecisionNode(0, "row", {str(i): node for i, node in enumerate(columns)})


def _of_text(text: str, most: int) -> GameTree:
    if text.lstrip().startswith("EFG "):
        return _of_efg(text, most)
    if text.endswith(".efg"):
        return _of_efg(read_text(Path(text)), most)
    if text.partition("(")[0].strip() in BLUEPRINTS:
        return game_tree(make(text), most)
    return tree_of_openspiel(load_openspiel(text), most)


def _of_efg(text: str, most: int) -> GameTree:
    root, title = read_efg(text)
    return GameTree(root, title, most=most)


def _profile_of_relance(tree: GameTree, given: Profile | str) -> TreeProfile:
    """A profile of a game of Relance, or the name of an opponent, on its tree."""
    game = tree.source
    assert isinstance(game, Game)
    profile = as_profile(game, given)
    game.check(profile)
    laws = by_information_set(game, profile)
    return tree.profile({s.name: laws[s.name] for s in tree.sets})  # a hand that is never dealt has no information set
