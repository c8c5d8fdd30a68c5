"""`relance show` and `relance export`, as a user meets them."""

import json
from fractions import Fraction

from conftest import called
from test_commands import run

import relance


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


def test_a_gambit_file_is_the_game_it_was_written_from(here):
    assert called("export", "openspiel:kuhn_poker", "-o", "kuhn.efg").returncode == 0
    assert "value -1/18 to player 0" in called("solve", "kuhn.efg").stdout
    uniform = relance.score(relance.game_tree(here / "kuhn.efg"), "uniform")
    assert uniform.nash_conv == Fraction(11, 12)
    assert called("score", "kuhn.efg", "uniform").stdout.strip() == str(uniform)


def test_what_a_strategy_comes_to_is_shown_and_written():
    """The numbers of `information_sets`, as a table and as JSON; for a tree too, which has nothing else to show."""
    out = called("show", "kuhn", "--of", "published").stdout
    assert "K check-bet" in out
    assert "Q 1/4; A 3/4" in out
    data = json.loads(called("show", "openspiel:kuhn_poker", "--of", "uniform", "--json", "-").stdout)[
        "information_sets"
    ]
    assert data["1pb"]["counterfactual_reach"] == "1/6"
    assert data["1pb"]["belief"] == {"Deal:1, Deal:0, Pass, Bet": "1/2", "Deal:1, Deal:2, Pass, Bet": "1/2"}
    assert "needs a strategy: --of STRATEGY" in called("show", "openspiel:kuhn_poker").stderr
    assert "--json x.json needs a strategy" in called("show", "kuhn", "--json", "x.json").stderr


def test_any_strategy_is_written_and_read(here):
    """`export --of` for a game and for a tree, as JSON and as arrays; and what `train` and `ask` write."""
    for game, of, file in (
        ("kuhn", "published", "a.json"),
        ("von_neumann(hands=50)", "uniform", "b.npz"),
        ("openspiel:kuhn_poker", "uniform", "c.json"),
    ):
        assert called("export", game, "--of", of, "-o", file).returncode == 0
        assert called("score", game, file).stdout == called("score", game, of).stdout
    assert json.loads(called("export", "kuhn", "--of", "published").stdout)["format"] == "relance strategy 1"
    for arguments, game in (
        (("train", "cfr+", "kuhn", "--samples", "1000"), "kuhn"),
        (("train", "openspiel_cfr", "openspiel:kuhn_poker", "--samples", "5000"), "openspiel:kuhn_poker"),
        (("ask", "kuhn", "published", "--answers", "10"), "kuhn"),
    ):
        told = called(*arguments, "--strategy", "d.json")
        assert "the strategy is in d.json" in told.stdout
        assert relance.nash_conv(relance.game_tree(game), "d.json") < Fraction(1, 10)
