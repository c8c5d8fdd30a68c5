"""Hands on [0, 1]: their distribution, their cells, and how they are dealt."""

from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest
from conftest import weights
from hypothesis import given
from hypothesis import strategies as st

from relance.model.distributions import atoms, fgm, powers, uniform
from relance.model.grid import EqualCuts
from relance.model.piecewise import Piecewise

F = Fraction


@pytest.mark.parametrize("theta", [F(-1), F(-1, 3), F(0), F(1)])
def test_fgm_has_uniform_marginals_and_its_correlation(theta):
    deal = fgm(theta)
    assert deal.prior(0) == deal.prior(1) == Piecewise.constant(1)
    x = Piecewise((0, 1), ((-1, 2),))  # 2x - 1 has mean 0 and variance 1/3
    assert deal.total(x * deal.mass(0, x)) * 3 == theta / 3


@given(theta=st.fractions(-1, 1, max_denominator=5), n=st.integers(1, 5), data=st.data())
def test_cells_are_the_interval_restricted(theta, n, data):
    """On functions constant on cells, the grid's operators are the interval's, averaged over cells."""
    whole, grid = fgm(theta), fgm(theta).cells(EqualCuts(n))
    heights = data.draw(weights(n))
    step = Piecewise.steps([(F(i, n), F(i + 1, n), h) for i, h in enumerate(heights)])
    for player, (name, operator) in product((0, 1), (("mass", "mass"), ("edge", "edge"))):
        fine = getattr(whole, operator)(player, step)
        coarse = getattr(grid, name)(player, np.array(heights, object))
        assert [fine.integral(F(i, n), F(i + 1, n)) for i in range(n)] == list(coarse)


def test_sampling_on_the_interval_is_uniform():
    rng = np.random.default_rng(1)
    pairs = np.array([uniform().sample(rng) for _ in range(4000)])
    assert np.allclose(np.histogram(pairs, bins=8, range=(0, 1))[0] / 8000, 1 / 8, atol=0.015)
    assert abs(np.corrcoef(pairs.T)[0, 1]) < 0.05


class Scripted:
    """A generator of random numbers that gives these."""

    def __init__(self, *numbers):
        self.numbers = iter(numbers)

    def random(self, count):
        return np.array(list(islice(self.numbers, count)))


@pytest.mark.parametrize("deal", [fgm(F(-1, 2)), fgm(F(1)), powers(2, 1), powers(1, 3), atoms(F(1, 4))], ids=range(5))
def test_hands_on_the_interval_are_accepted_exactly_as_often_as_the_distribution_says(deal):
    """A little below the share of the density in its bound they are, a little above they are not."""
    for x, y in product((F(1, 8), F(1, 2), F(15, 16)), repeat=2):
        density = float(sum(u(x) * v(y) for u, v in deal.terms))
        share = density / deal._bound
        assert share <= 1
        if density:
            assert deal.sample(Scripted(float(x), float(y), share * (1 - 1e-9))) == (x, y)
        with pytest.raises(ValueError, match="not enough values"):  # it asks for more numbers
            deal.sample(Scripted(float(x), float(y), share * (1 + 1e-9)))


def test_the_first_of_equally_good_actions_is_picked_on_the_interval():
    kink, flat = Piecewise((0, F(1, 2), 1), ((), (F(-1, 2), F(1)))), Piecewise.constant(F(0))
    first, second = uniform().pick_best([flat, kink])
    assert first == Piecewise.steps([(F(0), F(1, 2), F(1))])
    assert second == Piecewise.steps([(F(1, 2), F(1), F(1))])
    assert uniform().pick_best([kink, flat])[0] == Piecewise.constant(F(1))
