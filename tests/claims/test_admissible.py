"""A second route to claims on admissible strategies: what they earn against opponents drawn by lot, exactly."""

import random
from fractions import Fraction
from itertools import pairwise, permutations

import pytest

import relance

CELLS = [Fraction(k, 20) for k in range(21)]


def by_lot(draw):
    """A strategy that acts on some cells and not on others."""
    return [(left, right, draw.choice([0, 1, Fraction(1, 2)])) for left, right in pairwise(CELLS)]


def earned(game, plans, answers):
    """What player 0 earns by each plan against each answer, both as parts of a plan."""
    return [[relance.value(game, game.profile({**plan, **answer})) for answer in answers] for plan in plans]


def test_la_relance_bets_the_best_hands_below_c():
    """Of three optimal ways to bluff the admissible one earns most against anybody, and is the only one that always does."""
    game, draw = relance.make("la_relance", bet=2), random.Random(1)
    ways = [[("1/4", 1)], [(0, "1/4"), ("1/2", 1)], [(0, "1/2", Fraction(1, 2)), ("1/2", 1)]]
    answers = [{"bet": {"call": by_lot(draw)}} for _ in range(30)]
    best, *others = earned(game, [{"": {"bet": way}} for way in ways], answers)
    for other in others:
        assert all(a >= b for a, b in zip(best, other, strict=True))
        assert best != other


def test_von_neumann_calls_the_best_hands_between_a_and_b():
    game, draw = relance.make("von_neumann", bet=2), random.Random(2)
    bluffs = [{"": {"bet": by_lot(draw)}} for _ in range(30)]
    coin, best = ({"bet": {"call": call}} for call in ([("1/9", "7/9", Fraction(1, 3)), ("7/9", 1)], [("5/9", 1)]))
    rows = earned(game, bluffs, [coin, best])
    assert all(with_best <= with_coin for with_coin, with_best in rows)
    assert any(with_best < with_coin for with_coin, with_best in rows)


@pytest.mark.parametrize("low", ["4/5", "1"])
def test_bellman_and_blackwell_fold_the_worst_hands_and_bet_low_with_the_best(low):
    """Below b1 the two orders that fold first are not dominated by others; each other order is dominated."""
    game, draw = relance.make("bellman_blackwell", low=low, high=2), random.Random(3)
    _, v = game.printed_numbers()
    amounts = {"high": v["mH"], "low": v["mL"], "fold": v["fold"]}
    assert all(amounts.values())
    orders, plans = list(permutations(amounts)), []
    for order in orders:
        ends = [0, amounts[order[0]], amounts[order[0]] + amounts[order[1]], v["b1"]]
        spans = dict(zip(order, pairwise(ends), strict=True))
        plans.append({"": {"high": [spans["high"], (v["b3"], 1)], "low": [spans["low"], (v["b1"], v["b3"])]}})
    answers = [{"low": {"call": by_lot(draw)}, "high": {"call": by_lot(draw)}} for _ in range(20)]
    mistakes = [(0, v["b1"] / 2), (v["b1"] / 2, v["b1"]), (v["b1"] * Fraction(9, 10), v["b1"])]
    right = {"low": {"call": [(v["b1"], 1)]}, "high": {"call": [(v["b2"], 1)]}}
    calls_low = [{**right, "low": {"call": [mistake, (v["b1"], 1)]}} for mistake in mistakes]
    calls_high = [{**right, "high": {"call": [mistake, (v["b2"], 1)]}} for mistake in mistakes]
    rows = dict(zip(orders, earned(game, plans, [*calls_low, *calls_high, *answers]), strict=True))

    def dominates(one, other):
        return rows[one] != rows[other] and all(a >= b for a, b in zip(rows[one], rows[other], strict=True))

    first = [order for order in orders if order[0] == "fold"]
    assert not any(dominates(other, order) for order in first for other in orders)
    assert all(any(dominates(order, other) for order in orders) for other in orders if other not in first)
    recommended = rows["fold", "high", "low"]
    assert all(mine >= theirs for row in rows.values() for mine, theirs in zip(recommended[:3], row[:3], strict=True))
    assert any(recommended[k] > rows["fold", "low", "high"][k] for k in range(3))
