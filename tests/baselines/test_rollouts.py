"""Trajectories: one for each seat, with actions drawn as often as their probability."""

import numpy as np
import pytest
from test_train_model_free import torch

import relance
from relance.baselines import rollouts
from relance.play.batch import Batch


class Nothing(torch.nn.Module):
    """A network whose outputs are a constant."""

    def __init__(self, outputs, constant=0.0):
        super().__init__()
        self.outputs, self.constant = outputs, constant

    def forward(self, seen):
        return torch.full((len(seen), self.outputs), self.constant)


@pytest.mark.parametrize("gae_lambda", [0.0, 0.5, 1.0])
def test_each_seat_has_a_trajectory_of_its_own(gae_lambda):
    """With a forecast of 10 the last decision of a seat gains its chips less 10; an earlier one `gae_lambda` times as much."""
    game = relance.make("one_card_poker", raises=0)
    networks = Nothing(len(game.actions)), Nothing(1, 10.0)
    played = rollouts.sampled(Batch(game, 2000, 0), *networks, gae_lambda, np.random.default_rng(0))
    seat, hand, bets = played.obs[:, :2].argmax(1), played.obs[:, 2:5].argmax(1), played.obs[:, 5:]
    assert set(seat.tolist()) == {0, 1}
    first = bets.sum(1) == bets.sum(1).min()  # nobody has acted yet
    check, bet = game.action_id("check"), game.action_id("bet")
    at_root = first & (seat == 0)
    best = at_root & (hand == 2) & (played.actions == bet)  # the best card bets: the pot, or another chip
    assert set((played.advantages[best] + 10).unique().tolist()) == {1.0, 2.0}
    worst = at_root & (hand == 0) & (played.actions == check)
    again = (
        gae_lambda * (torch.tensor([-1.0, -2.0]) - 10)
    ).tolist()  # checked, then folded or called; the forecast does not change
    assert {round(x, 4) for x in played.advantages[worst].tolist()} <= {-11.0, *(round(x, 4) for x in again)}
    assert {round(x, 4) for x in again} <= {round(x, 4) for x in played.advantages[worst].tolist()}


def test_actions_are_drawn_as_often_as_their_probability_and_are_legal():
    probs = np.array([[0.2, 0.5, 0.3, 0.0], [0.0, 1.0, 0.0, 0.0]])
    masks = np.array([[True, True, True, False], [False, True, False, True]])
    rows = np.repeat([0, 1], 40_000)
    actions = rollouts.draw_actions(probs, masks, np.random.default_rng(0), rows)
    assert np.allclose(np.bincount(actions[rows == 0], minlength=4) / 40_000, probs[0], atol=0.01)
    assert set(actions[rows == 1].tolist()) == {1}
    assert np.array_equal(actions, rollouts.draw_actions(probs[rows], masks[rows], np.random.default_rng(0)))
