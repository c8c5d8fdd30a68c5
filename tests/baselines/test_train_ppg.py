"""Phasic policy gradient: what its auxiliary phase does."""

from test_train_model_free import KUHN, start

from relance.baselines import rollouts


def test_the_auxiliary_phase_teaches_the_forecast_and_holds_the_policy():
    learner = start("ppg", KUHN, policy_phase=1, rate=0.003)
    played = learner.games.play(learner.policy, learner.critic, 1.0)
    before, errors = rollouts.log_chances_of(learner.policy(played.seen), played.masks).detach(), []
    for _ in range(2):
        forecast = learner.forecast(played.seen).squeeze(1).detach()
        errors.append(float((forecast - played.value - played.gain).square().mean()))
        for _ in range(10):
            learner.auxiliary_phase(played)
    after = rollouts.log_chances_of(learner.policy(played.seen), played.masks).detach()
    assert errors[1] < 0.9 * errors[0]
    assert float(rollouts.divergence(before, after)) < 0.01
