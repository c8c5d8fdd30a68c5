"""Kuhn poker as a tree of histories, in ten lines, as in the how-to; and its equilibria."""

from fractions import Fraction as F
from itertools import permutations

from relance.model.game_tree import ChanceNode, DecisionNode, TerminalNode

THIRD = F(1, 3)


def play(cards, history=""):
    """Kuhn poker, as in the how-to."""
    if history in ("pp", "bb", "pbb"):
        return TerminalNode((1 if cards[0] > cards[1] else -1) * (2 if "b" in history else 1))
    if history in ("bp", "pbp"):
        return TerminalNode(1 if history == "bp" else -1)
    player = len(history) % 2
    return DecisionNode(player, f"{'JQK'[cards[player]]} {history}", {a: play(cards, history + a) for a in "pb"})


def kuhn():
    deals = list(permutations(range(3), 2))
    return ChanceNode({str(cards): (F(1, len(deals)), play(cards)) for cards in deals})


def equilibrium(alpha=THIRD / 2):
    """Kuhn's family: how often each card bets or calls."""
    bets = {"J ": alpha, "Q ": 0, "K ": 3 * alpha, "J pb": 0, "Q pb": alpha + THIRD, "K pb": 1}
    bets |= {"J p": THIRD, "Q p": 0, "K p": 1, "J b": 0, "Q b": THIRD, "K b": 1}
    return {name: {"p": 1 - p, "b": p} for name, p in bets.items()}
