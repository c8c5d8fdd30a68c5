"""The main job as a whole."""

import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from relance.claims.verify import planted_errors, selected, verify
from relance.envs.catalogue import BLUEPRINTS
from relance.model.game import build

CHILD = """
from relance.claims.verify import verify
from relance.claims.proof import _region

verify("borel-von-neumann/r-bets")
for _ in range(25):
    try:
        print("ready", flush=True)
        while True:
            _region.cache_clear()
            verify("borel-von-neumann")
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


def test_no_control_c_is_lost():
    child = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True)
    wait, watch = random.Random(1), threading.Timer(100, child.kill)
    watch.start()
    try:
        for _ in range(25):
            assert child.stdout.readline() == "ready\n"
            time.sleep(wait.uniform(0.0, 0.2))
            child.send_signal(signal.SIGINT)
            assert child.stdout.readline() == "stopped\n"
        assert child.wait() == 0
    finally:
        watch.cancel()
        child.kill()
        child.stdout.close()


def test_a_key_is_text():
    with pytest.raises(TypeError, match="must be text or a list, each text"):
        verify(np.ones((2, 3)))


def test_papers_are_selected_by_key():
    assert {paper.key for paper, _ in selected(["miao-2014"])} == {"miao-2014"}
    with pytest.raises(ValueError, match="did you mean 'miao-2014'"):
        verify(["miao-2041"])


def test_planted_errors_are_yielded_claim_by_claim():
    claim, moves = next(iter(planted_errors(["miao-2014"])))
    assert moves
    assert all(move.claim.endswith(claim.id) and move.caught for move in moves)


def test_every_misprint_of_a_game_names_the_claim_that_refutes_it():
    named = set()
    for blueprint in BLUEPRINTS.values():
        deep = [{"raises": k} for k in (4, 5)] if "raises" in blueprint.parameters else []
        for game in (build(blueprint, **some) for some in ({}, *blueprint.samples, *deep)):
            if game.is_published:
                named |= {misprint.claim for misprint in game.printed_numbers()[0].wrong(game.parameters).values()}
    assert named
    for claim in named:
        ((_, refuted),) = selected(claim)
        assert refuted.correction
