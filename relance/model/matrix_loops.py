"""The loop over the terminal nodes of a large tree whose distributions are matrices, compiled by numba."""

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
    """Add the chips of terminal nodes low to high to `values`, (sequences, hands), by the opponent's `reach`, (sequences, their hands).

    Args:
        low, high: the terminal nodes.
        own, theirs: (E,) the sequences of the player, ascending, and of the opponent, that lead to each terminal node.
        chips: (E,) the player's chips.
        which: (E,) the distribution of each terminal node.
        distributions: (distributions, their hands, hands) the probability of a pair of hands, times the player's edge in a showdown.
        reach: as above.
        values: as above.
    """
    hands, their_hands = values.shape[1], reach.shape[1]
    for e in range(low, high):
        out, led, distribution, amount = values[own[e]], reach[theirs[e]], distributions[which[e]], chips[e]
        for k in range(their_hands):
            weight, row = amount * led[k], distribution[k]
            for h in range(hands):
                out[h] += weight * row[h]
