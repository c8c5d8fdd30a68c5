"""Checks of claims on Kuhn's poker for three players. It is played on a game tree, since the catalogue's games have two players."""

from __future__ import annotations

from itertools import permutations

from relance.claims.prelude import *
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode

SITUATIONS = (("", "ppb", "pbp", "pbb"), ("p", "b", "ppbp", "ppbb"), ("pp", "pb", "bp", "bb"))
"""For each player, the betting before decisions 1 to 4: p is a check or a fold, and b a bet or a call."""


@kept
def kuhn_tree(players: int) -> GameTree:
    """Kuhn's poker with one card more than players, an ante of 1 and a bet of 1. An information set is the card and the betting."""

    def play(cards: tuple[int, ...], betting: str = "") -> DecisionNode | TerminalNode:
        passes, bet, answers = betting.partition("b")
        if len(answers) < players - 1 if bet else len(passes) < players:
            player = len(betting) % players
            actions = {action: play(cards, betting + action) for action in "pb"}
            return DecisionNode(player, f"{cards[player]}{betting}", actions)
        answered = {(len(passes) + i) % players: action for i, action in enumerate(bet + answers)}
        put = [2 if answered.get(player) == "b" else 1 for player in range(players)]
        winner = max((player for player in range(players) if put[player] == max(put)), key=lambda player: cards[player])
        return TerminalNode([sum(put) * (player == winner) - put[player] for player in range(players)])

    deals = [*permutations(range(players + 1), players)]
    return GameTree(ChanceNode({str(cards): (Fraction(1, len(deals)), play(cards)) for cards in deals}))


def _plan(known: Mapping[str, Number]) -> dict[str, dict[str, Number]]:
    """The profile: a number such as b33 is how often player b bets or calls with card 3 in situation 3; 0 if it is not known.

    With the best card, 4, a player calls, and the last player bets.
    """
    table = {}
    for symbol, bettings in zip("abc", SITUATIONS, strict=True):
        for card, (k, betting) in product(range(4), enumerate(bettings)):
            p = known.get(f"{symbol}{card + 1}{k + 1}", Fraction(card == 3 and (k > 0 or symbol == "c")))
            table[f"{card}{betting}"] = {"p": 1 - p, "b": p}
    return table


def family(n: Numbers, parts: Mapping[str, Mapping[str, Any]]) -> Finding:
    """Check the printed equilibria of Kuhn's poker for three players, and what each player wins. `parts` is {name of a part: table}.

    A table has the keys "symbols" (the free ones), "where" (conditions on these) and "fixed", {other symbol: formula in the free ones}.
    """
    found = []
    for name, part in parts.items():
        where = region(part["symbols"], *part["where"])
        symbols: dict[str, Number] = dict(where)
        for symbol, text in part["fixed"].items():
            symbols[symbol] = formula(text, symbols)
        known = {**symbols, **n.at(**symbols)}
        worth = [known[f"u{player}"] for player in (1, 2, 3)]
        found.append(tree_nash(kuhn_tree(3), _plan(known), where, worth).part(name))
    return together(found)
