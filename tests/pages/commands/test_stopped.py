"""SIGTERM, by which Slurm and containers end a program, saves what was done, as Ctrl-C does; and long work is saved along the way."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import marked

from relance.model.files import read_lines

KUHN = "one_card_poker(raises=0)"
AGENT = """
import time, relance.words
def reply(messages):
    time.sleep(0.05)
    return "[check]"
talker = relance.words.TextAgent(reply)
"""
COMMANDS = {
    "solve": (["solve", "von_neumann(hands=999)", "--tolerance", "1e-7", "--method", "cfr", "--checkpoint"], "progress is in"),
    "train": (["train", "cfr+", "von_neumann(hands=999)", "--samples", "1e11", "-o"], "the scores and the strategy so far are in kept"),
    "match": (["match", "talking:talker", "uniform", KUHN, "--within", "0.001", "--log"], "the same match with this log continues"),
    "ask": (["ask", KUHN, "talking:talker", "--answers", "1000", "--answers-file"], "answers are kept in"),
}  # fmt: skip
SOON = (
    "import sys, relance.model.files; relance.model.files.SAVED = 0.01; from relance.pages.commands.main import command_line; "
    "sys.argv = ['relance', *sys.argv[1:]]\ntry: command_line()\nexcept KeyboardInterrupt: sys.exit(130)"
)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("number", marked([signal.SIGTERM, signal.SIGKILL], lambda number: number == signal.SIGKILL))
def test_what_was_done_is_kept(tmp_path, name, number):
    arguments, said = COMMANDS[name]
    (tmp_path / "talking.py").write_text(AGENT)
    kept = tmp_path / "kept"
    run = subprocess.Popen(
        [sys.executable, "-c", SOON, *arguments, "kept"],
        cwd=tmp_path,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    end, least = time.monotonic() + 120, 2000 if name == "ask" else 300  # the head of a file of answers is long
    while run.poll() is None and time.monotonic() < end and not (kept.exists() and kept.stat().st_size > least):
        time.sleep(0.05)
    size = kept.stat().st_size
    run.send_signal(number)
    _, err = run.communicate(timeout=60)
    if number == signal.SIGTERM:
        assert run.returncode == 130, err
        assert said in err
        assert "Traceback" not in err
    assert kept.stat().st_size >= size > 300
    if name != "solve":
        assert not any(line.problem for line in read_lines(kept) if not line.is_cut)


def test_no_handler_is_installed_behind_the_back_of_a_program():
    code = (
        "import signal, relance, relance.words, relance.baselines.runs as runs; before = signal.getsignal(signal.SIGTERM); "
        f"relance.solve('{KUHN}', 'cfr+', 0.1); runs.train('cfr+', relance.make('{KUHN}'), samples=3); "
        "print(before == signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is no error of its own there")
@pytest.mark.parametrize("arguments", [["--help"], ["games"], ["show", KUHN], ["export", KUHN, "-o", "-"]], ids=str)
def test_a_pipe_that_nobody_reads_on_ends_it_without_a_word(arguments):
    """As in `relance show GAME | head -3`."""
    reader, writer = os.pipe()
    os.close(reader)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-m", "relance", *arguments],
        env=env,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (run.returncode, run.stderr) == (1, "")
