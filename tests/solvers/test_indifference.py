"""Thresholds from indifference equations: those of the papers where hands are uniform, and equilibria where they are not."""

from fractions import Fraction

import pytest

import relance
from relance.model.distributions import cards, fgm, uniform
from relance.solvers.indifference import FAR, NoSolutionError, la_relance_thresholds, too_far, von_neumann_thresholds


@pytest.mark.parametrize("B", [0.5, 1, 2, 7])
def test_uniform_hands_have_the_thresholds_of_the_papers(B):
    """La Relance's c = B/(B + 2) and l = c**2; von Neumann's have the denominator (B + 1)(B + 4)."""
    c = B / (B + 2)
    assert la_relance_thresholds(uniform(), B) == pytest.approx({"l": c**2, "c": c}, abs=1e-12)
    found = {"a": B, "b": B**2 + 4 * B + 2, "c": B * (B + 3)}
    expected = {symbol: x / ((B + 1) * (B + 4)) for symbol, x in found.items()}
    assert von_neumann_thresholds(uniform(), B) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("theta", [Fraction(-1, 2), Fraction(-1)])
def test_hands_that_fall_as_the_others_rise_have_an_equilibrium_of_these_thresholds(theta):
    game = relance.make("la_relance", bet=2, deal=f"fgm:{theta}")
    found = la_relance_thresholds(fgm(theta), 2.0)
    profile = game.profile({"": {"bet": [(found["l"], 1)]}, "bet": {"call": [(found["c"], 1)]}})
    assert 0 <= float(relance.nash_conv(game, profile)) < 1e-9


def test_bets_that_floats_cannot_tell_are_named():
    assert too_far(Fraction(2)) is too_far(Fraction(FAR)) is too_far(Fraction(1, FAR)) is None
    for bet in (Fraction(FAR + 1), Fraction(1, FAR + 1)):
        assert f"from 1/{FAR} to {FAR} antes" in too_far(bet)


def test_finite_hands_have_no_equations():
    with pytest.raises(NoSolutionError, match=r"must have hands on \[0, 1\]"):
        la_relance_thresholds(cards("QKA"), 2.0)
