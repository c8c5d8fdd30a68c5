"""Large public trees beside nashbench: made ready, a random profile and a network scored; and how long CFR takes to 1% of uniform play.

NASHBENCH_PYTHON names an interpreter that has nashbench; see `benchmarks.in_jax`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.child import child, run_python
from benchmarks.harness import Bench, Row, Settings, Work, compare, side_by_side

PEER = "nashbench"

HEAD = """
import json, statistics, sys, time
import numpy as np

name, parameters = sys.argv[1], json.loads(sys.argv[2])

def tell(score):
    taken = []
    for _ in range(4):
        start = time.perf_counter()
        score()
        taken.append(time.perf_counter() - start)
    scored = statistics.median(taken[1:])
    print(json.dumps({"made": made, "prepared": made + taken[0] - scored, "scored": scored}))

start = time.perf_counter()
"""
OURS = """
import relance
from relance.solvers.sequence_form import normalised

game = relance.make(name, **parameters)
forms = game.forms
made, random = time.perf_counter() - start, np.random.default_rng(0)
profile = game.profile_from_arrays([normalised(form, random.random((form.size, game.deal.size(p)))) for p, form in enumerate(forms)])
tell(lambda: relance.nash_conv(game, profile))
"""
THEIRS = """
import jax, nashbench
import jax.numpy as jnp

game = nashbench.make(name, **parameters)
form = game.sequence_form
made, random, mask = time.perf_counter() - start, np.random.default_rng(0), np.asarray(form.legal_action_mask)
table = random.random(mask.shape) * mask
table /= table.sum(1, keepdims=True)
parts = sys.modules["nashbench.exploitability"]

def score():
    with jax.enable_x64(True):
        legal, levels = form.legal_action_mask, form.levels
        plan, *_ = parts._add_plan(None, np.ones(2), [jnp.asarray(table)], form.parent, legal, levels)
        jax.device_get(parts._values(plan, form.gradient(plan), form.parent, legal, levels, form.num_infosets[0]))

tell(score)
"""
OUR_NETWORK = """
import relance
from relance.play.rules import rules

game = relance.make(name, **parameters)
size, width = rules(game).size, len(game.actions)
made, random = time.perf_counter() - start, np.random.default_rng(0)
layers = [random.normal(size=shape).astype(np.float32) / 8 for shape in ((size, 64), (64, 64), (64, width))]

def policy(seen, legal):
    for weights in layers[:2]:
        seen = seen @ weights
        np.maximum(seen, 0, out=seen)
    power = np.exp(seen @ layers[2]) * legal
    return power / power.sum(1, keepdims=True)

tell(lambda: relance.score(game, policy).nash_conv)
"""
THEIR_NETWORK = """
import jax, nashbench
import jax.numpy as jnp

game = nashbench.make(name, **parameters)
game.sequence_form
(size,), width = game.observation_shape, game.num_actions
made, random = time.perf_counter() - start, np.random.default_rng(0)
layers = [jnp.asarray(random.normal(size=shape) / 8, jnp.float32) for shape in ((size, 64), (64, 64), (64, width))]

def policy(seen, legal):
    for weights in layers[:2]:
        seen = jax.nn.relu(seen @ weights)
    return jax.nn.softmax(seen @ layers[2], where=legal)

tell(lambda: nashbench.exploitability(game, policy))
"""
SOLVED = """
import relance
game = relance.make("{name}", **{parameters})
share = float(relance.nash_conv(game, game.uniform())) / 100
start = time.perf_counter()
profile = relance.solve(game, "dcfr+", tolerance=share / 2)
result["seconds"] = time.perf_counter() - start
result["nash_conv"] = float(relance.nash_conv(game, profile)) / share / 100
"""

ROUNDS = {"ranks": 3, "suits": 4, "bets": [2, 2, 4, 4], "raises": 2}
THEIR_ROUNDS = {"num_ranks": 3, "raise_sizes": [2, 2, 4, 4], "max_raises": 2}
DICE = ("liars_dice", {"dice": 2, "sides": 5}), ("liars_dice", {"numdice": 2, "dice_sides": 5})

GAMES: dict[str, tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]] = {
    "liar's dice, two of five sides": DICE,
    "limit poker, four rounds": (("limit_poker", {**ROUNDS, "merge_suits": False}), ("universal_poker", THEIR_ROUNDS)),
    "the same, suits merged": (("limit_poker", ROUNDS), ("universal_poker", THEIR_ROUNDS)),
}


def timed(
    code: str, name: str, parameters: dict[str, Any], python: str = sys.executable, figure: str = "scored"
) -> Work:
    """The median seconds of scoring a random profile in a fresh process, or those before: of making the game, or of all preparation."""

    def call() -> dict[str, Any]:
        printed = run_python(HEAD + code, name, json.dumps(parameters), timeout=900, python=python)
        result: dict[str, Any] = json.loads(printed.strip().splitlines()[-1])
        return result

    return Work(lambda: call, slow=True, own_figure=figure)


def beside_nashbench(settings: Settings) -> Iterator[Row]:
    """Each game made, and a random profile scored after a first time, which compiles."""
    theirs = partial(timed, THEIRS, python=os.environ.get("NASHBENCH_PYTHON", sys.executable))
    for what, (ours, peer) in GAMES.items():
        note = "the peer's hands are cards" if what == "the same, suits merged" else ""
        timings = side_by_side({"ours": timed(OURS, *ours), "peer": theirs(*peer)})
        made = (f"{timing.result['made']:.2g} s" if timing.result else "-" for timing in timings.values())
        note = "; ".join(filter(None, [note, "made in " + " and ".join(made)]))
        yield compare(
            "nodes", f"NashConv of a random profile: {what}", timings["ours"], PEER, timings["peer"], 10, note
        )


def prepared(settings: Settings) -> Iterator[Row]:
    """What each game takes before it is scored at full speed: to import and make, and what the first score takes beyond a later one.

    Both do some of it in the first call. Compiled code is kept as each does by default: by numba on disk, by JAX only in the process.
    """
    theirs = partial(timed, THEIRS, python=os.environ.get("NASHBENCH_PYTHON", sys.executable), figure="prepared")
    for what, (ours, peer) in [*GAMES.items()][:2]:
        timings = side_by_side({"ours": timed(OURS, *ours, figure="prepared"), "peer": theirs(*peer)})
        note = "with what the first call takes beyond a later one; our compiled loops were on disk"
        yield compare("nodes-prepared", f"prepared: {what}", timings["ours"], PEER, timings["peer"], 10, note)


def networks(settings: Settings) -> Iterator[Row]:
    """The exact score of a small network, asked at all information sets: two layers of 64, in float32."""
    theirs = partial(timed, THEIR_NETWORK, python=os.environ.get("NASHBENCH_PYTHON", sys.executable))
    for what, (ours, peer) in [*GAMES.items()][:2]:
        timings = side_by_side({"ours": timed(OUR_NETWORK, *ours), "peer": theirs(*peer)})
        note = "observations are each one's own"
        yield compare("nodes-network", f"score of a network: {what}", timings["ours"], PEER, timings["peer"], 3, note)


def solved(settings: Settings) -> Iterator[Row]:
    """Each game of ours solved to a hundredth of uniform play's NashConv, in a fresh process, compilation included."""
    for what, ((name, parameters), _) in GAMES.items():
        timing = side_by_side({"ours": child(SOLVED.format(name=name, parameters=parameters), timeout=900)})["ours"]
        share = f"{timing.result['nash_conv']:.4f} of uniform play's NashConv" if timing.result else ""
        yield Row("nodes-solved", f"to 1%: {what}", timing, limit=600, note=share)


BENCHES: dict[str, Bench] = {
    "nodes": beside_nashbench,
    "nodes-prepared": prepared,
    "nodes-network": networks,
    "nodes-solved": solved,
}
