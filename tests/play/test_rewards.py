"""The rewards of learning, against the exact solver by other routes, and that each leads where its page says."""

import math
from itertools import product

import numpy as np
import pytest

import relance
from relance.play.agents import strategy
from relance.play.coach import Coach
from relance.play.rewards import REWARDS, Rewards
from relance.solvers.exact import best_response, reach_probs, value

KUHN = relance.make("one_card_poker", raises=0)
FOLLOWING = [name for name, reward in REWARDS.items() if reward.follows]


def random_policy(game, seed=0):
    rng = np.random.default_rng(seed)
    plan = {}
    for name, node in game.tree.decisions.items():
        shares = rng.random((len(node.actions), game.deal.size(node.player))) + 0.1
        plan[name] = dict(zip(node.actions, shares / shares.sum(axis=0), strict=True))
    return game.profile(plan)


def mean_paid(game, rewards, policy, seat, against):
    """What a policy is paid in a game, all its decisions together, if the other seat is `against`."""
    total, table = 0.0, game.tree.table
    met = relance.solvers.exact.action_values(game, policy.replace(against), seat)
    for name, (others, _) in met.items():
        node = table.names.index(name)
        came = others * reach_probs(game, policy, seat, name)
        for hand in range(game.deal.size(seat)):
            chances = [row[hand] for row in policy[name]]
            paid = [rewards.paid(node, hand, action) for action in table.legal_ids[node]]
            total += came[hand] * sum(p * q for p, q in zip(chances, paid, strict=True))
    return float(total)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("reward", ["advantage", "exploitability_descent"])
def test_another_policy_is_paid_what_it_earns_more(finite_game, reward, seat):
    """The performance difference lemma: against the same other seat, mean pay is what the new policy earns less what the old one does."""
    game, old, new = finite_game, random_policy(finite_game), random_policy(finite_game, 1)
    if game.deal.size(0) > 50 or len(game.tree.decisions) > 40:
        pytest.skip("hundreds of questions; the smaller games show the same")
    rewards = Rewards(game, reward)
    rewards.refresh(old)
    other = rewards.opponent(1 - seat)
    sign = 1 - 2 * seat
    more = sign * float(value(game, new.replace(other)) - value(game, old.replace(other)))
    assert mean_paid(game, rewards, new, seat, other) == pytest.approx(more, abs=1e-9)
    assert mean_paid(game, rewards, old, seat, other) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("seat", [0, 1])
def test_exploitability_descent_meets_a_best_response(seat):
    policy = random_policy(KUHN)
    rewards = Rewards(KUHN, "exploitability_descent")
    rewards.refresh(policy)
    earns = value(KUHN, policy.replace(rewards.opponent(seat))) * (1 - 2 * seat)
    assert earns == pytest.approx(best_response(KUHN, policy, seat).value)


def test_at_an_equilibrium_nothing_is_gained(aligned_game):
    """The advantage of an action that an equilibrium takes is 0, and of no action above 0; the magnet adds nothing where it agrees."""
    game = aligned_game
    if not game.deal.is_finite or game.deal.size(0) > 50:
        pytest.skip("finite hands")
    profile = game.published().as_float()
    for name in ("advantage", "magnet(follow=1)"):
        rewards = Rewards(game, name)
        rewards.refresh(profile)
        for seat in (0, 1):
            for node, lost in rewards.coach(seat).lost.items():
                came = reach_probs(
                    game, profile, seat, game.tree.table.names[node]
                )  # an equilibrium may err where it never comes
                for hand, action in product(range(game.deal.size(seat)), game.tree.table.legal_ids[node]):
                    assert not came[hand] or -lost[hand, action] == rewards.paid(node, hand, action) < 1e-9


def test_the_magnet_pays_for_what_the_average_does_more():
    policy = random_policy(KUHN)
    plain, pulled = Rewards(KUHN, "advantage"), Rewards(KUHN, "magnet(pull=1/4, follow=0)")
    for rewards in (plain, pulled):
        rewards.refresh(policy)
    table = KUHN.tree.table
    for name in KUHN.tree.decisions:
        index = table.names.index(name)
        for hand in range(3):
            chances = np.array([row[hand] for row in policy[name]])
            logs = np.log(chances / (1 / len(chances)))
            cost = 0.25 * 2 * (logs - chances @ logs)  # the most that can be lost is 2
            paid = [[rewards.paid(index, hand, a) for a in table.legal_ids[index]] for rewards in (plain, pulled)]
            assert np.subtract(*paid) == pytest.approx(cost)


def test_the_average_moves_by_its_share():
    policy = random_policy(KUHN)
    rewards = Rewards(KUHN, "magnet(follow=1/4)")
    rewards.refresh(policy)
    for name in KUHN.tree.decisions:
        for magnet, row in zip(rewards.magnet[name], policy[name], strict=True):
            assert magnet == pytest.approx(0.75 * 0.5 + 0.25 * row)


@pytest.mark.parametrize("reward", FOLLOWING)
def test_before_the_first_refresh_the_policy_is_uniform(reward):
    fresh, told = Rewards(KUHN, reward), Rewards(KUHN, reward)
    told.refresh("uniform")
    nodes = [n for n, p in enumerate(KUHN.tree.table.player) if p >= 0]
    assert [fresh.paid(n, 1, 0) for n in nodes] == pytest.approx([told.paid(n, 1, 0) for n in nodes])


def test_the_opponent_who_is_given_is_the_reference_opponent():
    policy = random_policy(KUHN)
    rewards = Rewards(KUHN, "advantage", "passive")
    rewards.refresh(policy)
    assert rewards.opponent(1).at.keys() == strategy(KUHN, "passive", 1).at.keys()
    coach = Coach(KUHN, 0, "passive", False, policy)
    assert [rewards.paid(0, hand, 1) for hand in range(3)] == [-coach.loss(0, hand, 1) for hand in range(3)]


def test_loss_is_the_coachs(default_game):
    game = default_game if default_game.deal.is_finite else default_game.grid(6)
    if game.deal.size(0) > 100 or not game.is_published:
        pytest.skip("thousands of hands or an equilibrium to be solved")
    rewards, coach = Rewards(game, "loss"), Coach(game, 0, exact=False)
    node = game.tree.table.names.index(next(iter(game.tree.of(0))))
    assert [rewards.paid(node, hand, 0) for hand in range(game.deal.size(0))] == [
        -coach.loss(node, hand, 0) for hand in range(game.deal.size(0))
    ]


def test_answers_are_a_policy():
    """The estimate tends to the frequencies; older answers count less after each refresh."""
    rewards = Rewards(KUHN, "advantage", keep=0.5)
    for _ in range(30):
        rewards.record(0, 2, 1)
    rewards.record(0, 2, 0)
    rewards.record(0, 2, -1)  # no action
    rewards.refresh()
    bet = rewards.policy[""][1]
    assert bet[2] == pytest.approx((30 + 0.5) / 32)
    assert bet[0] == 0.5
    rewards.refresh()
    assert rewards.policy[""][1][2] == pytest.approx((15 + 0.5) / 16.5)
    told = Rewards(KUHN, "advantage")
    told.refresh(rewards.policy)
    assert told.paid(0, 2, 0) == rewards.paid(0, 2, 0)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("game", ["one_card_poker", "von_neumann(hands=9)", "von_neumann", "leduc"])
def test_many_at_once(reward, game):
    game = relance.make(game)
    rewards = Rewards(game, reward)
    if game.deal.is_finite and rewards.follows:
        rewards.refresh(random_policy(game))
    rng, table = np.random.default_rng(0), game.tree.table
    nodes = rng.choice(np.flatnonzero(table.player >= 0), 50)
    hands = rng.random(50) if not game.deal.is_finite else rng.integers(game.deal.size(0), size=50)
    actions = rng.integers(len(game.actions), size=50)
    paid = rewards.paid_at(table.player[nodes], nodes, hands, actions)
    alone = [rewards.paid(*one) for one in zip(nodes.tolist(), hands.tolist(), actions.tolist(), strict=True)]
    assert paid == pytest.approx(alone)
    ends = np.flatnonzero(table.player < 0)[:3]
    assert (rewards.paid_at(0, ends, hands[:3], actions[:3]) == 0).all()
    assert math.isnan(rewards.paid(int(ends[0]), hands[0], 0))


def test_hands_on_an_interval_have_a_magnet():
    game = relance.make("von_neumann")
    rewards = Rewards(game, "magnet")
    for policy in (lambda seen, masks: masks / masks.sum(axis=1, keepdims=True), "published", "perturbed(0.2)"):
        rewards.refresh(policy)
    assert rewards.paid(0, 0.99, 1) > rewards.paid(0, 0.99, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"reward": "los"}, "no reward 'los'; did you mean 'loss'"),
        ({"reward": "magnet(pull=-1)"}, "pull=-1 must be at least 0"),
        ({"reward": "magnet(pull=1e400)"}, "has too many digits"),
        ({"reward": "magnet(follow=2)"}, "follow=2 must be at least 0 and at most 1"),
        ({"reward": "magnet(strength=2)"}, "'magnet' takes pull, follow"),
        ({"reward": "advantage(uniform)"}, "'advantage' takes no arguments"),
        ({"reward": "loss("}, "cannot be read"),
        ({"reward": "loss(nobody)"}, "there is no opponent 'nobody'"),
        ({"reward": "exploitability_descent", "opponent": "uniform"}, "has an opponent of its own"),
        ({"keep": 2}, "keep=2"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        Rewards(KUHN, **arguments)


@pytest.mark.parametrize("place", [(9999, 0), (-1, 0), (0, 3), (0, -1)])
def test_a_place_that_is_none_is_named(place):
    rewards = Rewards(KUHN, "advantage")
    with pytest.raises(ValueError, match="(node|hand)=-?[0-9]+ must be between 0 and"):
        rewards.record(*place, 1)
    if min(place) >= 0:
        with pytest.raises(ValueError, match="must be between 0 and"):
            rewards.paid(*place, 1)


def test_answers_need_finite_hands():
    with pytest.raises(ValueError, match="cut them into cells"):
        Rewards(relance.make("von_neumann"), "advantage").refresh()
