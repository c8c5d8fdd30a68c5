"""Counterfactual regret minimisation in vector form: one pass over the public tree updates every hand at once.

Regrets and averages are arrays of shape (slots, hands), a slot being an action of a node. Both players are updated in turn.
The same few lines serve every tree and every deal; `relance.solvers.compiled` does the same work fused, hand by hand.

Sources: Zinkevich et al. 2007 (CFR); Johanson et al. 2011 (public trees); Tammelin 2014 (CFR+); Brown and Sandholm 2019 (DCFR);
Farina, Kroer and Sandholm 2021 (PCFR+).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.arrays import check_memory, host, namespace, putter
from relance.model.deal import Deal, FiniteDeal
from relance.model.game import Game
from relance.model.numbers import did_you_mean
from relance.model.ranked_deal import RankedDeal
from relance.model.strategy import Profile, Strategy
from relance.model.tree import BettingTree
from relance.solvers.coarse import Rows, block_sizes
from relance.solvers.exact import best_value, mixed, sweep
from relance.solvers.methods import METHODS, Weights

BACKENDS = ("numpy", "numba", "torch", "cupy")


KEPT = ("regrets", "averages", "matched")
"""What a checkpoint holds of each player."""

COMPILED_FROM = 20_000
"""Hands from which compiled code is used of itself, where numba is installed: below, its start-up costs more than it saves."""


class Solver:
    """A running CFR of one game.

    Args:
        game: with finitely many hands.
        method: "cfr", "cfr+", "dcfr" (alpha 3/2, beta 0, gamma 2) or "pcfr+".
        backend: "numpy", "numba" (the extra `fast`), "torch" or "cupy"; by default numba if it is installed and the game is large,
            else numpy.
        device: where torch or cupy compute, such as "cuda".
        dtype: of regrets and averages. float32 halves the memory; with 1,000 hands its NashConv was within 1e-8 of
            float64's for 20,000 iterations, down to 1e-8.
        deal: the hands to solve for instead of the game's, such as `coarse(game.deal.floats, 1000)` of `relance.solvers.coarse`.

    Attributes:
        iteration: how many iterations have been made.
        regrets, averages: for each player an array of shape (slots, hands); `slots` gives each node's rows.

    Raises ValueError for infinitely many hands, an unknown method, or arrays that do not fit into memory.
    """

    def __init__(
        self,
        game: Game,
        method: str = "cfr+",
        backend: str | None = None,
        dtype: npt.DTypeLike = np.float64,
        deal: FiniteDeal | None = None,
        device: str | None = None,
    ) -> None:
        given = deal or game.finite_deal()
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
        hands = [given.size(player) for player in (0, 1)]
        self.predictive = METHODS[method].predictive
        arrays = 3 if self.predictive else 2
        check_memory(sum(s * n for s, n in zip(sizes, hands, strict=True)) * self.dtype.itemsize * arrays, str(game))
        self.backend = choose_backend(backend, given)
        self._put = putter("numpy" if self.backend == "numba" else self.backend, device)
        self._ours = deal is None
        self.deal = given.floats
        if self._put is not np.asarray:
            self.deal = self.deal.moved(self._put)
        self.regrets, self.averages, matched = (
            [self._put(np.zeros((s, n), self.dtype)) for s, n in zip(sizes, hands, strict=True)] for _ in range(3)
        )
        self.matched = matched if self.predictive else self.regrets
        self._xp = namespace(self.regrets[0])
        self._fast: Any = None

    def run(self, iterations: int) -> None:
        """Make this many iterations. Interrupted between two of them, it loses nothing."""
        if self.backend == "numba":
            from relance.solvers.compiled import Compiled

            self._fast = self._fast or Compiled(self)
            self._fast.run(iterations)
            return
        plays = [self.current(player) for player in (0, 1)]
        for _ in range(iterations):
            weights = METHODS[self.method].weights(float(self.iteration + 1))
            for player in (0, 1):
                self._update(player, plays[player], plays[1 - player], weights)
                plays[player] = self.current(player)
            self.iteration += 1

    def _update(self, player: int, mine: dict[str, Rows], theirs: dict[str, Rows], weights: Weights) -> None:
        reach: dict[str, Rows | float] = {}
        for name, rows in mine.items():
            last = self.tree.last_choice(name, player)
            reach[name] = 1.0 if last is None else reach[last[0]] * mine[last[0]][last[1]]
            average = self.averages[player][self.slots[name]]
            if weights.keep != 1.0:
                average *= weights.keep
            average += weights.add * reach[name] * rows

        def learn(name: str, values: list[Rows]) -> Rows:
            at, expected = self.slots[name], mixed(mine[name], values)
            regrets, matched = self.regrets[player][at], self.matched[player][at]
            for row, value in zip(regrets, values, strict=True):
                row += value
                row -= expected
            if weights.negative == 0.0:
                regrets *= regrets > 0
            elif weights.negative != 1.0 or weights.positive != 1.0:
                regrets[...] = self._xp.where(regrets > 0, regrets * weights.positive, regrets * weights.negative)
            if self.predictive:
                for guess, row, value in zip(matched, regrets, values, strict=True):
                    guess[...] = row + value - expected
            return expected

        sweep(self.tree, self.deal, player, theirs, learn)

    def current(self, player: int) -> dict[str, Rows]:
        """The current strategy: at each node of the player an array (actions, hands), in proportion to positive regrets."""
        matched, xp = self.matched[player], self._xp
        positive = matched if self.method == "cfr+" else xp.where(matched > 0, matched, 0.0)
        return {name: _normalised(positive[self.slots[name]]) for name in self._nodes(player)}

    def average_rows(self, player: int) -> dict[str, Rows]:
        """The average strategy, as `current`."""
        return {name: _normalised(self.averages[player][self.slots[name]]) for name in self._nodes(player)}

    def _nodes(self, player: int) -> list[str]:
        return [name for name, node in self.tree.decisions.items() if node.player == player]

    def average(self) -> Profile:
        """The average strategies, which approach an equilibrium, as a profile of the game."""
        if not self._ours:
            raise ValueError("this solver runs on coarser hands than its game has")
        return self.game.together(
            *(
                Strategy(p, {name: tuple(np.asarray(host(rows), float)) for name, rows in self.average_rows(p).items()})
                for p in (0, 1)
            )
        )

    def nash_conv(self) -> float:
        """What both players together can gain against the average strategies, in chips."""
        rows = [self.average_rows(player) for player in (0, 1)]
        return float_nash_conv(self.tree, rows, self.deal)

    def start_from(self, other: Solver) -> None:
        """Take over regrets and averages from a solver of the same game on coarser hands; the iterations go on from there."""
        for player in (0, 1):
            sizes = block_sizes(self.regrets[player].shape[1], other.regrets[player].shape[1])
            for mine, theirs, scale in (
                (self.regrets, other.regrets, 1 / sizes),
                (self.matched, other.matched, 1 / sizes),
                (self.averages, other.averages, np.ones(len(sizes))),
            ):
                mine[player][...] = self._put(np.repeat(host(theirs[player]) * scale, sizes, axis=1))
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
                **{f"{kind}{p}": host(getattr(self, kind)[p]) for kind in KEPT for p in (0, 1)},
            )
        part.replace(target)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Go on from a checkpoint. Raises ValueError, changing nothing, if it is damaged or of another game or method."""
        try:
            with Path(path).open("rb") as whole, np.load(whole, allow_pickle=False) as file:
                data = {key: file[key] for key in file.files}
            arrays = {f"{kind}{p}": getattr(self, kind)[p] for kind in KEPT for p in (0, 1)}
            found = (str(data["game"]), str(data["method"]), int(data["iteration"]))
            fits = all(data[key].shape == tuple(array.shape) for key, array in arrays.items())
        except FileNotFoundError:
            raise ValueError(f"there is no checkpoint {path}") from None
        except Exception as error:
            raise ValueError(f"{path} is no whole checkpoint: {error}") from None
        _check_checkpoint(path, found[:2], (str(self.game), self.method), fits)
        for key, array in arrays.items():
            array[...] = self._put(data[key])
        self.iteration = found[2]


def checkpoint_hands(path: str | os.PathLike[str], game: Game, method: str) -> int:
    """How many hands of player 0 a checkpoint has. Raises ValueError if it is damaged or of another game or method."""
    try:
        with Path(path).open("rb") as whole, np.load(whole, allow_pickle=False) as file:
            found, hands = (str(file["game"]), str(file["method"])), int(file["regrets0"].shape[1])
    except Exception as error:
        raise ValueError(f"{path} is no whole checkpoint: {error}") from None
    _check_checkpoint(path, found, (str(game), method))
    return hands


def _check_checkpoint(
    path: str | os.PathLike[str], found: tuple[str, str], wanted: tuple[str, str], fits: bool = True
) -> None:
    if found != wanted or not fits:
        raise ValueError(f"{path} is a checkpoint of {' by '.join(found)}, not of {' by '.join(wanted)}")


def _normalised(rows: Rows) -> Rows:
    total = rows.sum(0)
    none = total == 0
    return namespace(rows).where(none, 1 / len(rows), rows / (total + none))


def float_nash_conv(tree: BettingTree, rows: list[dict[str, Rows]], deal: FiniteDeal) -> float:
    """NashConv of strategies given as rows on the hands of `deal`."""
    return float(sum(best_value(tree, deal, p, rows[1 - p]) for p in (0, 1)))


def choose_backend(asked: str | None, deal: Deal) -> str:
    """The backend for such a deal. Raises ValueError or ImportError if what is asked for cannot be had."""
    fits = isinstance(deal, RankedDeal) and deal.in_step
    if asked == "numba" and not fits:
        raise ValueError("backend='numba' needs hands that both players rank in the same order; use 'numpy'")
    if asked not in (None, *BACKENDS):
        raise ValueError(f"backend={asked!r} must be one of {', '.join(BACKENDS)}")
    if asked is None:
        large = fits and isinstance(deal, RankedDeal) and deal.size(0) >= COMPILED_FROM
        return "numba" if large and _installed() else "numpy"
    if asked == "numba" and not _installed():
        raise ImportError("backend='numba' needs numba: pip install 'relance[fast]'")
    return asked


def _installed() -> bool:
    from importlib.util import find_spec

    return find_spec("numba") is not None
