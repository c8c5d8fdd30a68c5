"""Mixtures of opponents, by another route."""

from fractions import Fraction

import numpy as np
import pytest

import relance
from relance.play.agents import strategy
from relance.play.mixture import mixed_strategy

KUHN = relance.make("one_card_poker", raises=0)


@pytest.mark.parametrize("name", ["one_card_poker", "von_neumann", "pot_limit"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_mixture_plays_as_one_drawn_for_each_episode(name, seat):
    game = relance.make(name)
    parts = [("published", 1), ("aggressive", 2), ("passive", Fraction(1, 2))]
    mixed = strategy(game, parts, seat)
    other = game.uniform() if name != "pot_limit" else game.published()
    total = sum(weight for _, weight in parts)
    drawn = (
        sum(weight * relance.value(game, other.replace(strategy(game, part, seat))) for part, weight in parts) / total
    )
    assert relance.value(game, other.replace(mixed)) == drawn
    same = strategy(game, dict(parts), seat)
    assert relance.value(game, other.replace(same)) == drawn


def test_weights_may_be_any_number():
    game = relance.make("one_card_poker", raises=0)
    for weights in (("9/10", "1/10"), (0.9, 0.1), (np.float32(0.9), np.float32(0.1)), (np.int64(9), np.int64(1))):
        for seat in (0, 1):
            mixed = strategy(game, list(zip(("uniform", "passive"), weights, strict=True)), seat)
            first = next(iter(mixed.at.values()))
            assert float(first[1][0]) == pytest.approx(0.45)
    for seat, half in (
        (0, "uniform"),
        (1, "passive"),
    ):  # two players in a list are a pair of them, not a player and a weight
        pair = strategy(game, [("uniform", "passive")], seat)
        assert all(
            (a == b).all()
            for name in pair.at
            for a, b in zip(pair.at[name], strategy(game, half, seat).at[name], strict=True)
        )
    with pytest.raises(TypeError, match="a mixture's weight"):
        strategy(game, [("uniform", True)], 0)


def test_on_a_grid_a_mixture_is_the_mixture_on_the_interval_averaged():
    """Averages of plans commute; averages node by node would not."""
    game = relance.make("pot_limit", raises=2)
    grid, parts = game.grid(7), [("published", 2), ("aggressive", 1), ("superconservative", 1)]
    for seat in (0, 1):
        averaged, mixed = grid.fit_strategy(strategy(game, parts, seat)), strategy(grid, parts, seat)
        for node, rows in averaged.at.items():
            assert [row.tolist() for row in rows] == [row.tolist() for row in mixed.at[node]]


def test_the_weights_of_a_mixture_are_added_up_once():
    """And not for each of its players, which would take minutes for thousands of them."""
    read = []

    class Weights(list):
        def __iter__(self):
            read.append(1)
            return super().__iter__()

    own = KUHN.uniform().strategies[0]
    mixed = mixed_strategy(KUHN, [own] * 30, Weights([Fraction(1, 7)] * 30))
    assert all((mixed.at[name][0] == rows[0]).all() for name, rows in own.at.items())
    assert len(read) <= 2


@pytest.mark.parametrize("many", [1, 2, 3, 7])
def test_a_mixture_with_many_thresholds_is_summed_by_halves(many):
    """It plays each action as often as the parts do together; with thousands, a sum one by one would copy all cuts each time."""
    game = relance.make("von_neumann")
    cuts = [Fraction(k + 1, many + 2) for k in range(many)]
    parts = [game.profile({"": {"bet": [(cut, 1)]}, "bet": {"call": [(cut, 1)]}}) for cut in cuts]
    played = strategy(game, [(part, k + 1) for k, part in enumerate(parts)], 0).at[""][1]
    for hand in (Fraction(k, 97) for k in range(97)):
        assert played(hand) == Fraction(sum(k + 1 for k, cut in enumerate(cuts) if hand >= cut), many * (many + 1) // 2)
