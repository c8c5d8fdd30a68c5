"""Liar's dice: solved exactly, and with two dice."""

from fractions import Fraction

import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability

import relance


@pytest.mark.parametrize(("sides", "worth"), [(2, Fraction(1, 2)), (3, Fraction(1, 9)), (4, Fraction(1, 16))])
def test_liars_dice_is_solved_exactly(sides, worth):
    game = relance.make("liars_dice", sides=sides)
    profile = relance.solve(game)
    assert relance.nash_conv(game, profile) == 0
    assert relance.value(game, profile) == worth


def test_two_dice_are_rolled_as_in_openspiel():
    """OpenSpiel rolls one die after another, so states differ until all dice are rolled; the values agree."""
    game, native = relance.make("liars_dice", dice=2, sides=2), pyspiel.load_game("liars_dice(numdice=2,dice_sides=2)")
    uniform = spiel_policy.UniformRandomPolicy(native)
    assert float(relance.nash_conv(game, game.uniform())) == pytest.approx(
        exploitability.nash_conv(native, uniform), abs=1e-12
    )
