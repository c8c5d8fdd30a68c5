"""The endgame by other routes: linear programs of whole games, and strategies at many points."""

from fractions import Fraction
from itertools import product

import pytest

import relance
from relance.claims.endgame.induction import later, one_round
from relance.envs.ferguson_endgame import growth, ratios
from relance.solvers.lp import solve_lp

F = Fraction
BETS = [(2, 6), (1, 1, 3), (5, 1, 2), (1, 2, 3, 4)]
CHANCES = [F(k, 12) for k in range(13)]


@pytest.mark.parametrize("bets", BETS)
@pytest.mark.parametrize("P", CHANCES[::2])
def test_one_round_stands_for_many(bets, P):
    """The game in which player II stops or goes on after a call has the value of the whole game: the smaller of (6) and the ante."""
    whole = relance.make("endgame", p=P, bets=bets)
    rest = ratios(F(1), whole.parameters["bets"])[1:]
    short = one_round(P, F(1), F(bets[0]), later(F(1 + bets[0]), growth(rest)))
    value = min(F(1), 2 * P * growth(ratios(F(1), whole.parameters["bets"])) - 1)
    assert solve_lp(whole)[0] == solve_lp(short)[0] == value


@pytest.mark.parametrize(("first", "second", "third"), list(product((1, 2, 5), repeat=3)))
def test_three_rounds_on_either_side_of_every_border(first, second, third):
    for P in CHANCES:
        game = relance.make("endgame", p=P, bets=[first, second, third])
        assert relance.nash_conv(game, game.published()) == 0


def test_the_border_that_is_misprinted():
    """At P = 3/5 the print says that player I always bluffs; with a bet of 4 it says below 2/3 that they bluff more than surely."""
    game = relance.make("sized_endgame", p="3/5")
    assert list(game.published(as_printed=True).row("", "bet 2")) == [1, 1]
    assert relance.nash_conv(game, game.published(as_printed=True)) == F(2, 5)
    with pytest.raises(ValueError, match="probability"):
        relance.make("sized_endgame", p="16/25", sizes=[1, 4]).published(as_printed=True)
