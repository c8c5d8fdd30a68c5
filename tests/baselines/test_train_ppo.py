"""PPO: an entropy bonus keeps it from circling."""

from test_train_model_free import KUHN, conv, start


def test_an_entropy_bonus_keeps_ppo_from_circling():
    """The same games, networks and updates, with and without the bonus."""
    scores = {}
    for entropy in (0.0, 0.2):
        learner = start("ppo", KUHN, games=256, hidden=32, rate=0.001, entropy=entropy)
        for _ in range(60):
            learner.step()
        scores[entropy] = conv(KUHN, learner)
    assert scores[0.2] < 0.6 * scores[0.0], scores
