"""Rows that others send can be made again, and scores are exported."""

import csv
import io
from pathlib import Path

import pytest

from relance.baselines.boards import boards_of, gathered
from relance.baselines.rows import as_row, as_text
from relance.baselines.runs import train
from relance.pages.submissions import faults_of, gaps_as_csv, gaps_between_learners, latex_of, table_of

FIELD = Path(__file__).parents[2] / "docs" / "results" / "field.jsonl"


def test_a_row_is_made_again():
    row = as_row(train("cfr+", "one_card_poker(raises=0)", samples=3000, at_samples=[1000, 2000]))
    first, second, last = (int(samples) for _, samples, _ in row["points"])
    assert faults_of(row, last) == []
    assert faults_of(row, first - 1) == [f"it has no score at {first - 1:,} samples or less"]
    forged = {**row, "points": [(s, n, v * 0.9) for s, n, v in row["points"]], "code": "0" * 12}
    other, *wrong = faults_of(forged, second)
    assert "other code" in other
    assert [fault.split(" samples")[0] for fault in wrong] == [f"at {first:,}", f"at {second:,}"]
    ranked = {**row, "sees": "samples", "other": [0.01] * len(row["points"])}
    assert faults_of(ranked, first) == [
        "sees is 'tables', not 'samples'",
        f"at {first:,} samples that of its other policy is not known, not 0.01",
    ]
    row = as_row(train("openspiel_q_learning", "one_card_poker(raises=0)", samples=2000, at_samples=[1000]))
    (first, *_), (other, *_) = ([p[1] for p in row["points"]], row["other"])
    assert faults_of(row, first) == []
    (fault,) = faults_of({**row, "other": [1e-5] * len(row["points"])}, first)
    assert fault == f"at {first:,} samples that of its other policy is {other:.6g}, not 1e-05"
    with pytest.raises(ValueError, match="there is no algorithm"):
        faults_of({**row, "algorithm": "nobody"}, first)


def test_scores_as_values():
    rows = gathered([FIELD])
    table = list(csv.DictReader(io.StringIO(table_of(rows))))
    assert {line["game"] for line in table} == set(boards_of(rows))
    assert all(float(line["least"]) <= float(line["median"]) <= float(line["most"]) for line in table)
    game, board = next(iter(boards_of(rows).items()))
    (first, second), (mean, low, high) = next(iter(gaps_between_learners(board, 0, 30).items()))
    assert low <= mean <= high
    shown = {
        line["algorithm"]: line
        for line in table
        if (line["game"], line["kind"], line["budget"]) == (game, "seconds", "30")
    }
    assert (float(shown[first]["most"]) < float(shown[second]["least"])) <= (high < 0)
    mine = [row for row in rows if row["game"] == game]
    gaps = list(csv.DictReader(io.StringIO(gaps_as_csv(mine))))
    (gap,) = (g for g in gaps if (g["first"], g["second"], g["kind"], g["budget"]) == (first, second, "seconds", "30"))
    assert [float(gap[key]) for key in ("mean", "low", "high")] == pytest.approx([mean, low, high], rel=1e-5)
    tex = latex_of(rows)
    assert tex.count(r"\begin{tabular}") == tex.count(r"\bottomrule") == len(boards_of(rows))
    widths = {line.count("&") for line in tex.splitlines() if line.endswith(r"\\")}
    assert len(widths) == 1
    assert r"mmd\_sampled" in tex


def test_a_command_makes_the_rows_again(tmp_path):
    from typer.testing import CliRunner

    from relance.pages.commands.main import app

    good, forged = (tmp_path / name for name in ("good.jsonl", "forged.jsonl"))
    row = as_row(train("cfr+", "one_card_poker(raises=0)", samples=2000, at_samples=[1000]))
    good.write_text(as_text(row))
    forged.write_text(as_text({**row, "points": [(s, n, v * 0.9) for s, n, v in row["points"]]}))
    page = tmp_path / "board.md"
    told = CliRunner().invoke(app, ["leaderboard", str(forged), "-o", str(page), "--check", "1100"])
    assert told.exit_code == 1
    assert "cfr+ on one_card_poker" in told.stdout
    assert not page.exists()
    told = CliRunner().invoke(app, ["leaderboard", str(forged), "-o", str(page), "--check", "0"])
    assert (told.exit_code, str(told.exception)) == (1, "check=0 must be a whole number at least 1 or None")
    tex, gaps = tmp_path / "board.tex", tmp_path / "gaps.csv"
    files = ["--latex", str(tex), "--gaps", str(gaps)]
    told = CliRunner().invoke(app, ["leaderboard", str(good), "-o", str(page), "--check", "1100", *files])
    assert told.exit_code == 0, told.output
    assert tex.exists()
    assert gaps.read_text() == "game,first,second,budget,kind,mean,low,high\n"  # one learner alone
