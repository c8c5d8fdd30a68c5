"""Randomised bets without folds: the printed formulas are wrong."""

import pytest

import relance
from relance.claims.borel_von_neumann.bridge import randomised_bets
from relance.claims.ledger import Numbers


@pytest.mark.parametrize("b3", ["1 - (B1 + 1)*(B2 + 2)/D", "1 - (B1 + 2)*(B2 + 2)/D"])
def test_the_printed_formulas_without_folds_are_wrong_however_b3_is_read(b3):
    printed = {
        "D": "B1**2*(B2 + 2) + B1*(B2**2 + 6*B2 + 6) + 2*(B2 + 1)*(B2 + 4)",
        "mH": "B2*(B1 + 2)/D",
        "b1": "mH + B1*(B1 + 1)*(B2 + 2)/D",
        "b2": "b1 + (B1 + 2)*(B2 - B1)*(B2 + 2)/D",
        "b3": b3,
    }
    v = Numbers(printed).at(B1="1/5", B2=2)
    game = relance.make("bellman_blackwell", low="1/5", high=2)
    assert relance.nash_conv(game, game.profile(randomised_bets(v))) > 0
