"""Game trees on the command line: the same answers as the functions give, files that can be read again, and refusals."""

import json
from fractions import Fraction

import pytest
from conftest import called

from tools.check_game_trees import check


def test_solve_and_score_a_game_of_openspiel(here):
    out = called("solve", "openspiel:kuhn_poker", "-o", "kuhn.json")
    assert out.returncode == 0, out.stderr
    assert "value -1/18 to player 0, NashConv 0" in out.stdout
    assert "1b: Pass 2/3, Bet 1/3" in out.stdout
    assert check(json.loads((here / "kuhn.json").read_text())) == 0
    assert "NashConv 0\n" in called("score", "openspiel:kuhn_poker", "kuhn.json").stdout
    assert "(11/12)" in called("score", "openspiel:kuhn_poker", "uniform").stdout
    out = called("solve", "openspiel:kuhn_poker", "--json", "-")
    assert json.loads(out.stdout)["values"] == ["-1/18", "1/18"]
    out = called("score", "openspiel:kuhn_poker", "uniform", "--json", "-")
    found = json.loads(out.stdout)
    assert (found["game"], found["nash_conv"], found["values"]) == ("kuhn_poker()", 11 / 12, [1 / 8, -1 / 8])
    assert found["exact"]["nash_conv"] == "11/12"
    assert found["mistakes"][0] == {"player": 1, "information_set": "2b", "best": "Bet", "loss": 1 / 4}
    assert "NashConv 0.916667 (11/12)" in out.stderr


def test_large_games_by_cfr(here):
    out = called("solve", "openspiel:leduc_poker", "--method", "dcfr+", "--tolerance", "0.1", "-o", "leduc.json")
    assert "936 information sets" not in out.stdout
    assert "player 0: 468 information sets; -o FILE saves their probabilities" in out.stdout
    assert 0 < check(json.loads((here / "leduc.json").read_text())) <= Fraction(1, 5)


def test_all_optimal_strategies_of_a_tree_are_shown():
    out = called("solve", "--optimal-set", "openspiel:kuhn_poker").stdout
    assert "many optimal strategies" in out
    assert "0: Pass 2/3 to 1, Bet 0 to 1/3" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "openspiel:kuhn"], "OpenSpiel has no game 'kuhn'; did you mean 'kuhn_poker'?"),
        (["solve", "nosuch.efg"], "nosuch.efg cannot be read"),
        (["solve", "openspiel:tiny_hanabi", "--optimal-set"], "is not a game of zero sum"),
        (["solve", "openspiel:tiny_hanabi"], "is not a game of zero sum"),
        (["score", "openspiel:kuhn_poker", "unifrom"], "'unifrom' is no profile of kuhn_poker(); take uniform, solved"),
        (
            ["score", "openspiel:kuhn_poker", "uniform", "--hands", "9"],
            "are options for games of Relance, not for game trees",
        ),
        (["score", "openspiel:kuhn_poker", "nosuch:agent"], "there is no profile 'nosuch:agent'"),
    ],
)
def test_refusals(words, message, here):
    out = called(*words)
    assert out.returncode == 2
    assert message in out.stderr
