"""Reads any sequential game as a tree: from OpenSpiel, from Gambit's files, from Relance, or written node by node."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from relance.envs.catalogue import BLUEPRINTS, aliases, make
from relance.model.arguments import Count, checked
from relance.model.arrays import Array
from relance.model.files import read_text
from relance.model.game import Game
from relance.model.game_tree import (
    HEADS,
    MOST_HISTORIES,
    OPENSPIEL,
    ChanceNode,
    DecisionNode,
    GameTree,
    OnRead,
    TerminalNode,
    TreeNode,
    names_a_tree,
    unwatched,
)
from relance.model.numbers import short
from relance.registration.efg import tree_of_game
from relance.registration.efg_file import read_efg
from relance.registration.nfg_file import read_nfg, strategic_form
from relance.registration.openspiel_texts import load_openspiel
from relance.registration.openspiel_trees import tree_of_openspiel


@checked
def game_tree(source: object, max_histories: Count = MOST_HISTORIES, tick: OnRead = unwatched) -> GameTree:
    """Return the tree of a sequential game, read exactly: probabilities of chance moves, and payoffs, are fractions.

    Args:
        source: a game of OpenSpiel, or its short name such as "leduc_poker"; a Gambit file, .efg or .nfg, by its path or its text; a
            game of Relance, or its text such as "von_neumann(hands=9)" or "kuhn"; the root of a tree of your own, made of the nodes of
            `relance.model.game_tree`; or a matrix, as an array or a list of rows. Player 0 chooses its row, player 1 its column. A cell is
            what player 0 wins from player 1, or a tuple of what each gets. Simultaneous moves are taken in turn, unseen by the others.
        max_histories: the most histories to read.
        tick: called from time to time with the number of histories read since the last call.

    Examples:
        >>> print(relance.value(relance.game_tree([[3, 0], [0, 1]]), "solved"))
        3/4

    Raises:
        ValueError: there is no such game or file, a number is not near a fraction, a player lacks perfect recall, or there are
            too many histories; the message names the place and a remedy.
        TypeError: `source` is of another kind.
    """
    match source:
        case GameTree():
            return source
        case Game():
            return tree_of_game(source, max_histories, tick)
        case pyspiel.Game():
            return tree_of_openspiel(source, max_histories, tick)
        case TerminalNode() | ChanceNode() | DecisionNode():
            return GameTree(source, max_histories=max_histories, tick=tick)
        case list() | np.ndarray():
            return GameTree(_of_matrix(source), "the matrix game", max_histories=max_histories, tick=tick)
        case os.PathLike():
            return _of_file(Path(source), max_histories, tick)
        case str():
            return _of_text(source, max_histories, tick)
    raise TypeError(
        f"source={short(source)} must be a game of OpenSpiel or Relance, the name of one, a Gambit file, the root of a tree, or a matrix"
    )


def _of_matrix(matrix: list[Any] | Array) -> TreeNode:
    rows = matrix.tolist() if isinstance(matrix, np.ndarray) else matrix
    widths = {len(row) if isinstance(row, (list, tuple)) else 0 for row in rows}
    if len(widths) != 1 or 0 in widths:
        raise ValueError(f"source={short(matrix)} must be a matrix: rows of equally many numbers, at least one")
    names = [[str(i) for i in range(size)] for size in (len(rows), *widths)]
    return strategic_form(["row", "column"], names, [pays for column in zip(*rows, strict=True) for pays in column])


def _of_text(text: str, most: int, tick: OnRead) -> GameTree:
    if text.lstrip().startswith(HEADS):
        return _of_gambit(text, most, tick)
    if text.startswith(OPENSPIEL):
        return tree_of_openspiel(load_openspiel(text.removeprefix(OPENSPIEL)), most, tick)
    if names_a_tree(text):
        return _of_file(Path(text), most, tick)
    name = text.partition("(")[0].strip()
    if name in BLUEPRINTS or (name in aliases() and name not in pyspiel.registered_names()):
        return game_tree(make(text), most, tick)
    return tree_of_openspiel(load_openspiel(text), most, tick)


def _of_file(path: Path, most: int, tick: OnRead) -> GameTree:
    text = read_text(path)
    if not text.lstrip().startswith(HEADS):
        raise ValueError(f"{path} is not a Gambit file: these begin with EFG 2 or NFG 1")
    return _of_gambit(text, most, tick)


def _of_gambit(text: str, most: int, tick: OnRead) -> GameTree:
    root, title = (read_efg if text.lstrip().startswith(HEADS[0]) else read_nfg)(text)
    return GameTree(root, title, max_histories=most, tick=tick)
