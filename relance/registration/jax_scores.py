"""Exact scores inside JAX: what best responses to a policy earn, under `jit`, `vmap` over policies and `grad`. Needs the extra `jax`.

    env = relance.registration.jax_env("leduc")
    score = jax.jit(lambda net: jax_exploitability(env, lambda seen, legal: jax.nn.softmax(seen @ net, where=legal)))
    slope = jax.grad(score)(net)
    scores = jax.vmap(score)(nets)

One call of the policy under `vmap` answers for every node and hand of both players. Arrays have the shapes (slots, hands) or (sequences,
hands) of `relance.solvers.sequence_form`. The functions there cannot be used here, since they change arrays in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from relance.model.arguments import checked
from relance.model.arrays import Ints
from relance.model.deal import FiniteDeal
from relance.model.sequences import Group, SequenceForm, row_numbers, sides
from relance.play.agents import ROUNDING
from relance.play.rules import check_per_node
from relance.registration.jax import JaxArray, JaxEnv  # where JAX is missing, this says which extra has it

# isort: split
import jax
import jax.numpy as jnp

JaxPolicy = Callable[[JaxArray, JaxArray], JaxArray]
"""A function from one observation, (K,) float32, and its mask of legal actions, (A,) bool, to probabilities of actions, (A,)."""


@checked
def jax_exploitability(env: JaxEnv, policy: JaxPolicy) -> JaxArray:
    """Return the exploitability of a policy in both seats, NashConv / 2, a scalar in chips. See `jax_best_response_values`."""
    return jax_nash_conv(env, policy) / 2


@checked
def jax_nash_conv(env: JaxEnv, policy: JaxPolicy) -> JaxArray:
    """Return the NashConv of a policy in both seats, in chips: the sum of what both best responses earn. See `jax_best_response_values`."""
    return jax_best_response_values(env, policy).sum()


@checked
def jax_best_response_values(env: JaxEnv, policy: JaxPolicy) -> JaxArray:
    """Return the chips that a best response earns as player 0 and as player 1, (2,), against a policy in the other seat.

    Any game with finitely many hands is scored without sampling: in float64, as by `relance.score`, if `jax_enable_x64` is set, else in
    float32, to about 1e-5. Where several actions are best, the gradient is the mean of their gradients.

    Args:
        env: the game.
        policy: a function of an observation, (K,) float32, which begins with the seat, and a mask of legal actions, (A,) bool. It returns
            (A,) probabilities that sum to 1, all on legal actions. Weights of a network are not passed: the function closes over them.

    Returns:
        nan where the policy's answers are no probabilities, or more than 1e-5 is on illegal actions.

    Raises:
        ValueError: hands are numbers in [0, 1] (score `game.grid(n)` instead); the policy returns another shape; or five-card hands are
            dealt from a large deck, whose sums need float64, and `jax_enable_x64` is not set.
    """
    check_per_node(env.game, "exact scores in JAX")
    forms, deal = sides(env.game.tree), env.game.finite_deal().floats
    reach = [_reached(form, table) for form, table in zip(forms, _tables(env, forms, deal, policy), strict=True)]
    return jnp.stack([_best(forms[player], deal, player, reach[1 - player]) for player in (0, 1)])


def _tables(env: JaxEnv, forms: Sequence[SequenceForm], deal: FiniteDeal, policy: JaxPolicy) -> list[JaxArray]:
    """Each player's probabilities of actions, (slots, hands)."""
    table, width = env.game.tree.table, env.num_actions
    index = {name: node for node, name in enumerate(table.names)}
    asked: list[Ints] = []
    places = []
    for player, form in enumerate(forms):
        nodes, hands = np.array([index[name] for name in form.slots], np.int64), np.arange(deal.size(player))
        slots = [(row, action) for row, node in enumerate(nodes) for action in table.legal_ids[node]]
        row, action = np.array(slots, np.int64).reshape(-1, 2).T[:, :, None]
        places.append((sum(map(len, asked)) + row * len(hands) + hands, action))
        asked.append(np.stack(np.broadcast_arrays(player, nodes[:, None], hands), -1).reshape(-1, 3))
    # Behind the barrier nothing is constant; else the compiler takes minutes to compute what is, where there are many hands.
    player, node, hand = jax.lax.optimization_barrier(jnp.asarray(np.concatenate(asked), jnp.int32)).T
    seen = jax.vmap(lambda player, node, hand: env._look(player, node, jnp.stack([hand, hand])))(player, node, hand)
    legal = env._legal[node]
    answers = jax.vmap(policy)(seen, legal)
    if answers.shape != legal.shape:
        raise ValueError(f"the policy gave shape {answers.shape[1:]}; ({width},) is needed: probabilities by action")
    answers = answers.astype(jnp.result_type(float))
    kept = jnp.where(legal, jnp.maximum(answers, 0), 0)
    total, left, least = answers.sum(1), kept.sum(1), answers.min(1)
    fine = (abs(total - 1) <= ROUNDING) & (total - left <= ROUNDING) & (least >= -ROUNDING)
    chances = jnp.where(fine[:, None], kept / left[:, None], jnp.nan)
    return [chances[place] for place in places]


def _reached(form: SequenceForm, table: JaxArray) -> JaxArray:
    """The probability that a player plays each of their sequences, (sequences, hands)."""
    last = out = jnp.concatenate([jnp.ones_like(table, shape=(1, table.shape[1])), table])
    before = np.zeros(form.size + 1, np.int64)
    for group in form.groups:
        before[_sequences(group)] = np.repeat(_before(group), group.shape[1])
    at = before
    while at.any():
        out, at = out * last[at], before[at]
    return out


def _best(form: SequenceForm, deal: FiniteDeal, player: int, reach: JaxArray) -> JaxArray:
    """What a best response earns as `player` against an opponent with this reach."""
    own, chips = [np.zeros(0, np.int64)], [jnp.zeros_like(reach, shape=(0, deal.size(player)))]
    nodes, most = own.copy(), chips.copy()
    for of in form.terminals:
        distribution = deal.in_case(of.case)
        for operator, parts, (rows, found) in zip(
            (distribution.mass, distribution.edge), (of.paid, of.fought), of.met, strict=True
        ):
            met = operator(player, reach[rows]) if parts else reach
            own += [row_numbers(part.own) for part in parts]
            chips += [part.chips * met[at] for part, at in zip(parts, found, strict=True)]
    values = _sums(own, chips, slice(0, form.size + 1, 1))
    for group in reversed(form.groups):
        after = values[_sequences(group)] + _sums(nodes, most, _sequences(group))
        nodes.append(_before(group))
        most.append(after.reshape(*group.shape, -1).max(1))
    return (values[0] + _sums(nodes, most, slice(0, 1, 1))[0]).sum()


def _sums(to: Sequence[Ints], rows: Sequence[JaxArray], sequences: slice) -> JaxArray:
    """(sequences, hands) the sums of the rows that go to each of these; looked up, as XLA would add rows one by one on a processor."""
    numbers = np.concatenate(to)
    order = np.append(np.argsort(numbers, kind="stable"), len(numbers))  # the last is a row of zeros
    first, end = (np.searchsorted(np.sort(numbers), row_numbers(sequences), side) for side in ("left", "right"))
    place = first[:, None] + np.arange((end - first).max())
    index = order[np.where(place < end[:, None], place, len(numbers))]
    return jnp.concatenate([*rows, jnp.zeros_like(rows[0], shape=(1, rows[0].shape[1]))])[index].sum(1)


def _sequences(group: Group) -> slice:
    """The sequences that end with an action at a node of the group."""
    return slice(group.slots.start + 1, group.slots.stop + 1, 1)


def _before(group: Group) -> Ints:
    """(nodes,) the sequence before each node of the group."""
    return np.broadcast_to(row_numbers(group.before), group.shape[:1])
