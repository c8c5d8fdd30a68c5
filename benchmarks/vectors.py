"""One seat at many tables through Gymnasium: our vector environment, Gymnasium's loop over single ones, and the bare batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

import relance
from benchmarks.harness import Bench, Call, Row, Settings, Work, compare, side_by_side
from relance.registration.gymnasium import SeatEnv

STEPS, MANY = 64, 4096
MODES = ("NextStep", "SameStep")
GAME: dict[str, Any] = {"raises": 0}


def legal(masks: Any, rng: np.random.Generator) -> Any:
    """A random legal action for each table; 0 where none is legal."""
    return (rng.random(masks.shape, np.float32) * masks).argmax(axis=1)


def seats(make: Any, tables: int) -> Work:
    """Random play through Gymnasium's vector interface; finished tables are dealt again."""

    def prepare() -> Call:
        env, rng = make(tables), np.random.default_rng(1)
        held = [env.reset(seed=1)[1]["action_mask"]]

        def call() -> None:
            for _ in range(STEPS):
                *_, infos = env.step(legal(held[0], rng))
                held[0] = infos["action_mask"]

        return call

    return Work(prepare, STEPS)


def batch(tables: int) -> Work:
    """Random play of both seats by the batch alone."""

    def prepare() -> Call:
        many, rng = relance.Batch(relance.make("one_card_poker", **GAME), tables, 1), np.random.default_rng(1)

        def call() -> None:
            for _ in range(STEPS):
                many.step(legal(many.mask(), rng))

        return call

    return Work(prepare, STEPS)


def vectors(settings: Settings) -> Iterator[Row]:
    """A step of all tables: few of them against `SyncVectorEnv`, many against `Batch`, in both ways to deal again."""

    def ours(mode: str) -> Any:
        return lambda tables: gymnasium.make_vec("relance/OneCardPoker-v0", tables, autoreset_mode=mode, **GAME)

    def loop(mode: str) -> Any:
        return lambda tables: SyncVectorEnv([lambda: SeatEnv("one_card_poker", **GAME)] * tables, autoreset_mode=mode)

    what = "make_vec, a seat in Kuhn, random play, a step of {} tables, {}"
    for tables in settings.pick((2, 8, 64), (2, 8)):
        for mode in MODES:
            works = {"ours": seats(ours(mode), tables), "loop": seats(loop(mode), tables)}
            timings = side_by_side(works, settings.pick(7, 3), 1)
            yield compare(
                "vectors", what.format(tables, mode), timings["ours"], "SyncVectorEnv of our seats", timings["loop"], 1
            )
    works = {mode: seats(ours(mode), MANY) for mode in MODES} | {"batch": batch(MANY)}
    timings = side_by_side(works, settings.pick(7, 3), 2)
    note = "within 2 times; the batch plays both seats and shows nothing"
    for mode in MODES:
        yield compare(
            "vectors", what.format(f"{MANY:,}", mode), timings[mode], "Batch.step", timings["batch"], 1 / 2, note
        )


BENCHES: dict[str, Bench] = {"vectors": vectors}
