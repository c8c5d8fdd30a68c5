"""Liar's dice: solved exactly, and with two dice."""

from fractions import Fraction
from itertools import product
from typing import Any

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


class Sets:
    """Liar's dice as sets of bids made, each a bit mask: an account of all plays without Relance, as bids only go up.

    The weight of an action is a hash of mask, hand and action. Arrays have shape (masks, hands). In masks below 2**t all bids are
    lower than bid t, and adding 2**t makes it.
    """

    def __init__(self, dice: int, sides: int) -> None:
        faces = np.array([*product(range(1, sides + 1), repeat=dice)])
        hands, counts = np.unique(np.sort(faces), axis=0, return_counts=True)
        self.chance, self.bids = counts / counts.sum(), 2 * dice * sides
        count, face = np.divmod(np.arange(self.bids), sides)
        shown = ((hands == face[:, None, None] + 1) | (hands == sides)).sum(2)
        self.holds = np.where(shown[:, :, None] + shown[:, None] > count[:, None, None], 1.0, -1.0)
        self.mover = np.array([mask.bit_count() % 2 for mask in range(2**self.bids)])
        self.total = np.zeros((2**self.bids, len(hands)))
        for t in range(self.bids):
            self.total[: 2**t] += self.weight(slice(0, 2**t), t)
        self.total[1:] += self.weight(slice(1, 2**self.bids), self.bids)

    def weight(self, masks: slice, action: int) -> Any:
        """(masks, hands) of these masks; the action after the last bid is to call a liar."""
        code = np.arange(masks.start, masks.stop)[:, None] * 31 + np.arange(len(self.chance)) * 7_919 + action * 104_729
        return (code * 2_654_435_761 % 2**32 // 2**8 % 1_000 + 1) / 1_000

    def share(self, masks: slice, action: int) -> Any:
        """(masks, hands) the probability of an action."""
        return self.weight(masks, action) / self.total[masks]

    def best(self, player: int) -> float:
        """What a best response earns as a player."""
        own = (self.mover == player)[:, None]
        reach = np.ones_like(self.total)  # of the other player
        for t in range(self.bids):
            masks, above = slice(0, 2**t), slice(2**t, 2 ** (t + 1))
            reach[above] = reach[masks] * np.where(own[masks], 1, self.share(masks, t))
        values = np.where(own, -np.inf, 0 * reach)
        for t in range(self.bids)[::-1]:  # the caller loses if bid t, which is the highest, holds
            above, masks = slice(2**t, 2 ** (t + 1)), slice(0, 2**t)
            led = reach[above] * np.where(own[above], 1, self.share(above, self.bids))
            called = np.where(own[above], -1, 1) * ((led * self.chance) @ self.holds[t]) * self.chance
            values[above] = np.where(own[above], np.maximum(values[above], called), values[above] + called)
            values[masks] = np.where(
                own[masks], np.maximum(values[masks], values[above]), values[masks] + values[above]
            )
        return float(values[0].sum())


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 3), pytest.param(2, 5, marks=pytest.mark.slow)])
def test_random_play_of_large_games_is_worth_what_another_sum_says(dice, sides):
    game, other = relance.make("liars_dice", dice=dice, sides=sides), Sets(dice, sides)
    table, shares = game.tree.table, []
    mask = np.zeros(table.size, np.int64)
    for level in table.levels[1:]:
        mask[level] = mask[table.parent[level]] + 2 ** table.step[level].astype(np.int64)
    for player, form in enumerate(game.forms):
        share, nodes = np.zeros((form.size, len(other.chance))), np.flatnonzero(table.player == player)
        for action in range(other.bids + 1):
            every = slice(0, 2 ** min(action, other.bids))
            chances = np.zeros_like(other.total)
            chances[every] = other.share(every, action)
            legal = np.flatnonzero(table.legal[nodes, action])
            place = table.legal[nodes[legal], :action].sum(1)
            share[form.starts[legal] + place] = chances[mask[nodes[legal]]]
        shares.append(share)
    profile = game.profile_from_arrays(shares)
    assert relance.nash_conv(game, profile) == pytest.approx(other.best(0) + other.best(1), rel=0, abs=1e-11)


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
    profile = game.profile_from_arrays([normalised(form, of) for form, of in zip(game.forms, weights, strict=True)])
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
