"""R-NaD: its rewards add up, and its policies follow one another."""

import numpy as np
import pytest
from test_train_model_free import KUHN, conv, start, torch

from relance.baselines import train_rnad


def test_the_regularised_rewards_of_rnad_add_up():
    """What follows a decision is the chips, plus what the opponent and less what the player pays for later decisions."""
    learner = start("rnad", KUHN)
    cost, player = torch.tensor([1.0, 2.0, 4.0, 8.0, 16.0]), torch.tensor([0, 0, 1, 1, 0])
    tables = [np.array([0, 1]), np.array([0, 1]), np.array([1])]
    ahead = learner._ahead(cost, player, np.array([[5.0, -5.0], [3.0, -3.0]]), tables)
    assert ahead.tolist() == [5 + 4, 3 - 16 + 8, -5, -3 + 16, 3]


def test_rnad_with_a_strong_pull_stays_at_the_regularising_policy():
    """The equilibrium of the regularised game is near the regularising policy if the pull is strong, else near a true one."""
    scores = []
    for pull in (0.05, 50.0):
        learner = start("rnad", KUHN, learning_rate=0.003, eta_reward_transform=pull, num_envs=256)
        for _ in range(100):
            learner.step()
        scores.append(conv(KUHN, learner))
    assert scores[0] < 0.6 < 0.85 < scores[1]


def test_rnad_changes_over_to_the_next_regularising_policy():
    learner = start("rnad", KUHN, entropy_schedule_size=4)
    first = learner.regulars
    for _ in range(4):
        learner.step()
    assert learner.regulars[1] is first[0]
    assert torch.equal(learner.regulars[0][0].weight, learner.slow[0].weight)


def test_probabilities_are_rounded_as_in_rnad():
    rows = np.array([[0.02, 0.98, 0.0], [0.3, 0.35, 0.35], [1.0, 0.0, 0.0], [0.02, 0.49, 0.49]])
    assert train_rnad.rounded_policy(rows, 0.03, 4).tolist() == [[0, 1, 0], [0, 0.5, 0.5], [1, 0, 0], [0, 0.5, 0.5]]
    assert train_rnad.rounded_policy(rows, 0.0, 0) == pytest.approx(rows)
    assert train_rnad.rounded_policy(np.array([[0.02, 0.98]]), 0.0, 32).tolist() == [[0, 1]]
