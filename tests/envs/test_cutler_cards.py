"""Cutler's game with real cards, and the paper's tables."""

from fractions import Fraction

import numpy as np
import pytest

import relance
from relance.envs.cutler_cards import PRINTED_RAISES, TABLES, continuous_thresholds, hands_below
from relance.model.numbers import formula
from relance.model.playing_cards.classes import deck

F = Fraction


@pytest.fixture(scope="module")
def tables():
    game = relance.make("five_card", raises=PRINTED_RAISES)
    return game, game.published()


def does(tables, node, hand):
    _, profile = tables
    index = deck().find(hand)
    return next(action for action, row in profile.plan()[node].items() if row[index] == 1)


RAISED = [f"bet{'-raise' * k}" for k in range(PRINTED_RAISES + 1)]


@pytest.mark.parametrize(
    ("hand", "line"),
    [
        ("75432", ["bet", "fold"]),
        ("J9642", ["check", "fold"]),
        ("22J109", ["check", "fold"]),
        ("22Q43", ["check", "call"]),
        ("KKJ85", ["check", "call"]),
        ("9922J", ["bet", "fold"]),
        ("99778", ["bet", "raise", "fold"]),
        ("997710", ["bet", "call"]),
        ("10 high straight", ["bet", "raise", "fold"]),
        ("K10965 flush", ["bet", "raise", "raise", "fold"]),
        ("AAAJJ", ["bet", "raise", "call"]),
        ("88887", ["bet", "raise", "raise", "fold"]),
        ("8888Q", ["bet", "raise", "raise", "raise", "fold"]),
        ("6 high straight flush", ["bet", "raise", "raise", "call"]),
        ("8 high straight flush", ["bet", "raise", "raise", "raise", "fold"]),
        ("K high straight flush", ["bet", "raise", "raise", "raise", "call"]),
        ("A high straight flush", ["bet", "raise", "raise", "raise", "raise"]),
    ],
)
def test_the_first_player_follows_his_table(tables, hand, line):
    nodes = ["", "check-bet"] if line[0] == "check" else ["", *RAISED[1::2]]
    assert [does(tables, node, hand) for node in nodes[: len(line)]] == line


@pytest.mark.parametrize(
    ("hand", "bet_into", "checked_to"),
    [
        ("QJ763", ["fold"], "bet"),
        ("AKQJ6", ["fold"], "check"),
        ("AKQJ7", ["raise", "fold"], "check"),
        ("77AQ4", ["call"], "check"),
        ("222AQ", ["call"], "bet"),
        ("JJJ87", ["raise", "fold"], "bet"),
        ("JJJK2", ["raise", "raise", "fold"], "bet"),
        ("555JJ", ["raise", "call"], "bet"),
        ("QQQ22", ["raise", "raise", "call"], "bet"),
        ("QQQQ9", ["raise", "raise", "call"], "bet"),
        ("AAAA4", ["raise", "raise", "raise", "fold"], "bet"),
        ("AAAA5", ["raise", "raise", "raise", "raise", "fold"], "bet"),
        ("Q high straight flush", ["raise", "raise", "raise", "call"], "bet"),
        ("K high straight flush", ["raise"] * 4 + ["fold"], "bet"),
        ("A high straight flush", ["raise"] * 4 + ["call"], "bet"),
    ],
)
def test_the_second_player_follows_his_table(tables, hand, bet_into, checked_to):
    assert [does(tables, node, hand) for node in RAISED[0::2][: len(bet_into)]] == bet_into
    assert does(tables, "check", hand) == checked_to


def test_classes_in_two_rows_are_cut_in_the_middle(tables):
    _, profile = tables
    assert profile.row("", "bet")[deck().find("J9632")] == F(1, 2)
    assert profile.row("bet-raise", "raise")[deck().find("9 high straight")] == F(1, 2)


def test_the_print_differs_where_it_is_far_from_the_thresholds(tables):
    game, profile = tables
    printed = game.published(as_printed=True)
    differs = {
        deck().names[i]
        for name in profile.nodes()
        for a, b in zip(profile[name], printed[name], strict=True)
        for i in np.flatnonzero(a != b)
    }
    assert {"555QQ", "555KK", "JJJ1010", "JJJQQ", "JJJKK", "JJJAA", "QQQ22", "QQQ33"} == differs


@pytest.mark.parametrize("raises", [0, 1, 3, 8])
def test_thresholds_are_those_of_the_continuous_solution(raises):
    known = {}
    for symbol, text in continuous_thresholds(raises).items():
        known[symbol] = formula(text, known)
    _, numbers = relance.make("pot_limit", raises=raises).printed_numbers()
    assert all(known[symbol] == numbers[symbol] for symbol in "abcd")
    assert sum(bool(row.start) for table in TABLES for row in table) == 29
    rows = [[float(hands_below(row)) for row in table] for table in TABLES]
    assert all(sorted(starts) == starts for starts in rows)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ranks": 6}, "one is published for ranks == 13$"),
        ({"check_raise": True}, r"one is published for raises\*check_raise == 0$"),
        ({"raises": 9}, "one is published for raises <= 8$"),
    ],
)
def test_no_tables_for_other_games(parameters, message):
    game = relance.make("five_card", **parameters)
    assert not game.is_published
    with pytest.raises(ValueError, match=message):
        game.published()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"raises": 31}, "raises=31 must be a whole number from 0 to 30"),
        ({"raises": 10**6}, "from 0 to 30"),
        ({"ranks": 14}, "ranks=14"),
        ({"suits": 5}, "suits=5"),
        ({"ranks": 2}, "the deck has 8 cards; 2 hands need 10"),
    ],
)
def test_bad_parameters(bad, message):
    with pytest.raises(ValueError, match=message):
        relance.make("five_card", **bad)


def test_two_decks_are_the_continuous_game_on_the_classes():
    """Values of the tables with a deck each are those of pot_limit with [0, 1] cut at the borders of the classes."""
    cards = deck(3, 4)
    game = relance.make("five_card", raises=1, removal=False, ranks=3)
    whole = relance.make("pot_limit", raises=1)
    cells = whole.cut(tuple(F(int(below), cards.hands) for below in cards.below))
    plan = cells.published().plan()
    assert relance.value(game, game.profile(plan)) == relance.value(cells, cells.published())
    assert relance.nash_conv(game, game.profile(plan)) == relance.nash_conv(cells, cells.published())


def test_the_tables_are_scored_exactly_with_a_deck_each():
    game = relance.make("five_card", raises=0, removal=False)
    exact = relance.nash_conv(game, game.published())
    assert isinstance(exact, F)
    assert float(exact) == pytest.approx(relance.nash_conv(game, game.published().as_float()), abs=1e-12)
    assert 0 < exact < F(1, 50)
