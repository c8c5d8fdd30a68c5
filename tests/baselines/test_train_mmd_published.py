"""Magnetic mirror descent as published: the proximal term holds the policy back."""

from test_train_model_free import KUHN, start

from relance.baselines import rollouts


def test_the_proximal_term_of_mmd_holds_the_policy_back():
    moved = []
    for proximal in (0.0, 10.0):
        learner = start("mmd_published", KUHN, rate=0.003, clip=1.0, proximal=proximal)
        played = learner.games.play(learner.policy, learner.critic, 1.0)
        before = rollouts.log_chances_of(learner.policy(played.seen), played.masks).detach()
        learner.improve(played)
        after = rollouts.log_chances_of(learner.policy(played.seen), played.masks).detach()
        moved.append(float(rollouts.divergence(before, after)))
    assert moved[1] < 0.3 * moved[0]
