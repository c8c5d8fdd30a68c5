"""Finds games by name: the games of all files in this folder, and those that a user registers."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import asdict
from pathlib import Path
from threading import RLock
from typing import Any

from relance.model.arguments import PathName, checked
from relance.model.blueprint import Blueprint
from relance.model.game import Game, build
from relance.model.game_check import MOST_EXACT, check_blueprint
from relance.model.numbers import did_you_mean, short, show
from relance.model.profile_file import read_file
from relance.model.profile_file import write_profile as write_profile
from relance.model.strategy import Profile

TABLE = Path(__file__).with_name("games.json")
"""The file of `game_rows` as of the last `make numbers`. It names each game's file, as building all games to find one takes long."""


def game_rows() -> list[dict[str, Any]]:
    """Return the name, title, file in this folder, parameters, source and aliases of each game, as plain data."""
    return [
        {
            "name": spec.name,
            "title": spec.title,
            "file": spec.build.__module__.rpartition(".")[2],
            "parameters": {
                name: {"default": kind.text(kind.default), "allowed": kind.allowed, "doc": kind.doc}
                for name, kind in spec.parameters.items()
            },
            "source": asdict(spec.source),
            "aliases": {name: dict(fixed) for name, fixed in spec.aliases.items()},
        }
        for spec in ours().values()
    ]


def ours() -> dict[str, Blueprint]:
    """Return the games that come with the package, as {name: `Blueprint`}."""
    return _games_of(_files())


def _files() -> list[str]:
    return sorted(info.name for info in pkgutil.iter_modules([str(Path(__file__).parent)]))


def _games_of(files: Iterable[str]) -> dict[str, Blueprint]:
    blueprints: dict[str, Blueprint] = {}
    for file in files:
        for item in vars(importlib.import_module(f"relance.envs.{file}")).values():
            if isinstance(item, Blueprint):
                if item.name in blueprints:
                    raise ValueError(f"two games of relance.envs are called {item.name!r}")
                blueprints[item.name] = item
    return blueprints


class _Games(MutableMapping[str, Blueprint]):
    """Games by name. Who asks for one waits for the file that `TABLE` names, not for all; a game that is not in it is looked for in all."""

    def __init__(self) -> None:
        self._found: dict[str, Blueprint] = {}
        self._is_whole, self._lock = False, RLock()

    def _whole(self) -> dict[str, Blueprint]:
        with self._lock:
            if not self._is_whole:
                self._found, self._is_whole = ours(), True
        return self._found

    def __getitem__(self, name: str) -> Blueprint:
        with self._lock:
            if name not in self._found and not self._is_whole:
                rows = json.loads(TABLE.read_text(encoding="utf-8"))
                self._found.update(_games_of(row["file"] for row in rows if row["name"] == name))
        return self._found[name] if name in self._found else self._whole()[name]

    def __setitem__(self, name: str, blueprint: Blueprint) -> None:
        self._whole()[name] = blueprint

    def __delitem__(self, name: str) -> None:
        del self._whole()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())


BLUEPRINTS: MutableMapping[str, Blueprint] = _Games()
"""The `Blueprint` of each game, by the game's name; `relance.register` adds games."""


LONGEST = 50_000
"""The most characters in a game's text: enough for thirty bets with all the digits allowed."""


@checked
def games() -> list[str]:
    """Return the names of all games, such as "von_neumann", each of which `relance.make` takes."""
    return list(BLUEPRINTS)


@checked
def blueprint(name: str) -> Blueprint:
    """Return the `Blueprint` of the game `name`: its parameters, its source and what builds it.

    Raises:
        ValueError: there is no such game.
    """
    if not isinstance(name, str) or name not in BLUEPRINTS:
        raise ValueError(f"there is no game {short(name)}" + did_you_mean(str(name), [*BLUEPRINTS, *aliases()]))
    return BLUEPRINTS[name]


def aliases() -> dict[str, tuple[str, Mapping[str, object]]]:
    """Return {name by which others know a game: (the name of the game here, the parameters that make it that game)}."""
    return {alias: (name, fixed) for name, spec in BLUEPRINTS.items() for alias, fixed in spec.aliases.items()}


def add(blueprint: Blueprint) -> None:
    """Add a game, or replace a game with the same name and module; `relance.register` says more and raises the same errors."""
    if not isinstance(blueprint, Blueprint):
        raise TypeError(f"a game is registered by its Blueprint, not by {short(blueprint)}")
    name, known = blueprint.name, BLUEPRINTS.get(blueprint.name)
    if known is blueprint:
        return
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise ValueError(f"name={short(name)} must be lower-case letters, digits and _, such as 'my_game'")
    if known is not None and (name in ours() or known.build.__module__ != blueprint.build.__module__):
        raise ValueError(f"there is a game {name!r} already, of {known.build.__module__}; choose another name")
    for game in check_blueprint(blueprint):
        _check_equilibrium(game)
    BLUEPRINTS[name] = blueprint


def _check_equilibrium(game: Game) -> None:
    """Raise ValueError unless what is printed for these parameters is an equilibrium, up to the rounding that the blueprint states.

    Not scored, because it would take long or is not exact: more than `MOST_EXACT` hands, and distributions in floats.
    """
    from relance.solvers.exact import nash_conv

    if not game.is_published or max(game.deal.size(0), game.deal.size(1)) > MOST_EXACT or not game.deal.is_exact:
        return
    gap, allowed = nash_conv(game, game.published()), game.rounding * game.parameters.get("ante", 1)
    if gap > allowed:
        raise ValueError(
            f"{game}: the printed strategies are no equilibrium; their NashConv is {show(gap)}, and at most {show(allowed)} is allowed. "
            "Put a misprint into `Printed.misprints`, the right number into `numbers`, and the NashConv due to rounding into `precision`"
        )


@checked
def make(name: str, **parameters: object) -> Game:
    """Return the game `name` with exact parameters.

    Args:
        name: one of `games()`; a game as `str(game)` writes it: "von_neumann(bet=2,hands=9)"; or a name by which others know a game, such
            as "kuhn_poker" for one_card_poker(raises=0).
        **parameters: ints, Fractions, text such as "2/3", or floats, which mean their decimal text: 0.1 is 1/10.
            `hands=n` cuts hands on [0, 1] into n equal cells.

    Examples:
        >>> relance.make("von_neumann", bet="3/2", hands=9)
        <relance game von_neumann(ante=1, bet=3/2, deal=uniform, hands=9)>

    Raises:
        ValueError: there is no such game, or a parameter is unknown, given twice or out of range.
        TypeError: the name is not text, or a parameter is of the wrong kind.
    """
    if not isinstance(name, str):
        raise TypeError(f"a game's name is text such as 'von_neumann(bet=2)', not {short(name)}")
    if len(name) > LONGEST:
        raise ValueError(f"game {short(name)} has {len(name)} characters; at most {LONGEST} are allowed")
    text, (name, bracket, rest) = name, name.strip().partition("(")
    if bracket and not rest.endswith(")"):
        raise ValueError(f"game {short(text)} lacks its closing bracket; write it like 'von_neumann(bet=2)'")
    key = ""
    for pair in rest[:-1].split(",") if rest[:-1].strip() else []:
        if key and "=" not in pair:  # a comma in a value, as in ranges
            parameters[key] = f"{parameters[key]},{pair}"
            continue
        key, _, value = (part.strip() for part in pair.partition("="))
        if key in parameters:
            raise ValueError(f"game {short(text)} gives {short(key)} twice")
        parameters[key] = value
    name = name.strip()
    if name not in BLUEPRINTS and (known := aliases().get(name)):
        alias, (name, fixed) = name, known
        for key in fixed.keys() & parameters.keys():
            raise ValueError(f"{alias} has {key}={fixed[key]}; make {name} for another value of {key}")
        parameters |= fixed
    return build(blueprint(name), **parameters)


@checked
def read_profile(path: PathName, game: Game | None = None) -> tuple[Game, Profile]:
    """Return a game and its profile, read from a file: exactly what `write_profile` wrote, or what a person wrote in that form.

    Args:
        path: the file.
        game: the profile's game; used only if the file does not name one.

    Raises:
        ValueError: the file is damaged or of another kind, no game is given, or the profile does not fit the game.
        OSError: the file cannot be read.
    """
    file = read_file(Path(path))
    try:
        if file.game:
            game = make(file.game)
        if game is None:
            raise ValueError("the file names no game; pass one as the argument `game`")
        game = game.cut(file.cuts) if file.cuts else game
        return game, file.profile(game)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} cannot be read as a profile: {error}") from None
