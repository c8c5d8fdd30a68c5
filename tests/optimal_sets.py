"""Games and players whose sets of optimal strategies are tested, here by their corners, there by entropy."""

from fractions import Fraction as F

import relance
from relance.solvers.optimal_set import optimal_set

GAMES = [
    "kuhn_poker",
    "one_card_poker(cards=4)",
    "von_neumann(hands=9)",
    "ponssard",
    "endgame",
    "endgame_hidden",
    "sized_endgame",
]


CASES = [(name, player) for name in GAMES for player in (0, 1)]


def sets(name, player):
    tree = relance.game_tree(name)
    return tree, optimal_set(tree, player)


def plan(tree, player, profile):
    out = [F(0)] * tree.num_sequences[player]
    out[0] = F(1)
    for s in tree.infosets_of(player):
        for j, p in zip(s.after, profile[s.name].values(), strict=True):
            out[j] = out[s.before] * p
    return out
