# extra: jax
# quick: 30
"""JAX: PPO by self-play, all updates inside one compiled function as in PureJaxRL, and the average of its policies.

The weights before each update are returned. The average draws one of 50 policies for each game; its NashConv is below 0.05, that of the
last is not.

python jax_ppo.py [updates]
"""

import sys

import jax
import jax.numpy as jnp
import optax

import relance
from relance.registration import jax_env

updates, games, epochs, parts = int(sys.argv[1]) if len(sys.argv) > 1 else 600, 1024, 4, 4
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
    """All updates in one compiled function, as in PureJaxRL: the last weights, and those before each update."""

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
        return (new, memory, key), net

    first, key = jax.random.split(key)
    net = layers(first)
    (net, _, _), nets = jax.lax.scan(update, (net, optimiser.init(net), key), length=updates)
    return net, nets


def agent(net):
    return lambda seen, masks: jnp.exp(act(net, seen, masks)[0])


net, nets = train(jax.random.key(0))
kept = [agent(jax.tree.map(lambda w, i=i: w[i], nets)) for i in range(updates // 2, updates, max(1, updates // 100))]
last, average = (float(relance.score(game, plays).nash_conv) for plays in (agent(net), kept))
uniform = float(relance.nash_conv(game, game.uniform()))
print(
    f"{updates} updates of {games} games: NashConv {last:.3f}, of the average since half time {average:.3f}; of uniform play {uniform:.3f}"
)
