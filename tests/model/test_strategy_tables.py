"""Distributions in every form that users, files and OpenSpiel hold them, and tables of them on a game."""

from fractions import Fraction

import numpy as np
import pytest

import relance
from relance.model.strategy_tables import is_table, profile_of_table, read_distribution

F = Fraction
ACTIONS = ("fold", "call", "raise")


@pytest.mark.parametrize(
    ("given", "numbers", "distribution"),
    [
        ({"call": 1}, None, (0, 1, 0)),
        ({"fold": "1/3", "call": 1 / 3, "raise": F(1, 3)}, None, (F(1, 3),) * 3),
        ({0: 0.25, 2: 0.75}, None, (F(1, 4), 0, F(3, 4))),
        ({"0": "1/4", "2": "3/4"}, None, (F(1, 4), 0, F(3, 4))),
        ({np.int64(4): 1}, (1, 4, 5), (0, 1, 0)),
        ([0.1, 0.2, 0.7], None, (F(1, 10), F(1, 5), F(7, 10))),
        (np.array([0, 0.5, 0, 0, 0.5, 0]), (1, 4, 5), (F(1, 2), F(1, 2), 0)),
    ],
)
def test_forms_of_a_distribution(given, numbers, distribution):
    assert tuple(read_distribution("here", ACTIONS, given, numbers).values()) == distribution


def test_floats_that_mean_no_fractions_are_divided_by_their_sum():
    odds = np.exp(np.array([0.3, 1.1, -2.0], np.float32))
    for floats in (np.float32, np.float64):
        given = (odds / odds.sum()).astype(floats)
        distribution = read_distribution("here", ACTIONS, given)
        assert sum(distribution.values()) == 1
        assert [float(p) for p in distribution.values()] == pytest.approx(given.tolist(), rel=1e-6)
        exact = [F(p) for p in given.astype(float).tolist()]
        assert list(distribution.values()) == [p / sum(exact) for p in exact]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"flod": 1}, "here has no action 'flod'; did you mean 'fold'"),
        ({7: 1}, "here has no action 7"),
        ([0.5, 0.5], "here has 3 actions, fold, call, raise, but 2 probabilities in the table"),
        ([0.5, 0.4, 0.0], "with sum 0.9"),
        ([0.5, 0.500002, 0.0], "with sum 1.000002"),
        ({"fold": "1/2", "call": "499999/1000000"}, "sum to 1"),  # exact numbers are not rounded
        ({"fold": -0.5, "call": 1.5}, "at least 0"),
    ],
)
def test_what_is_no_distribution(given, message):
    with pytest.raises(ValueError, match=message):
        read_distribution("here", ACTIONS, given)


def test_float32_may_be_further_from_1():
    given = np.array([0.5, 0.50002, 0.0], np.float32)
    assert sum(read_distribution("here", ACTIONS, given).values()) == 1
    with pytest.raises(ValueError, match="with sum"):
        read_distribution("here", ACTIONS, given.astype(float))


def test_tables_and_mixtures_are_told_apart():
    assert is_table({"Q": {"bet": 1}})
    assert is_table({"Q": [0, 1]})
    assert not is_table({"uniform": 1, "published": "1/2"})
    assert not is_table("uniform")


def test_a_table_is_exact_where_its_numbers_are_and_in_floats_where_they_mean_no_fractions():
    game = relance.make("kuhn")
    even = {game.information_set(n, h): [0.5, 0.5] for n in game.tree.decisions for h in range(3)}
    assert not profile_of_table(game, even).in_floats
    assert relance.nash_conv(game, even) == F(11, 12)
    rough = even | {"Q": [2**-0.5, 1 - 2**-0.5]}
    assert profile_of_table(game, rough).in_floats
    assert profile_of_table(game, rough)[""][0][0] == pytest.approx(2**-0.5, abs=1e-16)


def test_a_table_of_one_set_of_a_game_of_millions_is_refused_before_hands_are_named(monkeypatch):
    game = relance.make("von_neumann(hands=10000000)")
    monkeypatch.setattr(type(game), "information_set", None)
    with pytest.raises(ValueError, match="the table has 1 of the 20,000,000 information sets"):
        profile_of_table(game, {"1": {"check": 1}})
