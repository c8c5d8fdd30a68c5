"""OpenSpiel's PyTorch algorithms run on our games and on Leduc poker, learn and repeat themselves."""

import numpy as np
import pytest
from conftest import DEFAULTS

import relance
from relance.baselines import runs
from relance.baselines.openspiel_games import any_game, exact_nash_conv

torch = pytest.importorskip("torch", reason="needs the extra torch")

pytest.importorskip("tree", reason="needs the extra torch")

pytestmark = pytest.mark.filterwarnings("ignore:Using a non-tuple sequence:UserWarning")  # OpenSpiel's policy gradient

torch.set_num_threads(1)  # small networks; threads that wait for each other are many times slower on a busy machine

KUHN = relance.make("one_card_poker", raises=0)

QUICK = {
    "openspiel_nfsp": {
        "games_per_step": 8,
        "hidden_size": 16,
        "replay_buffer_capacity": 1000,
        "reservoir_buffer_capacity": 1000,
    },
    "openspiel_policy_gradient": {"games_per_step": 8, "hidden_size": 16},
    "openspiel_ppo": {"games_per_step": 32, "num_steps": 16, "learning_rate": 0.003},
    "openspiel_deep_cfr": {
        "num_traversals": 10,
        "advantage_network_train_steps": 4,
        "policy_network_train_steps": 4,
        "batch_size": 16,
        "memory_capacity": 10_000,
    },
    "openspiel_regression_cfr": {"update_epochs": 1},
    "openspiel_escher": {
        "value_traversals": 32,
        "regret_traversals": 32,
        "batch_size": 16,
        "value_batch_steps": 8,
        "regret_batch_steps": 8,
        "avg_policy_batch_steps": 8,
        "memory_capacity": 10_000,
    },
    "openspiel_psro": {
        "games_per_step": 100,
        "number_training_episodes": 60,
        "sims_per_entry": 10,
        "hidden_size": 16,
        "num_layers": 1,
    },
}


def trained(name, game, steps=4, seed=0, looks=False, **more):
    runs.algorithm(name).require()
    settings = runs.settings_of(name, QUICK[name] | more)
    learner = runs.algorithm(name).start(game, settings, seed)
    for _ in range(steps):
        assert learner.step() > 0
        if looks:
            learner.agent()
    return learner.agent()


FINITE = [KUHN, relance.make("ponssard"), relance.make("von_neumann", bet=2, hands=5)]

FINITE += [game for game in DEFAULTS if not game.tree.is_usual]  # cards that turn up, and several contests


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("game", FINITE, ids=str)
def test_plays_any_finite_game(name, game):
    game.check(trained(name, game, steps=2))


@pytest.mark.parametrize("name", QUICK)
def test_plays_where_a_player_may_never_act(name):
    """If player 0 gives up at once in every game, player 1 has nothing to learn from yet."""
    game = relance.make("endgame", p=0)
    for seed in range(3):
        game.check(trained(name, game, steps=1, seed=seed))


@pytest.mark.parametrize("name", QUICK)
def test_plays_leduc_poker(name):
    leduc = any_game("openspiel:leduc_poker")
    policy = trained(name, leduc, steps=1, **({"hidden_size": 4} if name == "openspiel_regression_cfr" else {}))
    assert len(policy.policy_table()) == 936
    assert 0 < exact_nash_conv(leduc, policy) < 13  # the most that either can lose


@pytest.mark.parametrize("name", QUICK)
def test_a_seed_and_only_it_decides(name):
    """The same seed gives the same policy, whether or not it is looked at on the way; another seed another one."""
    first, same, other = (trained(name, KUHN, seed=s, looks=s == 1 and look) for s, look in ((1, 0), (1, 1), (2, 0)))

    def equal(a, b):
        return all(np.array_equal(x, y) for node in a.nodes() for x, y in zip(a[node], b[node], strict=True))

    assert equal(first, same)
    assert not equal(first, other)


@pytest.mark.parametrize("name", ["openspiel_ppo", "openspiel_deep_cfr", "openspiel_regression_cfr", "openspiel_psro"])
def test_learns(name):
    more = (
        {"advantage_network_train_steps": 50, "policy_network_train_steps": 50} if name == "openspiel_deep_cfr" else {}
    )
    more |= {"number_training_episodes": 300, "sims_per_entry": 100} if name == "openspiel_psro" else {}
    uniform = relance.nash_conv(KUHN, KUHN.uniform())
    assert relance.nash_conv(KUHN, trained(name, KUHN, steps=25, **more)) < 0.8 * uniform


def test_nfsp_is_scored_by_its_average_policy():
    """The best response of NFSP is deterministic; its average policy at the start is not."""
    profile = trained("openspiel_nfsp", KUHN, steps=1)
    assert all(0 < p < 1 for node in profile.nodes() for row in profile[node] for p in row)


def test_unknown_loss():
    with pytest.raises(
        ValueError, match="loss='pg' of openspiel_policy_gradient must be one of 'qpg', 'rpg', 'rm', 'a2c'"
    ):
        trained("openspiel_policy_gradient", KUHN, loss="pg")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("openspiel_nfsp", {"hidden_size": 0}),
        ("openspiel_nfsp", {"anticipatory_param": 1.5}),
        ("openspiel_deep_cfr", {"batch_size": 0}),
        ("openspiel_ppo", {"num_steps": 2}),
        ("openspiel_escher", {"batch_size": 513}),
        ("openspiel_psro", {"epsilon_end": 1.5}),
        ("openspiel_ppo", {"ent_coef": -0.1}),
        ("openspiel_regression_cfr", {"learning_rate": float("nan")}),
    ],
)
def test_settings_out_of_range(name, wrong):
    with pytest.raises(ValueError, match="|".join(f"{key}={value}" for key, value in wrong.items())):
        runs.settings_of(name, wrong)
