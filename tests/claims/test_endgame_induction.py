"""The step of an induction over the rounds of the endgame, against linear programs of whole games."""

from fractions import Fraction

import pytest
from test_endgame_rounds import CHANCES

import relance
from relance.claims.endgame.induction import later, one_round
from relance.envs.ferguson_endgame import growth, ratios
from relance.solvers.lp import solve_lp

F = Fraction

BETS = [(2, 6), (1, 1, 3), (5, 1, 2), (1, 2, 3, 4)]


@pytest.mark.parametrize("bets", BETS)
@pytest.mark.parametrize("P", CHANCES[::2])
def test_one_round_stands_for_many(bets, P):
    """The game in which player II stops or goes on after a call has the value of the whole game: the smaller of (6) and the ante."""
    whole = relance.make("endgame", p=P, bets=bets)
    rest = ratios(F(1), whole.parameters["bets"])[1:]
    short = one_round(P, F(1), F(bets[0]), later(F(1 + bets[0]), growth(rest)))
    value = min(F(1), 2 * P * growth(ratios(F(1), whole.parameters["bets"])) - 1)
    assert solve_lp(whole)[0] == solve_lp(short)[0] == value
