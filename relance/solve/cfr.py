"""Counterfactual regret minimisation in vector form: one pass over the public tree updates every hand at once.

Regrets and averages are arrays of shape (slots, hands), a slot being an action of a node. Both players are updated in turn.
The same few lines serve every tree and every deal; `relance.solve.compiled` does the same work fused, hand by hand.

Sources: Zinkevich et al. 2007 (CFR); Johanson et al. 2011 (public trees); Tammelin 2014 (CFR+); Brown and Sandholm 2019 (DCFR);
Farina, Kroer and Sandholm 2021 (PCFR+).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from relance.model.deal import Deal, FiniteDeal, RankedDeal
from relance.model.game import Game
from relance.model.numbers import did_you_mean
from relance.model.strategy import Profile, Strategy
from relance.solve.coarse import Rows, block_sizes
from relance.solve.exact import sweep

Backend = Literal["numpy", "numba"]


class Weights(NamedTuple):
    """What an iteration does: factors on positive and negative regrets, on the old average, and the new strategy's weight.

    Each a number, or an array over iterations.
    """

    positive: Any
    negative: Any
    keep: Any
    add: Any


@dataclass(frozen=True)
class Method:
    """A variant of CFR: its weights at iteration t (from 1), and whether it plays as if the last regret came again."""

    weights: Callable[[Any], Weights]
    predictive: bool = False


def _discounted(t: Any, alpha: float = 1.5, gamma: float = 2.0) -> Weights:
    return Weights(t**alpha / (t**alpha + 1), 0.5, ((t - 1) / t) ** gamma, 1.0)


METHODS: dict[str, Method] = {
    "cfr": Method(lambda t: Weights(1.0, 1.0, 1.0, 1.0)),
    "cfr+": Method(lambda t: Weights(1.0, 0.0, 1.0, t)),
    "dcfr": Method(_discounted),
    "pcfr+": Method(lambda t: Weights(1.0, 0.0, 1.0, t**2), predictive=True),
}

COMPILED_FROM = 20_000
"""Hands from which compiled code is used of itself, where numba is installed: below, its start-up costs more than it saves."""


class Solver:
    """A running CFR of one game.

    Args:
        game: with finitely many hands.
        method: "cfr", "cfr+", "dcfr" (alpha 3/2, beta 0, gamma 2) or "pcfr+".
        backend: "numpy", or "numba" (the extra `fast`); by default numba if it is installed and the game is large.
        dtype: of regrets and averages. float32 halves the memory; with 1,000 hands its NashConv was within 1e-8 of
            float64's for 20,000 iterations, down to 1e-8.
        deal: the hands to solve for instead of the game's, such as `coarse(game.deal.floats, 1000)` of `relance.solve.coarse`.

    Attributes:
        iteration: how many iterations have been made.
        regrets, averages: for each player an array of shape (slots, hands); `slots` gives each node's rows.

    Raises ValueError for infinitely many hands, an unknown method, or arrays that do not fit into memory.
    """

    def __init__(
        self,
        game: Game,
        method: str = "cfr+",
        backend: Backend | None = None,
        dtype: npt.DTypeLike = np.float64,
        deal: FiniteDeal | None = None,
    ) -> None:
        if not isinstance(game.deal, FiniteDeal):
            raise ValueError(f"{game} has infinitely many hands; use game.grid(n) or game.cells(profile)")
        if method not in METHODS:
            raise ValueError(f"method={method!r} must be one of {', '.join(METHODS)}" + did_you_mean(method, METHODS))
        self.game, self.method, self.iteration = game, method, 0
        self.dtype = np.dtype(dtype)
        if self.dtype.kind != "f" or self.dtype.itemsize not in (4, 8):
            raise ValueError(f"dtype={self.dtype} must be float32 or float64")
        self.tree, self.slots, sizes = game.tree, {}, [0, 0]
        for name, node in self.tree.decisions.items():
            self.slots[name] = slice(sizes[node.player], sizes[node.player] + len(node.actions))
            sizes[node.player] += len(node.actions)
        hands = [(deal or game.deal).hands(player) for player in (0, 1)]
        arrays = 3 if METHODS[method].predictive else 2
        check_memory(sum(s * n for s, n in zip(sizes, hands, strict=True)) * self.dtype.itemsize * arrays, str(game))
        self.deal = deal or game.deal.floats
        self.backend = _backend(backend, self.deal)
        self.regrets = [np.zeros((s, n), self.dtype) for s, n in zip(sizes, hands, strict=True)]
        self.averages = [np.zeros_like(r) for r in self.regrets]
        predictive = METHODS[method].predictive
        self.matched = [r.copy() for r in self.regrets] if predictive else self.regrets
        self._fast: Any = None

    def run(self, iterations: int) -> None:
        """Make this many iterations. Interrupted between two of them, it loses nothing."""
        if self.backend == "numba":
            from relance.solve.compiled import Compiled

            self._fast = self._fast or Compiled(self)
            self._fast.run(iterations)
            return
        for _ in range(iterations):
            weights = METHODS[self.method].weights(float(self.iteration + 1))
            for player in (0, 1):
                self._update(player, weights)
            self.iteration += 1

    def _update(self, player: int, weights: Weights) -> None:
        mine, theirs = self.current(player), self.current(1 - player)
        reach: dict[str, Rows | float] = {}
        for name, rows in mine.items():
            reach[name] = _own_reach(name, mine, reach, self.tree.decisions)
            average = self.averages[player][self.slots[name]]
            if weights.keep != 1.0:
                average *= weights.keep
            average += weights.add * reach[name] * rows

        def learn(name: str, values: list[Rows]) -> tuple[Rows, ...]:
            rows, at = mine[name], self.slots[name]
            regrets, expected = self.regrets[player][at], sum(p * v for p, v in zip(rows, values, strict=True))
            for regret, value in zip(regrets, values, strict=True):
                regret += value - expected
            if weights.negative == 0.0:
                np.maximum(regrets, 0.0, out=regrets)
            elif weights.negative != 1.0 or weights.positive != 1.0:
                regrets *= np.where(regrets > 0, weights.positive, weights.negative)
            if self.matched[player] is not self.regrets[player]:
                self.matched[player][at] = regrets + np.stack(values) - expected
            return tuple(rows)

        sweep(self.tree, self.deal, player, as_tuples(theirs), learn)

    def current(self, player: int) -> dict[str, Rows]:
        """The current strategy: at each node of the player an array (actions, hands), in proportion to positive regrets."""
        return {
            name: _normalised(np.maximum(self.matched[player][self.slots[name]], 0.0)) for name in self._nodes(player)
        }

    def average_rows(self, player: int) -> dict[str, Rows]:
        """The average strategy, as `current`."""
        return {name: _normalised(self.averages[player][self.slots[name]]) for name in self._nodes(player)}

    def _nodes(self, player: int) -> list[str]:
        return [name for name, node in self.tree.decisions.items() if node.player == player]

    def average(self) -> Profile:
        """The average strategies, which approach an equilibrium, as a profile of the game."""
        if self.deal is not self.game.deal.floats:  # type: ignore[attr-defined]
            raise ValueError("this solver runs on coarser hands than its game has")
        first, second = (
            Strategy(p, {name: tuple(np.asarray(rows, float)) for name, rows in self.average_rows(p).items()})
            for p in (0, 1)
        )
        return Profile(self.game.name, (first, second))

    def nash_conv(self) -> float:
        """What both players together can gain against the average strategies, in chips."""
        rows = [self.average_rows(player) for player in (0, 1)]
        return float_nash_conv(self, rows, self.deal)

    def start_from(self, other: Solver) -> None:
        """Take over regrets and averages from a solver of the same game on coarser hands; the iterations go on from there."""
        for player in (0, 1):
            sizes = block_sizes(self.regrets[player].shape[1], other.regrets[player].shape[1])
            for mine, theirs, scale in (
                (self.regrets, other.regrets, 1 / sizes),
                (self.matched, other.matched, 1 / sizes),
                (self.averages, other.averages, np.ones(len(sizes))),
            ):
                mine[player][...] = np.repeat(theirs[player] * scale, sizes, axis=1)
        self.iteration = other.iteration

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint; the file appears only once it is whole."""
        target = Path(path)
        part = target.with_name(target.name + ".part")
        with part.open("wb") as file:
            np.savez(
                file,
                game=str(self.game),
                method=self.method,
                iteration=self.iteration,
                **{f"{kind}{p}": getattr(self, kind)[p] for kind in ("regrets", "averages", "matched") for p in (0, 1)},
            )
        part.replace(target)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Go on from a checkpoint. Raises ValueError, changing nothing, if it is damaged or of another game or method."""
        try:
            with Path(path).open("rb") as whole, np.load(whole, allow_pickle=False) as file:
                data = {key: file[key] for key in file.files}
            arrays = {
                f"{kind}{p}": getattr(self, kind)[p] for kind in ("regrets", "averages", "matched") for p in (0, 1)
            }
            found = (str(data["game"]), str(data["method"]), int(data["iteration"]))
            fits = all(data[key].shape == array.shape for key, array in arrays.items())
        except FileNotFoundError:
            raise ValueError(f"there is no checkpoint {path}") from None
        except Exception as error:
            raise ValueError(f"{path} is no whole checkpoint: {error}") from None
        if found[:2] != (str(self.game), self.method) or not fits:
            raise ValueError(f"{path} is a checkpoint of {found[0]} by {found[1]}, not of {self.game} by {self.method}")
        for key, array in arrays.items():
            array[...] = data[key]
        self.iteration = found[2]


def checkpoint_hands(path: str | os.PathLike[str]) -> int:
    """How many hands of player 0 a checkpoint has. Raises ValueError if it is damaged."""
    try:
        with Path(path).open("rb") as whole, np.load(whole, allow_pickle=False) as file:
            return int(file["regrets0"].shape[1])
    except Exception as error:
        raise ValueError(f"{path} is no whole checkpoint: {error}") from None


def _normalised(rows: Rows) -> Rows:
    total = rows.sum(axis=0)
    out = np.full_like(rows, 1 / len(rows))
    np.divide(rows, total, out=out, where=total > 0)
    return out


def as_tuples(rows: Mapping[str, Rows]) -> dict[str, tuple[Rows, ...]]:
    """Rows as strategies have them: for each node one array per action."""
    return {name: tuple(array) for name, array in rows.items()}


def _own_reach(
    name: str, rows: Mapping[str, Rows], reach: Mapping[str, Rows | float], nodes: Mapping[str, Any]
) -> Rows | float:
    """The chance that the player's own choices lead to a node: that of his last node before it, times his choice there."""
    history = name.split("-") if name else []
    for length in range(len(history) - 1, -1, -1):
        before = "-".join(history[:length])
        if before in rows:
            led: Rows = reach[before] * rows[before][nodes[before].actions.index(history[length])]
            return led
    return 1.0


def float_nash_conv(solver: Solver, rows: list[dict[str, Rows]], deal: FiniteDeal) -> float:
    """NashConv of strategies given as rows on the hands of `deal`."""

    def best(name: str, values: list[Rows]) -> tuple[Rows, ...]:
        return tuple(deal.pick_best(values))

    return float(sum(deal.total(sweep(solver.tree, deal, p, as_tuples(rows[1 - p]), best)) for p in (0, 1)))


def _backend(asked: Backend | None, deal: Deal) -> Backend:
    fits = isinstance(deal, RankedDeal) and deal.in_step
    if asked == "numba" and not fits:
        raise ValueError("backend='numba' needs hands that both players rank in the same order; use 'numpy'")
    if asked not in (None, "numpy", "numba"):
        raise ValueError(f"backend={asked!r} must be 'numpy' or 'numba'")
    if asked is None:
        large = fits and isinstance(deal, RankedDeal) and deal.hands(0) >= COMPILED_FROM
        return "numba" if large and _installed() else "numpy"
    if asked == "numba" and not _installed():
        raise ImportError("backend='numba' needs numba: pip install 'relance[fast]'")
    return asked


def _installed() -> bool:
    from importlib.util import find_spec

    return find_spec("numba") is not None


def check_memory(needed: int, game: str) -> None:
    """Raise ValueError before allocating more than the machine has."""
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return
    if needed > there:
        raise ValueError(
            f"{game} needs {needed / 2**30:.1f} GiB for its strategies; the machine has {there / 2**30:.1f}"
        )
