"""A board as values, as differences and in LaTeX."""

import csv
import io
import re

import pytest
from board_rows import row

from relance.envs.catalogue import make
from relance.pages.board_files import GAPS, HEADS, gaps_as_csv, latex_of, table_of

KUHN, OTHER = "one_card_poker(raises=0)", "one_card_poker"


def made():
    return [
        row(game, algorithm, seed, last, other=[0.8, 0.7, last / 2])
        for game in (KUHN, OTHER)
        for algorithm, lasts in (("ppo", (0.5, 0.6, 0.7, 0.8, 0.9)), ("ppg", (0.1, 0.2, 0.3, 0.2, 0.1)))
        for seed, last in enumerate(lasts)
    ] + [row(game, "openspiel_mccfr", last=0.01) for game in (KUHN, OTHER)]


def read(text, heads):
    lines = list(csv.DictReader(io.StringIO(text)))
    assert tuple(lines[0]) == heads
    return lines


def test_scores_as_values():
    lines = read(table_of(made()), HEADS)
    (line,) = [
        line
        for line in lines
        if (line["game"], line["algorithm"], line["policy"], line["budget"])
        == (str(make(KUHN)), "ppo", "last", "1000000")
    ]
    assert [line[key] for key in ("runs", "median", "low", "high", "least", "most")] == [
        "5",
        "0.7",
        "0.5",
        "0.9",
        "0.5",
        "0.9",
    ]
    assert float(line["share"]) == pytest.approx(0.7 / (11 / 12), rel=1e-5)  # uniform play's NashConv in Kuhn's game
    assert {line["kind"] for line in lines} == {"samples", "seconds"}


def test_differences_are_from_the_best_of_those_that_see_as_much():
    lines = [line for line in read(gaps_as_csv(made()), GAPS) if line["budget"] == "1000000"]
    games = {line["game"] for line in lines}
    assert games == {str(make(KUHN)), str(make(OTHER)), "2 games"}
    for game in games:
        mine = {(line["algorithm"], line["policy"]): line for line in lines if line["game"] == game}
        best, alone = mine["ppg", "average"], mine["openspiel_mccfr", "average"]
        assert [line["behind"] for line in (best, alone)] == ["0", "0"]
        for name in (("ppo", "last"), ("ppo", "average"), ("ppg", "last")):
            assert float(mine[name]["behind"]) > 0
            assert float(mine[name]["low"]) <= float(mine[name]["behind"]) <= float(mine[name]["high"])
        assert float(mine["ppo", "last"]["low"]) > 0


def test_latex_tables_are_whole_grouped_and_referred_to():
    text = latex_of(made())
    tables = re.findall(r"\\begin\{table\}.*?\\end\{table\}", text, re.DOTALL)
    assert len(tables) == 3
    for table in tables:
        (columns,) = re.findall(r"\\begin\{tabular\}\{(\w+)\}", table)
        spans = [
            sum(
                int(re.search(r"multicolumn\{(\d+)\}", cell)[1]) if "multicolumn" in cell else 1
                for cell in line.split(" & ")
            )
            for line in table.splitlines()
            if r" \\" in line
        ]
        assert set(spans) == {len(columns)}
        assert len(re.findall(r"\\emph\{sees (samples|tree)\}", table)) == 2
        assert table.count(r"\textbf{") >= 2
    assert len(set(re.findall(r"\\label\{(tab:[a-z0-9-]+)\}", text))) == 3
    assert r"openspiel\_mccfr" in text
    assert "0.7 (0.5--0.9)" in text
    assert "& 5 " in text
