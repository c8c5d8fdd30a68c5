"""Who is read as what: functions, networks, frameworks' agents, and those that are refused."""

import numpy as np
import pytest
from conftest import random_profile, tabular

import relance
from relance.play.agents import questions
from relance.play.exact_score import earned
from relance.play.rules import rules


def test_what_is_asked_is_what_the_environments_show(finite_game):
    if finite_game.name == "five_card":
        pytest.skip("thousands of hands; its observations are tested with its game")
    rulebook = rules(finite_game)
    for seat in (0, 1):
        seen, masks = questions(finite_game, seat)
        nodes = [finite_game.tree.table.names.index(name) for name in finite_game.tree.of(seat)]
        asked = [(node, hand) for node in nodes for hand in range(finite_game.deal.size(seat))]
        assert len(seen) == len(asked)
        assert all(
            (row == rulebook.observe(seat, hand, node)).all() for row, (node, hand) in zip(seen, asked, strict=True)
        )
        assert (masks == finite_game.tree.table.legal[[node for node, _ in asked]]).all()


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda o, m: np.full(m.shape, np.nan), "probability nan"),
        (lambda o, m: m / 1.0, "sum to 2"),
        (lambda o, m: np.where(m, [1.5, -0.5, 1.5, -0.5], 0), "probability -0.5"),
        (lambda o, m: np.full(m.shape, 0.25), "illegal action 'fold'"),
        (lambda o, m: np.zeros(len(o), int) + 9, "not an action id"),
        (lambda o, m: np.zeros(len(o), int) + 3, "illegal action 'call'"),
        (lambda o, m: np.zeros((len(o), 3)), "probabilities of shape"),
        (lambda o, m: np.zeros(len(o)), "probabilities of shape"),
    ],
)
def test_agents_that_are_refused(answer, says):
    game = relance.make("von_neumann", hands=9)
    with pytest.raises(ValueError, match=says):
        relance.score(game, answer)


def test_torch_modules():
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    game = relance.make("von_neumann", hands=20)
    size, width = rules(game).size, len(game.actions)

    class Net(torch.nn.Module):
        def __init__(self, wrap, fill=None):
            super().__init__()
            self.layer, self.wrap, self.fill = torch.nn.Linear(size, width), wrap, fill
            self.dropout = torch.nn.Dropout()

        def forward(self, seen):
            out = self.dropout(self.layer(seen)) if self.fill is None else torch.full((len(seen), width), self.fill)
            return self.wrap(out)

    class Out:
        def __init__(self, logits):
            self.logits = logits

    torch.manual_seed(0)
    net = Net(lambda x: x)
    plain = relance.score(game, net)
    assert net.training
    for wrap in (lambda x: (x, None), Out):
        net.wrap = wrap
        assert relance.score(game, net).nash_conv == plain.nash_conv
    net.wrap = lambda x: x
    first = questions(game, 0)[0]
    with torch.no_grad():
        distribution = torch.softmax(net.layer(torch.tensor(first))[:, :2].double(), 1).numpy()
    assert np.allclose(plain.profile[""], distribution.T, atol=1e-6)
    greedy = relance.score(game, net, mode="argmax")
    assert (greedy.profile[""][0] == (distribution[:, 0] > 0.5)).all()
    assert relance.score(game, Net(lambda x: x, 0.0)).nash_conv == pytest.approx(
        float(relance.nash_conv(game, game.uniform()))
    )
    for broken, says in [
        (Net(lambda x: x, float("nan")), "must be finite or -inf"),
        (Net(lambda x: x, float("-inf")), "all legal actions the logit -inf"),
        (Net(lambda x: x[:, :3]), "logits have shape"),
    ]:
        with pytest.raises(ValueError, match=says):
            relance.score(game, broken)


def test_stable_baselines_models():
    pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
    from sb3_contrib import MaskablePPO
    from stable_baselines3 import DQN, PPO

    from relance.registration.gymnasium import SeatEnv

    env = SeatEnv("von_neumann")
    masked = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, seed=0, device="cpu")
    found = relance.score(env.game, masked, hands=30)
    assert 0 < found.nash_conv < 1
    assert (
        max(np.abs(p - 0.5).max() for name in ("", "bet") for p in found.profile[name]) < 0.1
    )  # new networks are nearly even
    many = MaskablePPO("MultiInputPolicy", SeatEnv("von_neumann", obs="dict"), n_steps=8, batch_size=8, device="cpu")
    assert relance.score(env.game, many, hands=30).nash_conv > 0
    plain = PPO("MlpPolicy", env, n_steps=8, batch_size=8, seed=0, device="cpu")
    with pytest.raises(ValueError, match="illegal='renormalise'"):
        relance.score(env.game, plain, hands=30)
    assert 0 < relance.score(env.game, plain, hands=30, illegal="renormalise").nash_conv < 1
    values = DQN("MlpPolicy", env, buffer_size=10, seed=1, device="cpu")
    with pytest.raises(ValueError, match="illegal"):
        relance.score(env.game, values, hands=30)
    with pytest.raises(ValueError, match="the model was made for"):
        relance.score(relance.make("la_relance"), masked)
    assert earned(env.game, masked, 0, "caller").best == 0.5


def test_the_most_probable_action_of_any_agent():
    game = relance.make("one_card_poker", raises=0)
    rng = np.random.default_rng(3)
    profile = random_profile(game, lambda: int(rng.integers(1, 9)))
    greedy = relance.score(game, profile, mode="argmax")
    assert greedy.nash_conv == pytest.approx(relance.score(game, tabular(game, profile), mode="argmax").nash_conv)
    assert greedy.nash_conv != relance.score(game, profile).nash_conv
    assert {p for name in profile.nodes() for row in greedy.profile[name] for p in row} == {0, 1}
    for option in ("mode", "illegal"):
        with pytest.raises(ValueError, match=f"{option}='bogus'"):
            relance.score(game, profile, **{option: "bogus"})


@pytest.mark.parametrize("raises", [0, 2])
def test_an_agent_that_draws_its_actions_is_refused(raises):
    game, rng = relance.make("one_card_poker", raises=raises), np.random.default_rng(0)

    def drawn(observations, masks):
        return (rng.random(masks.shape) * masks).argmax(axis=1)

    for opponent in (drawn, [drawn, "uniform"]):
        with pytest.raises(ValueError, match="answers the same observations differently"):
            relance.score(game, opponent)


def test_stable_baselines_models_with_scaled_observations():
    pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
    from sb3_contrib import MaskablePPO, RecurrentPPO
    from stable_baselines3.common.vec_env import VecNormalize

    from relance.baselines.frameworks.sb3 import sb3_vec_env

    game = relance.make("one_card_poker", raises=0)
    scaled = VecNormalize(sb3_vec_env(game, 16, seed=0), norm_reward=False)
    model = MaskablePPO("MlpPolicy", scaled, n_steps=8, batch_size=64, learning_rate=0.05, seed=0, device="cpu")
    model.learn(1000)
    found = relance.score(game, model)

    def by_hand(seen, masks):
        import torch

        with torch.no_grad():
            tensor, _ = model.policy.obs_to_tensor(scaled.normalize_obs(seen))
            return model.policy.get_distribution(tensor, action_masks=masks).distribution.probs

    assert found.nash_conv == pytest.approx(relance.score(game, by_hand).nash_conv, abs=1e-5)
    assert found.nash_conv != pytest.approx(relance.score(game, model.policy).nash_conv, abs=1e-3)
    with pytest.raises(ValueError, match="RecurrentPPO remembers"):
        relance.score(game, RecurrentPPO("MlpLstmPolicy", sb3_vec_env(game, 2), n_steps=8, batch_size=8, device="cpu"))
