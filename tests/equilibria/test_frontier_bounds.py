"""Bounds on the price of exploiting on [0, 1]: nobody passes the one, the other is reached, and more cells bring them together."""

from fractions import Fraction as F

import pytest

import relance
from relance.equilibria.frontier_bounds import _upper, frontier_on_interval
from relance.play.agents import strategy

GAME = relance.make("von_neumann")


@pytest.fixture(scope="module")
def bounds():
    return {cells: frontier_on_interval(GAME, 0, "uniform", cells) for cells in (9, 18)}


def test_the_curves_come_together_and_do_not_cross(bounds):
    for guaranteed in (F(1, 9), F(1, 10), F(0), F(-1, 4)):
        gaps = [b.at_most(guaranteed) - b.at_least(guaranteed) for b in bounds.values()]
        assert 0 <= gaps[1] < gaps[0] < F(1, 20)


def test_the_ends_are_the_optimal_strategy_and_the_best_response(bounds):
    best = relance.best_response(GAME, GAME.uniform(), 0).value
    for found in bounds.values():
        assert found.limits[-1] == (1, best)
        assert found.reached[0][0] == F(1, 9)  # thresholds on the borders of 9 cells
    assert bounds[18].reached[-1][1] == best


@pytest.mark.parametrize("player", [0, 1])
def test_no_strategy_passes_a_limit(player):
    found = frontier_on_interval(GAME, player, "uniform", 9)
    sign = -1 if player else 1
    for name in ("published", "uniform", "perturbed(1/3)", "best_response(uniform)", "best_response(published)"):
        own = strategy(GAME, name, player)
        played = GAME.uniform().replace(own)
        earned = sign * relance.value(GAME, played)
        guaranteed = -relance.best_response(GAME, played, 1 - player).value
        assert earned <= found.at_most(guaranteed), name
        assert all((1 - p) * guaranteed + p * earned <= most for p, most in found.limits), name


@pytest.mark.parametrize("player", [0, 1])
def test_against_who_always_bets_and_calls_the_curves_end_near_a_best_response(player):
    """Each player's chips count as theirs; who guarantees next to nothing earns as much as anybody."""
    found = frontier_on_interval(GAME, player, "aggressive", 9)
    best = relance.best_response(GAME, GAME.uniform().replace(strategy(GAME, "aggressive", 1 - player)), player).value
    (most, _), *_, (least, end) = found.reached
    assert best - F(1, 50) < end <= best
    assert found.at_least(least - 100) == end
    for guaranteed in (most, (most + least) / 2, least):
        assert 0 <= found.at_most(guaranteed) - found.at_least(guaranteed) < F(1, 40)


def test_of_strategies_that_guarantee_as_much_the_best_is_kept():
    assert _upper({(F(0), F(1)), (F(0), F(2))}) == [(0, 2)]
    assert _upper({(F(1), F(0)), (F(0), F(2)), (F(1, 2), F(1, 2)), (F(-1), F(2))}) == [(1, 0), (0, 2)]


def test_points_are_reached_by_real_strategies(bounds):
    guarantees, earnings = zip(*bounds[9].reached, strict=True)
    assert [*guarantees] == sorted(guarantees, reverse=True)
    assert [*earnings] == sorted(earnings)
    for b in bounds.values():
        for guaranteed, earned in b.reached:
            assert b.at_least(guaranteed) == earned <= b.at_most(guaranteed)


def test_arguments(bounds):
    with pytest.raises(ValueError, match=r"guaranteed=1/8: the strategies found guarantee at most 1/9"):
        bounds[9].at_least("1/8")
    with pytest.raises(ValueError, match=r"finitely many hands; use the exact relance.equilibria.frontier"):
        frontier_on_interval("one_card_poker", 0, "uniform", 9)
    with pytest.raises(ValueError, match="cells"):
        frontier_on_interval(GAME, 0, "uniform", 0)
