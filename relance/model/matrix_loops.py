"""The loop over the terminal nodes of a large tree whose deals are matrices over pairs of hands, compiled by numba."""

from __future__ import annotations

from relance.model.arrays import Floats, Ints
from relance.model.numba_start import compiled


@compiled(cache=True)
def pay(
    low: int,
    high: int,
    own: Ints,
    theirs: Ints,
    chips: Floats,
    which: Ints,
    distributions: Floats,
    reach: Floats,
    values: Floats,
) -> None:
    """Add a player's counterfactual values at some of E terminal nodes to `values`.

    Args:
        low, high: the first of these terminal nodes, and the one after the last.
        own, theirs: (E,) the player's sequence, ascending, and the opponent's sequence, that lead to each terminal node.
        chips: (E,) the chips that the player gets at each, or that are at stake in its showdown.
        which: (E,) the index in `distributions` of each terminal node's matrix.
        distributions: (matrices, opponent's hands, hands) the probability of a pair of hands, times the player's edge in a showdown.
        reach: (opponent's sequences, opponent's hands) the opponent's reach probabilities.
        values: (player's sequences, hands) to which the values are added.
    """
    hands, their_hands = values.shape[1], reach.shape[1]
    for e in range(low, high):
        out, led, distribution, amount = values[own[e]], reach[theirs[e]], distributions[which[e]], chips[e]
        for k in range(their_hands):
            weight, row = amount * led[k], distribution[k]
            for h in range(hands):
                out[h] += weight * row[h]
