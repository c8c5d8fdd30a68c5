"""Strategies in files: JSON by information set, which a person can write too; exact numbers are text, and floats are JSON numbers.

    {"format": "relance strategy 1", "game": "one_card_poker(raises=0)", "strategy": {
    "Q": {"check": "5/6", "bet": "1/6"},
    "K check-bet": {"fold": "1/2", "call": "1/2"}, ...}}

With hands on [0, 1] there is an entry for each decision, and each action has pieces [from, probability]. `cuts` are the borders of the
cells of a game with unequal ones. A strategy of more than `MOST_SETS` information sets has lists by node instead, weakest hand first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from relance.model.arguments import PathName, checked
from relance.model.arrays import host
from relance.model.files import read_json, write_text
from relance.model.game import Game, as_played
from relance.model.numbers import Number, exact
from relance.model.piecewise import Piecewise, check_cuts
from relance.model.quadratic import Quadratic
from relance.model.strategy import Profile
from relance.model.strategy_tables import profile_of_table
from relance.model.texts import READ

FORMAT, BY_NODE = "relance strategy 1", "relance profile 1"
"""What files call their form: by information set, and by node."""

MOST_SETS = 100_000


@checked
def write_profile(game: Game | str, profile: object, path: PathName) -> None:
    """Write a profile of `game` to a file that `relance.envs.read_profile` reads back exactly; the file is replaced in one step.

    Raises:
        ValueError: it is not a profile of this game, or its numbers depend on parameters.
        OSError: the file cannot be written.
    """
    write_text(Path(path), profile_text(*as_played(game, profile)))


def profile_text(game: Game, profile: Profile, **facts: object) -> str:
    """The text that `write_profile` writes. `facts` are added to it as JSON and not read back. Raises the same errors."""
    game.check(profile)
    cuts = None if game.cuts is None or game.hands else [_written(cut) for cut in game.cuts]
    head = {"game": str(game.whole if cuts else game), **({"cuts": cuts} if cuts else {}), **facts}
    sets = sum(game.deal.size(node.player) for node in game.tree.decisions.values()) if game.deal.is_finite else 0
    if sets > MOST_SETS:
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


def _text(head: Mapping[str, object], name: str, entries: Mapping[str, object]) -> str:
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in entries.items())
    return json.dumps(head)[:-1] + f', "{name}": {{\n{lines}}}}}\n'


@dataclass(frozen=True)
class StrategyFile:
    """The contents of a file.

    Attributes:
        game: as text; "" if the file does not say.
        cuts: the borders of the game's unequal cells, if it has any.
        table: {information set: law} as it is written, or on [0, 1] {node: {action: pieces}}; None if the file has lists by node.
        plan: {node: {action: probabilities}} by node; None if it has a table.
        dump: the JSON of TexasSolver, which has neither and says of no game.
    """

    game: str
    cuts: tuple[Number, ...] | None
    table: dict[str, Any] | None
    plan: dict[str, dict[str, Any]] | None
    dump: Any = None

    def profile(self, game: Game) -> Profile:
        """The profile of this game; ValueError or TypeError if it is none."""
        if self.dump is not None:
            read: Profile = READ["dump"](game, self.dump)
            return read
        if self.plan is not None:
            return game.profile(self.plan)
        table = self.table or {}
        if game.deal.is_finite:
            return profile_of_table(game, table, as_written=True)
        return game.profile(
            {name: {action: _on_interval(row) for action, row in law.items()} for name, law in table.items()}
        )


def read_file(path: str | Path) -> StrategyFile:
    """Read a file of a strategy, written by `write_profile` or by hand: at least {information set: {action: probability}}.

    Raises:
        ValueError: the file is damaged or of another kind.
        OSError: the file cannot be read.
    """
    data = read_json(path)
    try:
        return _contents(data)
    except (KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"{path} is damaged or is not a strategy: {what}") from None


def _contents(data: Any) -> StrategyFile:
    if not isinstance(data, dict):
        raise TypeError("a file of a strategy holds {information set: {action: probability}}")
    if "node_type" in data:
        return StrategyFile("", None, None, None, data)
    form = data.get("format")
    if form not in (None, FORMAT, BY_NODE):
        raise ValueError(f"its format is {form!r}, not {FORMAT!r}")
    cuts = tuple(_number(cut) for cut in data["cuts"]) if form and data.get("cuts") else None
    if form == BY_NODE:
        plan = {name: {a: _row(row) for a, row in rows.items()} for name, rows in data["nodes"].items()}
        return StrategyFile(str(data["game"]), cuts, None, plan)
    named = next((key for key in ("strategy", "profile") if isinstance(data.get(key), dict)), None)
    if form and named is None:
        raise KeyError("strategy")
    table = {name: _law(law) for name, law in (data[named] if named else data).items()}
    return StrategyFile(str(data.get("game", "")) if named else "", cuts, table, None)


def _law(law: Any) -> Any:
    if isinstance(law, list):
        return [_number(p) for p in law]
    return {action: p if isinstance(p, list) else _number(p) for action, p in law.items()}


def _pieces(row: Piecewise) -> list[list[str | float]]:
    return [[_written(cut), _written(value)] for cut, value in zip(row.cuts[:-1], row.values(), strict=True)]


def _on_interval(row: Any) -> Any:
    """A function on [0, 1] of its pieces; a number is one everywhere."""
    if not isinstance(row, list):
        return row
    cuts = [*(_number(start) for start, _ in row), exact(1)]
    check_cuts(cuts)
    values = [_number(value) for _, value in row]
    return Piecewise(cuts, [(value,) if value != 0 else () for value in values])


def _written(number: Number) -> str | float:
    if isinstance(number, float):
        return float(number)
    if isinstance(number, (int, Fraction, Quadratic)):
        return str(number)
    raise ValueError(f"the number {number} of this profile depends on parameters; a file holds numbers only")


def _written_row(row: Any) -> list[Any]:
    values = host(row)
    return values.astype(float).tolist() if values.dtype.kind == "f" else [_written(value) for value in values]


def _row(data: Any) -> Any:
    if isinstance(data, dict):  # on [0, 1], as files were written once
        return _on_interval([[cut, value] for cut, value in zip(data["cuts"][:-1], data["values"], strict=True)])
    if not isinstance(data, list):
        raise TypeError(f"{data!r} is not a list of probabilities")
    kinds = {type(value) for value in data}
    if kinds not in ({float}, {str}):
        raise TypeError("the probabilities of a row must be all text or all floats")
    return np.array([_number(value) for value in data], float if kinds == {float} else object)


def _number(data: Any) -> Number:
    if isinstance(data, (float, int)) and not isinstance(data, bool):
        return data if isinstance(data, float) else Fraction(data)
    if not isinstance(data, str):
        raise TypeError(f"{data!r} is not a number, which is a JSON number or text such as '1/3'")
    return Quadratic.read(data) if "sqrt" in data else exact(data, "a number")
