"""Liar's dice: solved exactly, and with two dice."""

from fractions import Fraction

import numpy as np
import pyspiel
import pytest

import relance
from relance.model import limits
from relance.solvers.exact import scored
from relance.solvers.sequence_form import normalised


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


LARGER = [pytest.param(dice, sides, marks=pytest.mark.slow) for dice, sides in ((3, 2), (2, 3))]


@pytest.mark.parametrize("seed", [None, 0, 1])
@pytest.mark.parametrize(("dice", "sides"), [(1, 2), (1, 4), (2, 2), *LARGER])
def test_uniform_and_random_play_are_worth_what_openspiel_says(dice, sides, seed):
    """OpenSpiel rolls one die after another; an information set is the player's sorted dice and the bids there too."""
    game, native = relance.make("liars_dice", dice=dice, sides=sides), f"liars_dice(numdice={dice},dice_sides={sides})"
    native, rng, table = pyspiel.load_game(native), np.random.default_rng(seed), {}
    weights = [np.ones((form.size, game.deal.size(p))) for p, form in enumerate(game.forms)]
    if seed is not None:
        weights = [rng.exponential(size=of.shape) ** 2 for of in weights]
    profile = game.near([normalised(form, of) for form, of in zip(game.forms, weights, strict=True)])
    bids = [f"{count}x{face}" for count in range(1, 2 * dice + 1) for face in range(1, sides + 1)]
    ids = {action: number for number, action in enumerate([*bids, "liar"])}
    for name, node in game.tree.decisions.items():
        actions, before = [ids[action] for action in node.actions], name.replace("-", " ").replace("x", "-")
        for hand, label in enumerate(game.deal.labels[node.player]):
            chances = [float(row[hand]) for row in profile[name]]
            table[f"{label} {before}" if name else label] = [*zip(actions, chances, strict=True)]
    assert float(relance.nash_conv(game, profile)) == pytest.approx(pyspiel.nash_conv(native, table), abs=1e-12)
    policy = pyspiel.TabularPolicy(table)
    earned = pyspiel.expected_returns(native.new_initial_state(), policy, -1, True)
    assert float(relance.value(game, profile)) == pytest.approx(earned[0], abs=1e-12)
