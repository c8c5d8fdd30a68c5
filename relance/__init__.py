"""Relance: the ground truth for learning in games of bluffing.

`import relance` registers every game with OpenSpiel (`relance_<name>`), PettingZoo (`relance/<name>-v0`) and Gymnasium
(`relance/<Name>-v0`), as soon as each of these is imported. Values are in chips to player 0, the first player in the game's paper.
A function that takes a game also accepts its text, and one that takes a profile also accepts the name of an opponent:
`relance.value("von_neumann(hands=9)", "published")`. The public names are listed in `__init__.pyi`; each is imported on first use.
"""

from typing import Any

import lazy_loader

from relance.model.texts import READ
from relance.registration.on_import import register_on_import

__version__ = "0.1.0"

_get, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name in __all__ or name.startswith("_"):
        return _get(name)
    raise AttributeError(f"relance has no {name!r}{_elsewhere(name)}")


def _elsewhere(name: str) -> str:
    """Return which room has a name that is not at the front."""
    from importlib import import_module
    from pkgutil import iter_modules

    from relance.model.numbers import did_you_mean

    for room in (f"relance.{found.name}" for found in iter_modules(__path__) if found.ispkg):
        if name in import_module(room).__all__:
            return f"; it is in {room}"
    return did_you_mean(name, __all__)


def _made(text: str) -> object:
    from relance.envs.catalogue import make

    return make(text)


def _played(game: Any, given: Any) -> object:
    from relance.play.agents import profile_of

    return profile_of(game, given)


def _tree(source: Any) -> object:
    if hasattr(source, "blueprint"):  # a Game, which is read without OpenSpiel
        from relance.registration.efg import tree_of_game

        return tree_of_game(source)
    from relance.registration.game_trees import game_tree

    return game_tree(source)


def _solved(game: Any) -> object:
    from relance.solvers.solve import solve

    return solve(game)


def _dump(game: Any, dump: Any) -> object:
    from relance.registration.texas_solver import read_dump

    return read_dump(game, dump)


READ.update(game=_made, profile=_played, tree=_tree, solved=_solved, dump=_dump)
register_on_import()
