"""EMAgnet: its magnet follows the policy, weight by weight."""

from test_train_model_free import KUHN, start, torch


def test_the_magnet_goes_part_of_the_way_in_each_update():
    learner = start("emagnet", KUHN, follow=0.25)
    for _ in range(3):
        before = [weight.clone() for weight in learner.magnet.parameters()]
        learner.step()
        for old, slow, quick in zip(before, learner.magnet.parameters(), learner.policy.parameters(), strict=True):
            assert torch.allclose(slow, old + 0.25 * (quick - old), atol=1e-6)


def test_at_the_ends_it_stays_or_is_the_policy():
    still, quick = (start("emagnet", KUHN, follow=share) for share in (0.0, 1.0))
    first = [weight.clone() for weight in still.magnet.parameters()]
    for learner in (still, quick):
        learner.step()
    assert all(map(torch.equal, first, still.magnet.parameters()))
    assert all(map(torch.allclose, quick.magnet.parameters(), quick.policy.parameters()))
