"""Scores of every kind of agent against the exact ones, thresholds, refinement, and agents that are refused."""

import numpy as np
import pytest
from conftest import random_profile

import relance
from relance.play.earnings import earned
from relance.play.exact_score import Score
from relance.play.readers import questions
from relance.play.rules import rules


def tabular(game, profile):
    """A callable that plays a profile of finite hands: looks up each observation."""
    table = {}
    for seat in (0, 1):
        rows = [np.stack(profile[name], axis=1).astype(float) for name in game.tree.of(seat)]
        for vector, (node, hand) in zip(
            questions(game, seat)[0],
            [(i, h) for i, row in enumerate(rows) for h in range(len(row))],
            strict=True,
        ):
            name = list(game.tree.of(seat))[node]
            chance = np.zeros(len(game.actions))
            chance[game.tree.table.legal_ids[game.tree.table.names.index(name)]] = rows[node][hand]
            table[vector.tobytes()] = chance
    return lambda seen, masks: np.array([table[vector.tobytes()] for vector in seen])


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


def test_a_callable_scores_as_the_profile_that_it_plays(finite_game):
    if finite_game.name == "five_card":
        pytest.skip("thousands of hands; the other card games show the same")
    game, uniform = finite_game, finite_game.uniform()
    found = relance.score(game, tabular(game, uniform), published=uniform)
    assert found.nash_conv == pytest.approx(float(relance.nash_conv(game, uniform)), abs=1e-12)
    assert found.value == pytest.approx(float(relance.value(game, uniform)), abs=1e-12)
    assert found.exploitability == found.nash_conv / 2
    assert max(found.differences.values()) == pytest.approx(0, abs=1e-12)
    exact = relance.score(game, uniform)
    assert exact.nash_conv == relance.nash_conv(game, uniform)
    assert sum(exact.best) == exact.nash_conv
    for name, (_, rows) in exact.regrets.items():
        mean = sum(p * r for p, r in zip(uniform[name], rows, strict=True))
        assert not mean.any()  # regrets of a mixture cancel under it


def test_an_equilibrium_scores_zero_on_the_interval():
    game = relance.make("von_neumann")
    found = relance.score(game, "published")
    assert (found.nash_conv, found.value, found.game.hands, found.reached) == (0, found.equilibrium, None, None)
    assert found.against_published == (found.value, -found.value)
    assert found.thresholds["bet"]["call"].learned == (float(5 / 9),)
    assert found.thresholds[""]["bet"].distance == 0.0
    assert found.thresholds[""]["bet"].by_frequency == pytest.approx((1 / 9, 7 / 9), abs=1e-15)
    assert found.thresholds["bet"]["call"].distance_by_frequency < 1e-15
    assert "NashConv           0.000000 (0)" in str(found)


def test_a_printed_score_lines_its_thresholds_up_and_has_no_negative_zero():
    game = relance.make("von_neumann", hands=9)
    lines = str(relance.score(game, "published")).splitlines()
    head, *rows = lines[lines.index("  probabilities and thresholds beside the published ones") + 1 :]
    assert head.split() == ["at", "differs", "by", "action", "learned", "published", "off", "by", "frequency", "off"]
    assert [row[head.index("action") :].split()[0] for row in rows] == ["check", "bet", "fold", "call"]
    assert all(row[head.index("off") :].startswith("0.0000") for row in rows)
    almost = Score(game, game.published())
    almost.__dict__["value"] = -1e-9
    assert "value to player 0  0.000000, published" in str(almost)


def shifted(by):
    """von Neumann's strategies with all thresholds moved, on batches of observations with real-numbered hands."""

    def play(seen, masks):
        hand, first = seen[:, 2], seen[:, 0] > 0
        bet = np.where((hand < 1 / 9 + by) | (hand > 7 / 9 + by), 1, 0)
        return np.where(first, bet, np.where(hand > 5 / 9 + by, 3, 2))

    return play


def test_thresholds_and_refinement():
    game = relance.make("von_neumann")
    assert game.actions == ("check", "bet", "fold", "call")
    found = relance.score(game, shifted(0.03), tolerance=1e-4)
    assert found.reached <= 1e-4 == found.tolerance
    exact = game.profile({"": {"bet": [(0, "0.14111111"), ("0.80777778", 1)]}, "bet": {"call": [("0.58555556", 1)]}})
    truth = relance.score(game, exact)
    assert found.nash_conv == pytest.approx(float(truth.nash_conv), abs=1e-3)
    assert found.value == pytest.approx(float(truth.value), abs=1e-3)
    for node, action in (("", "bet"), ("bet", "call")):
        cut, true = found.thresholds[node][action], truth.thresholds[node][action]
        assert cut.distance == pytest.approx(0.03, abs=2e-3)
        assert true.distance == pytest.approx(0.03, abs=1e-6)
        assert found.differences[node] == pytest.approx(truth.differences[node], abs=5e-3)
    assert relance.score(game, shifted(0.03), hands=300).game.hands == 300
    assert relance.score(game, shifted(0.0), hands=9 * 40).nash_conv == pytest.approx(0, abs=1e-12)


def test_floats_average_as_fractions_do(published_game):
    if published_game.deal.is_finite or not published_game.deal.is_exact:
        pytest.skip("hands are finite")
    grid, profile = published_game.grid(7), published_game.published()
    for seat in (0, 1):
        fast, slow = grid.fit(profile, floats=True).strategies[seat], grid.fit(profile).strategies[seat]
        for name, rows in slow.at.items():
            assert np.allclose(np.stack(fast.at[name]), np.stack(rows).astype(float), atol=1e-12)


def test_pairs_and_what_is_not_compared():
    game = relance.make("one_card_poker")
    mixed = relance.score(game, (game.published(), "uniform"))
    assert mixed.value == relance.value(game, game.uniform().replace(game.published().strategies[0]))
    assert mixed.differences is mixed.thresholds is None
    assert "alpha" in mixed.why_not == mixed.family
    chosen = relance.score(game, game.published(alpha="1/6"), published={"alpha": "1/6"})
    assert set(chosen.differences.values()) == {0.0}
    unprinted = relance.make("von_neumann", deal="normal:1/2")
    found = relance.score(unprinted, "uniform", hands=20)
    assert found.equilibrium is found.against_published is found.differences is None
    assert "no strategy is published" in found.why_not
    assert (found.family, found.hands, mixed.hands) == ("", 20, None)
    assert "no comparison" in str(found)
    assert earned(game, "uniform", 0, "uniform").value == 0
    listed = relance.score(game, ["published", "uniform"]), relance.score(game, "mixture(published, uniform)")
    assert listed[0].nash_conv == listed[1].nash_conv != mixed.nash_conv


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


def test_bad_input():
    game = relance.make("von_neumann")
    with pytest.raises(ValueError, match="profile of 'la_relance'"):
        relance.score(game, relance.make("la_relance").published())
    with pytest.raises(TypeError, match="is not an agent"):
        relance.score(game, 5)
    with pytest.raises(TypeError, match="game=None must be a game"):
        relance.score(None, "uniform")
    with pytest.raises(ValueError, match="tolerance=0"):
        relance.score(game, "uniform", tolerance=0)
    with pytest.raises(ValueError, match="mode='best'"):
        relance.score(game, shifted(0), mode="best")
    with pytest.raises(ValueError, match="illegal='drop'"):
        relance.score(game, shifted(0), illegal="drop")
    even = relance.score(game, lambda o, m: np.full(m.shape, 0.25), illegal="renormalise", hands=9)
    assert even.nash_conv == pytest.approx(float(relance.nash_conv(game.grid(9), game.grid(9).uniform())))


def test_openspiel_policies():
    game = relance.make("one_card_poker")
    policy = relance.openspiel.policy(game, game.published())
    assert relance.score(game, policy).nash_conv == pytest.approx(0, abs=1e-12)
    assert relance.score(game, policy.to_tabular()).nash_conv == pytest.approx(0, abs=1e-12)
    with pytest.raises(ValueError, match="this is a policy of"):
        relance.score(relance.make("one_card_poker", cards=4), policy)


def test_openspiel_agents():
    from open_spiel.python.algorithms.tabular_qlearner import QLearner

    game = relance.make("one_card_poker")
    agents = [QLearner(seat, len(game.actions)) for seat in (0, 1)]
    assert relance.score(game, agents, illegal="renormalise").nash_conv > 0
    with pytest.raises(ValueError, match="give a pair"):
        relance.score(game, agents[0])


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
        law = torch.softmax(net.layer(torch.tensor(first))[:, :2].double(), 1).numpy()
    assert np.allclose(plain.profile[""], law.T, atol=1e-6)
    greedy = relance.score(game, net, mode="argmax")
    assert (greedy.profile[""][0] == (law[:, 0] > 0.5)).all()
    assert relance.score(game, Net(lambda x: x, 0.0)).nash_conv == pytest.approx(
        float(relance.nash_conv(game, game.uniform()))
    )
    for broken, says in [
        (Net(lambda x: x, float("nan")), "logit of action"),
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
    values = DQN("MlpPolicy", env, buffer_size=10, seed=0, device="cpu")
    with pytest.raises(ValueError, match="illegal"):
        relance.score(env.game, values, hands=30)
    with pytest.raises(ValueError, match="the model was made for"):
        relance.score(relance.make("la_relance"), masked)
    assert earned(env.game, masked, 0, "caller").best == 0.5


def test_openspiel_torch_agents():
    pytest.importorskip("torch", reason="needs the extra torch")
    pytest.importorskip("tree", reason="needs the extra torch")
    from open_spiel.python.pytorch.policy_gradient import PolicyGradient
    from open_spiel.python.pytorch.ppo import PPO, PPOAgent

    game = relance.make("one_card_poker")
    size, width = rules(game).size, len(game.actions)
    agents = [PolicyGradient(seat, size, width, hidden_layers_sizes=(8,)) for seat in (0, 1)]
    assert 0 < relance.score(game, agents).nash_conv < 4
    together = PPO(input_shape=(size,), num_actions=width, num_players=2, agent_fn=PPOAgent, device="cpu")
    assert relance.score(game, together).nash_conv == pytest.approx(
        float(relance.score(game, "uniform").nash_conv), abs=0.1
    )


def test_thresholds_by_frequency_where_the_caller_mixes():
    """Half of the hands between 4/9 and 6/9 call as often as all of them above 5/9."""
    game = relance.make("von_neumann")
    published = game.published()
    thirds = {"call": [("4/9", "2/3", "1/2"), ("2/3", 1)]}
    mixed = game.profile({"": {"bet": [(0, "1/9"), ("7/9", 1)]}, "bet": thirds})
    for made, profile in ((game, mixed), (game.grid(18), game.grid(18).fit(mixed))):
        found = relance.score(made, profile)
        call = found.thresholds["bet"]["call"]
        assert call.by_frequency == pytest.approx((5 / 9,), abs=1e-12)
        assert call.learned != (5 / 9,)
    assert relance.nash_conv(game, mixed) == relance.nash_conv(game, published) == 0


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


def test_what_openspiel_policies_may_answer():
    game = relance.make("one_card_poker", raises=1)
    right = tabular(game, game.published())

    class Policy:
        def __init__(self, change):
            self.change = change

        def action_probabilities(self, state, player_id=None):
            seen, mask = np.array(state.information_state_tensor(), np.float32), np.array(state.legal_actions_mask())
            return dict(enumerate(self.change(right(seen[None], mask[None])[0], mask)))

    assert relance.score(game, Policy(lambda row, mask: row)).nash_conv == pytest.approx(0, abs=1e-6)
    leaky = Policy(lambda row, mask: row * 0.9 + 0.1 / (~mask.astype(bool)).sum() * (1 - mask))
    partly = Policy(lambda row, mask: row * 0.3)
    for policy, says in ((leaky, "illegal action"), (partly, "sum to 0.3")):
        with pytest.raises(ValueError, match=says + ".*illegal='renormalise'"):
            relance.score(game, policy)
        assert relance.score(game, policy, illegal="renormalise").nash_conv == pytest.approx(0, abs=1e-6)
    with pytest.raises(ValueError, match="sum to 3"):
        relance.score(game, Policy(lambda row, mask: row * 3), illegal="renormalise")
    with pytest.raises(ValueError, match="finitely many hands"):
        relance.score(relance.make("von_neumann"), leaky)


def test_a_score_that_does_not_settle_warns():
    def stripes(observations, masks):
        bet = (np.floor(observations[:, 2] * 2**15) % 2).astype(bool)
        first, last = masks.argmax(axis=1), masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return np.where(bet & (observations[:, 2] > 0.5), last, first)

    with pytest.warns(UserWarning, match="still moved by"):
        found = relance.score(relance.make("von_neumann"), stripes, tolerance=1e-12)
    assert found.reached > found.tolerance
    assert len(str(found)) < 3000


def test_parts_of_a_network_keep_their_mode():
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    game = relance.make("one_card_poker")
    size, width = rules(game).size, len(game.actions)
    net = torch.nn.Sequential(torch.nn.Linear(size, 8), torch.nn.BatchNorm1d(8), torch.nn.Linear(8, width))
    net.train()
    net[1].eval()
    relance.score(game, net)
    assert [part.training for part in net] == [True, False, True]
    named = torch.nn.Identity()
    named.forward = lambda seen: {"policy": seen}
    for bad, says in (
        (torch.nn.Linear(size + 1, width), "does not take observations of shape"),
        (named, "answers with a dict"),
    ):
        with pytest.raises(ValueError, match=says):
            relance.score(game, bad)
    law = torch.nn.Sequential(torch.nn.Linear(size, width), torch.nn.Softmax(dim=1))
    found = relance.score(game, lambda seen, masks: law(torch.tensor(seen)), illegal="renormalise")
    assert found.nash_conv > 0


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


def test_hands_that_are_never_dealt():
    """With p = 1 player 0 always wins; OpenSpiel has no state in which they lose, and its policies say nothing of it."""
    for p in (0, 1):
        game = relance.make("endgame", p=p)
        source = relance.openspiel.policy(game, game.uniform())
        for policy in (source, source.to_tabular()):
            assert relance.score(game, policy).value == pytest.approx(float(relance.value(game, game.uniform())))
            assert relance.nash_conv(game, relance.from_policy(game, policy)) >= 0
