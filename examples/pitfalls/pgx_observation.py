# group: pgx
# quick: 2000
"""pgx's Kuhn poker shows six observations for the game's twelve information sets; the same game for JAX shows twelve here.

Its observation is the card and what each player has bet, so the first player's start looks like the second player's turn after a
check (pgx #1302). `no_seat.py` computes what that costs.

    python pgx_observation.py [games]
"""

import sys

import jax
import numpy as np
import pgx

from relance.registration import jax_env

games = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000


def observations(env):
    """How many different observations players see who play at random."""
    keys = jax.random.split(jax.random.PRNGKey(0), games)
    state, step, seen = jax.vmap(env.init)(keys), jax.jit(jax.vmap(env.step)), set()
    for turn in range(3):
        going = ~np.asarray(state.terminated)
        seen |= {row.tobytes() for row in np.asarray(state.observation)[going]}
        keys = jax.random.split(jax.random.PRNGKey(turn + 1), games)
        legal = np.where(state.legal_action_mask, 0.0, -np.inf)
        state = step(state, jax.vmap(jax.random.categorical)(keys, legal))
    return len(seen)


print(f"pgx kuhn_poker          {observations(pgx.make('kuhn_poker'))} observations")
ours = jax_env("one_card_poker", raises=0)
print(f"one_card_poker for JAX  {observations(ours)} observations")
