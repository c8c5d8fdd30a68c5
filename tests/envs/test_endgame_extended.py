"""The endgame with cards between the rounds: what survives of the theorem, against linear programs, and a formula for two rounds."""

from fractions import Fraction as F

import pytest

import relance
from relance.envs.endgame_extended import MOST_ROUNDS


def without_cards(game):
    names = ("p", "ante", "bets")
    return relance.make("endgame", **{name: game.parameters[name] for name in names})


@pytest.mark.parametrize("bets", [[2, 6], [1, 1, 3], [2]])
@pytest.mark.parametrize("p", ["1/9", "1/4", "4/9", "3/5"])
@pytest.mark.parametrize("chances", [("3/5", "2/5"), ("1/2", "1/2"), ("0", "1/4"), ("1", "4/5")])
def test_cards_that_tell_little_change_neither_value_nor_first_round(bets, p, chances):
    game = relance.make("endgame_cards", p=p, bets=bets, good_winner=chances[0], good_loser=chances[1])
    plain, profile = without_cards(game), game.published()
    assert relance.nash_conv(game, profile) == 0
    assert relance.value(game, profile) == relance.value(plain, plain.published())
    for name in ("", "bet"):
        assert [list(row) for row in profile[name]] == [list(row) for row in plain.published()[name]]


def two_rounds(p, ante, bets, likelihoods):
    """The value with P below P0, apart from the package: the best number of first bluffs per winner is a kink of a concave function."""
    later, r = ante + bets[0], bets[1] / (2 * (ante + bets[0]) + bets[1])

    def called(x):
        return later * sum(min((1 + 2 * r) * w - x * loses, w + x * loses) for w, loses in likelihoods)

    def gain(x):
        return ante * x + min(ante * (1 + x), called(x))

    kinks = [F(0), *(r * w / loses for w, loses in likelihoods if loses)]
    for folding in range(
        2 ** len(likelihoods)
    ):  # after these cards player 1 always folds: there a call and a fold cost alike
        up = [pair for k, pair in enumerate(likelihoods) if folding >> k & 1]
        down = [pair for k, pair in enumerate(likelihoods) if not folding >> k & 1]
        constant = later * (sum(w for w, _ in up) + (1 + 2 * r) * sum(w for w, _ in down)) - ante
        slope = later * (sum(x for _, x in up) - sum(x for _, x in down)) - ante
        kinks += [-constant / slope] if slope and -constant / slope > 0 else []
    best = max(kinks, key=gain)
    assert p * (1 + best) <= 1
    return -ante + p * (ante + gain(best))


@pytest.mark.parametrize("chances", [("9/10", "1/10"), ("9/10", "9/100"), ("1", "1/5"), ("3/4", "1/4"), ("3/5", "2/5")])
@pytest.mark.parametrize("bets", [[2, 6], [1, 10], [10, 1]])
@pytest.mark.parametrize("p", ["1/20", "1/5"])
def test_the_value_of_two_rounds_whatever_the_cards(chances, bets, p):
    game = relance.make("endgame_cards", p=p, bets=bets, good_winner=chances[0], good_loser=chances[1])
    good, bad = ((F(chances[0]), F(chances[1])), (1 - F(chances[0]), 1 - F(chances[1])))
    worth = relance.value(game, relance.solve(game))
    assert worth == two_rounds(F(p), F(1), list(map(F, bets)), [good, bad])
    plain = without_cards(game)
    assert (worth == relance.value(plain, plain.published())) == game.is_published
    assert worth <= relance.value(plain, plain.published())


def test_what_tells_too_much_is_named():
    with pytest.raises(ValueError, match="a good card before round 2 tells so much that player 1 would always fold"):
        relance.make("endgame_cards", good_winner="9/10", good_loser="1/10").published()
    with pytest.raises(ValueError, match=f"bets has an amount for each of 9 rounds; at most {MOST_ROUNDS}"):
        relance.make("endgame_cards", bets=[1] * 9)
