# extra: jax
# quick: 0 100
"""JAX: exploitability descent, four runs at once inside one compiled function that scores each of their updates exactly.

Each update follows the gradient of the exact exploitability (Lockhart et al. 2019, Computing approximate equilibria in sequential
adversarial games by exploitability descent), so no game is played. The last policy of each run is scored, not an average.

python jax_descent.py [seed] [updates]
"""

import sys

import jax
import jax.numpy as jnp
import optax

import relance
from relance.registration import jax_env, jax_exploitability

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
updates, runs = int(sys.argv[2]) if len(sys.argv) > 2 else 1000, 4
env = jax_env("one_card_poker", raises=0)
(size,), actions = env.observation_shape, env.num_actions
optimiser = optax.adam(optax.linear_schedule(1e-2, 0.0, updates))


def policy(net):
    """A function of one observation and its mask of legal actions."""
    (w1, b1), (w2, b2) = net
    return lambda seen, legal: jax.nn.softmax(jnp.where(legal, jnp.tanh(seen @ w1 + b1) @ w2 + b2, -1e9))


@jax.jit
@jax.vmap
def train(key):
    """The last weights, and NashConv before each update."""
    shapes = [(size, 64), (64, actions)]
    keys = jax.random.split(key, len(shapes))
    net = [(jax.random.normal(k, s) / s[0] ** 0.5, jnp.zeros(s[1])) for k, s in zip(keys, shapes, strict=True)]

    def update(state, _):
        net, memory = state
        score, slope = jax.value_and_grad(lambda net: jax_exploitability(env, policy(net)))(net)
        change, memory = optimiser.update(slope, memory)
        return (optax.apply_updates(net, change), memory), 2 * score

    (net, _), scores = jax.lax.scan(update, (net, optimiser.init(net)), length=updates)
    return net, scores


nets, scores = train(jax.random.split(jax.random.key(seed), runs))
for number in range(0, updates, max(1, updates // 5)):
    print(f"{number} updates: NashConv of each run", *(f"{score:.3f}" for score in scores[:, number]))
many = [jax.vmap(policy(jax.tree.map(lambda w, i=i: w[i], nets))) for i in range(runs)]
outside = [
    float(relance.score(env.game, lambda seen, masks, of=of: of(seen, masks.astype(bool))).nash_conv) for of in many
]
print(f"{updates} updates: NashConv {max(outside):.3f} of the last policy, the worst of {runs}, scored outside JAX")
