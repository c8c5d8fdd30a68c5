"""The command line, as a user meets it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from conftest import called

import relance
from relance.claims.finding import MEANING
from relance.envs.catalogue import read_profile, write_profile

RELANCE = [sys.executable, "-m", "relance.pages.commands.main"]


def run(*arguments, cwd=None):
    """In this process, or in a fresh one where it is started in another folder."""
    return called(*arguments) if cwd is None else fresh(*arguments, cwd=cwd)


def fresh(*arguments, cwd=None):
    return subprocess.run([*RELANCE, *arguments], capture_output=True, text=True, cwd=cwd)


def test_verify_writes_the_contract(tmp_path):
    target = tmp_path / "claims.json"
    some = ("miao-2014/value", "ponssard-1974/story-raise", "bernasconi-2011")
    out = run("verify", *(word for key in some for word in ("--paper", key)), "--json", str(target))
    assert out.returncode == 0, out.stderr
    assert "refuted" in out.stdout
    assert "relance errata" in out.stdout
    claims = json.loads(target.read_text())
    contract = "id paper section statement verdict method domain evidence correction restored note seconds as_recorded"
    fields = {*contract.split(), "places", "argument", "games", "point", "printed", "corrected", "ours", "rests_on"}
    for claim in claims:
        assert set(claim) == fields
        assert claim["verdict"] in MEANING
        assert claim["verdict"] != "failed"
        assert bool(claim["correction"]) == (claim["verdict"] == "refuted")


def test_json_to_standard_output_is_nothing_else():
    out = run("verify", "--paper", "bernasconi-2011", "--json", "-")
    assert out.returncode == 0
    assert len(json.loads(out.stdout)) > 1
    assert "claims of 1 paper" in out.stderr


def test_the_time_of_verify_is_that_of_the_whole_command(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from relance.claims import verify as job
    from relance.pages.commands.main import app

    now = [0.0]
    monkeypatch.setattr("relance.pages.commands.claims.verify.time.perf_counter", lambda: now[0])
    monkeypatch.setattr(job, "planted", lambda papers: now.__setitem__(0, now[0] + 7.0) or [])
    monkeypatch.setattr("relance.pages.report.report_pictures", lambda *given: now.__setitem__(0, now[0] + 2.0) or [])
    words = ["verify", "--paper", "miao-2014/value", "--planted", "--html", str(tmp_path / "page.html")]
    assert "1 claim of 1 paper in 9.0 s" in CliRunner().invoke(app, words).stdout
    assert "in 9.0 s by" in (tmp_path / "page.html").read_text()


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
        (["solve", "--face", "la_relance(deal=fgm:1/2)"], "(hands=9)'"),
        (["solve", "--face", "endgame", "--tolerance", "1e-3"], "--tolerance 0.001 does not go with --face"),
        (["solve", "endgame", "-o", "/nowhere/x.json"], "no folder /nowhere"),
        (["solve", "endgame", "-o", "-"], "--output must be the name of a file"),
        (["score", "endgame", "none.json"], "none.json cannot be read: No such file"),
        (["score", "endgame", "unifrom"], "did you mean 'uniform'"),
        (["score", "endgame", "nowhere:agent"], "there is no player 'nowhere:agent'"),
        (["solve", "--face", "endgame", "--method", "cfr+"], "--method cfr+ does not go with --face"),
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


def test_solve_and_export(tmp_path):
    out = run("solve", "one_card_poker(raises=0)")
    assert "value -1/18 chips to player 0" in out.stdout
    target = tmp_path / "game.efg"
    assert run("export", "von_neumann(bet=2,hands=9)", "-o", str(target)).returncode == 0
    assert target.read_text().startswith("EFG 2 R")


def test_a_solution_is_saved_exactly_and_scored(tmp_path):
    target = tmp_path / "profile.json"
    assert str(target) in run("solve", "one_card_poker(raises=0)", "-o", str(target)).stdout
    game, profile = read_profile(target)
    assert relance.nash_conv(game, profile) == 0
    out = run("score", "one_card_poker(raises=0)", str(target))
    assert "NashConv           0.000000 (0)" in out.stdout
    assert "(-1/18)" in out.stdout
    other = run("score", "one_card_poker(cards=4)", str(target))
    assert other.returncode == 2
    assert "is a profile of one_card_poker(cards=3, raises=0" in other.stderr


def test_a_profile_on_the_whole_interval_is_scored_on_cells_of_it(tmp_path):
    game = relance.make("von_neumann")
    write_profile(game, game.published(), tmp_path / "profile.json")
    for text in ("von_neumann", "von_neumann(hands=9)"):
        assert "NashConv           0.000000 (0)" in run("score", text, "profile.json", cwd=tmp_path).stdout


def test_agents_are_scored_by_name_and_by_import_path(tmp_path):
    (tmp_path / "mine.py").write_text("def even(seen, masks):\n    return masks / masks.sum(axis=1, keepdims=True)\n")
    shown = [run("score", "one_card_poker", agent, cwd=tmp_path).stdout for agent in ("uniform", "mine:even")]
    conv = [text.splitlines()[1].split()[1] for text in shown]
    assert conv[0] == conv[1] != "0.000000"


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


def test_a_game_is_shown_with_its_published_strategies():
    shown = run("show", "one_card_poker", "--family", "alpha=1/3").stdout
    for line in (
        "alpha = 1/3, from 0 to 1",
        "hands: Q, K, A",
        "check  7/9, 1, 1/3",
        "value -1/18 chips to player 0, NashConv 0",
    ):
        assert line in shown
    assert "No strategies are published" in run("show", "one_card_poker(cards=5)").stdout
    printed = run("show", "bellman_blackwell(low=1/5)", "--as-printed").stdout
    assert "NashConv 30976/296595" in printed
    wrong = run("show", "one_card_poker", "--family", "alpha=2")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "alpha=2 must be between 0 and 1" in wrong.stderr


def test_games_lists_the_registry():
    out = run("games").stdout
    assert all(name in out for name in relance.games())


@pytest.mark.parametrize("command", ["verify", "games", "solve", "score", "export"])
def test_every_help_has_an_example(command):
    out = run(command, "--help")
    assert out.returncode == 0
    assert "relance " + command in " ".join(out.stdout.replace("│", " ").split())


def test_exit_status_tells_of_a_claim_that_ends_otherwise(tmp_path):
    """With one recorded verdict changed, the job fails and says which claim."""
    code = (
        "import sys, dataclasses, relance.claims as c, relance.pages.commands.main as cli\n"
        "p = c.papers()['ponssard-1974']\n"
        "claims = (dataclasses.replace(p.claims[0], recorded='numeric'), *p.claims[1:])\n"
        "c.papers()['ponssard-1974'] = dataclasses.replace(p, claims=claims)\n"
        "sys.argv = ['relance', 'verify', '--paper', 'ponssard-1974/' + claims[0].id, '--jobs', '1']; cli.command_line()\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert out.returncode == 1
    assert "Not as recorded" in out.stdout


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


def test_several_processes_decide_as_one_does():
    """The same claims in the same order, with the same evidence."""
    from relance.claims.verify import LOADING, recorded_seconds, verify

    papers = ["miao-2014", "ponssard-1974"]
    mine = [seconds for name, seconds in recorded_seconds().items() if name.split("/")[0] in papers]
    assert sum(mine) > 2 * LOADING  # fewer are decided by one process
    ticks = []
    one, two = verify(papers), verify(papers, jobs=2, tick=ticks.append)
    assert [replace(result, seconds=0) for result in one] == [replace(result, seconds=0) for result in two]
    assert {result.id for result in ticks} == {result.id for result in two}
    with pytest.raises(ValueError, match="jobs=0 must be at least 1"):
        verify(papers, jobs=0)


def test_the_claims_with_recorded_seconds_are_known():
    """If this fails, run `python -m tools.claim_seconds`."""
    from relance.claims.verify import recorded_seconds, selected

    assert {*recorded_seconds()} <= {f"{paper.key}/{claim.id}" for paper, claim in selected()}


def test_verify_shows_a_line_per_paper_and_what_is_false_and_with_claims_every_claim(monkeypatch):
    from relance.claims import verify as job

    decided = job.verify("ponssard-1974")
    monkeypatch.setattr(job, "verify", lambda keys, **options: decided)
    short, long = (run("verify", "--paper", "ponssard-1974", *more).stdout for more in ((), ("--claims",)))
    assert len(short.splitlines()) < 15
    assert re.search(r"ponssard-1974 +J\.-P\. Ponssard \(1974\) +17 ", short)
    assert re.search(r"ponssard-1974/story-raise +raise is 1, not n +Player I raises 1 unit", short)
    statements = [claim.statement[:20] for claim in relance.claims.papers()["ponssard-1974"].claims]
    assert all(text in long for text in statements)
    assert not any(text in short for text in statements)


def test_errata_lists_what_is_false_and_apart_from_it_what_was_restored(tmp_path):
    out = run("errata", "--paper", "ponssard-1974")
    assert out.returncode == 0, out.stderr
    false, _, garbled = out.stdout.partition("Garbled in our copy")
    assert "ponssard-1974/story-raise" in false
    assert "Player I raises 1 unit" in false
    assert "ponssard-1974/raises" in garbled
    target = tmp_path / "errata.json"
    assert run("errata", "--paper", "ponssard-1974", "--json", str(target)).returncode == 0
    listed = json.loads(target.read_text())
    assert {item["verdict"] for item in listed if item["correction"]} == {"refuted"}
    assert all(item["restored"] for item in listed if not item["correction"])


QUICK = [
    f"ponssard-1974/{name}"
    for name in ["payoffs", "border-rr", "border-r", "splits", "bluffs", "raises", "hyperplanes", "story"]
]


@pytest.mark.parametrize("keys", [QUICK, pytest.param(["ponssard-1974"], marks=pytest.mark.slow)], ids=["a few", "all"])
def test_smtlib_files_are_unsatisfiable(tmp_path, keys):
    import z3

    papers = [word for key in keys for word in ("--paper", key)]
    assert run("verify", *papers, "--smtlib", str(tmp_path)).returncode == 0
    files = sorted((tmp_path / "ponssard-1974").glob("*.smt2"))
    assert len({path.name.rsplit("-", 1)[0] for path in files}) >= 8  # one claim, one or more files
    for path in files:
        text = path.read_text()
        assert text.startswith("(set-logic QF_NRA)\n; ponssard-1974/")
        solver = z3.Solver()
        solver.from_string(text)
        assert solver.check() == z3.unsat, path


def test_faces_are_shown():
    out = run("solve", "--face", "one_card_poker(raises=0)")
    assert "player 0: many optimal strategies" in out.stdout
    assert "0 to 1/3" in out.stdout
    assert "player 1: one optimal strategy" in out.stdout


def test_solving_by_cfr_shows_intervals_of_hands():
    out = run("solve", "von_neumann(hands=90)", "--tolerance", "1e-4")
    assert out.returncode == 0, out.stderr
    assert "player 0 to open" in out.stdout
    rows = [line.split() for line in out.stdout.splitlines() if line.startswith("[")]
    assert rows[0][:2] == ["[0,", "1/90]"]
    assert {row[-2] for row in rows} == {"bet", "check", "call", "fold"}


def test_benchmarks_need_a_checkout(tmp_path):
    out = run("bench", cwd=tmp_path)
    assert out.returncode == 2
    assert "checkout" in out.stderr
    root = Path(__file__).parents[3]
    assert "scoring" in run("bench", "nothing-of-the-kind", cwd=root).stderr


def test_solve_takes_a_backend():
    out = run("solve", "von_neumann(hands=50)", "--tolerance", "1e-3", "--backend", "numba")
    assert out.returncode == 0, out.stderr
    assert "exploitability" in out.stdout
    for options, message in (
        (("--tolerance", "1e-3", "--backend", "jax"), "backend='jax' must be one of numpy, numba, torch"),
        (("--backend", "numba"), "backend=numba is an option of CFR"),
        (("--tolerance", "1e-3", "--device", "cuda"), "device='cuda' of numpy must be None or 'cpu'"),
    ):
        out = run("solve", "von_neumann(hands=50)", *options)
        assert out.returncode == 2
        assert message in out.stderr


def test_hands_on_the_interval_are_cut_and_answers_that_are_not_unique_say_so(tmp_path):
    out = run("solve", "von_neumann", "--json", "solved.json", cwd=tmp_path)
    assert "hands=9): value 1/9 chips" in out.stdout
    assert "on all of [0, 1] the exploitability is " in out.stderr
    assert "player 1: one of many optimal strategies" in out.stderr
    told = json.loads((tmp_path / "solved.json").read_text())
    assert (told["value"], told["exploitability"], told["solved_by"]) == ("1/9", "0", "an exact linear program")
    game, profile = read_profile(tmp_path / "solved.json")
    assert relance.nash_conv(game, profile) == 0
    assert f"is {relance.exploitability('von_neumann', game.on_interval(profile))}\n" in out.stderr
    only = run("solve", "endgame", "--json", "-")
    assert json.loads(only.stdout)["value"] == str(relance.value("endgame", relance.make("endgame").published()))
    assert "many" not in only.stderr


def test_games_as_json():
    listed = json.loads(run("games", "--json", "-").stdout)
    assert [entry["name"] for entry in listed] == relance.games()
    assert set(listed[0]["source"]) == {"key", "authors", "title", "year", "where", "published_in"}
    assert all(relance.make(e["name"], **{k: v["default"] for k, v in e["parameters"].items()}) for e in listed)


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
