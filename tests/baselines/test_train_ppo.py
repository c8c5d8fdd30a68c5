"""PPO and its family: an entropy bonus keeps it from circling, magnets move on time, and an auxiliary phase teaches a forecast."""

from test_train_model_free import KUHN, conv, start, torch

from relance.baselines import rollouts


def test_an_entropy_bonus_keeps_ppo_from_circling():
    """The same games, networks and updates, with and without the bonus."""
    scores = {}
    for entropy in (0.0, 0.2):
        learner = start("ppo", KUHN, num_envs=256, hidden_size=32, learning_rate=0.001, ent_coef=entropy)
        for _ in range(60):
            learner.step()
        scores[entropy] = conv(KUHN, learner)
    assert scores[0.2] < 0.6 * scores[0.0], scores


def test_the_magnet_of_nash_pg_is_replaced_on_time():
    learner = start("nash_pg", KUHN, magnet_update_interval=2)
    weights = []
    for _ in range(4):
        learner.step()
        weights.append(learner.magnet[0].weight.clone())
    assert torch.equal(weights[1], weights[2])
    assert not torch.equal(weights[0], weights[1])
    assert torch.equal(learner.magnet[0].weight, learner.policy[0].weight)


def test_the_magnet_goes_part_of_the_way_in_each_update():
    learner = start("emagnet", KUHN, tau=0.25)
    for _ in range(3):
        before = [weight.clone() for weight in learner.magnet.parameters()]
        learner.step()
        for old, slow, quick in zip(before, learner.magnet.parameters(), learner.policy.parameters(), strict=True):
            assert torch.allclose(slow, old + 0.25 * (quick - old), atol=1e-6)


def test_at_the_ends_it_stays_or_is_the_policy():
    still, quick = (start("emagnet", KUHN, tau=share) for share in (0.0, 1.0))
    first = [weight.clone() for weight in still.magnet.parameters()]
    for learner in (still, quick):
        learner.step()
    assert all(map(torch.equal, first, still.magnet.parameters()))
    assert all(map(torch.allclose, quick.magnet.parameters(), quick.policy.parameters()))


def test_the_divergence_from_the_policy_that_played_holds_the_policy_back():
    moved = []
    for kl_coef in (0.0, 10.0):
        learner = start("mmd_published", KUHN, learning_rate=0.003, clip_range=1.0, kl_coef=kl_coef)
        played = learner.play()
        before = rollouts.log_softmax(learner.policy(played.obs), played.masks).detach()
        learner.improve(played)
        after = rollouts.log_softmax(learner.policy(played.obs), played.masks).detach()
        moved.append(float(rollouts.divergence(before, after)))
    assert moved[1] < 0.3 * moved[0]


def test_the_auxiliary_phase_teaches_the_forecast_and_holds_the_policy():
    learner = start("ppg", KUHN, n_iteration=1, learning_rate=0.003)
    played = learner.play()
    before, errors = rollouts.log_softmax(learner.policy(played.obs), played.masks).detach(), []
    for _ in range(2):
        forecast = learner.forecast(played.obs).squeeze(1).detach()
        errors.append(float((forecast - played.values - played.advantages).square().mean()))
        for _ in range(10):
            learner.auxiliary_phase(played)
    after = rollouts.log_softmax(learner.policy(played.obs), played.masks).detach()
    assert errors[1] < 0.9 * errors[0]
    assert float(rollouts.divergence(before, after)) < 0.01
