"""Strategies in files: JSON by information set, which a person can write too; exact numbers are text, floats are JSON numbers.

    {"format": "relance strategy 1", "game": "one_card_poker(raises=0)", "strategy": {
    "Q": {"check": "5/6", "bet": "1/6"},
    "K check-bet": {"fold": "1/2", "call": "1/2"}, ...}}

With hands on [0, 1] there is an entry for each decision node, and each action has pieces [from, probability]. `cuts` are the borders of
unequal cells. A strategy of more than `MOST_SETS` information sets has a list for each action of each node instead, weakest hand first.

A .npz file has in its array `head`, as JSON text, all but the probabilities, with each player's hands, weakest first, and the actions by
node. The array `player 0` or `player 1` holds the probabilities, (actions of all nodes in this order, hands): floats, or exact numbers as
text. For a tree of more than 20,000 nodes `head` names no nodes, and the rows are in the order of the player's sequence form. With hands on
[0, 1] `head` is the text of a .json file. A file may hold more arrays, such as a learner's (`relance.baselines.checkpoints`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from relance.model.arguments import PathName, checked
from relance.model.arrays import Array, host
from relance.model.files import FileError, check_kind, read_json, replacing, write_text
from relance.model.game import Game, as_played
from relance.model.game_tree import names_a_tree
from relance.model.limits import check_memory
from relance.model.numbers import Number, exact, short
from relance.model.piecewise import Piecewise, check_cuts
from relance.model.quadratic import Quadratic
from relance.model.strategy import Profile, Rows
from relance.model.strategy_tables import profile_of_table
from relance.model.texts import READ

FORMAT, BY_NODE = "relance strategy 1", "relance profile 1"
"""The value of "format" in files with probabilities by information set, and in files with lists by node."""

MOST_SETS = 100_000

MOST_IN_TEXT = 1_000_000
"""A strategy of more information sets than this is written only as arrays: text would take minutes and gigabytes."""

FILES = (".json", ".npz")
"""The suffixes of a strategy file's name; text that ends in one is taken as a path even before the file exists."""


@checked
def write_profile(game: Game | str, profile: object, path: PathName) -> None:
    """Write a profile of `game` to a file that `relance.envs.read_profile` reads back exactly; an existing file is replaced in one step.

    Raises:
        ValueError: `profile` is not a profile of this game, or its numbers depend on symbolic parameters.
        OSError: the file cannot be written.
    """
    save_profile(*as_played(game, profile), Path(path))


def save_profile(game: Game, profile: Profile, path: Path, **facts: object) -> None:
    """Write a profile as `write_profile` does, and also `facts`, {name: fact}, which are no part of it, such as the game's value."""
    if path.suffix != ".npz":
        return write_text(path, profile_text(game, profile, **facts))
    arrays = arrays_of(game, profile, **facts)
    with replacing(path) as file:
        np.savez_compressed(file, **arrays)


def arrays_of(game: Game, profile: Profile, **facts: object) -> dict[str, Any]:
    """The arrays of a .npz file by name, with `facts` in "head". With hands on [0, 1] there is only "head": the text of a .json file."""
    if not game.deal.is_finite:
        return {"head": np.array(profile_text(game, profile, **facts))}
    head: dict[str, Any] = {"format": FORMAT, **_head(game, profile, facts)}
    head["players"] = [
        {"hands": [str(label) for label in game.finite_deal().labels[player]]}
        | ({} if game.tree.is_large else {"nodes": {name: at.actions for name, at in game.tree.of(player).items()}})
        for player in (0, 1)
    ]
    rows = {f"player {player}": _stacked(game, profile, player) for player in (0, 1)}
    return {"head": np.array(json.dumps(head)), **rows}


def _stacked(game: Game, profile: Profile, player: int) -> Array:
    """The probabilities (actions of all nodes of a player, hands): floats, or text."""
    at = profile.strategies[player].at
    if isinstance(at, Rows):
        return at.array
    rows = [host(row) for name in game.tree.of(player) for row in profile[name]]
    if profile.in_floats:
        return np.array(rows, float)
    return np.array([[str(_written(p)) for p in row] for row in rows])


def _head(game: Game, profile: Profile, facts: Mapping[str, object]) -> dict[str, object]:
    """What each form of file says first."""
    game.check(profile)
    cuts = None if game.cuts is None or game.hands else [_written(cut) for cut in game.cuts]
    return {"game": str(game.whole if cuts else game), **({"cuts": cuts} if cuts else {}), **facts}


def profile_text(game: Game, profile: Profile, **facts: object) -> str:
    """The text that `write_profile` writes into a .json file, with `facts` by name added; raises the same errors."""
    check_text(game)
    head = _head(game, profile, facts)
    if _set_count(game) > MOST_SETS:
        by_node = {name: {a: _written_row(row) for a, row in rows.items()} for name, rows in profile.plan().items()}
        return _text({"format": BY_NODE, **head}, "nodes", by_node)
    table: dict[str, Any] = {}
    for name, rows in profile.plan().items():
        if not game.deal.is_finite:
            table[name] = {action: _pieces(row) for action, row in rows.items()}
            continue
        lists = {action: _written_row(row) for action, row in rows.items()}
        for hand in range(game.deal.size(game.tree.decisions[name].player)):
            table[game.information_set(name, hand)] = {action: row[hand] for action, row in lists.items()}
    return _text({"format": FORMAT, **head}, "strategy", table)


def check_text(game: Game, path: object = "") -> None:
    """Raise ValueError if a game has more than `MOST_IN_TEXT` information sets, unless `path` ends in .npz."""
    if not str(path).endswith(".npz") and (sets := _set_count(game)) > MOST_IN_TEXT:
        raise ValueError(
            f"a strategy of {game} has {sets:,} information sets, and JSON is written for at most {MOST_IN_TEXT:,}; "
            "write it to a file that ends in .npz, as with -o strategy.npz"
        )


def _set_count(game: Game) -> int:
    """How many information sets both players have; 0 with hands on [0, 1]."""
    return sum(len(form.starts) * game.deal.size(p) for p, form in enumerate(game.forms)) if game.deal.is_finite else 0


def _text(head: Mapping[str, object], name: str, entries: Mapping[str, object]) -> str:
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in entries.items())
    return json.dumps(head)[:-1] + f', "{name}": {{\n{lines}}}}}\n'


def strategy_path(given: object) -> Path | None:
    """`given` as a path, if it is a path, text that ends in .json or .npz, or the name of an existing file with a suffix; else None."""
    if isinstance(given, os.PathLike):
        return Path(given)
    named = isinstance(given, str) and (given.endswith(FILES) or (Path(given).suffix and os.path.isfile(given)))
    return Path(str(given)) if named else None


@dataclass(frozen=True)
class StrategyFile:
    """The contents of a strategy file; `table`, `plan` or `slots` holds the probabilities.

    Attributes:
        game: the game as text; "" if the file does not name it, or names a game tree.
        cuts: the borders of the game's unequal cells; None if it has none.
        table: {information set: distribution} as it is written, or on [0, 1] {node: {action: pieces}}; else None.
        plan: {node: {action: probabilities}}; else None.
        slots: for a large tree, each player's probabilities, (actions of all nodes, hands); else None.
        facts: the file's other entries, such as the value, and "format" if Relance wrote it; for a dump of TexasSolver, all of the dump.
    """

    game: str
    cuts: tuple[Number, ...] | None
    table: dict[str, Any] | None
    plan: dict[str, dict[str, Any]] | None
    facts: Mapping[str, Any]
    slots: Sequence[Array] | None = None

    def profile(self, game: Game) -> Profile:
        """Return the contents as a profile of `game`; ValueError or TypeError if they are not a profile of it."""
        if self.slots is not None:
            profile = game.profile_from_arrays(self.slots)
            game.check(profile)
            return profile
        if self.plan is not None:
            return game.profile(self.plan)
        if self.table is None:
            read: Profile = READ["dump"](game, self.facts)
            return read
        if game.deal.is_finite:
            return profile_of_table(game, self.table, as_written="format" in self.facts)
        return game.profile(
            {
                name: {action: _on_interval(row) for action, row in distribution.items()}
                for name, distribution in self.table.items()
            }
        )


def read_file(path: str | Path) -> StrategyFile:
    """Read a strategy file, from `write_profile` or written by hand: at least {information set: {action: probability}}.

    Raises:
        ValueError: the file is damaged or of another kind.
        OSError: the file cannot be read.
    """
    data = _arrays(Path(path)) if str(path).endswith(".npz") else read_json(path)
    try:
        return _contents(data)
    except (KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"{path} is damaged or is not a strategy: {what}") from None


def _arrays(path: Path) -> dict[str, Any]:
    """What a file .npz holds, as lists by node."""
    check_kind(path, "read")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            check_memory(sum(item.file_size for item in archive.zip.infolist()), f"reading {path}")
            head, nodes = json.loads(str(archive["head"])), dict[str, Any]()
            if "strategy" in head:
                return dict(head)
            if not all("nodes" in told for told in head["players"]):
                return {**head, "slots": [archive[f"player {player}"] for player in (0, 1)]}
            for player, told in enumerate(head.pop("players")):
                rows = iter(archive[f"player {player}"])
                nodes |= {name: {a: next(rows) for a in actions} for name, actions in told["nodes"].items()}
    except FileNotFoundError:
        raise FileError(f"{path} cannot be read: there is no such file") from None
    except Exception as error:  # numpy and zip files have many
        raise ValueError(f"{path} is damaged: {error}") from None
    return {**head, "format": BY_NODE, "nodes": nodes}


def _contents(data: Any) -> StrategyFile:
    if not isinstance(data, dict):
        raise TypeError(f"the file must hold {{information set: {{action: probability}}}}, not {short(data)}")
    if "node_type" in data:
        return StrategyFile("", None, None, None, data)  # a dump of TexasSolver
    form = data.get("format")
    if form not in (None, FORMAT, BY_NODE):
        raise ValueError(f"the file's entry 'format' is {form!r}; it must be {FORMAT!r} or {BY_NODE!r}")
    cuts = tuple(_number(cut) for cut in data["cuts"]) if form and data.get("cuts") else None
    if "slots" in data:
        if not all(isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.dtype == float for rows in data["slots"]):
            raise TypeError(
                "the file's probabilities must be two float arrays, one per player, of shape (actions at all the player's nodes, hands)"
            )
        return StrategyFile(str(data["game"]), None, None, None, data, data["slots"])
    if form == BY_NODE:
        plan = {name: {a: _row(row) for a, row in rows.items()} for name, rows in data["nodes"].items()}
        return StrategyFile(str(data["game"]), cuts, None, plan, data)
    named = next((key for key in ("strategy", "profile") if isinstance(data.get(key), dict)), None)
    if form and named is None:
        raise KeyError("strategy")
    table = {name: _distribution(distribution) for name, distribution in (data[named] if named else data).items()}
    facts = data if named else {}
    game = str(facts.get("game", ""))
    return StrategyFile("" if names_a_tree(game) else game, cuts, table, None, facts)


def _distribution(distribution: Any) -> Any:
    if isinstance(distribution, list):
        return [_number(p) for p in distribution]
    return {action: p if isinstance(p, list) else _number(p) for action, p in distribution.items()}


def _pieces(row: Piecewise) -> list[list[str | float]]:
    return [[_written(cut), _written(value)] for cut, value in zip(row.cuts[:-1], row.values(), strict=True)]


def _on_interval(row: Any) -> Any:
    """A function on [0, 1] of its pieces; a number is one everywhere."""
    if not isinstance(row, list):
        return row
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in row):
        raise TypeError(
            f"{short(row)} must be a list of pieces [from, probability]; a piece ends where the next begins"
        )
    cuts = [*(_number(start) for start, _ in row), exact(1)]
    check_cuts(cuts)
    values = [_number(value) for _, value in row]
    return Piecewise(cuts, [(value,) if value != 0 else () for value in values])


def _written(number: Number) -> str | float:
    if isinstance(number, float):
        return float(number)
    if isinstance(number, (int, Fraction, Quadratic)):
        return str(number)
    raise ValueError(f"{number} in this profile depends on symbolic parameters; a file holds numbers only")


def _written_row(row: Any) -> list[Any]:
    values = host(row)
    return values.astype(float).tolist() if values.dtype.kind == "f" else [_written(value) for value in values]


def _row(data: Any) -> Any:
    if isinstance(data, dict):  # on [0, 1], as files were written once
        return _on_interval([[cut, value] for cut, value in zip(data["cuts"][:-1], data["values"], strict=True)])
    if isinstance(data, np.ndarray):
        if data.dtype.kind == "f":
            return data
        data = data.tolist()
    if not isinstance(data, list):
        raise TypeError(f"{data!r} is not a list of probabilities")
    kinds = {type(value) for value in data}
    if kinds not in ({float}, {str}):
        raise TypeError("the list of an action's probabilities must be all text, such as '1/3', or all floats")
    return np.array(data) if kinds == {float} else np.array([_number(value) for value in data], object)


def _number(data: Any) -> Number:
    if isinstance(data, (float, int)) and not isinstance(data, bool):
        return data if isinstance(data, float) else Fraction(data)
    if not isinstance(data, str):
        raise TypeError(f"{data!r} is not a number; use a JSON number or text such as '1/3'")
    return Quadratic.read(data) if "sqrt" in data else exact(data, "entry")
