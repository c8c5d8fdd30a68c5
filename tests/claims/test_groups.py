"""Decks told by groups of cards that are played alike, against the game with every card."""

from fractions import Fraction as F

import pytest

import relance
from relance.claims.groups import Groups
from relance.solvers.exact import hand_values

SIZES = (1, 2, 3)
ROWS = ([F(1), F(1), F(1), F(1)], [F(1, 3), F(1, 2), F(2, 3), F(2, 3)], [F(0), F(1, 7), F(0), F(0)])
"""How often a card of each group, the best first, takes the last action at each node."""


@pytest.fixture
def both():
    """The groups; the game with a card each, in which the cards of a group are played alike; and the group of each card."""
    game = relance.make("one_card_poker", cards=sum(SIZES), raises=0)
    of = [k for k, size in reversed([*enumerate(SIZES)]) for _ in range(size)]  # the worst card first
    nodes = game.tree.decisions.items()
    plan = {name: {node.actions[-1]: [ROWS[k][i] for k in of]} for i, (name, node) in enumerate(nodes)}
    return Groups(game, SIZES, ROWS), game, game.profile(plan), of


def test_the_value_is_that_of_the_whole_deck(both):
    groups, game, profile, _ = both
    assert groups.cards == 6
    assert groups.worth == relance.value(game, profile)


@pytest.mark.parametrize("player", [0, 1])
def test_a_card_wins_as_much_as_it_can_where_a_best_response_wins_no_more_with_it(both, player):
    groups, game, profile, of = both
    best = game.together(relance.best_response(game, profile, player).strategy, profile.strategies[1 - player])
    earned, most = (hand_values(game, played, player)[""][1] for played in (profile, best))
    for card, own in enumerate(of):
        better = sum(of[other] == own for other in range(card + 1, len(of)))
        assert groups.is_best(own, better, player) == (earned[card] == most[card])
    assert len({groups.is_best(own, 0, player) for own in range(3)}) == 2
