"""The learning algorithms, a file for each or for a family: what a learner is, and what an algorithm declares before it runs.

The function `algorithms` lists each `Algorithm` at the top level of a file in this folder. Such a file must import without the extra that
it needs, so that shell completion and game checks work without the extra: it imports the extra as `Lazy`, or inside functions. An algorithm
of your own needs no `Algorithm`: give the import path of a module or class with `Settings` and `start(game, settings, seed)`.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from relance.baselines.openspiel_games import AnyGame, OpenSpielGame
from relance.baselines.settings import read_settings
from relance.model.arguments import checked
from relance.model.game import check_game as check_model_game
from relance.model.limits import check_memory
from relance.model.numbers import did_you_mean, short
from relance.play.agents import check_questions

S = TypeVar("S")

Sees = Literal["samples", "tree", "tables"]

SEES: Mapping[Sees, str] = {
    "samples": "games that it plays to the end, each seat with its own observations; no state is set, copied or gone back to",
    "tree": "states of the game that it sets, copies or goes back to, so that it can try every action in one deal",
    "tables": "the whole game at once: every decision node with every hand, in tables",
}
"""What an algorithm may see of a game, least first. Those that see more are ranked apart."""

Scored = Literal["last", "average"]
"""Which policy of training is meant."""

NODE, PAIR = 500, 16
"""Lower bounds in bytes: OpenSpiel's memory per node of the tree, and Relance's per pair of hands that it deals to OpenSpiel."""


class Lazy:
    """A module of an extra, imported when something in it is first used."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._module), name)


class GoesTo(NamedTuple):
    """The point to which a learner converges while its magnet stays: a quantal response equilibrium.

    Attributes:
        kind: the kind of quantal response, see `relance.equilibria.logit_equilibria`.
        temperature: in chips.
        policy: the learner's policy, which converges to this point, in a form that `relance.score` accepts.
        magnet: the policy to which the learner is pulled, in a form that `relance.score` accepts.
    """

    kind: Literal["agent", "normal", "transformed"]
    temperature: float
    policy: Any
    magnet: Any


class Learner(Protocol):
    """The protocol of an algorithm in training on one game.

    It may also have `last()`, the last policy, where `agent()` returns an average; `parameters`, the number of weights of its policy;
    `goes_to()`, the point to which it converges by a theorem; and `changes`, the attributes that a checkpoint saves
    (`relance.baselines.checkpoints`).
    """

    def step(self) -> int:
        """Train a little, if possible well under a second; return how many samples it took."""

    def agent(self) -> Any:
        """The current policy, in a form that `relance.score` accepts."""


@dataclass(frozen=True)
class Iterated:
    """A learner that runs one iteration of a solver per step.

    Attributes:
        solver: the solver, whose state a checkpoint saves.
        iterate: a function that runs one iteration.
        samples: samples per iteration.
        agent: a function that returns the policy so far.
        parameters: as for `Learner`.
    """

    solver: Any
    iterate: Callable[[], object]
    samples: int
    agent: Callable[[], Any]
    parameters: int | None = None
    changes: ClassVar = ("solver",)

    def step(self) -> int:
        """Run one iteration; return its number of samples."""
        self.iterate()
        return self.samples


def require(what: str, extra: str, *modules: str) -> None:
    """Check that the modules of an extra are installed. The text `what` says in the error message who needs them.

    Raises:
        ImportError: one is missing; the message says how to install it.
    """
    for module in modules:
        if find_spec(module) is None:
            raise ImportError(f"{what} needs {module}: pip install 'relance[{extra}]'")


@dataclass(frozen=True)
class Algorithm(Generic[S]):
    """A learning algorithm.

    Attributes:
        name: its name on the command line.
        Settings: a frozen dataclass with a sentence for each field.
        start: a function from a game, settings and a seed to a `Learner`.
        sees: what the algorithm may see of the game, a key of `SEES`; None if that is not known.
        source: the paper that introduced it.
        scored: which policy `agent()` returns: the "last", or an "average" over training.
        ours: whether Relance wrote the algorithm.
        deterministic: whether nothing in it is random, so that every seed gives the same policy.
        real_hands: whether it plays hands on [0, 1]; other algorithms need finitely many hands.
        openspiel: whether it also plays OpenSpiel's own games, see `relance.baselines.openspiel_games`.
        memory: how much of a game it stores: vectors over "hands"; all "pairs" of hands; or the whole "tree", every node for every pair.
        extra: the extra of this package that it needs, if any.
        modules: the modules that the extra brings.
    """

    name: str
    Settings: type[S]
    start: Callable[[Any, S, int], Learner]
    sees: Sees | None = None
    source: str = ""
    scored: Scored = "last"
    ours: bool = False
    deterministic: bool = False
    real_hands: bool = False
    openspiel: bool = False
    memory: Literal["hands", "pairs", "tree"] = "hands"
    extra: str = ""
    modules: tuple[str, ...] = ()

    def require(self) -> None:
        """Check that the extra is installed, as the function `require` does."""
        require(self.name, self.extra, *self.modules)


@cache
def algorithms() -> dict[str, Algorithm[Any]]:
    """The algorithms of this folder, by name."""
    names = (info.name for info in pkgutil.iter_modules([Path(__file__).parent]))
    modules = [import_module(f"relance.baselines.{name}") for name in names]
    items = [item for module in modules for item in vars(module).values() if isinstance(item, Algorithm)]
    return {item.name: item for item in sorted(items, key=lambda item: item.name)}


@checked
def algorithm(name: str, imports: bool = False) -> Algorithm[Any]:
    """Return an algorithm by its name, or by an import path such as "my_package.my_module" or "my_module:variant".

    Args:
        name: the algorithm.
        imports: import the module of a path. If this is false, the module must have been imported: a name read from a file runs no code.

    Raises:
        ValueError: there is no such algorithm.
        TypeError: the name is not text.
    """
    if not isinstance(name, str):
        raise TypeError(f"an algorithm's name is text such as 'cfr+', not {short(name)}")
    if name in algorithms():
        return algorithms()[name]
    path, _, variant = name.partition(":")
    hint = did_you_mean(name, algorithms())
    if not all(part.isidentifier() for part in path.split(".")):
        raise ValueError(f"there is no algorithm {name!r}{hint}")
    module: Any = sys.modules.get(path)
    try:
        module = import_module(path) if imports else module
    except ModuleNotFoundError as error:
        if error.name is None or not f"{path}.".startswith(f"{error.name}."):
            raise
        hint = hint if name.isidentifier() else ""
        raise ValueError(f"there is no algorithm {name!r}: no module {error.name!r}{hint}") from None
    except (Exception, SystemExit) as error:
        raise ValueError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    if module is None:
        raise ValueError(
            f"there is no algorithm {name!r}{hint}; if it is your own, import {path} first (--import {path})"
        )
    item: Any = getattr(module, variant, None) if variant else module
    if isinstance(item, Algorithm):
        return replace(item, name=name)
    if not (hasattr(item, "Settings") and hasattr(item, "start")):
        raise ValueError(f"there is no algorithm {name!r}, as {name} lacks Settings or start(game, settings, seed)")
    return Algorithm(name, item.Settings, item.start, real_hands=True)


@cache
def code_of(name: str) -> str:
    """Return 12 hexadecimal digits of the hash of a learner's code: the file of its `start`, and the files of that folder that it uses.

    Docstrings do not count, nor do the fields of settings with their defaults: each row of results holds the settings of its run. The file
    `algorithms.py` and those that it uses are left out: they say what a learner is, not how one learns. Empty if the learner has no file.

    Raises:
        ValueError: there is no such algorithm.
    """
    start: Any = algorithm(name).start
    start = getattr(start, "func", start)  # of a partial
    module = sys.modules.get(getattr(start, "__module__", ""))
    files = sorted(_used(module) - _used(sys.modules[__name__])) if module else []
    return hashlib.sha256(b"".join(_code(Path(file).read_bytes()) for file in files)).hexdigest()[:12] if files else ""


def _code(source: bytes) -> bytes:
    """The lines of a file without docstrings and without the fields of classes named `...Settings`."""
    left: list[Any] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            left.append(node)
        elif isinstance(node, ast.ClassDef) and node.name.endswith("Settings"):
            left += [field for field in node.body if isinstance(field, ast.AnnAssign)]
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    for node in sorted(left, key=lambda node: node.lineno, reverse=True):
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        source = source[:start] + source[end:]
    return b"\n".join(line for line in source.splitlines() if line.strip())


def _used(module: ModuleType) -> set[str]:
    """The files of a module and of all that it uses from its own folder, and so on."""
    known, left = set[str](), [module]
    while left:
        one = left.pop()
        file = getattr(one, "__file__", None)
        if file and file not in known and Path(file).parent == Path(module.__file__ or "").parent:
            known.add(file)
            found = (item if isinstance(item, ModuleType) else inspect.getmodule(item) for item in vars(one).values())
            left += [other for other in found if other is not None]
    return known


@checked
def settings_of(name: str, given: Mapping[str, Any]) -> Any:
    """Return the settings of an algorithm with `given` in place of its defaults.

    Raises:
        ValueError: a setting is unknown, or its value has another type or is out of range.
    """
    return read_settings(algorithm(name).Settings, given, name)


def check_playable(name: str, game: AnyGame, here: bool = True) -> None:
    """Check that an algorithm can play a game, as far as that is known before it starts.

    Raises:
        ValueError: the algorithm cannot learn games of OpenSpiel or with hands on [0, 1]; or, if `here`, the game does not fit into memory.
    """
    chosen = algorithm(name)
    if isinstance(game, OpenSpielGame):
        if not chosen.openspiel:
            players = ", ".join(item.name for item in algorithms().values() if item.openspiel)
            raise ValueError(f"{name} learns only games of Relance; algorithms that can learn {game} are {players}")
        return
    check_model_game(game, name)
    deal = game.deal
    if deal.is_finite:
        pairs = deal.size(0) * deal.size(1) if here else 0
        if chosen.memory == "tree":
            check_memory(NODE * pairs * len(game.tree.table.names), f"{name} on the whole tree of {game}")
        elif chosen.memory == "pairs":
            check_memory(PAIR * pairs, f"{name} on {game}")
        if here and chosen.sees == "samples":
            check_questions(game, 0)
    elif not chosen.real_hands:
        raise ValueError(
            f"{game} has infinitely many hands; {name} needs finitely many, such as those of {game.name}(hands=9)"
        )
