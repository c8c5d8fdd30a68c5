"""The command line, as a user meets it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from conftest import called

import relance

RELANCE = [sys.executable, "-m", "relance.pages.commands.main"]


def run(*arguments, cwd=None):
    """In this process, or in a fresh one where it is started in another folder."""
    return called(*arguments) if cwd is None else fresh(*arguments, cwd=cwd)


def fresh(*arguments, cwd=None):
    return subprocess.run([*RELANCE, *arguments], capture_output=True, text=True, cwd=cwd)


def test_json_to_standard_output_is_nothing_else():
    out = run("verify", "--paper", "bernasconi-2011", "--json", "-")
    assert out.returncode == 0
    assert len(json.loads(out.stdout)["claims"]) > 1
    assert "claims of 1 paper" in out.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "--paper", "miao"], "did you mean 'miao-2014'"),
        (["verify", "--with", "gambit"], "--with gambit must be openspiel"),
        (["verify", "--json", "/nowhere/x.json"], "no folder /nowhere"),
        (["verify", "--paper", "ponssard-1974", "--smtlib", "/dev/null/x"], "cannot be written"),
        (["verify", "--paper", "ponssard-1974", "--certificates", "/dev/null/x"], "cannot be written"),
        (["errata", "--paper", "cutler"], "did you mean 'cutler-1975'"),
        (["solve", "von_neumann(hands=9)", "--tolerance", "0"], "tolerance=0.0 must be a number above 0"),
        (["solve", "von_neumann(hands=9)", "--method", "simplex"], "must be one of lp, cfr"),
        (["solve", "von_neumann(hands=9)", "--tolerance", "1e-3", "--checkpoint", "/nowhere/x"], "there is no folder"),
        (
            ["solve", "one_card_poker(cards=5,bet=7/5)", "--method", "lp", "--tolerance", "1e-30"],
            "tolerance=1e-30 is below 4e-14",
        ),
        (["solve", "--optimal-set", "la_relance(deal=fgm:1/2)"], "(hands=9)'"),
        (
            ["solve", "--optimal-set", "endgame", "--tolerance", "1e-3"],
            "--tolerance 0.001 does not go with --optimal-set",
        ),
        (["solve", "endgame", "-o", "/nowhere/x.json"], "no folder /nowhere"),
        (["solve", "endgame", "-o", "-"], "--output must be the name of a file"),
        (["score", "endgame", "none.json"], "none.json cannot be read: No such file"),
        (["score", "endgame", "unifrom"], "did you mean 'uniform'"),
        (["score", "endgame", "nowhere:agent"], "there is no player 'nowhere:agent'"),
        (["solve", "--optimal-set", "endgame", "--method", "cfr+"], "--method cfr+ does not go with --optimal-set"),
        (["solve", "openspiel:kuhn_poker", "-o", "x.npz"], "--output x.npz must end in .json for a game tree"),
        (["show", "kuhn", "--of", "published", "--as-printed"], "--as-printed does not go with --of"),
        (["show", "kuhn", "--of", "published", "--family", "alpha=1/3"], "--family alpha=1/3 does not go with --of"),
        (["export", "kuhn", "--of", "published", "--exact"], "--exact does not go with --of"),
        (
            ["plot", "strategy", "kuhn", "published", "--family", "alpha=1/3", "-o", "x.svg"],
            "family alpha=1/3 does not go with",
        ),
        (
            ["plot", "range", "river", "uniform", "--solved", "-o", "x.svg"],
            "solved does not go with a strategy to draw",
        ),
        (
            ["plot", "range", "river", "--tolerance", "0.1", "-o", "x.svg"],
            "tolerance 0.1 does not go with published strategies",
        ),
        (["solve", "endgame", "--checkpoint", "x"], "checkpoint=x is an option of CFR"),
        (["solve", "von_neumann(bet=2"], "lacks its closing bracket"),
        (["solve", "von_neuman(hands=9)"], "did you mean 'von_neumann'"),
        (["solve", "von_neumann(bet=1e1000000000)"], "bet='1e1000000000' is too long"),
        (["score", "endgame", "--", "-" * 5000 + "1"], "cannot be read"),
        (["export", "endgame", "-o", "x" * 300], "cannot be written: File name too long"),
        (
            ["leaderboard", "none.jsonl", "-o", "none/page.md"],
            "none/page.md cannot be written: there is no folder none",
        ),
        (["export", "endgame", "-o", "/dev/null"], "/dev/null cannot be written: it is a device"),
        (["export", "one_card_poker(cards=0)"], "cards=0 must be a whole number from 2"),
        (["export", "one_card_poker", "-o", "/nowhere/x.efg"], "cannot be written"),
        (
            ["ask", "endgame", "uniform", "--answers-file", "x.jsonl", "--json", "./x.jsonl"],
            "x.jsonl is given twice, as answers_file and as json_file",
        ),
        (
            ["score-games", "endgame", "x.jsonl", "--json", "x.jsonl"],
            "x.jsonl is given twice, as logs and as json_file",
        ),
    ],
)
def test_mistakes_are_one_line_and_status_2(arguments, message):
    out = run(*arguments)
    assert out.returncode == 2
    assert message in out.stderr
    assert "Traceback" not in out.stderr
    assert len(out.stderr.strip().splitlines()) == 1
    assert not out.stdout


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that nobody can write to")
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "one_card_poker(cards=99)", "-o", "/proc/x.json"],
        ["solve", "one_card_poker(cards=99)", "--json", "/proc/x.json"],
        ["verify", "--json", "/proc/x.json"],
        ["verify", "--html", "/proc/x.html"],
        ["verify", "--smtlib", "/proc/x"],
        ["verify", "--certificates", "/proc/x"],
        ["errata", "--json", "/proc/x.json"],
        ["games", "--json", "/proc/x.json"],
        ["export", "one_card_poker(cards=99)", "-o", "/proc/x.efg"],
        ["plot", "tree", "one_card_poker(cards=99)", "-o", "/proc/x.svg"],
        ["ask", "von_neumann", "published", "--answers-file", "/proc/x.jsonl"],
        ["match", "published", "uniform", "von_neumann", "--log", "/proc/x.jsonl"],
        ["match", "published", "uniform", "caller", "von_neumann", "--log", "/proc/x"],
        ["train", "cfr+", "von_neumann(hands=9)", "-o", "/proc/x.jsonl"],
        ["leaderboard", "none.jsonl", "-o", "/proc/x.md"],
    ],
    ids=lambda words: f"{words[0]} {words[-2]}",
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(arguments, monkeypatch, capsys):
    from relance.pages.commands import generator
    from relance.pages.commands.main import Imported, command_line

    for module in (generator, *(import_module(about[1]) for about in Imported().known.values())):
        if hasattr(module, "progress_bar") and module.__name__.rpartition(".")[2] != arguments[0]:
            monkeypatch.setattr(module, "progress_bar", lambda *given: pytest.fail("work was begun"))
    monkeypatch.setattr(sys, "argv", ["relance", *arguments])
    with pytest.raises(SystemExit) as ended:
        command_line()
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert re.search(r"relance: /proc/x\S* cannot be (written|locked)|relance: /proc/x\S*: ", told.err)
    assert not told.out


@pytest.mark.parametrize("command", ["verify", "games", "solve", "score", "export"])
def test_every_help_has_an_example(command):
    out = run(command, "--help")
    assert out.returncode == 0
    assert "relance " + command in " ".join(out.stdout.replace("│", " ").split())


def test_nothing_is_written_after_an_interrupt(tmp_path):
    """Ctrl-C while the second claim is being decided."""
    code = (
        "import os, signal, sys, relance.claims.verify as job, relance.pages.commands.main as cli\n"
        "decide, seen = job.decide, []\n"
        "def interrupted(paper, claim):\n"
        "    seen.append(claim)\n"
        "    if len(seen) == 2: os.kill(os.getpid(), signal.SIGINT)\n"
        "    return decide(paper, claim)\n"
        "job.decide = interrupted\n"
        "sys.argv = ['relance', 'verify', '--json', 'claims.json', '--jobs', '1']; cli.command_line()\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert out.returncode == 130
    assert re.search(r"1 of \d+ claims were decided; no results were written", " ".join(out.stderr.split()))
    assert "Traceback" not in out.stderr
    assert not (tmp_path / "claims.json").exists()


def test_an_interrupt_ends_every_process_at_once(tmp_path):
    """Ctrl-C of a terminal, which every process of the job gets, while several decide claims."""
    words = [*RELANCE, "verify", "--jobs", "2", "--json", "claims.json"]
    job = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True
    )
    assert re.match(r"Deciding \d+ claims with 2 processes: about ", job.stdout.readline())
    time.sleep(2)
    os.killpg(job.pid, signal.SIGINT)
    _, said = job.communicate(timeout=30)  # which waits until every process has closed its output
    assert job.returncode == 130
    assert re.search(r"stopped; \d+ of \d+ claims were decided; no results were written", " ".join(said.split()))
    assert "Traceback" not in said
    assert not (tmp_path / "claims.json").exists()


def test_an_interrupt_that_is_pressed_again_and_again_leaves_no_traceback(tmp_path):
    """As somebody does who has no patience, and as `timeout` does, which signals the job and then its group."""
    words = [*RELANCE, "verify", "--jobs", "2"]
    job = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True
    )
    assert re.match(r"Deciding \d+ claims with 2 processes: about ", job.stdout.readline())
    time.sleep(2)
    for _ in range(4):
        with suppress(ProcessLookupError):  # where it has ended
            os.killpg(job.pid, signal.SIGINT)
        time.sleep(0.005)
    _, said = job.communicate(timeout=30)
    assert job.returncode == 130
    assert "claims were decided" in " ".join(said.split())
    assert "Traceback" not in said


@pytest.mark.parametrize("words", [["games"], ["solve", "one_card_poker"], ["solve", "von_neumann(hands=9)"]])
def test_at_forty_columns_no_name_is_cut_and_no_fraction_has_two_colours(words):
    """In a terminal of 40 columns; what the terminal is told about colours is taken out again to compare."""
    code = "import shutil, os; shutil.get_terminal_size = lambda *a: os.terminal_size((40, 24)); from rich import console; "
    code += "from relance.pages.commands.main import command_line; command_line()"
    seen = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.argv[1:] = {words!r}; sys.stdout.isatty = lambda: True; {code}"],
        capture_output=True, text=True, env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": "40"},
    ).stdout  # fmt: skip
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)
    assert max(map(len, plain.splitlines())) <= 40
    assert "\x1b[" in seen
    assert not re.search(r"\d\x1b\[[0-9;]*m/|/\x1b\[[0-9;]*m", seen)
    names = relance.games() if words == ["games"] else ["check", "bet", "fold", "call"]
    assert all(re.search(rf"(?m)(^|\s){name}(\s|$)", plain) for name in names)


def test_ctrl_c_while_modules_are_imported_leaves_no_traceback():
    code = (
        "import sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'relance.pages.commands.main': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "from relance.__main__ import main; main()"
    )
    out = subprocess.run([sys.executable, "-c", code, "games"], capture_output=True, text=True)
    assert (out.returncode, out.stdout, out.stderr) == (130, "", "")


@pytest.mark.skipif(os.name != "posix", reason="the shell closes streams")
@pytest.mark.parametrize(("words", "status"), [("games >&-", 0), ("play kuhn <&-", 0), ("show nosuch >&- 2>&-", 2)])
def test_a_stream_that_the_shell_has_closed(words, status):
    out = subprocess.run(["sh", "-c", f"{sys.executable} -m relance {words}"], capture_output=True, text=True)
    assert (out.returncode, out.stderr) == (status, "")
