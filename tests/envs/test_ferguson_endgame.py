"""The endgame: bets by limit, and hands that are certain."""

import pytest

import relance
from relance.envs.ferguson_endgame import endgame_bets
from relance.solvers.lp import solve_lp


def test_no_limit_bets_split_the_stack_geometrically():
    """Ferguson and Ferguson, The Endgame in Poker, Section 3, Example."""
    assert endgame_bets("no_limit", ante=10, stack=260, rounds=3) == (20, 60, 180)
    assert endgame_bets("pot", ante=1, rounds=2) == (2, 6)
    assert endgame_bets("limit", ante=1, stack=3, rounds=3) == (3, 3, 3)


@pytest.mark.parametrize(
    ("limit", "arguments", "message"),
    [
        ("fixed", {"rounds": 2}, "limit='fixed' must be one of 'limit', 'pot', 'no_limit'"),
        ("no_limit", {"rounds": 3}, "needs the argument stack"),
        ("no_limit", {"rounds": 3, "stack": 5}, "not a fraction"),
        ("no_limit", {"rounds": 3, "stack": -1}, "stack=-1"),
        ("pot", {"rounds": 0}, "rounds=0"),
        ("pot", {"rounds": 2, "stack": "1" * 5000}, "stack="),
        ("pot", {"rounds": 2, "stack": 5}, "stack=5 must be left out if limit='pot'"),
    ],
)
def test_bets_that_make_no_sense(limit, arguments, message):
    with pytest.raises(ValueError, match=message):
        endgame_bets(limit, ante=1, **arguments)


@pytest.mark.parametrize("p", [0, 1])
def test_certain_hands(p):
    game = relance.make("endgame", p=p, bets=[2])
    assert solve_lp(game)[0] == (1 if p else -1)
