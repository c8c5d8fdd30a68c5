"""Real cards in the environments: dealt, shown to their owner, and seen as kind and place."""

import numpy as np
import pytest

import relance
from relance.model.playing_cards.classes import deck
from relance.play.batch import Batch
from relance.registration.gymnasium import SeatEnv
from relance.registration.vector import VectorSeatEnv


def check(info, observation, seat):
    """The cards are of the class, and the observation is its kind and place."""
    index = deck().classify(info["cards"])
    assert info["hand"] == deck().names[index]
    hand = observation[2:11]
    assert np.flatnonzero(hand).tolist() == [deck().classes[index].kind]
    assert hand.max() == np.float32(deck().below[index + 1] / deck().hands)
    assert observation[seat] == 1


@pytest.mark.parametrize("removal", [True, False])
def test_pettingzoo_deals_real_cards(removal):
    env = relance.env("five_card", extra_info=True, render_mode="ansi", removal=removal)
    shared = 0
    for seed in range(30):
        env.reset(seed=seed)
        for seat, agent in enumerate(env.possible_agents):
            check(env.infos[agent], env.observe(agent)["observation"], seat)
        held = [env.infos[agent]["cards"] for agent in env.possible_agents]
        shared += bool(set(held[0].split()) & set(held[1].split()))
        assert held[0] in env.render()
        assert held[1] not in env.render()
    assert bool(shared) != removal
    env.reset(seed=3)
    again = env.infos["player_0"]["cards"]
    env.reset(seed=3)
    assert env.infos["player_0"]["cards"] == again


@pytest.mark.parametrize("seat", [0, 1])
def test_gymnasium_deals_real_cards(seat):
    env = SeatEnv("five_card", seat=seat, opponent="uniform", extra_info=True, render_mode="ansi")
    for seed in range(10):
        seen, info = env.reset(seed=seed)
        check(info, seen, seat)
        assert info["cards"] in env.render()


def test_vector_environments_deal_real_cards():
    tables = VectorSeatEnv("five_card", 20, opponent="uniform", seat="random", extra_info=True)
    for seed in (1, 2):
        seen, infos = tables.reset(seed=seed)
        for i in range(20):
            check({key: infos[key][i] for key in ("cards", "hand")}, seen[i], int(infos["seat"][i]))
    cards = infos["cards"].tolist()
    assert tables.reset(seed=2)[1]["cards"].tolist() == cards


@pytest.mark.parametrize("compiled", [False, True])
def test_batches_deal_by_the_distribution(compiled):
    if compiled:
        pytest.importorskip("numba", reason="needs the extra fast")
    game = relance.make("five_card")
    tables = Batch(game, 50_000, seed=5, compiled=compiled)
    kinds = np.array([item.kind for item in deck().classes])
    found = np.stack([np.bincount(kinds[hand], minlength=9) for hand in tables.hands.T])
    distribution = np.bincount(kinds, weights=deck().counts) / deck().hands
    assert (np.abs(found - 50_000 * distribution) < 5 * np.sqrt(50_000 * distribution) + 5).all()
    assert (tables.hands < 7462).all()
