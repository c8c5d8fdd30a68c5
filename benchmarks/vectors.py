"""Many tables through the frameworks' own interfaces: Gymnasium beside its loop over single tables, TorchRL beside the bare batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

import relance
from benchmarks.harness import Bench, Call, Row, Settings, Work, compare, module, side_by_side
from benchmarks.play import GAMES, batch_seen, in_jax
from relance.play.batch import Batch
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
    """Random play of both seats by the batch alone, with the observations, masks and rewards that an environment makes."""

    def prepare() -> Call:
        many, rng = Batch(relance.make("one_card_poker", **GAME), tables, 1), np.random.default_rng(1)

        def call() -> Any:
            seen: Any = None
            for _ in range(STEPS):
                many.step(legal(many.mask(), rng))
                seen = many.observe(), many.mask(), many.rewards
            return seen

        return call

    return Work(prepare, STEPS)


def rollouts(tables: int) -> Work:
    """Random play of both seats by TorchRL's own `rollout`, which draws the actions and stacks all that was seen."""

    def prepare() -> Call:
        torch = module("torch")
        torch.set_num_threads(1)
        env = module("relance.baselines.frameworks.torchrl").BatchEnv("one_card_poker", tables, 1, **GAME)
        torch.manual_seed(1)
        return lambda: env.rollout(STEPS, break_when_any_done=False)

    return Work(prepare, STEPS * tables)


def frameworks(settings: Settings) -> Iterator[Row]:
    """Both seats of Kuhn at many tables, per action with what is seen: TorchRL and JAX beside our batch and pgx, in one run."""
    what = f"random play, Kuhn, {GAMES:,} games at once, per action: observation, mask and rewards, "
    steps = settings.pick(STEPS, 8)
    compiled = in_jax("Kuhn", steps)
    works = {
        "TorchRL": rollouts(
            settings.pick(GAMES // 8, 512)
        ),  # it keeps all that was seen: 64 steps of so many fill the memory
        "JAX": compiled["jax scan"],
        "batch": batch_seen(None),
        "pgx": compiled["pgx scan"],
    }
    timings = side_by_side(works, settings.pick(7, 3), 2)
    for name in ("TorchRL", "JAX", "batch"):
        note = f"{GAMES // 8:,} games at once, two seats seen and all of it kept" if name == "TorchRL" else ""
        yield compare(
            "frameworks", what + name, timings[name], f"pgx, {steps} steps a call", timings["pgx"], None, note
        )


def vectors(settings: Settings) -> Iterator[Row]:
    """A step of all tables: few of them against `SyncVectorEnv`, many against a `Batch` that also observes, in both ways to deal again."""

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
    note = (
        "within 2 times; the batch plays both seats, and since 2026-11-23 shows what they see; it was Batch.step alone"
    )
    for mode in MODES:
        what_of, front = what.format(f"{MANY:,}", mode), f"make_vec, a step of {MANY:,} tables" * (mode == MODES[0])
        yield compare(
            "vectors", what_of, timings[mode], "Batch, both seats", timings["batch"], 1 / 2, note, front=front
        )


BENCHES: dict[str, Bench] = {"vectors": vectors, "frameworks": frameworks}
