# extra: jax
# quick: 0 100
"""JAX: PPO by self-play, all updates inside one compiled function as in PureJaxRL, which returns the weights after each of them.

python jax_ppo.py [seed] [updates]
"""

import sys

import jax
import jax.numpy as jnp
import optax

import relance
from relance.baselines import Average
from relance.registration import jax_env

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
updates, games, epochs, parts = int(sys.argv[2]) if len(sys.argv) > 2 else 1000, 1024, 4, 4
game = relance.make("one_card_poker", raises=0)
env = jax_env(game)
longest = max(name.count("-") + 1 for name in game.tree.leaves)
(size,), actions = env.observation_shape, env.num_actions


def layers(key):
    shapes = [(size, 64), (64, actions), (size, 64), (64, 1)]
    keys = jax.random.split(key, len(shapes))
    return [(jax.random.normal(k, s) / s[0] ** 0.5, jnp.zeros(s[1])) for k, s in zip(keys, shapes, strict=True)]


def act(net, seen, legal):
    """Log-probabilities of the actions, and the value, for the player who sees this."""
    (w1, b1), (w2, b2), (w3, b3), (w4, b4) = net
    logits = jnp.where(legal, jnp.tanh(seen @ w1 + b1) @ w2 + b2, -1e9)
    return jax.nn.log_softmax(logits), (jnp.tanh(seen @ w3 + b3) @ w4 + b4)[..., 0]


def play(net, key):
    """Play whole games in self-play: observations and actions at each step, and the chips of the player who acted."""
    deals, key = jax.random.split(key)

    def one(state, key):
        logs, value = act(net, state.observation, state.legal_action_mask)
        action = jax.random.categorical(key, logs)
        after = jax.vmap(env.step)(state, action)
        log = jnp.take_along_axis(logs, action[:, None], 1)[:, 0]
        mover, live = state.current_player, ~state.terminated
        return after, (state.observation, state.legal_action_mask, action, log, value, mover, live, after.rewards)

    state = jax.vmap(env.init)(jax.random.split(deals, games))
    *seen, mover, live, rewards = jax.lax.scan(one, state, jax.random.split(key, longest))[1]
    chips = jnp.take_along_axis(rewards.sum(0)[None], mover[..., None], 2)[..., 0]
    return (*seen, live, chips)


def loss(net, batch):
    seen, legal, action, old, guess, live, chips = batch
    logs, value = act(net, seen, legal)
    ratio = jnp.exp(jnp.take_along_axis(logs, action[..., None], -1)[..., 0] - old)
    gain = chips - guess
    policy = -jnp.minimum(ratio * gain, jnp.clip(ratio, 0.9, 1.1) * gain)
    mixed = -jnp.where(legal, jnp.exp(logs) * logs, 0.0).sum(-1)
    return ((policy + 0.5 * (value - chips) ** 2 - 0.07 * mixed) * live).sum() / live.sum()


optimiser = optax.adam(optax.linear_schedule(5e-3, 0.0, updates * epochs * parts))


@jax.jit
def train(key):
    """All updates in one compiled function, as in PureJaxRL: the weights after each of them."""

    def update(carry, _):
        net, memory, key = carry
        games_key, parts_key, key = jax.random.split(key, 3)
        batch = play(net, games_key)
        shuffled = [jax.random.permutation(one, games) for one in jax.random.split(parts_key, epochs)]

        def improve(state, rows):
            new, memory = state
            part = jax.tree.map(lambda x: x[:, rows], batch)
            change, memory = optimiser.update(jax.grad(loss)(new, part), memory)
            return (optax.apply_updates(new, change), memory), None

        (new, memory), _ = jax.lax.scan(improve, (net, memory), jnp.stack(shuffled).reshape(epochs * parts, -1))
        return (new, memory, key), new

    first, key = jax.random.split(key)
    net = layers(first)
    return jax.lax.scan(update, (net, optimiser.init(net), key), length=updates)[1]


def agent(net):
    return lambda seen, masks: jnp.exp(act(net, seen, masks)[0])


nets = train(jax.random.key(seed))
average = Average(game)
for number in range(updates):
    net = jax.tree.map(lambda weights: weights[number], nets)  # noqa: B023 - called at once
    average.after_step((number + 1) * games, lambda: agent(net))  # noqa: B023
last, mean = (float(relance.score(game, plays).nash_conv) for plays in (agent(net), average.policy()))
print(f"{updates} updates of {games} games: NashConv {last:.3f} of the last policy, {mean:.3f} of the average")
