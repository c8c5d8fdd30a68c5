"""Scores inside JAX beside `relance.score`, in float32 or with JAX_ENABLE_X64=1 in float64; `test_jax_scores.py` runs these."""

import numpy as np
import pytest
from conftest import VARIED

import relance

jax = pytest.importorskip("jax", reason="needs the extra jax")

from relance.registration import (  # noqa: E402 - JAX is needed for it
    jax_best_response_values,
    jax_env,
    jax_exploitability,
    jax_nash_conv,
)

jnp = jax.numpy
DOUBLE = jax.config.jax_enable_x64


def close(value):
    """An exact score, up to rounding."""
    return pytest.approx(value, rel=1e-12, abs=1e-12) if DOUBLE else pytest.approx(value, rel=1e-5, abs=1e-5)


def weights(env, seed=0):
    shape = (*env.observation_shape, env.num_actions)
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape), jnp.result_type(float))


def policy(weights):
    return lambda seen, legal: jax.nn.softmax(jnp.where(legal, seen @ weights, -jnp.inf))


def agent(weights):
    """The same policy for `relance.score`, which asks it about many observations at once."""
    many = jax.vmap(policy(weights))
    return lambda seen, masks: np.asarray(many(jnp.asarray(seen), jnp.asarray(masks, bool)))


@pytest.mark.parametrize("game", VARIED if DOUBLE else VARIED[:-1:4], ids=str)
def test_a_policy_scores_as_it_does_outside(game):
    env = jax_env(game)
    values = jax.jit(lambda net: jax_best_response_values(env, policy(net)))(weights(env))
    assert values.dtype == (jnp.float64 if DOUBLE else jnp.float32)
    assert values.tolist() == close([float(value) for value in relance.score(game, agent(weights(env))).best])


def test_sums_of_best_responses():
    env = jax_env("one_card_poker", raises=0)
    both = jax.jit(lambda net: [of(env, policy(net)) for of in (jax_nash_conv, jax_exploitability)])(weights(env))
    score = relance.score(env.game, agent(weights(env)))
    assert [float(value) for value in both] == close([float(score.nash_conv), float(score.exploitability)])


def test_an_equilibrium_gains_nothing_and_uniform_play_what_fractions_say():
    """The equilibrium is looked up by the seat, the card and the betting, which an observation shows."""
    env = jax_env("one_card_poker", raises=0)
    game, table = env.game, env.game.tree.table
    seen, rows = [], []
    for node, name in enumerate(table.names):
        for player in {int(table.player[node])} & {0, 1}:
            for card in range(3):
                seen.append(np.asarray(env._look(player, node, jnp.array([card, card]))))
                rows.append(np.zeros(env.num_actions))
                for action, chance in zip(
                    table.legal_ids[node], game.published().strategies[player].at[name], strict=True
                ):
                    rows[-1][action] = chance[card]
    keys, answers = jnp.array(np.array(seen)), jnp.array(np.array(rows))
    policies = (lambda at, legal: answers[abs(keys - at).sum(1).argmin()]), (lambda at, legal: legal / legal.sum())
    equilibrium, uniform = jax.jit(lambda: [jax_nash_conv(env, plays) for plays in policies])()
    assert float(equilibrium) == close(0)
    assert float(uniform) == close(11 / 12)  # computed in fractions by `relance.nash_conv`


def test_many_policies_at_once():
    env = jax_env("endgame_draw")
    nets = jnp.stack([weights(env, seed) for seed in range(3)])
    score = jax.jit(lambda net: jax_exploitability(env, policy(net)))
    assert jax.jit(jax.vmap(score))(nets).tolist() == close([float(score(net)) for net in nets])


@pytest.mark.skipif(not DOUBLE, reason="small steps are lost in float32")
@pytest.mark.parametrize("spec", ["sized_von_neumann(hands=40)", "endgame_draw", "river", "leduc(raises=1)"])
def test_the_slope_is_that_of_small_steps(spec):
    env = jax_env(relance.make(spec))
    score = jax.jit(jax.value_and_grad(lambda net: jax_exploitability(env, policy(net))))
    net, way, step = weights(env), weights(env, 1), 1e-6
    slope = float((score(net)[1] * way).sum())
    risen = float(score(net + step * way)[0] - score(net - step * way)[0]) / (2 * step)
    assert slope == pytest.approx(risen, rel=1e-5)
    assert abs(slope) > 0.01


@pytest.mark.parametrize(
    "wrong",
    [
        lambda legal: legal.astype(float),
        lambda legal: legal / legal.sum() - jnp.array([0.2, 0, 0, 0]),
        lambda legal: jnp.full(legal.shape, 1 / len(legal)),
        lambda legal: jnp.where(legal, jnp.array([1.5, -0.5, 1.5, -0.5]), 0.0),
        lambda legal: jnp.full(legal.shape, jnp.nan),
    ],
    ids=["sum of two", "sum below one", "illegal actions", "below zero", "nan"],
)
def test_no_probabilities_score_nan(wrong):
    env = jax_env("one_card_poker", raises=0)
    assert np.isnan(float(jax.jit(lambda: jax_nash_conv(env, lambda seen, legal: wrong(legal)))()))


def test_what_is_refused():
    env = jax_env("one_card_poker", raises=0)
    with pytest.raises(ValueError, match=r"gave shape \(2,\); \(4,\) is needed: probabilities by action"):
        jax_nash_conv(env, lambda seen, legal: legal[:2] / 2)
    with pytest.raises(ValueError, match="infinitely many hands; cut them into cells"):
        jax_nash_conv(jax_env("von_neumann"), lambda seen, legal: legal / legal.sum())


def test_a_whole_deck_needs_float64():
    env = jax_env("five_card", raises=0)
    score = jax.jit(lambda net: jax_best_response_values(env, policy(net)))
    if DOUBLE:
        assert score(weights(env)).tolist() == close([*map(float, relance.score(env.game, agent(weights(env))).best)])
    else:
        with pytest.raises(ValueError, match="float64, not float32; in JAX, set jax_enable_x64"):
            score(weights(env))
