"""Rows that others send can be made again, on any processor; those that no honest run made are refused."""

import re
import sys

import pytest
from board_rows import ORIGIN

from relance.baselines.rows import as_row, as_text
from relance.baselines.runs import Point, Run, train
from relance.pages import submissions
from relance.pages.submissions import SEEDS, RowCheck, elsewhere, looks_at

KUHN = "one_card_poker(raises=0)"


def made(name="mmd_sampled", samples=12_000, **given):
    """A row of today's code that says its origin, whatever state this checkout is in."""
    return {**as_row(train(name, KUHN, samples=samples, **given)), "commit": ORIGIN["commit"]}


def test_an_honest_row_has_no_faults():
    row = made()
    first, last = (int(row["points"][i][1]) for i in (0, -1))
    assert RowCheck(last).faults(row) == []
    assert RowCheck(first - 1).faults(row) == [f"the row has no score at {first - 1:,} samples or less"]


def test_a_row_that_does_not_say_its_origin_is_refused_before_anything_is_run():
    row = {**made("cfr+", 1000), "code": "", "commit": "1" * 12 + "-dirty"}
    assert RowCheck(10**9).faults(row) == [
        "the row does not say the learner's code, a commit without changes, or a released version"
    ]


def test_a_row_of_other_code_or_of_another_view_is_refused():
    row = made("cfr+", 1000)
    faults = RowCheck(1000).faults({**row, "code": "0" * 12, "sees": "samples"})
    assert [fault.partition(",")[0] for fault in faults] == [
        "other code of cfr+ made the row",
        "sees must be 'tables' for cfr+",
    ]


def test_where_nothing_is_random_every_score_must_be_the_same():
    row = made("cfr+", 3000, at_samples=[1000, 2000])
    first, second, _ = (int(samples) for _, samples, _ in row["points"])
    forged = {**row, "points": [(s, n, v * 0.9) for s, n, v in row["points"]]}
    faults = RowCheck(second).faults(forged)
    assert [fault.split(" samples")[0] for fault in faults] == [f"at {first:,}", f"at {second:,}"]


def test_a_score_of_a_policy_that_the_learner_does_not_have_is_refused():
    row = made("cfr+", 1000)
    faults = RowCheck(10**9).faults({**row, "other": [0.01] * len(row["points"])})
    assert faults[0].endswith("samples NashConv of the other policy does not exist; the row has 0.01")


def test_doubled_samples_and_other_settings_are_refused():
    row = made()
    doubled = {**row, "points": [(s, 2 * n, v) for s, n, v in row["points"]]}
    setting = next(name for name in row["settings"] if name.endswith("rate"))
    other = {**row, "settings": {**row["settings"], setting: row["settings"][setting] / 2}}
    for forged in (doubled, other):
        (fault, *_) = RowCheck(10**6).faults(forged)
        assert fault.startswith("at ")


class Chaos:
    """Runs whose first score depends on nothing and whose later ones are drawn anew each time, as where rounding is amplified."""

    def __init__(self, later):
        self.later, self.runs = iter(later), []

    def __call__(self, run: Run, due, **_):
        self.runs.append(run.seed)
        points = [Point(0.1, 1000, 0.9), Point(1.0, 100_000, next(self.later))]
        return Run(run.algorithm, run.game, run.seed, run.settings, None, 100_000, points)


@pytest.mark.parametrize(
    ("score", "is_right"), [(0.1, True), (0.041, True), (0.31, True), (0.039, False), (0.33, False)]
)
def test_a_later_score_may_be_off_as_far_as_seeds_are_apart(monkeypatch, score, is_right):
    """Those made are from 0.08 to 0.16, a factor of 2 apart, so that 0.04 to 0.32 will do."""
    row = made("mmd_sampled", 9000)
    points = [(0.1, 1000, 0.9), (1.0, 100_000, score)]
    row |= {"points": points, "other": [None, None], "samples": 100_000, "seed": 3}
    chaos = Chaos([0.15, 0.08, *[0.16] * (SEEDS - 2)])
    monkeypatch.setattr(submissions, "carried_out", chaos)
    monkeypatch.setattr(submissions, "looks_at", lambda row, samples: [])
    check = RowCheck(100_000)
    faults = check.faults(row)
    assert (faults == []) is is_right
    assert chaos.runs == [3, 0, 1, 2, 4, 5, 6, 7, 8, 9]
    if not is_right:
        (fault,) = faults
        assert f"is 0.15 here, and 0.08 to 0.16 over 10 seeds; the row's {score:g} is too far" in fault
    assert check.faults(row) == faults
    assert len(chaos.runs) == SEEDS, "each run is done once"


PEEKING = """
from dataclasses import dataclass
from relance.baselines import Algorithm
from relance.play import Batch
import relance

@dataclass(frozen=True)
class Settings:
    how: str = "honest"

class Learner:
    def __init__(self, game, settings, seed):
        self.game, self.how, self.batch = game, settings.how, Batch(game, 512, seed)

    def step(self):
        if self.how == "hands":
            self.batch.hands
        if self.how == "solution":
            self.game.published()
        if self.how == "score":
            relance.score(self.game, "uniform")
        if self.how == "copy":
            import copy
            copy.deepcopy(self.batch)
        return 512

    def agent(self):
        return "uniform"

PEEKS = Algorithm("peeks", Settings, Learner, sees="samples")
"""


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("honest", []),
        ("hands", ["Batch.hands, the hands of both players"]),
        ("solution", ["Game.published, the published strategies"]),
        ("copy", ["deepcopy on a Batch, to go back to a state"]),
    ],
)
def test_a_learner_that_peeks_is_refused(tmp_path, monkeypatch, how, said):
    (tmp_path / "peeking.py").write_text(PEEKING)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        row = made("peeking:PEEKS", 1024, settings={"how": how})
        assert looks_at(row, 1000) == said
        assert RowCheck(2000).faults(row) == [
            f"peeking:PEEKS may see only samples, but it calls {what}" for what in said
        ]
        if how == "hands":
            scored = {**row, "settings": {"how": "score"}}
            assert any("on its game" in what for what in looks_at(scored, 1000))
    finally:
        sys.modules.pop("peeking", None)


def test_what_is_other_here_is_told():
    row = made("cfr+", 1000)
    assert elsewhere(row) == ""
    row |= {"machine": {**row["machine"], "cpu": "Z80"}, "versions": {**row["versions"], "numpy": "1.0"}}
    told = elsewhere(row)
    assert "numpy 1.0, here " in told
    assert "processor Z80, here " in told


def test_a_command_makes_the_rows_again(tmp_path):
    from typer.testing import CliRunner

    from relance.pages.commands.main import app

    good, forged = (tmp_path / name for name in ("good.jsonl", "forged.jsonl"))
    row = made("cfr+", 2000, at_samples=[1000])
    good.write_text(as_text(row))
    forged.write_text(as_text({**row, "points": [(s, n, v * 0.9) for s, n, v in row["points"]]}))
    page = tmp_path / "board.md"
    told = CliRunner().invoke(app, ["leaderboard", str(forged), "-o", str(page), "--check", "1100"])
    assert told.exit_code == 1
    assert "1/1 cfr+ on one_card_poker" in told.stdout
    assert not page.exists()
    told = CliRunner().invoke(app, ["leaderboard", str(forged), "-o", str(page), "--check", "0"])
    assert (told.exit_code, str(told.exception)) == (1, "check=0 must be a whole number at least 1 or None")
    tex, gaps = tmp_path / "board.tex", tmp_path / "gaps.csv"
    files = ["--latex", str(tex), "--gaps", str(gaps), "--game", "kuhn"]
    told = CliRunner().invoke(app, ["leaderboard", str(good), "-o", str(page), "--check", "1100", *files])
    assert told.exit_code == 0, told.output
    assert "seed 0: the scores are the same again" in told.stderr
    assert re.search(r"^\d pictures .*/board-\*\.svg$", told.stdout, re.MULTILINE)
    assert tex.exists()
    assert gaps.read_text().endswith(",0,0,0\n"), "the best is 0 behind itself"
