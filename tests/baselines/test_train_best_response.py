"""Best responses learned by MaskablePPO, against the exact best."""

import pytest

import relance

pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
torch = pytest.importorskip("torch", reason="needs the extra sb3")

from relance.baselines.train_best_response import Settings, train_best_response  # noqa: E402 - after the extra is known to be there

torch.set_num_threads(1)  # small networks; threads that wait for each other are many times slower on a busy machine

KUHN = relance.make("one_card_poker", raises=0)
QUICK = Settings(num_envs=64, batch_size=64, learning_rate=0.01)


@pytest.mark.parametrize("seat", [0, 1])
def test_nearly_all_is_earned_from_a_weak_opponent(seat):
    learned = train_best_response(KUHN, "uniform", seat, samples=20_000, settings=QUICK)
    assert learned.best == pytest.approx(float(relance.best_response(KUHN, KUHN.uniform(), seat).value))
    assert 0.9 < learned.share <= 1 + 1e-9
    assert learned.gap == pytest.approx(learned.best - learned.value)


@pytest.mark.parametrize("seat", [0, 1])
def test_an_equilibrium_gives_its_value_and_no_more(seat):
    learned = train_best_response(KUHN, "published", seat, samples=10_000, settings=QUICK)
    assert learned.best == pytest.approx((1 - 2 * seat) * float(relance.value(KUHN, KUHN.published())))
    assert -1e-9 < learned.gap < 0.1
    assert (learned.share is None) == (seat == 0)  # the opener loses 1/18


def test_real_numbered_hands():
    learned = train_best_response(relance.make("von_neumann"), "uniform", 0, samples=10_000, settings=QUICK)
    assert 0.9 < learned.share <= 1 + 1e-6


def test_a_seed_repeats():
    first, again, other = (
        train_best_response(KUHN, "uniform", samples=1000, seed=seed, settings=QUICK).model for seed in (1, 1, 2)
    )
    weights = [torch.nn.utils.parameters_to_vector(model.policy.parameters()) for model in (first, again, other)]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


def test_the_budget_is_kept_and_reported():
    parts = []
    learned = train_best_response(KUHN, "uniform", samples=1000, settings=QUICK, tick=parts.append)
    assert 1000 <= learned.samples < 1000 + QUICK.num_envs * QUICK.num_steps
    assert parts == sorted(parts)
    assert parts[-1] == 1
    assert 0 < learned.model.ent_coef < QUICK.ent_coef / 2  # as in the last update: it falls with the budget


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "budget"),
        ({"samples": 0}, "samples"),
        ({"samples": 4096}, "more than num_envs"),
        ({"seconds": 1, "seat": 2}, "seat"),
        ({"seconds": 1, "seed": 10**20}, "seed"),
        ({"seconds": 1, "opponent": "uniforn"}, "uniform"),
        ({"seconds": 1, "opponent": relance.make("von_neumann").published()}, "von_neumann"),
    ],
)
def test_bad_input_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        train_best_response(KUHN, **given)


@pytest.mark.parametrize(
    "given",
    [{"num_envs": 0}, {"learning_rate": 0}, {"max_grad_norm": 0}, {"ent_coef": -1}, {"batch_size": 0}, {"knots": 1}],
)
def test_settings_that_cannot_be_are_refused(given):
    with pytest.raises(ValueError, match=next(iter(given))):
        Settings(**given)


@pytest.mark.parametrize(("num_envs", "num_steps", "batch_size"), [(1, 1, 1024), (3, 3, 4), (3, 1, 2)])
def test_a_batch_of_one_decision_is_refused(num_envs, num_steps, batch_size):
    with pytest.raises(ValueError, match="leave a last batch of one decision"):
        Settings(num_envs=num_envs, num_steps=num_steps, batch_size=batch_size)


def test_two_decisions_are_enough():
    assert train_best_response(KUHN, "uniform", samples=20, settings=Settings(num_envs=2, num_steps=1)).samples >= 20
