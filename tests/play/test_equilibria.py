"""Equilibria to play against: published where there are any, else solved once and kept."""

import pytest

import relance
from relance import nash_conv
from relance.play import equilibria
from relance.play.agents import strategy
from relance.play.coach import Coach
from relance.play.equilibria import KEPT, SOLVED_TO, equilibrium, solved

KUHN = relance.make("one_card_poker", raises=0)


def test_solved_opponents(monkeypatch):
    exact = solved(relance.make("one_card_poker", cards=4))
    assert nash_conv(relance.make("one_card_poker", cards=4), exact) == 0
    monkeypatch.setattr(equilibria, "_SOLUTIONS", {})
    monkeypatch.setattr(equilibria, "is_small", lambda game: False)
    many = relance.make("one_card_poker", cards=60)
    assert 0 < nash_conv(many, solved(many)) <= 2 * SOLVED_TO * 3
    game = relance.make("von_neumann", bet=3)
    on_interval = solved(game)
    assert float(nash_conv(game, on_interval)) <= 2 * SOLVED_TO * 4 + 1e-3  # and what cells take off
    assert Coach(game, 0, on_interval).value == pytest.approx(float(Coach(game, 0).value), abs=1e-3)


def test_small_games_of_float_probabilities_are_solved_to_a_tolerance():
    game = relance.make("von_neumann", deal="normal:-1/2:6")
    assert nash_conv(game, solved(game)) <= 2 * SOLVED_TO * 3


def test_an_equilibrium_is_the_published_one_where_there_is_one(monkeypatch, default_game):
    monkeypatch.setattr(equilibria, "solved", None)
    if default_game.is_published:
        assert str(equilibrium(default_game)) == str(default_game.published())
        halves = (strategy(default_game, "equilibrium", seat) for seat in (0, 1))
        assert str(default_game.together(*halves)) == str(default_game.published())


def test_where_none_is_published_it_is_solved_once(monkeypatch):
    solve, asked = equilibria.solve, []
    monkeypatch.setattr(equilibria, "_SOLUTIONS", {})
    monkeypatch.setattr(equilibria, "solve", lambda game, **options: asked.append(game) or solve(game, **options))
    game = relance.make("one_card_poker", cards=5)
    with pytest.raises(ValueError, match="no strategy is published"):
        strategy(game, "published", 0)
    profile = game.together(*(strategy(game, "equilibrium", seat) for seat in (0, 1)))
    assert nash_conv(game, profile) == 0
    assert strategy(relance.make("one_card_poker", cards=5), "equilibrium", 1) is profile.strategies[1]
    assert asked == [game]
    for bet in range(2, KEPT + 2):
        solved(relance.make("one_card_poker", raises=0, cards=2, bet=bet))
    assert len(equilibria._SOLUTIONS) == KEPT
    assert game not in equilibria._SOLUTIONS
