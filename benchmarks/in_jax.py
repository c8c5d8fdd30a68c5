"""Exact exploitability inside JAX: Relance beside nashbench, which needs Python 3.12 and so runs in an interpreter of its own.

NASHBENCH_PYTHON names an interpreter that has nashbench, such as that of a virtual environment; by default it is this one.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.child import run_python
from benchmarks.harness import Bench, Row, Settings, Timing, Work, compare, side_by_side

PEER = "nashbench"
HEAD = """
import json, statistics, sys, time
import jax, jax.numpy as jnp

def hidden(size, actions):
    first, second = jax.random.split(jax.random.key(0))
    return jax.random.normal(first, (size, 32)) / size**0.5, jax.random.normal(second, (32, actions))

def policy(net):
    return lambda seen, legal: jax.nn.softmax(jnp.where(legal, jnp.tanh(seen @ net[0]) @ net[1], -jnp.inf))

def uniform(seen, legal):
    return legal / legal.sum()

def tell(call, value):
    jax.block_until_ready(call())
    taken = []
    while len(taken) < 5 or (sum(taken) < 1 and len(taken) < 1000):
        start = time.perf_counter()
        jax.block_until_ready(call())
        taken.append(time.perf_counter() - start)
    versions = [f"{name} {sys.modules[name].__version__}" for name in ("nashbench", "jax") if name in sys.modules]
    print(json.dumps({"seconds": statistics.median(taken), "uniform": float(value), "versions": " and ".join(versions)}))

name, parameters = sys.argv[1], json.loads(sys.argv[2])
"""
OURS = """
from relance.registration import jax_env, jax_exploitability

env = jax_env(name, **parameters)
net = hidden(*env.observation_shape, env.num_actions)
score = jax.jit(lambda net: jax_exploitability(env, policy(net)))
tell(lambda: score(net), jax.jit(lambda: jax_exploitability(env, uniform))())
"""
GAME = """
import nashbench

game = nashbench.make(name, **parameters)
net = hidden(*game.observation_shape, game.num_actions)
"""
THEIRS = """
plays = policy(net)
tell(lambda: nashbench.exploitability(game, plays), nashbench.exploitability(game, uniform))
"""
THEIR_PARTS = """
parts, form = sys.modules["nashbench.exploitability"], game.sequence_form

def whole(plays):
    chunks = parts._action_probabilities(form, plays, 0, form.parent.size)
    plan, *_ = parts._add_plan(None, jnp.ones(2), chunks, form.parent, form.legal_action_mask, form.levels)
    values = plan, form.gradient(plan), form.parent, form.legal_action_mask, form.levels, form.num_infosets[0]
    return parts._values(*values)[0].sum() / 2

with jax.enable_x64(True):
    score = jax.jit(lambda net: whole(policy(net)))
    tell(lambda: score(net), whole(uniform))
"""


def timed(code: str, name: str, parameters: dict[str, Any], interpreter: str = sys.executable) -> Work:
    """The median seconds of a call after compilation, in a fresh process; `code` goes on after `HEAD`."""

    def call() -> dict[str, Any]:
        printed = run_python(HEAD + code, name, json.dumps(parameters), timeout=600, python=interpreter)
        result: dict[str, Any] = json.loads(printed.strip().splitlines()[-1])
        return result

    return Work(lambda: call, slow=True, own_figure="seconds")


def beside_nashbench(settings: Settings) -> Iterator[Row]:
    """A small network scored in the games that both have, and with 10,000 hands, which only we have.

    Our Leduc poker has hands by rank unless suits are seen; the peer's are cards.
    """
    theirs = partial(timed, interpreter=os.environ.get("NASHBENCH_PYTHON", sys.executable))
    rounds = {"num_ranks": 3, "raise_sizes": [2, 4], "max_raises": 2}
    for what, ours, peer in (
        ("Kuhn", ("one_card_poker", {"raises": 0}), ("kuhn_poker", {})),
        ("Leduc", ("leduc", {}), ("leduc_poker", {})),
        ("Leduc, suits seen", ("leduc", {"merge_suits": False}), ("leduc_poker", {})),
        ("limit poker of two rounds, 12 cards", ("leduc", {"suits": 4}), ("universal_poker", rounds)),
        (
            "limit poker of two rounds, 12 cards, suits seen",
            ("leduc", {"suits": 4, "merge_suits": False}),
            ("universal_poker", rounds),
        ),
    ):
        works = {
            "ours": timed(OURS, *ours),
            "peer": theirs(GAME + THEIRS, *peer),
            "parts": theirs(GAME + THEIR_PARTS, *peer),
        }
        timings = side_by_side(works)
        answers = [timing.result["uniform"] for timing in timings.values() if timing.result]
        gap, scored = max(answers) - min(answers), f"exploitability of a network in JAX, {what}"
        note = f"same of uniform play to {max(gap, 1e-7):.0e}" if gap < 1e-5 else f"THE ANSWERS DIFFER by {gap:g}"
        note += "; the peer's hands are cards" * (ours[0] == "leduc" and "merge_suits" not in ours[1])
        note += "".join(f"; {timings[name].result['versions']}" for name in ("ours", "peer") if timings[name].result)
        yield compare("jax-scores", scored, timings["ours"], PEER, timings["peer"], 10, note)
        yield compare("jax-scores", scored, timings["ours"], f"{PEER}'s private parts, in one jit", timings["parts"])
    hands = settings.pick(10_000, 1_000)
    alone = side_by_side({"ours": timed(OURS, "von_neumann", {"bet": 2, "hands": hands})})["ours"]
    none = Timing(problem="has no such game")
    yield compare("jax-scores", f"exploitability of a network in JAX, von Neumann, {hands:,} hands", alone, PEER, none)


BENCHES: dict[str, Bench] = {"jax-scores": beside_nashbench}
