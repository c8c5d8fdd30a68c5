"""`relance play` as a person meets it in a terminal, and a script in a pipe."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from importlib.util import find_spec

import numpy as np
import pytest
from conftest import called

RELANCE = [sys.executable, "-m", "relance.pages.commands.main", "play"]

KUHN = "one_card_poker(raises=0)"

CONTROL_C = "\x03"  # pressed again if need be: python notices one between prompt and wait only at the next key


def piped(*arguments, say=""):
    return called("play", *arguments, say=say)


class Terminal:
    """`relance play` in a pseudo-terminal of so many columns."""

    def __init__(self, *arguments, columns=80, **environment):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")}
        self.process = subprocess.Popen(
            [*RELANCE, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**kept, "TERM": "xterm-256color", **environment},
            preexec_fn=_own_terminal,
        )
        os.close(slave)
        self.text, self.decode = "", codecs.getincrementaldecoder("utf-8")("replace").decode

    def until(self, wanted, seconds=60):
        """Everything shown up to `wanted`, from where the last call ended."""
        end, seen = time.monotonic() + seconds, ""
        while wanted not in seen:
            ready = select.select([self.master], [], [], max(0, end - time.monotonic()))[0]
            assert ready, f"{wanted!r} was not shown within {seconds} s, but {seen!r}"
            seen += self.decode(os.read(self.master, 1))  # a byte, so that nothing after it is lost
        self.text += seen
        return seen

    def say(self, keys):
        os.write(self.master, keys.encode())

    def end(self, again="", seconds=60):
        """The rest of what is shown, and the exit status; until then, the keys `again` are pressed every few seconds."""
        rest, pressed, limit = b"", time.monotonic(), time.monotonic() + seconds
        while True:
            ready = select.select([self.master], [], [], 3)[0]
            if time.monotonic() > limit:
                self.process.kill()
                raise AssertionError(f"nothing ended for {seconds} s, after {rest[-500:]!r}")
            if time.monotonic() > pressed + 3:
                self.say(again)
                pressed = time.monotonic()
            if not ready:
                continue
            try:
                part = os.read(self.master, 4096)
            except OSError:  # the other end is closed
                part = b""
            if not part:
                break
            rest += part
        status = self.process.wait(timeout=seconds)
        os.close(self.master)
        shown = self.decode(rest)
        self.text += shown
        return shown, status


def _own_terminal():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_a_session_with_coaching_an_illegal_action_and_the_end_of_input():
    terminal = Terminal(KUHN, "--coach", "--seat", "0", "--seed", "1")
    assert "hand 1" in terminal.until("> ")
    terminal.say("raise\n")  # there are no raises in Kuhn's game
    assert "'raise' is not one of check, bet, ? or q" in terminal.until("> ")
    terminal.say("\n")
    assert "type an action, ? or q" in terminal.until("> ")
    terminal.say("rules\n")
    assert "- player 0 bet, player 1 call: showdown for 2 chips" in terminal.until("> ")
    terminal.say("?\n")
    assert "against published" in terminal.until("> ")
    terminal.say("b\n")
    shown = terminal.until("hand 2")
    assert "lost so far" in shown
    assert "in total" in shown
    terminal.until("> ")
    terminal.say("\x04")  # Ctrl-D
    shown, status = terminal.end()
    assert status == 0
    assert "1 hand" in shown
    assert "and one unfinished" in shown
    assert "your choices cost" in shown
    assert "\x1b[" in terminal.text  # in colour
    assert "Traceback" not in terminal.text


def test_control_c_ends_with_the_summary_and_status_130():
    terminal = Terminal(KUHN, "--seat", "0", "--seed", "1")
    terminal.until("> ")
    terminal.say("c\n")
    terminal.until("> ")
    terminal.say(CONTROL_C)
    shown, status = terminal.end(again=CONTROL_C)
    assert status == 130
    assert "stopped" in shown
    assert "unfinished" in shown
    assert "Traceback" not in terminal.text


def test_control_c_before_the_first_hand_leaves_no_traceback(tmp_path):
    """The opponent's module never finishes, so the game is surely still getting ready."""
    (tmp_path / "slow.py").write_text("import time\nprint('still waiting')\ntime.sleep(600)\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    terminal = Terminal(KUHN, "--opponent", "slow:player", PYTHONPATH=path)
    terminal.until("still waiting")
    assert "getting ready" in terminal.text
    terminal.say(CONTROL_C)
    _, status = terminal.end(again=CONTROL_C)
    assert status == 130
    assert "no hand was dealt" in terminal.text
    assert "Traceback" not in terminal.text


def test_help_is_about_the_present_position():
    """A question mark says what actions are worth now, and nothing of the hand before."""
    out = piped(KUHN, "--seat", "0", "--seed", "1", "--opponent", "caller", say="bet\n?\nq\n")
    assert out.returncode == 0, out.stderr
    asked = out.stdout.partition("hand 2")[2].partition("> ?")[2].partition("> q")[0]
    assert "against published" in asked
    assert "cost" not in asked
    assert "lost so far" not in asked


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
@pytest.mark.parametrize("game", ["one_card_poker", "von_neumann", "endgame"])
def test_forty_columns_without_colour(game, environment):
    terminal = Terminal(game, "--coach", "--seed", "1", "--seat", "0", "--rounds", "1", columns=40, **environment)
    terminal.until("> ")
    terminal.say("?\n")
    terminal.until("> ")
    terminal.say("q\n")
    shown, status = terminal.end()
    assert status == 0
    assert "0 hands" in shown
    played = terminal.text[terminal.text.index("hand 1") :]
    assert not re.search(r"\x1b\[[0-9;]*\b[349]\d[0-9;]*m", terminal.text)  # bold is no colour
    assert max(len(re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", line)) for line in played.splitlines()) <= 40
    if environment.get("TERM") == "dumb":
        assert "\x1b" not in played
        assert played.isascii()


def test_a_script_plays_what_it_says():
    out = piped("one_card_poker", "--seat", "0", "--seed", "1", say="bet\ncall\n")
    assert out.returncode == 0, out.stderr
    assert out.stdout.index("> bet") < out.stdout.index("> call") < out.stdout.index("chips won")
    assert not out.stderr


def test_no_input_at_all_is_no_hand():
    out = piped("one_card_poker", "--seat", "0")
    assert out.returncode == 0
    assert "0 hands (and one unfinished)" in out.stdout


def test_bytes_that_are_no_text_are_no_action():
    done = subprocess.run([*RELANCE, KUHN, "--seat", "0"], input=b"\xff\xfe\nq\n", capture_output=True)
    assert done.returncode == 0
    assert b"is not one of check, bet" in done.stdout


def test_sessions_are_decided_by_their_seed():
    say = "c\nc\nf\nb\n" * 20
    first, again = (piped("von_neumann", "--seed", "5", "--rounds", "10", say=say).stdout for _ in range(2))
    assert first == again
    assert first != piped("von_neumann", "--seed", "6", "--rounds", "10", say=say).stdout
    free = [piped("von_neumann", "--rounds", "1", say=say).stdout for _ in range(2)]
    seed = re.search(r"seed (\d+)", free[0])[1]
    assert piped("von_neumann", "--rounds", "1", "--seed", seed, say=say).stdout == free[0]


@pytest.mark.parametrize("opponent", ["uniform", "perturbed(0.1)", "best_response", "caller", "solved"])
def test_opponents_by_name(opponent):
    out = piped(KUHN, "--opponent", opponent, "--seed", "1", "--rounds", "2", say="c\nb\nf\n" * 5)
    assert out.returncode == 0, out.stderr
    assert f"against {opponent}" in out.stdout
    assert "2 hands" in out.stdout


TRAINS = pytest.mark.skipif(find_spec("relance.baselines") is None, reason="needs the slice baselines")


@TRAINS
def test_a_trained_opponent():
    out = piped("von_neumann(hands=9)", "--trained", "cfr+", "--seconds", "0.1", "--rounds", "1", say="c\nb\nf\n" * 5)
    assert out.returncode == 0, out.stderr
    assert "against cfr+, trained" in out.stdout
    assert "NashConv" in out.stderr


def test_an_opponent_by_import_path(tmp_path):
    (tmp_path / "mine.py").write_text(
        "def caller(seen, masks):\n    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)\n"
    )
    say = "c\nb\n" * 5
    for name in ("mine:caller", "mine:nobody", "nowhere:caller"):
        out = subprocess.run(
            [*RELANCE, KUHN, "--opponent", name, "--rounds", "1"],
            input=say,
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert (out.returncode == 0) == (name == "mine:caller"), out.stderr
        assert "Traceback" not in out.stderr


@pytest.mark.parametrize(
    ("opponent", "message"),
    [
        ("mine:broken", "agent 'mine:broken' failed: KeyError: 'x'"),
        ("mine:stacked", "agent 'mine:stacked' failed: IndexError"),
        ("boom:caller", "agent 'boom:caller' failed: ZeroDivisionError: division by zero"),
        ("nets:other", "the network does not take observations of shape"),
        ("nets:with_grad", "the agent's probabilities sum to 4"),
    ],
)
def test_an_opponent_that_fails_is_named_in_one_line(tmp_path, opponent, message):
    if opponent.startswith("nets"):
        pytest.importorskip("torch", reason="needs the extra torch")
    (tmp_path / "mine.py").write_text(
        "import numpy as np\ndef broken(seen, masks):\n    return {}['x']\n"
        "def stacked(seen, masks):\n    return np.split(masks, [], axis=7)\n"
    )
    (tmp_path / "boom.py").write_text("caller = 1 / 0\n")
    (tmp_path / "nets.py").write_text(
        "import torch\nother = torch.nn.Linear(3, 2)\n"
        "def with_grad(seen, masks):\n    return torch.ones(masks.shape, requires_grad=True)\n"
    )
    out = subprocess.run(
        [*RELANCE, KUHN, "--opponent", opponent], input="q\n", capture_output=True, text=True, cwd=tmp_path
    )
    assert out.returncode == 2
    assert message in out.stderr
    assert len(out.stderr.strip().splitlines()) == 1


def test_errors_of_relance_are_not_blamed_on_the_opponent():
    from relance.pages.commands import generator

    ours = compile("np.split(np.zeros(3), [], axis=7)", generator.__file__, "exec")
    with pytest.raises(IndexError), generator.errors_of(["mine:caller"]):
        exec(ours, {"np": np})


@TRAINS
def test_an_algorithm_of_the_current_folder_trains_an_opponent(tmp_path):
    (tmp_path / "mine.py").write_text("from relance.baselines.vector_cfr import Settings, start_cfr as start\n")
    command = [*RELANCE, KUHN, "--trained", "mine", "--seconds", "0.1"]
    out = subprocess.run(command, input="q\n", capture_output=True, text=True, cwd=tmp_path)
    assert out.returncode == 0, out.stderr


def test_without_a_published_strategy_the_reference_opponent_is_solved():
    out = piped("one_card_poker(cards=5)", "--opponent", "uniform", "--coach", "--rounds", "1", say="c\nb\nf\n" * 5)
    assert out.returncode == 0, out.stderr
    assert "expected chips, against solved" in out.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one_card_poker(cards=5)", "--opponent", "published"], "try 'equilibrium', which is then solved first"),
        (["one_card_poker(cards=5)", "--opponent", "perturbed(0.1, published)"], "try 'equilibrium'"),
        ([KUHN, "--opponent", "unifrom"], "did you mean 'uniform'"),
        ([KUHN, "--opponent", "uniform", "--trained", "cfr+"], "two opponents"),
        pytest.param([KUHN, "--trained", "cfrr"], "there is no algorithm 'cfrr'", marks=TRAINS),
        pytest.param(
            [KUHN, "--trained", "cfr+", "--seconds", "-1"], "seconds=-1.0 must be a number above 0", marks=TRAINS
        ),
        ([KUHN, "--seat", "2"], "--seat 2 must be 0, 1 or random"),
        (["von_neuman"], "did you mean 'von_neumann'"),
        (["endgame", "--opponent", "passive", "--seat", "1"], "in a row before your turn"),
    ],
)
def test_mistakes_are_one_line_and_status_2(arguments, message):
    out = piped(*arguments, say="c\n")
    assert out.returncode == 2
    assert message in out.stderr
    assert len(out.stderr.strip().splitlines()) == 1


def test_control_c_in_a_pipe():
    process = subprocess.Popen(
        [*RELANCE, KUHN, "--seat", "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while "q end" not in process.stdout.readline():
        pass  # it asks once all is imported: python loses an interrupt that falls into an import
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "0 hands" in out
    assert not err


def test_hold_em_shows_the_table_and_the_hand():
    out = piped("river", "--seat", "0", "--seed", "4", "--rounds", "1", say="c\nf\n")
    assert out.returncode == 0, out.stderr
    shown = out.stdout[out.stdout.index("on the table") :]
    assert shown.index("K♠ │ │ 9♦ │ │ 7♥ │ │ 4♣ │ │ 2♠") < shown.index("your hand")
    assert re.search(r"your hand\n.*\n│ .. │ │ .. │\n", shown)


def test_what_turns_up_is_shown():
    said = piped("leduc", "--seed", "3", "--seat", "0", "--rounds", "1", say="check\ncall\ncheck\ncall\n").stdout
    before, after = said.split("> call\n  turned up: Q\n", 1)
    assert "turned up" not in before
    assert after.count("turned up: Q\n") == 2
