"""Kuhn's game at every bet: the claims by another route, the exact optimal faces at some bets."""

from fractions import Fraction

import pytest

import relance
from relance.claims.kuhn.decks import _bets
from relance.claims.proof import region
from relance.model.numbers import formula
from relance.solvers.lp import SequenceForm, optimal_face, solve_lp

F = Fraction
BETS = [F(1, 3), F(3, 4), F(1), F(5, 4), F(7, 4), F(2), F(5, 2), F(6)]


def same(*numbers):
    return [(number, number) if not isinstance(number, tuple) else number for number in numbers]


def ranges(b):
    """The least and the greatest weight of bets and calls with the queen, king and ace; the opener's, then the dealer's."""
    some, rest = b / (2 + b), (2 - b) / (2 + b)
    if b < 1:
        first = same(some, 0, 1), same(0, 2 / (2 + b), 0)
        return first, (same(some, (0, 2 * (1 - b) / (2 + b)), 1), same(0, rest, 1))
    if b == 1:
        first = same((0, F(1, 3)), 0, (0, 1)), same(0, (F(1, 3), F(2, 3)), (0, 1))
        return first, (same(some, 0, 1), same(0, rest, 1))
    if b < 2:
        calls = same((0, some - rest), (rest, some), (4 * (1 + b) / (2 + b) ** 2, 1))
        return (same(0, 0, 0), same(0, rest, 1)), (same(some, 0, 1), calls)
    if b == 2:
        calls = same((0, F(1, 2)), (0, F(1, 2)), (F(2, 3), 1))
        return (same(0, 0, 0), same(0, 0, 1)), (same((0, F(1, 2)), 0, (0, 1)), calls)
    first = same(0, 0, (0, 1 - 2 / b)), same(0, 0, (2 / b, 1))
    return first, (same(0, 0, (0, 1)), same(0, 0, (4 / (2 + b), 1)))


@pytest.mark.parametrize("b", BETS)
@pytest.mark.parametrize("ante", [pytest.param(F(1), marks=pytest.mark.slow), F(2, 3)])
def test_the_optimal_faces_are_those_of_the_page(b, ante):
    game = relance.make("one_card_poker", raises=0, ante=ante, bet=b * ante)
    steps = (("", "bet"), ("check-bet", "call")), (("check", "bet"), ("bet", "call"))
    for player, expected in enumerate(ranges(b)):
        found = optimal_face(game, player).ranges
        assert [found[step] for step in steps[player]] == list(expected)


@pytest.mark.parametrize(
    ("b", "player", "least"),
    [
        (F(3, 2), 1, {"y2": 1, "y3": 1, "is": 4 / (2 + F(3, 2))}),
        (F(3, 2), 1, {"y1": -F(3, 2), "y3": F(7, 2), "is": 4 * F(5, 2) / F(7, 2)}),
        (F(3, 2), 1, {"y1": -1, "y2": -1, "is": -F(3, 2) / F(7, 2)}),
        (F(2), 1, {"x3": 1, "x1": -2, "is": 0}),
        (F(2), 1, {"x1": 1, "y1": -1, "y2": -1, "is": 0}),
        (F(2), 1, {"y2": 1, "y3": 1, "is": 1}),
        (F(2), 1, {"y3": 2, "y1": -1, "x1": -1, "is": 1}),
        (F(3), 0, {"y3": 5, "x3": 2, "is": 4}),
        (F(1), 0, {"x3": 1, "x1": -3, "is": 0}),
        (F(1), 0, {"x1": 3, "x3": -1, "is": 0}),
        (F(1), 0, {"y2": 3, "x3": -1, "is": 1}),
        (F(1), 0, {"x3": 1, "y2": -3, "is": -1}),
    ],
)
def test_each_condition_of_the_page_is_just_met_on_the_face(b, player, least):
    """The opener's calls are weights here: y3 is the probability to check and call with the ace."""
    form = SequenceForm(relance.make("one_card_poker", raises=0, bet=b), player)
    steps = (
        {"x": ("", "bet"), "y": ("check-bet", "call")} if player == 0 else {"x": ("check", "bet"), "y": ("bet", "call")}
    )
    target = {form.weights[steps[name[0]]][int(name[1]) - 1]: -F(c) for name, c in least.items() if name != "is"}
    assert -form.extreme(target) == least["is"]


@pytest.mark.parametrize(
    ("parameters", "nearest"),
    [
        ({"bet": 2}, "it is for B == 1; it is for raises == 0"),
        ({"cards": 4}, "it is for cards == 3; it is for raises == 0"),
        ({"cards": 4, "raises": 2, "bet": 3}, "it is for raises == 0"),
    ],
)
def test_other_parameters_are_refused_with_what_is_published(parameters, nearest):
    with pytest.raises(ValueError, match=f": {nearest}$"):
        relance.make("one_card_poker", **parameters).published()


BETS_OF_DECKS = [F(1, 9), F(2, 5), F(1), F(7, 5), F(2), F(23, 5), F(7), F(12), F(30)]


@pytest.mark.parametrize("cards", [2, 3, 4, 5, 6, 7, 9, 12, 13, 20])
def test_any_deck_is_solved_at_any_bet(cards):
    """The borders between the rows of the page too, where w is whole, and a deck and bet where the opener never bets."""
    borders = [F(cards - 1, m) - 1 for m in range(1, cards - 1)] + [F(2 * cards - 4)] * (cards > 2)
    for b in [*BETS_OF_DECKS, *borders]:
        game = relance.make("one_card_poker", cards=cards, raises=0, ante=2, bet=2 * b)
        assert relance.nash_conv(game, game.published()) == 0, b


@pytest.mark.parametrize(("cards", "bet"), [(4, 1), (5, "7/5"), (6, "1/5"), (7, 5), (8, "7/3"), (12, "23/5")])
def test_the_value_by_linear_programming(cards, bet):
    game = relance.make("one_card_poker", cards=cards, raises=0, bet=bet)
    assert solve_lp(game)[0] == relance.value(game, game.published())


def test_more_cards_are_near_the_limit():
    game = relance.make("one_card_poker", cards=400, raises=0, bet=2)
    limit = relance.make("pot_limit", raises=0)
    gap = relance.value(game, game.published()) - relance.value(limit, limit.published())
    assert 0 < abs(gap) < F(1, 400)


@pytest.mark.parametrize(
    ("omega", "holds"),
    [
        ("0", True),
        ("-1/1000", False),
        ("2*(b + 2)/b", True),
        ("2*(b + 2)/b + 1/1000", False),
        ("b - 2", False),
        ("b - 1", True),
    ],
)
def test_the_opener_bets_a_number_of_cards_from_0_to_one_bluff_more_than_the_dealer(omega, holds):
    """Both ends belong to the range, and to leave it on one side is enough to leave it."""
    where = region("b", "1 <= b", "b <= 3")
    assert _bets(where, formula(omega, where), 1).holds is holds
