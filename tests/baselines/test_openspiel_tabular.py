"""OpenSpiel's tabular algorithms and vector CFR reach known equilibria under the protocol."""

import random

import numpy as np
import pytest

import relance
from relance.baselines import openspiel_tabular, runs
from relance.baselines.algorithms import algorithm
from relance.baselines.openspiel_games import any_game, games_of
from relance.registration.efg import to_efg

KUHN = relance.make("one_card_poker", raises=0)
STEPS = {"cfr+": 200, "openspiel_cfr": 2000, "openspiel_cfr_plus": 200, "openspiel_mccfr": 50_000, "openspiel_xfp": 60}


def trained(name, game=KUHN, seed=0, steps=None):
    chosen = runs.algorithm(name)
    learner = chosen.start(game, chosen.Settings(), seed)
    samples = [learner.step() for _ in range(steps or STEPS[name])]
    assert all(isinstance(count, int) and count > 0 for count in samples)
    return learner.agent()


@pytest.mark.parametrize("name", STEPS)
def test_approaches_an_equilibrium_of_kuhns_game(name):
    bound = 0.1 if name == "openspiel_xfp" else 0.03
    profile = trained(name)
    assert relance.nash_conv(KUHN, profile) < bound < relance.nash_conv(KUHN, KUHN.uniform())
    assert float(relance.value(KUHN, profile)) == pytest.approx(-1 / 18, abs=bound)


@pytest.mark.parametrize("name", ["cfr+", "openspiel_cfr_plus", "openspiel_xfp"])
def test_two_cards_of_unequal_hands_and_cells(name):
    """Ponssard's game has two hands with given chances, and the cells of von Neumann's have unequal weight."""
    game = relance.make("von_neumann", bet=2)
    for played in (relance.make("ponssard"), game.cells(game.published())):
        before = relance.nash_conv(played, played.uniform())
        assert relance.nash_conv(played, trained(name, played, steps=30)) < before / 2


def test_cfr_plus_is_what_openspiel_says_of_it():
    """The profile that comes back has OpenSpiel's own NashConv."""
    import pyspiel

    chosen = runs.algorithm("openspiel_cfr_plus")
    learner = chosen.start(KUHN, chosen.Settings(), 0)
    for _ in range(20):
        learner.step()
    theirs = pyspiel.nash_conv(pyspiel.load_efg_game(to_efg(KUHN)), learner.solver.tabular_average_policy())
    assert float(relance.nash_conv(KUHN, learner.agent())) == pytest.approx(theirs, abs=1e-9)


def test_q_learning_beats_chance_and_repeats_itself():
    def play(looks):
        chosen = runs.algorithm("openspiel_q_learning")
        learner = chosen.start(KUHN, runs.settings_of("openspiel_q_learning", {"games_per_step": 50}), 3)
        for _ in range(12):
            learner.step()
            if looks:
                learner.agent()
        return learner.agent()

    first, second = play(looks=False), play(looks=True)
    for node in first.nodes():
        assert np.array_equal(first[node], second[node])
        assert {0.0, 1.0} >= {p for row in first[node] for p in np.asarray(row, float)} - {0.5}
    assert relance.nash_conv(KUHN, first) < relance.nash_conv(KUHN, KUHN.uniform())


def ended(state, player, rng):
    """The games that a traversal of external sampling ends, which tries all of a player's actions and draws the others."""
    if state.is_terminal():
        return 1
    actions = state.legal_actions()
    tried = actions if state.current_player() == player else [rng.choice(actions)]
    return sum(ended(state.child(action), player, rng) for action in tried)


@pytest.mark.parametrize("text", ["one_card_poker(raises=0)", "leduc(ranks=2)", "openspiel:kuhn_poker"])
def test_games_are_counted_to_their_end(text):
    native, rng = openspiel_tabular._tree(any_game(text))[0], random.Random(0)
    most = [max(ended(native.new_initial_state(), player, rng) for _ in range(20_000)) for player in (0, 1)]
    assert [games_of(native, player) for player in (0, 1)] == most
    assert algorithm("openspiel_mccfr").start(any_game(text), openspiel_tabular.Settings(), 0).step() == sum(most)


@pytest.mark.parametrize("name", [*STEPS, "openspiel_q_learning"])
def test_hands_on_an_interval_are_refused(name):
    chosen = runs.algorithm(name)
    with pytest.raises(ValueError, match=r"game\.grid\(9\)"):
        chosen.start(relance.make("von_neumann"), chosen.Settings(), 0)


@pytest.mark.parametrize("name", STEPS)
def test_seeds_differ_only_where_something_is_random(name):
    first, other = (runs.train(name, KUHN, samples=1000, seed=seed).points for seed in (1, 2))
    same = [(point.samples, point.nash_conv) for point in first] == [
        (point.samples, point.nash_conv) for point in other
    ]
    assert same == (runs.algorithm(name).deterministic)


def test_seeds():
    first, same, other = (trained("openspiel_mccfr", seed=seed, steps=100) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for node in first.nodes() for a, b in zip(first[node], same[node], strict=True))
    assert not all(
        np.array_equal(a, b) for node in first.nodes() for a, b in zip(first[node], other[node], strict=True)
    )


def test_every_game_is_learned_whoever_acts(varied_game):
    """Players who never come to act in some games, and hands that are never dealt, are no trouble to any algorithm."""
    for name in (*STEPS, "openspiel_q_learning"):
        if name == "openspiel_xfp" and not all(map(varied_game.tree.of, (0, 1))):
            with pytest.raises(ValueError, match="needs two players who act"):
                trained(name, varied_game, steps=2)
            continue
        assert relance.nash_conv(varied_game, trained(name, varied_game, steps=2)) >= -1e-9


@pytest.mark.parametrize(
    "game", [relance.make("endgame", p=0), relance.make("endgame", p=1), relance.make("ponssard", p=0, q=1)], ids=str
)
@pytest.mark.parametrize("name", [*STEPS, "openspiel_q_learning"])
def test_hands_that_are_never_dealt(name, game):
    assert relance.nash_conv(game, trained(name, game, steps=2)) >= -1e-9
