"""CFR on one game as users run it: with any backend and any hands, from coarse to fine, with saving and resuming.

What an iteration does is in `relance.solvers.cfr`; `relance.solvers.cfr_numba` does the same in compiled loops over hands.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from relance.model import numba_start
from relance.model.arrays import Ints, host, putter, without_interrupt
from relance.model.deal import Array, FiniteDeal
from relance.model.files import check_kind, replacing
from relance.model.game import Game
from relance.model.game_tree import GameTree
from relance.model.limits import check_memory
from relance.model.sequences import ALL, PayoffOperator
from relance.solvers.abstraction import block_sizes
from relance.solvers.cfr import Learned, VectorCFR, regret_matching
from relance.solvers.cfr_variants import METHODS
from relance.solvers.sequence_form import back_up, best, blocks, normalised, sequence_probs, terminal_values
from relance.solvers.tree_program import check_solvable
from relance.solvers.walk import Walk, is_walked, walk_of

BACKENDS = ("numpy", "numba", "torch")

CALLS = 5000
"""numpy's overhead of calls in an iteration is about the time for this many slots times hands."""

CHECKPOINTED = {f"{kind}{player}": (kind, player) for kind in ("regrets", "averages", "matched") for player in (0, 1)}
"""The arrays of a checkpoint, by name."""


class Loops(Protocol):
    """A protocol: `run(first, count)` runs the iterations first to first + count - 1, and yields how many ended since its last yield."""

    def run(self, first: int, count: int) -> Iterator[int]: ...


class Solver:
    """CFR on one game, which you can run, save and resume.

    Args:
        game: a game with finitely many hands, or a game tree of two players and zero sum.
        method: one of `relance.solvers.cfr_variants.METHODS`: "cfr", "cfr+", "dcfr", "dcfr+", "pcfr+" or "pdcfr+".
        backend: "numpy", "numba" (the extra `fast`) or "torch". Their results agree up to rounding. By default numba, if it is
            installed and saves more time in `foreseen` iterations than its start takes; else numpy.
        dtype: the type of regrets and averages. float32 halves the memory; with 1,000 hands its NashConv stayed within 1e-8 of
            float64's over 20,000 iterations, until both reached 1e-8.
        deal: a deal to use instead of the game's, such as `coarse(game.deal.floats, 1000)` of `relance.solvers.abstraction`.
        device: the device on which torch computes, such as "cuda".
        foreseen: about how many iterations will run; 400 bring the exploitability to about 1/10,000 of the most chips at stake.

    Attributes:
        iteration: the number of iterations made so far.
        regrets, averages: for each player an array of shape (all nodes' actions, hands); `SequenceForm.slots` gives each node's rows.
        matched: for each player the values that regret matching uses: the regrets, or in a predictive variant their predictions.

    Raises:
        ValueError: hands are on [0, 1], a method or backend is unknown, or arrays do not fit into memory.
        ImportError: the backend is not installed.
    """

    # By these a learner goes on after a stop, see `relance.baselines.checkpoints`.
    changes = ("iteration", "regrets", "averages", "matched")

    def __init__(
        self,
        game: Game | GameTree,
        method: str = "cfr+",
        backend: str | None = None,
        dtype: npt.DTypeLike = np.float64,
        deal: FiniteDeal | None = None,
        device: str | None = None,
        foreseen: float = 400,
    ) -> None:
        check_solvable(game)
        operator: PayoffOperator = deal or game.payoff_operator()
        if method not in METHODS:
            raise ValueError(f"method={method!r} must be one of {', '.join(METHODS)}")
        self.game, self.method, self.variant, self.iteration = game, method, METHODS[method], 0
        self.dtype = np.dtype(dtype)
        if self.dtype.kind != "f" or self.dtype.itemsize not in (4, 8):
            raise ValueError(f"dtype={self.dtype} must be float32 or float64")
        first, second = game.forms
        self._sides = first, second
        shapes = [(side.size, operator.size(player)) for player, side in enumerate(self._sides)]
        numbers = sum(slots * hands for slots, hands in shapes)
        by_numba = numba_start.is_worth(foreseen * (numbers + CALLS))
        self.backend = _checked(backend or ("numba" if by_numba else "numpy"))
        tree = game.tree if isinstance(game, Game) else None
        self._is_walked = tree is not None and self.backend == "numba" and is_walked(tree, operator.floats)
        more = (1 if self._is_walked else 3) if tree and tree.is_large else 0  # the arrays of a pass, as measured
        work = numbers * self.dtype.itemsize * ((3 if self.variant.predictive else 2) + more)
        check_memory(work + result_memory(game), str(game), operator.size(0))
        self._put = putter("numpy" if self.backend == "numba" else self.backend, device)
        self.deal = operator.floats
        if self._put is not np.asarray:
            self.deal = self.deal.moved(self._put)
            self._sides = self._sides[0].moved(self._put), self._sides[1].moved(self._put)

        def zeros() -> list[Array]:
            return [self._put(np.zeros(shape, self.dtype)) for shape in shapes]

        self.regrets, self.averages = zeros(), zeros()
        self.matched = zeros() if self.variant.predictive else self.regrets
        self._blocks = blocks(self.deal, max(slots for slots, _ in shapes))
        self._walk: Walk | None = None
        self._starting = self.backend == "numba"
        if self._starting:
            without_interrupt(self._compile)
        else:
            self._loops: Loops = VectorCFR(self._sides, self.deal, self._learned, self.variant, self._blocks)

    @property
    def _learned(self) -> tuple[Learned, Learned]:
        first, second = (Learned(*arrays) for arrays in zip(self.regrets, self.matched, self.averages, strict=True))
        return first, second

    def _compile(self) -> None:
        from relance.solvers.cfr_numba import compiled_loops

        self.deal = self.deal.compiled
        if isinstance(self.game, Game) and isinstance(self.deal, FiniteDeal):
            self._walk = walk_of(self.game.tree, self.deal, self._sides)
        self._loops = compiled_loops(self._sides, self.deal, self._learned, self.variant, self._walk)

    def run(self, iterations: int) -> None:
        """Run this many iterations; an interrupt between two of them loses nothing."""
        last = self.iteration + iterations
        if self._starting and iterations:  # what numba compiles first, or reads from its cache
            without_interrupt(partial(self._iterate, 1))
            self._starting = False
        self._iterate(last - self.iteration)

    def _iterate(self, count: int) -> None:
        for done in self._loops.run(self.iteration + 1, count):
            self.iteration += done

    def _average(self, player: int, hands: slice) -> Array:
        return normalised(self._sides[player], self.averages[player][:, hands])

    def current(self, player: int) -> dict[str, Array]:
        """Return a player's current strategy, in proportion to positive regrets: {node of the player: array (actions, hands)}."""
        side = self._sides[player]
        rows = regret_matching(side, self.matched[player])
        return {name: rows[at] for name, at in side.slots.items()}

    def average(self) -> Any:
        """Return the average profile, which approaches an equilibrium; hands that the solver's `deal` joins into a block play alike."""
        shares = []
        for player, side in enumerate(self._sides):
            hands, coarser = self.game.payoff_operator().size(player), self.deal.size(player)
            rows = np.empty((side.size, coarser))
            for block in self._blocks:
                rows[:, block] = host(self._average(player, block))
            if hands > coarser:
                rows = np.repeat(rows, block_sizes(hands, coarser), axis=1)
            shares.append(rows)
        return self.game.profile_from_arrays(shares)

    def nash_conv(self) -> float:
        """Return the NashConv of the average strategies, in chips, under the solver's `deal`, whose hands may be blocks of hands."""
        walked = self._walk and self._walk.best_values([self._average(player, ALL) for player in (0, 1)])
        return sum(walked or map(self._best_value, (0, 1))) - float(self.game.utility_sum or 0)

    def _best_value(self, player: int) -> float:
        side, opponent = self._sides[player], self._sides[1 - player]
        passed = terminal_values(
            side,
            self.deal,
            player,
            self._blocks,
            lambda hands: sequence_probs(opponent, self._average(1 - player, hands)),
        )
        return sum(float(back_up(side, values, best).sum()) for _, values in passed)

    def start_from(self, other: Solver) -> None:
        """Copy regrets, averages and the iteration count from a solver of the same game on coarser hands."""
        for player in (0, 1):
            sizes = block_sizes(self.regrets[player].shape[1], other.regrets[player].shape[1])
            for mine, theirs, scale in (
                (self.regrets, other.regrets, 1 / sizes),
                (self.matched, other.matched, 1 / sizes),
                (self.averages, other.averages, 1.0),
            ):
                for row, coarser in zip(mine[player], host(theirs[player]), strict=True):  # row by row, to save memory
                    row[...] = self._put(np.repeat(coarser * scale, sizes))
        self.iteration = other.iteration

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint; the file is replaced only once it is complete."""
        arrays = {name: host(array) for name, array in self._checkpointed().items()}
        arrays["nodes"] = self._nodes

        def write() -> None:
            with replacing(Path(path)) as file:
                np.savez(file, game=self.game.identity, method=self.method, iteration=self.iteration, **arrays)

        without_interrupt(write)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Resume from a checkpoint.

        Raises:
            ValueError: the checkpoint is damaged or of another game, method or number of hands; nothing is changed.
        """
        saved = read_checkpoint(path, self.game, self.method)
        if not np.array_equal(saved["nodes"], self._nodes):
            raise ValueError(f"checkpoint {path} is of another version of Relance: its nodes are in another order")
        arrays = self._checkpointed()
        for name, array in arrays.items():
            if saved[name].shape != tuple(array.shape):
                raise ValueError(
                    f"checkpoint {path} has other hands: {name} has shape {saved[name].shape}, not {tuple(array.shape)}"
                )
        for name, array in arrays.items():
            array[...] = self._put(saved[name])
        self.iteration = int(saved["iteration"])

    @property
    def _nodes(self) -> Ints:
        """The first slots of all nodes, by which another order of them is noticed."""
        return np.concatenate([side.starts for side in self._sides])

    def _checkpointed(self) -> dict[str, Array]:
        return {name: getattr(self, kind)[player] for name, (kind, player) in CHECKPOINTED.items()}


def result_memory(game: Game | GameTree) -> int:
    """Return the bytes of a profile in floats and of the distribution of hands; scoring the profile takes little more."""
    operator = game.payoff_operator()
    numbers = sum(form.size * operator.size(player) for player, form in enumerate(game.forms))
    return 8 * (numbers + operator.distribution_rows * operator.size(0))


def read_checkpoint(
    path: str | os.PathLike[str], game: Game | GameTree, method: str
) -> dict[str, npt.NDArray[np.generic]]:
    """Return the arrays of a checkpoint by name.

    Raises:
        ValueError: there is no such file, or it is damaged or of another game or method.
    """
    check_kind(Path(path), "read")
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as archive:
            saved = {name: archive[name] for name in ("game", "method", "nodes", "iteration", *CHECKPOINTED)}
    except FileNotFoundError:
        raise ValueError(f"there is no checkpoint {path}") from None
    except Exception as error:
        raise ValueError(f"checkpoint {path} is damaged: {error}") from None
    source, target = f"{saved['game']} by {saved['method']}", f"{game.identity} by {method}"
    if source != target:
        raise ValueError(f"{path} is a checkpoint of {source}, not of {target}")
    for name in CHECKPOINTED:
        if saved[name].ndim != 2 or saved[name].dtype.kind != "f" or not np.isfinite(saved[name]).all():
            raise ValueError(f"checkpoint {path} is damaged: {name} must be rows of finite numbers")
        if name.startswith("averages") and (saved[name] < 0).any():
            raise ValueError(f"checkpoint {path} is damaged: {name} must be at least 0")
    if saved["iteration"].shape or saved["iteration"].dtype.kind not in "iu" or saved["iteration"] < 0:
        raise ValueError(
            f"checkpoint {path} is damaged: iteration={saved['iteration']} must be a whole number of at least 0"
        )
    return saved


def _checked(backend: str) -> str:
    if backend not in BACKENDS:
        raise ValueError(f"backend={backend!r} must be one of {', '.join(BACKENDS)}")
    if backend == "numba" and not numba_start.installed():
        raise ImportError("backend='numba' needs numba: pip install 'relance[fast]'")
    return backend
