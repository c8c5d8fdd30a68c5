"""Trajectories: one for each seat, with actions drawn as often as their probability."""

import numpy as np
import pytest
from test_train_model_free import torch

import relance
from relance.baselines import rollouts


class Nothing(torch.nn.Module):
    """A network whose outputs are a constant."""

    def __init__(self, outputs, constant=0.0):
        super().__init__()
        self.outputs, self.constant = outputs, constant

    def forward(self, seen):
        return torch.full((len(seen), self.outputs), self.constant)


@pytest.mark.parametrize("trace", [0.0, 0.5, 1.0])
def test_each_seat_has_a_trajectory_of_its_own(trace):
    """With a forecast of 10 the last decision of a seat gains its chips less 10; an earlier one `trace` times as much."""
    game = relance.make("one_card_poker", raises=0)
    games = rollouts.Games(game, 2000, 0)
    played = games.play(Nothing(games.actions), Nothing(1, 10.0), trace)
    seat, hand, bets = played.seen[:, :2].argmax(1), played.seen[:, 2:5].argmax(1), played.seen[:, 5:]
    assert set(seat.tolist()) == {0, 1}
    first = bets.sum(1) == bets.sum(1).min()  # nobody has acted yet
    check, bet = game.action_id("check"), game.action_id("bet")
    at_root = first & (seat == 0)
    best = at_root & (hand == 2) & (played.action == bet)  # the best card bets: the pot, or another chip
    assert set((played.gain[best] + 10).unique().tolist()) == {1.0, 2.0}
    worst = at_root & (hand == 0) & (played.action == check)
    again = (
        trace * (torch.tensor([-1.0, -2.0]) - 10)
    ).tolist()  # checked, then folded or called; the forecast does not change
    assert {round(x, 4) for x in played.gain[worst].tolist()} <= {-11.0, *(round(x, 4) for x in again)}
    assert {round(x, 4) for x in again} <= {round(x, 4) for x in played.gain[worst].tolist()}


def test_actions_are_drawn_as_often_as_their_probability():
    law = torch.tensor([[0.2, 0.5, 0.3, 0.0]])
    actions = rollouts.drawn_actions((law + 1e-30).log().expand(40_000, 4), np.random.default_rng(0))
    assert torch.allclose(torch.bincount(actions, minlength=4) / 40_000, law[0], atol=0.01)
