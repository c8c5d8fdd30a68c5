"""Rows of questions with their exact answers."""

import json
from fractions import Fraction

import pytest

import relance
from relance.words.data_set import question_rows, write_questions
from relance.words.fresh_games import fresh_game
from relance.words.text_agent import parse_reply

KUHN = "one_card_poker(raises=0)"


def test_rows_are_exact():
    """At an equilibrium no regret is above 0, and an action that is taken has none; the values weighted by play are the game's value."""
    game, total = relance.make(KUHN), 0.0
    rows = list(question_rows(game, renaming=7))
    assert len(rows) == 12
    for row in rows:
        exact = [Fraction(text) for text in row["exact_regrets"]]
        assert max(exact) == 0
        assert all(p == 0 or regret == 0 for p, regret in zip(row["policy"], exact, strict=True))
        assert row["regrets"] == [float(regret) for regret in exact]
        assert [game.actions[i] for i, open_ in enumerate(row["mask"]) if open_] == row["actions"]
        wording = relance.words.renamed_wording(game, 7)
        said = [parse_reply(answer, row["actions"], wording).action for answer in row["answers"]]
        assert said == row["actions"]
        assert all(answer in row["prompt"][-1]["content"] for answer in row["answers"])
        if row["node"] == "":
            total += row["reach"] * sum(p * v for p, v in zip(row["policy"], row["values"], strict=True))
    assert total == pytest.approx(-1 / 18)


def test_where_nobody_comes_nothing_is_known():
    rows = [row for row in question_rows(KUHN, "passive") if row["node"] == "bet"]
    assert {row["values"] for row in rows} == {None}
    assert {row["exact_regrets"] for row in rows} == {None}


def test_files(tmp_path):
    lines = tmp_path / "kuhn.jsonl"
    assert write_questions(lines, KUHN, renaming=3) == 12
    assert [json.loads(line) for line in lines.read_text().splitlines()] == list(question_rows(KUHN, renaming=3))
    with pytest.raises(ValueError, match=r"must end in .jsonl or .parquet"):
        write_questions(tmp_path / "kuhn.csv", KUHN)
    with pytest.raises(OSError, match="there is no folder"):
        write_questions(tmp_path / "none" / "kuhn.jsonl", KUHN, policy="nobody")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    assert write_questions(tmp_path / "kuhn.parquet", KUHN, renaming=3) == 12
    assert parquet.read_table(tmp_path / "kuhn.parquet").to_pylist() == list(question_rows(KUHN, renaming=3))


def test_a_wording_or_a_renaming():
    drawn = fresh_game(1)
    row = next(question_rows(drawn.game, drawn.profile, wording=drawn.wording))
    assert row["renaming"] == drawn.wording.name
    with pytest.raises(ValueError, match="must not both be given"):
        next(question_rows(drawn.game, wording=drawn.wording, renaming=1))
