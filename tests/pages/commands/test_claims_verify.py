"""`relance verify` and `relance errata`, as a user meets them."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from test_commands import run

import relance
from relance.claims.finding import VERDICT_MEANINGS


def test_verify_writes_the_contract(tmp_path):
    target = tmp_path / "claims.json"
    some = ("miao-2014/value", "ponssard-1974/story-raise", "bernasconi-2011")
    out = run("verify", *(word for key in some for word in ("--paper", key)), "--json", str(target))
    assert out.returncode == 0, out.stderr
    assert "refuted" in out.stdout
    assert "relance errata" in out.stdout
    claims = json.loads(target.read_text())["claims"]
    contract = "id paper section statement verdict method domain evidence correction restored note seconds as_recorded"
    fields = {*contract.split(), "places", "argument", "games", "point", "printed", "corrected", "ours", "rests_on"}
    for claim in claims:
        assert set(claim) == fields
        assert claim["verdict"] in VERDICT_MEANINGS
        assert claim["verdict"] != "failed"
        assert bool(claim["correction"]) == (claim["verdict"] == "refuted")


def test_the_time_of_verify_is_that_of_the_whole_command(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from relance.claims import verify as job
    from relance.pages.commands.main import app

    now = [0.0]
    monkeypatch.setattr("relance.pages.commands.claims.verify.time.perf_counter", lambda: now[0])
    monkeypatch.setattr(job, "planted_errors", lambda papers: now.__setitem__(0, now[0] + 7.0) or [])
    monkeypatch.setattr("relance.pages.report.report_pictures", lambda *given: now.__setitem__(0, now[0] + 2.0) or [])
    words = ["verify", "--paper", "miao-2014/value", "--planted", "--html", str(tmp_path / "page.html")]
    assert "1 claim of 1 paper in 9.0 s" in CliRunner().invoke(app, words).stdout
    assert "in 9.0 s by" in (tmp_path / "page.html").read_text()


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
    listed = json.loads(target.read_text())["claims"]
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
