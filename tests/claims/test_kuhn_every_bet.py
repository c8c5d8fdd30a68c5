"""Kuhn's game at every bet: the claims by another route, the exact sets of optimal strategies at some bets."""

from fractions import Fraction

import pytest

import relance
from relance.solvers.optimal_set import optimal_set

F = Fraction

BETS = [F(1, 3), F(3, 4), F(1), F(5, 4), F(7, 4), F(2), F(5, 2), F(6)]


def same(*numbers):
    return [(number, number) if not isinstance(number, tuple) else number for number in numbers]


def ranges(b):
    """The least and the greatest weight of bets and calls with the queen, king and ace; the opener's, then the dealer's."""
    some, rest = b / (2 + b), (2 - b) / (2 + b)
    if b < 1:
        first = same(some, 0, 1), same(0, 2 / (2 + b), 0)
        return first, (same(some, (0, 2 * (1 - b) / (2 + b)), 1), same(0, rest, 1))
    if b == 1:
        first = same((0, F(1, 3)), 0, (0, 1)), same(0, (F(1, 3), F(2, 3)), (0, 1))
        return first, (same(some, 0, 1), same(0, rest, 1))
    if b < 2:
        calls = same((0, some - rest), (rest, some), (4 * (1 + b) / (2 + b) ** 2, 1))
        return (same(0, 0, 0), same(0, rest, 1)), (same(some, 0, 1), calls)
    if b == 2:
        calls = same((0, F(1, 2)), (0, F(1, 2)), (F(2, 3), 1))
        return (same(0, 0, 0), same(0, 0, 1)), (same((0, F(1, 2)), 0, (0, 1)), calls)
    first = same(0, 0, (0, 1 - 2 / b)), same(0, 0, (2 / b, 1))
    return first, (same(0, 0, (0, 1)), same(0, 0, (4 / (2 + b), 1)))


@pytest.mark.parametrize("b", BETS)
@pytest.mark.parametrize("ante", [pytest.param(F(1), marks=pytest.mark.slow), F(2, 3)])
def test_the_optimal_sets_are_those_of_the_page(b, ante):
    game = relance.make("one_card_poker", raises=0, ante=ante, bet=b * ante)
    steps = (("", "bet"), ("check-bet", "call")), (("check", "bet"), ("bet", "call"))
    for player, expected in enumerate(ranges(b)):
        found = optimal_set(game, player).ranges_by_hand()
        assert [found[step] for step in steps[player]] == list(expected)


@pytest.mark.parametrize(
    ("b", "player", "least"),
    [
        (F(3, 2), 1, {"y2": 1, "y3": 1, "is": 4 / (2 + F(3, 2))}),
        (F(3, 2), 1, {"y1": -F(3, 2), "y3": F(7, 2), "is": 4 * F(5, 2) / F(7, 2)}),
        (F(3, 2), 1, {"y1": -1, "y2": -1, "is": -F(3, 2) / F(7, 2)}),
        (F(2), 1, {"x3": 1, "x1": -2, "is": 0}),
        (F(2), 1, {"x1": 1, "y1": -1, "y2": -1, "is": 0}),
        (F(2), 1, {"y2": 1, "y3": 1, "is": 1}),
        (F(2), 1, {"y3": 2, "y1": -1, "x1": -1, "is": 1}),
        (F(3), 0, {"y3": 5, "x3": 2, "is": 4}),
        (F(1), 0, {"x3": 1, "x1": -3, "is": 0}),
        (F(1), 0, {"x1": 3, "x3": -1, "is": 0}),
        (F(1), 0, {"y2": 3, "x3": -1, "is": 1}),
        (F(1), 0, {"x3": 1, "y2": -3, "is": -1}),
    ],
)
def test_each_condition_of_the_page_is_just_met_on_the_set(b, player, least):
    """The opener's calls are weights here: y3 is the probability to check and call with the ace."""
    game = relance.make("one_card_poker", raises=0, bet=b)
    steps = (
        {"x": ("", "bet"), "y": ("check-bet", "call")} if player == 0 else {"x": ("check", "bet"), "y": ("bet", "call")}
    )
    factors = {}
    for name, factor in least.items():
        if name != "is":
            node, action = steps[name[0]]
            factors[game.information_set(node, int(name[1]) - 1), action] = factor
    assert optimal_set(game, player).range_of_sum(factors)[0] == least["is"]


@pytest.mark.parametrize(
    ("parameters", "nearest"),
    [
        ({"bet": 2}, "one is published for B == 1; one is published for raises == 0"),
        ({"cards": 4}, "one is published for cards == 3; one is published for raises == 0"),
        ({"cards": 4, "raises": 2, "bet": 3}, "one is published for raises == 0"),
    ],
)
def test_other_parameters_are_refused_with_what_is_published(parameters, nearest):
    with pytest.raises(ValueError, match=f": {nearest}$"):
        relance.make("one_card_poker", **parameters).published()
