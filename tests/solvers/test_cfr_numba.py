"""Compiled CFR: in float32, in threads and blocks, and where an interrupt comes while numba starts."""

import signal
from contextlib import suppress

import numpy as np
import pytest
from conftest import one_each

import relance
from relance.model.arrays import host
from relance.solvers import cfr_numba
from relance.solvers.cfr_solver import Solver
from relance.solvers.cfr_variants import METHODS

SMALL = {
    "cards": ("one_card_poker", {"cards": 7, "raises": 1}),
    "grid": ("von_neumann", {"bet": "3/2", "hands": 20}),
    "ties in a cell": ("la_relance", {"deal": "power:2:1", "hands": 15}),
    "dependent": ("von_neumann", {"deal": "fgm:-1/2", "hands": 15}),
    "raises": ("pot_limit", {"raises": 2, "hands": 12}),
    "one player acts": ("force_in", {"raises": 0, "hands": 12}),
}

NOT_IN_STEP = {
    "ranks apart": ("ponssard", {}),
    "classes": ("five_card", {"ranks": 6, "raises": 1}),
    "a table": ("river", {"ranges": "99;QJs;65s vs KTs;TT:1/2;Q9s", "raises": 1}),
}


def started(game, method, backend, dtype=np.float64):
    """A solver with random regrets, since where actions tie exactly, rounding decides and backends may part, and averages."""
    solver = Solver(game, method, backend, dtype)
    rng = np.random.default_rng(1)
    for regret, matched, average in zip(solver.regrets, solver.matched, solver.averages, strict=True):
        regret += solver._put(rng.random(regret.shape) - 0.3)
        matched[...] = regret
        average += solver._put(rng.random(average.shape))
    solver.iteration = 9
    return solver


def learned(solver):
    return [host(rows) for rows in (*solver.regrets, *solver.matched, *solver.averages)]


COMPILED = (
    SMALL
    | NOT_IN_STEP
    | {
        "blocks of hands": ("von_neumann", {"hands": 9000}),
        "events": ("leduc", {}),
        "cards that turn up": ("turn", {"ranges": "QJs;A9s:1/2 vs 99;JTs", "raises": 0}),
        "suits alike": ("turn", {"board": "KsKd7h7c", "ranges": "QJ vs 99;KT:1/3", "raises": 0}),
    }
)


@pytest.mark.parametrize(("key", "method"), one_each([*COMPILED], METHODS))
def test_compiled_and_plain_agree_in_float32(key, method):
    """Compiled loops round to float32 once, where numpy rounds after each step."""
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    name, parameters = COMPILED[key]
    game = relance.make(name, **parameters)
    plain, fast = (started(game, method, backend, np.float32) for backend in ("numpy", "numba"))
    plain.run(15)
    fast.run(15)
    for a, b in zip(learned(plain), learned(fast), strict=True):
        assert np.abs(a - b).max(initial=0) < 2e-3 * max(1.0, np.abs(a).max(initial=0))


def test_threads_do_not_change_a_bit_and_blocks_only_the_last_ones(monkeypatch):
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    from relance.solvers import sequence_form

    game = relance.make("one_card_poker", cards=1000)
    monkeypatch.setattr(sequence_form, "CACHED", 1000)  # blocks of 256 hands
    one, plain = (started(game, "cfr+", backend) for backend in ("numba", "numpy"))
    monkeypatch.setattr(cfr_numba, "THREADED_FROM", 1)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    three = started(game, "cfr+", "numba")
    assert (one._loops.threads, three._loops.threads, len(three._loops.ends)) == (1, 3, 5)
    for solver in (one, plain, three):
        solver.run(1)
    for a, b in zip(learned(one), learned(plain), strict=True):
        assert np.abs(a - b).max() <= 1e-12 * max(1.0, np.abs(a).max())
    for solver in (one, three):
        solver.run(50)
    for a, b in zip(learned(one), learned(three), strict=True):
        assert np.array_equal(a, b)


def test_an_interrupt_while_numba_starts_is_not_lost(monkeypatch):
    """Python cannot raise it out of the callbacks of a compiler, which say no more than that it was ignored."""
    made = cfr_numba.compiled_loops

    def make(*arguments):
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return made(*arguments)

    monkeypatch.setattr(cfr_numba, "compiled_loops", make)
    with pytest.raises(KeyboardInterrupt):
        Solver(relance.make("one_card_poker"), backend="numba")


def test_an_interrupt_in_the_first_compiled_iteration_is_not_lost(monkeypatch):
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    solver = Solver(relance.make("one_card_poker"), backend="numba")
    run = solver._loops.run

    def interrupted(*arguments):
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        yield from run(*arguments)

    monkeypatch.setattr(solver._loops, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solver.run(5)
    assert solver.iteration == 1  # what was begun is kept
