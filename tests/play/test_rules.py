"""What everybody at a table sees and may do, by its definition."""

import math
from itertools import product

import numpy as np
import pytest
from conftest import DEFAULTS, SAMPLES, parametrised, taken_and_turned

import relance
from relance.play.rules import rules


@pytest.mark.parametrize("game", parametrised(SAMPLES))
def test_the_most_that_a_player_can_lose(game):
    """Over all leaves and showdowns: won, tied or lost."""
    sharpest = {name: game.deal.floats.in_case(game.tree.cases[name]).sharpest for name in game.tree.leaves}
    chips = [
        float(leaf.constant + leaf.stake * edge * sharpest[name])
        for (name, leaf), edge in product(game.tree.leaves.items(), (-1, 0, 1))
    ]
    assert rules(game).worst == pytest.approx((-min(chips), max(chips)), abs=1e-12)


@pytest.mark.parametrize("game", DEFAULTS, ids=str)
def test_masks_have_a_row_for_each_node_and_one_for_the_end(game):
    """Without waiting, the mask of the player to move; with it, one more action for the player who is not."""
    rule = rules(game)
    for waits, masks in enumerate(rule.masks):
        assert masks.shape == (2, len(rule.names) + 1, len(rule.actions) + waits)
        for player, node in product((0, 1), range(len(rule.names))):
            legal = rule.legal[node] if rule.player[node] == player else [len(rule.actions)] * waits
            assert np.flatnonzero(masks[player, node]).tolist() == list(legal)
        assert masks[:, -1].all()


@pytest.mark.parametrize("game", parametrised(SAMPLES))
def test_an_observation_is_the_seat_the_hand_and_the_betting(game):
    """Piece by piece, at every node: the hand one-hot, as its number in [0, 1], or as its place among hands of its kind."""
    rule, rng = rules(game), np.random.default_rng(2)
    deal, table = game.deal, game.tree.table
    for player, node in product((0, 1), range(len(rule.names))):
        hand = deal.sample(rng)[player]
        public = np.concatenate([part.ravel() for part in taken_and_turned(table, [node])])
        seat, held, betting = np.split(rule.observe(player, hand, node), [2, rule.size - len(public)])
        assert seat.tolist() == [player == 0, player == 1]
        assert (betting == public).all()
        expected = np.zeros(len(held))
        if deal.showing:
            expected[deal.showing.kind[hand]] = deal.showing.place[hand]
        elif deal.places is not None:
            expected[0] = deal.places[player][hand]
        else:
            expected[hand if deal.is_finite else 0] = 1 if deal.is_finite else hand
        assert held == pytest.approx(expected, abs=1e-7)


def test_the_pieces_fill_an_observation(game):
    shared = rules(game)
    assert sum(math.prod(piece.shape) for piece in shared.pieces) == shared.size
    table, (_, _, betting, *events) = shared.game.tree.table, shared.pieces
    acted, turned = (part.shape[1:] for part in taken_and_turned(table))
    assert betting.shape == acted
    assert [piece.shape for piece in events] == [turned] * (math.prod(turned) > 0)


def test_the_most_turns_of_a_player_and_those_in_a_row():
    kuhn, endgame = rules(relance.make("one_card_poker", raises=0)), rules(relance.make("endgame", bets=[1, 1]))
    assert [kuhn.turns(player) for player in (0, 1)] == [2, 1]
    assert [kuhn.turns(player, in_a_row=True) for player in (0, 1)] == [1, 1]
    assert max(endgame.turns(player, in_a_row=True) for player in (0, 1)) <= 2
