"""All optimal answers of Ponssard's player II, as linear programming finds them, are those that the claims name."""

from fractions import Fraction

import pytest

from relance.claims.ponssard.square import game_at, restricted
from relance.solvers.optimal_set import optimal_set

BORDER = Fraction(2, 3)


@pytest.mark.parametrize(("p", "single"), [(BORDER, False), (Fraction(4, 5), True), (Fraction(1), True)])
def test_above_the_border_y1_alone_is_optimal_and_on_it_y2_is_too(p, single):
    at = {"n": Fraction(1), "m": Fraction(4), "p": p, "q": Fraction(1, 5)}
    second = optimal_set(restricted(game_at(at), first="raise"), 1)
    by_hand = second.ranges_by_hand()
    ranges = {action: by_hand["raise", action] for action in ("drop", "call", "reraise")}
    assert ranges["reraise"] == [(Fraction(1, 8),) * 2, (1, 1)]
    assert ranges["drop"] == [(Fraction(7, 8) if single else 0, Fraction(7, 8)), (0, 0)]
    assert ranges["call"] == [(0, 0 if single else Fraction(7, 8)), (0, 0)]
    assert second.unique == single
