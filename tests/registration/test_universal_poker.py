"""The river and the turn against OpenSpiel's own hold'em in C++: which deals there are, what is legal, and what every terminal node
pays.
"""

import numpy as np
import pytest

import relance
from relance.model.playing_cards.ranges import EVERY, hand_name
from relance.model.tree import Leaf, Reveal

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.skipif("universal_poker" not in pyspiel.registered_names(), reason="OpenSpiel lacks it")

NAME = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,stack=1100 1100,bettingAbstraction=fcpa,potSize=200,boardCards={board},"
    f"handReaches={' '.join(['1'] * 2 * len(EVERY))})"
)
"""Hold'em from the fourth or the last card on, any two cards each: fold, call, bet the pot, or all-in."""


CARDS = {hand_name((card,)): card for card in range(52)}
"""The number of each card, in OpenSpiel as here."""


def number(action):
    """The action there: 0 is to fold, 1 to check or call, 2 to bet the pot and 3 to go all-in."""
    return {"fold": 0, "check": 1, "call": 1, "all in": 3}.get(action, 2)


def ends(node, state, past=()):
    """Every terminal node with the cards that turned up and its state there; all that is legal on the way is the same."""
    if isinstance(node, Leaf):
        assert state.is_terminal()
        yield node, past, state
        return
    if isinstance(node, Reveal):
        chances = dict(state.chance_outcomes())
        assert list(chances.values()) == pytest.approx([1 / 44] * 44)
        for event, child in zip(node.events, node.children, strict=True):
            if CARDS[event] in chances:
                yield from ends(child, state.child(CARDS[event]), (*past, event))
        return
    assert state.current_player() == node.player
    assert sorted(map(number, node.actions)) == state.legal_actions()
    for action, child in zip(node.actions, node.children, strict=True):
        yield from ends(child, state.child(number(action)), past)


@pytest.mark.slow
def test_deals_and_payoffs_are_those_of_universal_poker():
    board = "9c8d7h6sKd"  # with many ties
    game = relance.make(
        "river", board=board, ranges="random vs random", pot=200, stack=1000, bets="1;all-in", raises=20
    )
    deal, start = game.deal, pyspiel.load_game(NAME.format(board=board)).new_initial_state()
    outcomes = np.array(start.chance_outcomes())
    dealt = outcomes[outcomes[:, 1] > 0]
    assert len(dealt) == np.count_nonzero(deal.floats.joint()) == 1081 * 990
    assert dealt[:, 1] == pytest.approx(1 / (1081 * 990))

    index = [{hand: i for i, hand in enumerate(side)} for side in deal.hands]
    rng = np.random.default_rng(0)
    for code in rng.choice(dealt[:, 0].astype(int), 40, replace=False).tolist():
        cards = [code // 52**place % 52 for place in (3, 2, 1, 0)]
        hands = [index[p][tuple(sorted(cards[2 * p : 2 * p + 2], reverse=True))] for p in (0, 1)]
        for leaf, _, state in ends(game.tree.root, start.child(code)):
            assert state.returns()[0] == leaf.constant + leaf.stake * deal.compare(*hands)


def test_the_turn_is_that_of_universal_poker():
    """Deal by deal and card by card: all legal actions, chances of the last card, and chips of all terminal nodes."""
    board = "9c8d7h6s"
    game = relance.make(
        "turn",
        board=board,
        ranges="KdTs;9s9h;5d4d vs TcTh;Ac5s;2c2d",
        pot=200,
        stack=1000,
        bets="1;all-in",
        river_bets="1;all-in",
        raises=20,
    )
    deal, start = game.deal, pyspiel.load_game(NAME.format(board=board)).new_initial_state()
    codes = {code for code, p in start.chance_outcomes() if p}
    for i, j in np.ndindex(deal.size(0), deal.size(1)):
        (a, b), (c, d) = deal.hands[0][i], deal.hands[1][j]
        code = next(
            code
            for first, second in (((a, b), (c, d)), ((a, b), (d, c)), ((b, a), (c, d)), ((b, a), (d, c)))
            for code in [sum(card * 52**place for card, place in zip((*first, *second), (3, 2, 1, 0), strict=True))]
            if code in codes
        )
        met = 0
        for leaf, turned, state in ends(game.tree.root, start.child(code)):
            won = deal.after(turned[0]).compare(i, j) if leaf.stake else 0
            assert state.returns()[0] == leaf.constant + leaf.stake * won
            met += 1
        assert met > 44 * 50
