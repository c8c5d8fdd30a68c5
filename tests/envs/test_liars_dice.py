"""Liar's dice: solved exactly, and with two dice."""

from fractions import Fraction

import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability

import relance
from relance.model import limits
from relance.solvers.exact import scored


@pytest.mark.parametrize(("sides", "worth"), [(2, Fraction(1, 2)), (3, Fraction(1, 9)), (4, Fraction(1, 16))])
def test_liars_dice_is_solved_exactly(sides, worth):
    game = relance.make("liars_dice", sides=sides)
    profile = relance.solve(game)
    assert relance.nash_conv(game, profile) == 0
    assert relance.value(game, profile) == worth


def test_the_ante_is_what_is_won():
    game = relance.make("liars_dice", sides=3, ante="1/2")
    assert relance.value(game, relance.solve(game)) == Fraction(1, 18)


@pytest.mark.parametrize("wild", [True, False])
def test_the_highest_face_counts_as_every_face_or_not(wild):
    """Two dice with two sides: the bid of a one is true if either shows a one, or if wild either shows a two; in four rolls, by hand."""
    deal = relance.make("liars_dice", sides=2, wild=wild).deal
    assert deal.labels == (("1", "2"), ("1", "2"))
    rolls = [(mine, theirs) for mine in (0, 1) for theirs in (0, 1)]
    for bid, true in {
        "1x1": [1, 1, 1, wild],
        "2x1": [1, wild, wild, wild],
        "1x2": [0, 1, 1, 1],
        "2x2": [0, 0, 0, 1],
    }.items():
        for player, sign in ((0, 1), (1, -1)):
            contest = deal.contests[f"{bid} of player {player}"]
            assert [contest.compare(*roll) for roll in rolls] == [sign * (1 if one else -1) for one in true]


def test_a_game_that_does_not_fit_is_refused(monkeypatch):
    with pytest.raises(ValueError, match=r"dice=20 and sides=20, so 2\*\*800 decisions, needs .*e\+2.. GiB"):
        relance.make("liars_dice", dice=20, sides=20)
    monkeypatch.setattr(limits, "memory", lambda: 60_000)
    assert len(relance.make("liars_dice", sides=3).tree.decisions[""].actions) == 6
    with pytest.raises(ValueError, match=r"dice=1 and sides=4, so 2\*\*8 decisions"):
        relance.make("liars_dice", sides=4)


def test_a_million_decisions_without_an_object_for_each():
    """Uniform play with two dice of five sides; the figures are those of an independent package, nashbench 0.2.0."""
    game = relance.make("liars_dice", dice=2, sides=5)
    assert len(game.tree.kinds.nodes) < 100
    assert len(game.tree.decisions) == 2**20
    assert len(game.tree.leaves) == 2**20 - 1
    uniform = game.uniform()
    assert relance.value(game, uniform) == pytest.approx(-0.014, abs=1e-9)
    best = [scored(game, uniform).best_value(player) for player in (0, 1)]
    assert best == pytest.approx([0.894314, 0.886881], abs=1e-6)
    assert uniform["1x1-2x3"][0][7] == 1 / len(game.tree.decisions["1x1-2x3"].actions)


def test_two_dice_are_rolled_as_in_openspiel():
    """OpenSpiel rolls one die after another, so states differ until all dice are rolled; the values agree."""
    game, native = relance.make("liars_dice", dice=2, sides=2), pyspiel.load_game("liars_dice(numdice=2,dice_sides=2)")
    uniform = spiel_policy.UniformRandomPolicy(native)
    assert float(relance.nash_conv(game, game.uniform())) == pytest.approx(
        exploitability.nash_conv(native, uniform), abs=1e-12
    )
