"""What each action is worth against an opponent, and the loss that environments teach, against the exact solver by other routes."""

import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from conftest import DEFAULTS, one_each

import relance
from relance.play.agents import strategy
from relance.play.coach import Coach, gaps
from relance.play.exact_score import earned
from relance.registration.gymnasium import SeatEnv
from relance.registration.pettingzoo import parallel_env
from relance.registration.vector import VectorSeatEnv
from relance.solvers.best_response import mixed
from relance.solvers.exact import action_values, best_response, nash_conv, reach_probs, value

KUHN = relance.make("one_card_poker", raises=0)


POINTS = [0.03, 0.21, 0.34, 0.5, 0.61, 0.77, 0.86, 0.99]


def some_hands(game, seat):
    return range(game.deal.size(seat)) if game.deal.is_finite else map(Fraction, POINTS)


def at(function, hand):
    return function(hand) if callable(function) else function[hand]


def test_the_coach_says_what_the_solver_says(published_game):
    """The action values, given hand and node, of the published opponent and a best response to it."""
    game, profile = published_game, published_game.published()
    for seat in (0, 1):
        best = best_response(game, profile, seat)
        coach = Coach(game, seat)
        assert coach.value == best.value
        for node, (met, values) in action_values(game, profile.replace(best.strategy), seat).items():
            for hand in some_hands(game, seat):
                here = at(met, hand)
                assert coach.action_values(node, hand) == (tuple(at(v, hand) / here for v in values) if here else None)


def test_published_play_costs_nothing(published_game):
    """Where the profile is an equilibrium, the published action values are the coach's for every action it takes."""
    game, profile = published_game, published_game.published()
    if nash_conv(game, profile) != 0:
        assert game.rounding > 0
        return
    for seat in (0, 1):
        coach = Coach(game, seat)
        for node, (met, values) in action_values(game, profile, seat).items():
            came = reach_probs(game, profile, seat, node)
            for hand in some_hands(game, seat):
                if at(met, hand) and at(came, hand):
                    chips = coach.action_values(node, hand)
                    for p, v, mine in zip(profile[node], values, chips, strict=True):
                        assert not at(p, hand) or at(v, hand) / at(met, hand) == mine == max(chips)


def test_costs_are_the_teaching_signal(published_game):
    """`Coach.losses` works them out in floats, for many hands at once."""
    game = published_game
    for seat in (0, 1):
        coach, rough = Coach(game, seat), Coach(game, seat, exact=False)
        for name in game.tree.of(seat):
            index = game.tree.table.names.index(name)
            legal = game.tree.table.legal_ids[index]
            for hand in some_hands(game, seat):
                costs = gaps(chips) if (chips := coach.action_values(name, hand)) else [0] * len(legal)
                held = hand if isinstance(hand, int) else float(hand)
                assert [rough.loss(index, held, action) for action in legal] == pytest.approx(
                    [float(cost) for cost in costs], abs=1e-9
                )


@pytest.mark.parametrize("game", [KUHN, relance.make("one_card_poker"), relance.make("von_neumann", hands=9)], ids=str)
@pytest.mark.parametrize("seat", [0, 1])
def test_costs_sum_to_what_is_missed(game, seat):
    """Exactly: what uniform play earns against the published opponent is what best play earns, less its expected costs."""
    other = game.published().strategies[1 - seat]
    profile = game.uniform().replace(other)
    earned, coach, lost = value(game, profile) * (1 - 2 * seat), Coach(game, seat), Fraction(0)
    for node, (met, _) in action_values(game, profile, seat).items():
        came = reach_probs(game, profile, seat, node)
        for hand in range(game.deal.size(seat)):
            if met[hand]:
                costs = [np.array([cost], object) for cost in gaps(coach.action_values(node, hand))]
                lost += met[hand] * came[hand] * mixed([row[hand] for row in profile[node]], costs)[0]
    assert earned == coach.value - lost


def test_normal_hands_are_scored_on_their_cells():
    game = relance.make("von_neumann", deal="normal:1/2:60")
    chips = Coach(game, 0, "uniform").action_values("", 59)
    assert chips[1] > chips[0] > 0.5
    assert float(gaps(chips)[0]) == pytest.approx(Coach(game, 0, "uniform", exact=False).loss(0, 59, 0), abs=1e-9)


AGAINST = [*product(["published", "uniform", "perturbed(0.1)"], [0, 1])]


@pytest.mark.parametrize(("default_game", "against"), one_each(DEFAULTS, AGAINST), ids=str)
def test_losses_sum_to_what_could_have_been_earned(default_game, against):
    """Against the same opponent: the expected losses of uniform play are the best less what it earns."""
    if default_game.name == "five_card":
        pytest.skip("thousands of hands; the other card games show the same")
    opponent, seat = against
    if opponent == "published" and not default_game.is_published:
        opponent = "equilibrium"
    game, exactly = default_game, default_game.deal.is_finite
    coach = Coach(game, seat, opponent, exact=False)
    profile = game.uniform().replace(strategy(game, opponent, 1 - seat))
    total, points = 0.0, 20_000
    for name, (met, _) in action_values(game, profile, seat).items():
        node = game.tree.table.names.index(name)
        hands = np.arange(game.deal.size(seat)) if exactly else (np.arange(points) + 0.5) / points
        came = met * reach_probs(game, profile, seat, name)
        weight = (
            np.asarray(came, float) if exactly else np.array([float(came(h)) for h in hands[::20]]).repeat(20) / points
        )
        legal = game.tree.table.legal_ids[node]
        for action in legal:
            total += (weight * coach.losses(node, hands, np.full(len(hands), action))).sum() / len(legal)
    chips = earned(game, "uniform", seat, opponent)
    assert total == pytest.approx(float(chips.best - chips.value), abs=1e-9 if exactly else 1e-3)


def test_the_environments_teach():
    game = relance.make("one_card_poker")
    assert "loss" not in SeatEnv(game).reset(seed=0)[1]
    env = SeatEnv(game, opponent="uniform", teach="uniform")
    coach = Coach(game, 0, "uniform", exact=False)
    for seed in range(30):
        _, info = env.reset(seed=seed)
        assert info["loss"] == 0.0
        over = False
        while not over:
            before, action = env.table.node, int(np.flatnonzero(env.action_masks())[seed % 2])
            _, _, over, _, info = env.step(action)
            assert info["loss"] == coach.loss(before, env.table.hands[0], action) >= 0
    env.reset(seed=0)
    _, reward, _, _, info = env.step(game.action_id("fold"))
    assert info["loss"] > -reward == env.rules.worst[0]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_tables_teach_what_is_lost(mode):
    """The mean over many episodes of losses and reward together is what can be earned."""
    game = relance.make("pot_limit")
    tables = VectorSeatEnv(game, 20_000, opponent="perturbed(1/2)", teach="perturbed(1/2)", seat=1, autoreset_mode=mode)
    rng, best = np.random.default_rng(0), float(earned(game, "uniform", 1, "perturbed(1/2)").best)
    _, infos = tables.reset(seed=0)
    assert not infos["loss"].any()
    total, running = np.zeros(20_000), np.ones(20_000, bool)
    while running.any():
        allowed = infos["action_mask"] * rng.random(infos["action_mask"].shape)
        _, rewards, over, _, infos = tables.step(allowed.argmax(axis=1))
        total += np.where(running, rewards + infos["loss"], 0)
        running &= ~over
    assert abs(total.mean() - best) < 5 * total.std() / len(total) ** 0.5


def test_both_players_are_taught():
    env = relance.env("one_card_poker", teach=True)
    env.reset(seed=0)
    bet = env.game.action_id("bet")
    expected = Coach(env.game, 0, exact=False).loss(0, env.table.hands[0], bet)
    env.step(bet)
    assert env.infos["player_0"]["loss"] == expected
    assert env.infos["player_1"]["loss"] == 0.0
    assert "loss" not in relance.env("one_card_poker").infos
    both = parallel_env("one_card_poker", teach=True)
    both.reset(seed=0)
    _, _, _, _, infos = both.step({"player_0": bet, "player_1": bet})
    assert infos["player_0"]["loss"] == 0.0
    assert np.isnan(infos["player_1"]["loss"])


def test_a_trained_network_is_an_opponent():
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    for name in ("one_card_poker", "von_neumann"):
        game = relance.make(name)
        network = torch.nn.Linear(SeatEnv(game).rules.size, len(game.actions))
        best = float(earned(game, "uniform", 0, network).best)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tables = VectorSeatEnv(game, 2000, opponent=network, teach=network)
            _, infos = tables.reset(seed=0)
            total, running = np.zeros(2000), np.ones(2000, bool)
            while running.any():
                _, rewards, over, _, infos = tables.step(infos["action_mask"].argmax(axis=1))
                total += np.where(running, rewards + infos["loss"], 0)
                running &= ~over
        assert abs(total.mean() - best) < 5 * total.std() / 2000**0.5


@pytest.mark.parametrize("teach", [None, 0, 1])
def test_what_teaching_is_not(teach):
    with pytest.raises(ValueError, match=f"teach={teach}"):
        SeatEnv("one_card_poker", teach=teach)
