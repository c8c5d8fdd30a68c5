"""Averages over cells, against integrals of whole plans and against a game in which the cells are ties."""

from bisect import bisect_right
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relance
from relance.model import distributions
from relance.model.cells import averaged, block_average
from relance.model.piecewise import Piecewise
from relance.model.ranked_deal import RankedDeal
from relance.model.strategy import Profile

TESTED = [
    ("von_neumann", {"bet": "3/2"}, 7),
    ("la_relance", {"deal": "power:2:1"}, 5),
    ("la_relance", {"deal": "atoms:1/4"}, 7),
    ("bellman_blackwell", {}, 7),
    ("force_in", {"raises": 3}, 6),
    ("pot_limit", {"raises": 2}, 20),
    ("pot_limit", {"raises": 4}, 11),
    ("pot_limit", {"raises": 3, "check_raise": True}, 10),
]


@pytest.mark.parametrize(("name", "parameters", "hands"), TESTED)
def test_each_sequence_of_actions_is_as_frequent_in_each_cell_as_before(name, parameters, hands):
    game = relance.make(name, **parameters)
    grid, whole = game.grid(hands), game.published()
    for seat, fitted in enumerate(grid.fit(whole).strategies):
        density = game.deal.prior(seat)
        distribution = [density.integral(a, b) for a, b in pairwise(grid.cuts)]
        dealt = [mass for mass in distribution if mass]
        plans, reaches = {None: density}, {None: np.array(dealt, object)}
        for node in game.tree.of(seat):
            before = game.tree.last_choice(node, seat)
            for i, row in enumerate(whole.strategies[seat].at[node]):
                plans[node, i] = plans[before] * row
                reaches[node, i] = reaches[before] * fitted.at[node][i]
                parts = zip(pairwise(grid.cuts), distribution, strict=True)
                assert reaches[node, i].tolist() == [plans[node, i].integral(a, b) for (a, b), mass in parts if mass]
                never = reaches[before] == 0
                alone = [
                    (row * density).integral(a, b) / m
                    for (a, b), m in zip(pairwise(grid.cuts), distribution, strict=True)
                    if m
                ]
                assert fitted.at[node][i][never].tolist() == np.array(alone, object)[never].tolist()


chances = st.fractions(0, 1, max_denominator=4)
places = st.lists(st.fractions(0, 1, max_denominator=30), min_size=1, max_size=3).map(
    lambda cuts: sorted({0, 1, *cuts})
)


@st.composite
def steps(draw, cuts):
    """A step function with these cuts and probabilities as heights."""
    return Piecewise.steps([(a, b, draw(chances)) for a, b in pairwise(cuts)])


@st.composite
def profiles(draw, game):
    """A profile on [0, 1] with cuts and mixtures anywhere."""
    plan = {}
    for name, node in game.tree.decisions.items():
        first = draw(steps(draw(places)))
        second = draw(steps(draw(places))) * (1 - first)
        chance = dict(zip(node.actions, (first, second), strict=False))
        if len(node.actions) == 2:
            chance.popitem()
        plan[name] = {action: row.simplified() for action, row in chance.items()}
    return game.profile(plan)


@settings(max_examples=10)
@given(st.data(), st.sampled_from(["uniform", "power:2:2"]), st.integers(2, 6), st.integers(0, 1))
def test_against_play_that_is_constant_on_cells_an_average_earns_what_the_strategy_earns(
    data, distribution, hands, seat
):
    """Exactly, if a showdown inside a cell is a tie: here on hands as fine as the strategy, which rank as their cells do."""
    game = relance.make("pot_limit", raises=2)
    game = replace(game, deal=distributions.distribution(distribution))
    profile = data.draw(profiles(game))
    grid = game.cut(tuple(Fraction(k, hands) for k in range(hands + 1)))
    grid = replace(grid, deal=game.deal.cells(grid.cuts))
    averages = _fit(game, grid, profile)
    constant = _fit(game, grid, data.draw(profiles(game))).strategies[1 - seat]
    borders = sorted({*grid.cuts, *profile.cuts()})
    cell = [bisect_right(grid.cuts, a) - 1 for a in borders[:-1]]
    sides = [
        {
            str(a): (game.deal.prior(p).integral(a, b), rank)
            for (a, b), rank in zip(pairwise(borders), cell, strict=True)
        }
        for p in (0, 1)
    ]
    fine = replace(game, deal=distributions.independent(*sides))
    own = profile.strategies[seat].map(lambda row: np.array([row(a) for a in borders[:-1]], object))
    spread = fine.together(own, constant.map(lambda row: row[cell]))
    assert relance.value(fine, spread) == relance.value(grid, averages.replace(constant))


def _fit(game, grid, profile):
    first, second = (averaged(game.tree, one, game.deal.prior(one.player), grid.cuts) for one in profile.strategies)
    return Profile(game.name, game.tree, (first, second))


def test_hands_that_never_come_to_a_node_do_not_count_there():
    game = relance.make("pot_limit", raises=1)
    plan = game.published().plan() | {
        "": {"bet": [("1/2", "3/4")]},
        "bet-raise": {"call": [("5/8", 1)]},
        "check-bet": {"call": [(0, "1/2")]},
    }
    grid = game.grid(2)
    fitted = grid.fit(game.profile(plan))
    assert fitted.row("", "bet").tolist() == [0, Fraction(1, 2)]
    assert fitted.row("bet-raise", "call").tolist() == [0, Fraction(1, 2)]  # of the hands from 1/2 to 3/4, half call
    assert fitted.row("check-bet", "call").tolist() == [1, 0]


def test_averages_of_averages_are_averages():
    game = relance.make("pot_limit", raises=3)
    fine, coarse = (game.grid(cells).published() for cells in (24, 8))
    for own, wanted in zip(fine.strategies, coarse.strategies, strict=True):
        weight, starts = game.grid(24).deal.prior(own.player), np.arange(0, 24, 3)
        found = block_average(game.tree, own, weight, starts)
        assert {n: [r.tolist() for r in rows] for n, rows in found.at.items()} == {
            n: [r.tolist() for r in rows] for n, rows in wanted.at.items()
        }


def test_blocks_of_finite_hands_are_averaged_by_plans():
    game = relance.make("one_card_poker", cards=4, raises=1)
    profile = game.profile(game.uniform().plan() | {"": {"bet": [0, 1, 1, 1]}, "bet-raise": {"call": [1, 0, 0, 1]}})
    joint = block_average(game.tree, profile.strategies[0], game.deal.prior(0), np.array([0, 2]))
    assert [row.tolist() for row in joint.at[""]] == [[Fraction(1, 2), 0], [Fraction(1, 2), 1]]
    assert joint.at["bet-raise"][1].tolist() == [0, Fraction(1, 2)]


@pytest.mark.parametrize("cuts", [[0, "1/4", "1/2", "3/4", 1], [Fraction(k, 26) for k in range(27)], [0, "9/10", 1]])
def test_hands_in_separate_thirds_have_the_distribution_of_finer_cells_that_keep_the_thirds_apart(cuts):
    deal, cuts = distributions.atoms(Fraction(1, 3)), [Fraction(c) for c in cuts]
    coarse, fine = deal.cells(cuts), deal.cells(sorted({*cuts, Fraction(1, 3), Fraction(2, 3)}))
    assert isinstance(coarse, RankedDeal) == (len(cuts) > 3), "its sums are linear unless a cell has both borders"
    inside = [[bisect_right(cuts, place) for place in places.tolist()] for places in fine.places]
    cells = [sorted(set(side)) for side in inside]
    for big, small in ((coarse.joint(), fine.joint()), (coarse.joint_edge(), fine.joint_edge())):
        total = np.full(big.shape, Fraction(0), object)
        for i, row in enumerate(small):
            for j, part in enumerate(row):
                total[cells[0].index(inside[0][i]), cells[1].index(inside[1][j])] += part
        assert (total == big).all()
