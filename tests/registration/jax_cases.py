"""Games for JAX: the same rules, observations and deals as everywhere else; `test_jax.py` runs these."""

import numpy as np
import pytest
from conftest import SAMPLES, finite

import relance
from relance.play.batch import Batch
from relance.play.loops import streams
from relance.play.numpy_loops import draw
from relance.play.rules import rules

jax = pytest.importorskip("jax", reason="needs the extra jax")

from relance.registration.jax import JaxEnv, _below, jax_env  # noqa: E402 - JAX is needed for it

DISTRIBUTIONS = [*SAMPLES, *(finite(game, 300) for game in SAMPLES)]


def words(state, count):
    """The next `count` words of one stream as JAX takes them, (count, 2) uint32; advances the state in place."""
    drawn = np.concatenate([draw(state) for _ in range(count)])
    return np.stack([drawn >> np.uint64(32), drawn & np.uint64(2**32 - 1)], axis=1).astype(np.uint32)


@pytest.mark.parametrize("game", DISTRIBUTIONS, ids=str)
def test_the_same_words_deal_the_same_hands_as_a_batch(game):
    batch, distribution = Batch(game, 60, seed=3, compiled=False), JaxEnv(game)._distribution
    propose = jax.jit(distribution.propose)
    for table in range(60):
        state = streams(3, np.array([table]))
        accepted = False
        while not accepted:
            hands, accepted = propose(words(state, distribution.words))
        assert np.asarray(hands) == pytest.approx(batch.running.hands[:, table], abs=1e-5)


@pytest.mark.parametrize("of_a_large_tree", [False, True])
@pytest.mark.parametrize("game", [finite(game) for game in SAMPLES[::3]], ids=str)
def test_play_is_that_of_a_batch(game, of_a_large_tree, large):
    """With the same hands and actions: who moves, what is seen and legal, and the chips."""
    game = large(game) if of_a_large_tree else game
    game_env, rulebook = jax_env(game), rules(game)
    batch = Batch(game, 40, seed=1, compiled=False, autoreset="next_step")
    states = jax.vmap(game_env.init)(jax.random.split(jax.random.key(0), 40))
    states = states.replace(hands=jax.numpy.asarray(batch.running.hands.T, states.hands.dtype))
    states = states.replace(observation=jax.vmap(game_env.observe)(states))
    step = jax.jit(jax.vmap(game_env.step))
    for _ in range(20):
        live = ~np.asarray(states.terminated)
        if not live.any():
            break
        assert np.asarray(states.current_player)[live] == pytest.approx(batch.to_move[live])
        assert np.asarray(states.observation)[live] == pytest.approx(batch.observe()[live], abs=1e-5)
        assert (np.asarray(states.legal_action_mask)[live] == batch.mask()[live]).all()
        actions = batch.random_actions()
        batch.move(np.flatnonzero(live), actions[live])
        states = step(states, actions)
        assert np.asarray(states.rewards)[live] == pytest.approx(batch.rewards[live], abs=1e-4)
        assert (np.asarray(states.terminated)[live] == batch.done[live]).all()
        assert np.asarray(states.rewards)[~live] == pytest.approx(0)
        assert np.asarray(states.legal_action_mask)[np.asarray(states.terminated)].all()
    assert not live.any()
    assert game_env.observation_shape == (rulebook.size,)


def test_an_illegal_action_forfeits():
    game_env = jax_env("one_card_poker")
    state = game_env.init(jax.random.key(1))
    for action in (3, -1, 99):
        lost = game_env.step(state, action)
        assert bool(lost.terminated)
        assert lost.rewards.tolist() == [-rules(game_env.game).worst[0], rules(game_env.game).worst[0]]


def test_the_mean_of_random_play_is_its_value():
    game = relance.make("von_neumann", bet=2)
    game_env = jax_env(game)
    assert game_env.id == "relance/von_neumann"

    def play(key):
        deal, first, second = jax.random.split(key, 3)
        state = game_env.init(deal)
        for draw_key in (first, second):
            action = jax.random.categorical(draw_key, jax.numpy.log(state.legal_action_mask))
            state, before = game_env.step(state, action), state
            total = state.rewards + before.rewards
        return total

    chips = jax.jit(jax.vmap(play))(jax.random.split(jax.random.key(7), 20_000))
    worth = float(relance.value(game, game.uniform()))
    assert float(chips[:, 0].mean()) == pytest.approx(worth, abs=5 * float(chips[:, 0].std()) / 20_000**0.5)


@pytest.mark.parametrize("count", [1, 52, 65_535, 2_598_960])
def test_indices_from_words(count):
    some = np.random.default_rng(0).integers(0, 2**64, 200, np.uint64)
    edges = np.array([0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1], np.uint64)
    for word in np.concatenate([some, edges]).tolist():
        halves = np.array([word >> 32, word & 0xFFFFFFFF], np.uint32)
        assert int(_below(count, halves)) == word * count >> 64
