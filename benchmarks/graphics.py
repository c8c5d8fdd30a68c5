"""Graphics cards: the same code on tensors, against the compiled path on the processor of the same machine."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import relance
from benchmarks.harness import Bench, Missing, Row, Settings, Timing, compare, module, side_by_side
from benchmarks.large import GAMES, state_bytes
from benchmarks.play import IN_JAX, in_jax
from relance.model.arrays import putter
from relance.solvers.cfr_solver import Solver


def _card() -> Any:
    torch = module("torch")
    if not torch.cuda.is_available():
        raise Missing("no graphics card that PyTorch can use")
    return torch


def triad(torch: Any, size: int = 2**28) -> float:
    """Bytes per second that a = b + s * c moves on the card, as STREAM counts them."""
    a, b, c = (torch.zeros(size, device="cuda") for _ in range(3))
    times = []
    for _ in range(8):
        torch.cuda.synchronize()
        start = time.perf_counter()
        torch.add(b, c, alpha=3.0, out=a)
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return float(3 * 4 * size / statistics.median(times))


def _seconds(solver: Solver, wait: Any) -> Timing:
    """Seconds of an iteration."""
    solver.run(3)
    wait()
    start = time.perf_counter()
    solver.run(1)
    wait()
    count = max(1, int(0.2 / max(time.perf_counter() - start, 1e-7)))
    times = []
    for _ in range(7):
        start = time.perf_counter()
        solver.run(count)
        wait()
        times.append((time.perf_counter() - start) / count)
    return Timing.of(times)


def iteration(settings: Settings) -> Iterator[Row]:
    """One iteration of CFR+ at 10^6 and 10^7 hands, in both precisions."""
    torch = _card()
    rate = triad(torch)
    yield Row("graphics", f"memory of {torch.cuda.get_device_name()}, triad: seconds per byte", Timing.of([1 / rate]))
    for what, name, options, _ in GAMES:
        most = 10**6 if "cards" in options else 10**7
        for hands in sorted({settings.pick(10**6, 10**4), settings.pick(most, 10**5)}):
            parameters = dict(pair.split("=") for pair in options.format(hands=hands).replace(" ", "").split(","))
            game = relance.make(name, **parameters)
            kinds: list[tuple[str, Any]] = [("torch", np.float64), ("torch", np.float32)]
            try:
                processor = _seconds(Solver(game, backend="numba"), lambda: None)
            except ImportError as error:
                raise Missing(str(error)) from None
            least = state_bytes(name, {k: v for k, v in parameters.items() if k in ("bet", "raises")})
            for backend, dtype in kinds:
                solver = Solver(game, backend=backend, dtype=dtype, device="cuda")
                card = _seconds(solver, torch.cuda.synchronize)
                median = card.median or math.nan
                bytes_moved = least * np.dtype(dtype).itemsize / 8
                note = (
                    f"{median / hands * 1e9:.2g} ns per hand; the triad moves {median * rate / hands:.0f} bytes per hand in this time, "
                    f"regrets and averages in and out are {bytes_moved:.0f}"
                )
                shown = f"CFR+ iteration, {what}, {hands:,} hands, {np.dtype(dtype).name} on the card"
                yield compare("graphics", shown, card, "compiled, all cores", processor, None, note)


def scores(settings: Settings) -> Iterator[Row]:
    """NashConv of a profile on the card, against numpy."""
    torch = _card()
    for what, name, options, _ in GAMES:
        hands = settings.pick(10**6, 10**4)
        parameters = dict(pair.split("=") for pair in options.format(hands=hands).replace(" ", "").split(","))
        game = relance.make(name, **parameters)
        here = game.uniform().as_float()
        there = here.moved(putter("torch", "cuda"))
        timed = []
        for profile in (there, here):
            times = []
            for _ in range(6):
                start = time.perf_counter()
                value = float(relance.nash_conv(game, profile))
                times.append(time.perf_counter() - start)
            timed.append((Timing.of(times[1:]), value))
        (card, one), (processor, other) = timed
        shown = f"NashConv, {what}, {hands:,} hands, on the card, profile checked and deal moved"
        note = f"{one:.12g} and {other:.12g}; {torch.cuda.get_device_name()}"
        yield compare("graphics-scores", shown, card, "numpy", processor, None, note)


def play(settings: Settings) -> Iterator[Row]:
    """Random play in JAX on the card, with what a learner sees made at each step: ours and pgx's."""
    jax = module("jax")
    if jax.default_backend() != "gpu":
        raise Missing("no graphics card that JAX can use")
    steps = settings.pick(64, 8)
    for what in IN_JAX:
        for games in settings.pick((65_536, 1_048_576), (4096,)):
            works = in_jax(what, steps, games=games, platform=None)
            timings = side_by_side({name: works[f"{name} scan"] for name in ("jax", "pgx")}, settings.pick(7, 3))
            shown = f"random play, {what}, {games:,} games at once, per action: observation, mask and rewards, in JAX on the card"
            peer, card = f"pgx, {steps} steps a call", jax.devices()[0].device_kind
            yield compare("graphics-play", shown, timings["jax"], peer, timings["pgx"], 1, card)


BENCHES: dict[str, Bench] = {"graphics": iteration, "graphics-scores": scores, "graphics-play": play}
