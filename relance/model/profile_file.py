"""Profiles saved exactly in files: JSON with the game; exact numbers are text, and floats are JSON numbers.

    {"format": "relance profile 1", "game": "la_relance(ante=1,bet=2,deal=uniform)", "cuts": null, "nodes": {
    "": {"check": {"cuts": ["0", "1/6", "1/2", "1"], "values": ["0", "1", "0"]}, ...},
    "bet": ...}}

Probabilities of finite hands are lists, weakest hand first. `cuts` are the cell borders of a game with unequal cells.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from relance.model.arguments import PathName, checked
from relance.model.arrays import host
from relance.model.files import read_text, write_text
from relance.model.game import Game, as_played
from relance.model.numbers import Number, exact
from relance.model.piecewise import Piecewise, check_cuts
from relance.model.quadratic import Quadratic
from relance.model.strategy import Profile

FORMAT = "relance profile 1"


@checked
def write_profile(game: Game | str, profile: Profile | str, path: PathName) -> None:
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
    head = {"format": FORMAT, "game": str(game.whole if cuts else game), "cuts": cuts, **facts}
    nodes = [
        f"{json.dumps(name)}: {json.dumps({action: _written_row(row) for action, row in rows.items()})}"
        for name, rows in profile.plan().items()
    ]
    return json.dumps(head)[:-1] + ', "nodes": {\n' + ",\n".join(nodes) + "}}\n"


@dataclass(frozen=True)
class ProfileFile:
    """The contents of a file: the game as text, the borders of its unequal cells if it has any, and the plan."""

    game: str
    cuts: tuple[Number, ...] | None
    plan: dict[str, dict[str, Any]]


def read_file(path: str | Path) -> ProfileFile:
    """Read a file written by `write_profile`.

    Raises:
        ValueError: the file is damaged or of another kind.
        OSError: the file cannot be read.
    """
    source = Path(path)
    text = read_text(source)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{source} is damaged or is not a profile: {error}") from None
    written = data.get("format") if isinstance(data, dict) else None
    if written != FORMAT:
        raise ValueError(f"{source} is not a profile: its format is {written!r}, not {FORMAT!r}")
    try:
        cuts = None if data["cuts"] is None else tuple(_number(cut) for cut in data["cuts"])
        plan = {name: {a: _row(row) for a, row in rows.items()} for name, rows in data["nodes"].items()}
        return ProfileFile(str(data["game"]), cuts, plan)
    except (KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"{source} is damaged: {what}") from None


def _written(number: Number) -> str | float:
    if isinstance(number, float):
        return float(number)
    if isinstance(number, (int, Fraction, Quadratic)):
        return str(number)
    raise ValueError(f"the number {number} of this profile depends on parameters; a file holds numbers only")


def _written_row(row: Any) -> Any:
    if isinstance(row, Piecewise):
        return {"cuts": [_written(cut) for cut in row.cuts], "values": [_written(value) for value in row.values()]}
    values = host(row)
    return values.astype(float).tolist() if values.dtype.kind == "f" else [_written(value) for value in values]


def _row(data: Any) -> Any:
    if isinstance(data, dict):
        values, cuts = ([_number(value) for value in data[key]] for key in ("values", "cuts"))
        check_cuts(cuts)
        return Piecewise(cuts, [(value,) if value != 0 else () for value in values])
    if not isinstance(data, list):
        raise TypeError(f"{data!r} is not a list of probabilities")
    kinds = {type(value) for value in data}
    if kinds not in ({float}, {str}):
        raise TypeError("the probabilities of a row must be all text or all floats")
    return np.array([_number(value) for value in data], float if kinds == {float} else object)


def _number(data: Any) -> Number:
    if isinstance(data, float):
        return data
    if not isinstance(data, str):
        raise TypeError(f"{data!r} is not a number written as text")
    return Quadratic.read(data) if "sqrt" in data else exact(data, "a number")
