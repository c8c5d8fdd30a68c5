"""`reward=` of the environments: what is paid, who is met, and that all of them pay the same."""

import gymnasium
import numpy as np
import pettingzoo
import pytest
from conftest import DEFAULTS

import relance
from relance.play.batch import Batch
from relance.play.rewards import REWARDS, Rewards
from relance.registration.gymnasium import SeatEnv
from relance.registration.pettingzoo import env, parallel_env
from relance.registration.vector import VectorSeatEnv

KUHN = relance.make("one_card_poker", raises=0)
SKEWED = {"": "3/4", "check": "1/2", "bet": "1/5", "check-bet": "2/3"}
PROFILE = KUHN.profile({name: {KUHN.tree.decisions[name].actions[0]: p} for name, p in SKEWED.items()}).as_float()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("reward", REWARDS)
def test_one_seat_is_paid_by_decision_or_at_the_end(reward, seat):
    made = gymnasium.make("relance/OneCardPoker-v0", raises=0, seat=seat, reward=reward).unwrapped
    made.refresh(PROFILE)
    rewards = Rewards(KUHN, reward)
    rewards.refresh(PROFILE)
    rng, paid = np.random.default_rng(0), 0.0
    made.reset(seed=0)
    for _ in range(60):
        node, hand, mover = made.node, made.hands[seat], made.table.player
        action = int(rng.integers(2))
        _, got, over, _, _ = made.step(action)
        if reward == "chips":
            assert got == (made.table.chips * (1 - 2 * seat) if over else 0)
        else:
            assert got == pytest.approx(rewards.paid(node, hand, action) if mover == seat else 0)
        paid += abs(got)
        if over:
            made.reset()
    assert paid > 0


@pytest.mark.parametrize("reward", [name for name in REWARDS if name != "chips"])
def test_many_tables_pay_what_one_pays(reward):
    many = VectorSeatEnv(KUHN, 64, seat="random", reward=reward)
    many.refresh(PROFILE)
    many.reset(seed=1)
    rewards = Rewards(KUHN, reward)
    rewards.refresh(PROFILE)
    rng, met = np.random.default_rng(0), 0
    for _ in range(8):
        node, hands, seat = many._seats.batch.running.node.copy(), many.hands, many.seat
        actions = rng.integers(2, size=64)
        _, got, *_ = many.step(actions)
        movers = many._seats.batch.board.player.take(node)
        for table in np.flatnonzero(movers == seat):
            expected = rewards.paid(int(node[table]), hands[table, seat[table]], int(actions[table]))
            assert got[table] == pytest.approx(expected)
            met += 1
        assert (got[movers != seat] == 0).all()
    assert met > 100


def test_who_is_met_follows_the_learner():
    """The other seat plays the policy of the last refresh, a best response to it, or whom the caller named."""
    calls = KUHN.profile({name: {KUHN.tree.decisions[name].actions[-1]: 1} for name in SKEWED}).as_float()
    nodes = KUHN.tree.decisions
    folds = KUHN.profile(
        {name: {node.actions[-1 if node.player == 0 else 0]: 1} for name, node in nodes.items()}
    ).as_float()

    def ends(made):
        """What bets with the worst card are paid in chips: 1 if they are never called."""
        made.reset(seed=0)
        out = set()
        for _ in range(40):
            if made.hands[0] == 0:
                made.step(1)
                out.add(made.table.chips)
            made.reset()
        return out

    for many in (False, True):
        for options, policy, chips in (
            ({"reward": "advantage"}, calls, {-2.0}),
            ({"reward": "advantage"}, folds, {1.0}),
            ({"reward": "exploitability_descent"}, folds, {-2.0}),
            ({"reward": "advantage", "opponent": "passive"}, calls, {1.0}),
            ({"reward": "chips"}, calls, {-2.0, 1.0}),
        ):
            if not many:
                made = SeatEnv(KUHN, **options)
                made.refresh(policy)
                assert ends(made) == chips, options
            else:
                made = VectorSeatEnv(KUHN, 200, autoreset_mode="Disabled", **options)
                made.refresh(policy)
                made.reset(seed=0)
                worst = made.hands[:, 0] == 0
                made.step(np.ones(200, int))
                assert set(made._seats.batch.running.chips[worst].tolist()) == chips, options


@pytest.mark.parametrize("make", [env, parallel_env])
@pytest.mark.parametrize("reward", [name for name in REWARDS if name != "chips"])
def test_both_agents_are_the_learner(make, reward):
    made, rewards = make(KUHN, reward=reward), Rewards(KUHN, reward)
    for one in (made, rewards):
        one.refresh(PROFILE)
    rng = np.random.default_rng(0)
    for seed in range(20):
        made.reset(seed=seed)
        while not made.table.over:
            node, mover = made.node, made.table.player
            hand, action = made.hands[mover], int(rng.integers(2))
            if make is env:
                made.step(action)
                got = made.rewards
            else:
                _, got, *_ = made.step({f"player_{mover}": action, f"player_{1 - mover}": made.wait})
            assert got == pytest.approx({f"player_{mover}": rewards.paid(node, hand, action), f"player_{1 - mover}": 0})


def test_acting_out_of_turn_costs_the_most_that_can_be_lost():
    made = pettingzoo.make("parallel", "relance/one_card_poker-v0", raises=0, reward="advantage").unwrapped
    made.reset(seed=0)
    _, got, *_ = made.step({"player_0": 0, "player_1": 0})
    assert got == {"player_0": 0.0, "player_1": -2.0}


def test_a_batch_is_paid_by_the_same_function():
    rewards, batch = Rewards(KUHN, "magnet"), Batch(KUHN, 50, seed=0)
    rewards.refresh(PROFILE)
    for _ in range(5):
        actions, movers = batch.random_actions(), batch.to_move
        hands, nodes = batch.hands[np.arange(50), movers], batch.node.copy()
        paid = rewards.paid_at(movers, nodes, hands, actions)
        assert paid == pytest.approx(
            [rewards.paid(*one) for one in zip(nodes.tolist(), hands.tolist(), actions.tolist(), strict=True)]
        )
        batch.step(actions)


def test_a_wrong_reward_is_named():
    with pytest.raises(ValueError, match="no reward 'chip'; did you mean 'chips'"):
        SeatEnv(KUHN, reward="chip")


def played(made, refreshed=None):
    """What 20 steps show at 64 tables."""
    if refreshed is not None:
        made.refresh(refreshed)
    seen, _ = made.reset(seed=1)
    shown = [seen]
    for _ in range(20):
        seen, rewards, *_ = made.step(made.action_masks().argmax(axis=1))
        shown += [seen, rewards[:, None]]
    return np.concatenate(shown, axis=1)


@pytest.mark.parametrize("game", DEFAULTS, ids=str)
def test_against_oneself_the_opponent_is_who_was_last_told(game):
    """Uniform play at first, then each refresh; the same hands and actions as against that player."""
    made = VectorSeatEnv(game, 64, "self", "random")
    uniform = played(VectorSeatEnv(game, 64, "uniform", "random"))
    assert np.array_equal(played(made), uniform)
    calling = played(made, "caller")
    assert np.array_equal(calling, played(VectorSeatEnv(game, 64, "caller", "random")))
    assert not np.array_equal(calling, uniform)
    assert np.array_equal(played(made, game.uniform()), uniform)


def test_one_seat_against_oneself():
    made = SeatEnv(KUHN, opponent="self", seat=0)
    chips = []
    for policy in (None, "passive", "aggressive"):
        if policy is not None:
            made.refresh(policy)
        made.reset(seed=3)
        games = []
        for _ in range(60):
            _, reward, over, _, _ = made.step(1)  # bet
            assert over
            games.append(reward)
            made.reset()
        chips.append(set(games))
    assert chips == [{1, 2, -2}, {1}, {2, -2}]  # folded to or called; always folded to; always called
    with pytest.raises(ValueError, match="there is no opponent 'self'"):
        relance.score(KUHN, "self")
