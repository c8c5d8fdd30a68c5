"""`relance ask`, as a user meets it."""

import os
import subprocess

from test_commands import RELANCE, run


def test_agents_that_draw_are_estimated_and_go_on_after_a_stop(tmp_path):
    (tmp_path / "mine.py").write_text("""
import os, numpy as np
rng, left = np.random.default_rng(0), int(os.environ.get("CALLS", 1000))
def agent(seen, masks):
    global left
    left -= 1
    if left < 0:
        raise TimeoutError("no reply")
    return (rng.random(masks.shape) * masks).argmax(axis=1)
""")
    asked = ("one_card_poker(raises=0)", "mine:agent")
    assert "relance.words.score(game, agent, answers=100)" in run("score", *asked, cwd=tmp_path).stderr
    estimated = ("ask", *asked, "--answers", "20", "--answers-file", "mine.jsonl")
    stopped = subprocess.run(
        [*RELANCE, *estimated], capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"CALLS": "7"}
    )
    assert (stopped.returncode, stopped.stdout) == (2, "")
    assert "TimeoutError: no reply; 7 answers are kept in mine.jsonl" in stopped.stderr
    out = run(*estimated, cwd=tmp_path)
    assert "asking 240 questions" in out.stderr
    assert "from 240 answers" in out.stdout
    assert len((tmp_path / "mine.jsonl").read_text().splitlines()) == 241
    assert "budget=240" in run(*estimated, "--budget", "239", cwd=tmp_path).stderr
