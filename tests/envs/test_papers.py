"""What is particular to one paper's games: their ends, borders and extreme parameters."""

from fractions import Fraction

import pytest

import relance
from relance.envs.ferguson_endgame import endgame_bets
from relance.solvers.lp import solve_lp

F = Fraction


def test_no_limit_bets_split_the_stack_geometrically():
    """Ferguson and Ferguson, The Endgame in Poker, Section 3, Example."""
    assert endgame_bets("no_limit", ante=10, stack=260, rounds=3) == (20, 60, 180)
    assert endgame_bets("pot", ante=1, rounds=2) == (2, 6)
    assert endgame_bets("limit", ante=1, stack=3, rounds=3) == (3, 3, 3)


@pytest.mark.parametrize(
    ("limit", "arguments", "message"),
    [
        ("fixed", {"rounds": 2}, "limit='fixed' must be one of 'limit', 'pot', 'no_limit'"),
        ("no_limit", {"rounds": 3}, "needs stack"),
        ("no_limit", {"rounds": 3, "stack": 5}, "not a fraction"),
        ("no_limit", {"rounds": 3, "stack": -1}, "stack=-1"),
        ("pot", {"rounds": 0}, "rounds=0"),
        ("pot", {"rounds": 2, "stack": "1" * 5000}, "stack="),
        ("pot", {"rounds": 2, "stack": 5}, "limit='pot' takes no stack, which is 5"),
    ],
)
def test_bets_that_make_no_sense(limit, arguments, message):
    with pytest.raises(ValueError, match=message):
        endgame_bets(limit, ante=1, **arguments)


@pytest.mark.parametrize("bet", [1, 2, "3/2"])
def test_the_ends_of_the_bridge(bet):
    for low, other in ((bet, "la_relance"), (0, "von_neumann")):
        bridge = relance.make("bellman_blackwell", low=low, high=bet)
        end = relance.make(other, bet=bet)
        assert relance.value(bridge, bridge.published()) == relance.value(end, end.published())


@pytest.mark.parametrize("p", [0, "1/3", "2/3", 1])
@pytest.mark.parametrize("q", [0, "1/5", "1/3", "2/3", 1])
def test_ponssard_at_borders_and_corners(p, q):
    game = relance.make("ponssard", p=p, q=q)
    profile = game.published()
    assert relance.nash_conv(game, profile) == 0
    assert solve_lp(game)[0] == relance.value(game, profile)


@pytest.mark.parametrize("p", [0, 1])
def test_certain_hands(p):
    game = relance.make("endgame", p=p, bets=[2])
    assert solve_lp(game)[0] == (1 if p else -1)


def test_printed_and_corrected_strategies_of_the_bridge():
    game = relance.make("bellman_blackwell", low="1/5", high=2)
    assert relance.nash_conv(game, game.published()) == 0
    assert relance.nash_conv(game, game.published(as_printed=True)) > F(1, 20)
