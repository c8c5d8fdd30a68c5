"""Nash policy gradient: its magnet is replaced on time."""

from test_train_model_free import KUHN, start, torch


def test_the_magnet_of_nash_pg_is_replaced_on_time():
    learner = start("nash_pg", KUHN, refresh=2)
    weights = []
    for _ in range(4):
        learner.step()
        weights.append(learner.magnet[0].weight.clone())
    assert torch.equal(weights[1], weights[2])
    assert not torch.equal(weights[0], weights[1])
    assert torch.equal(learner.magnet[0].weight, learner.policy[0].weight)
