"""The games of all five papers fit the model: a sketch of each kind, with a value known from elsewhere."""

from fractions import Fraction

import numpy as np
import pytest

from relance.model.blueprint import Blueprint, Source
from relance.model.distributions import fgm, independent, powers, uniform
from relance.model.game import Game
from relance.model.grid import EqualCuts
from relance.model.matrix_deal import MatrixDeal
from relance.model.tree import BettingTree, Leaf, decision, facing_a_bet, showdown
from relance.solvers.exact import nash_conv, value
from relance.solvers.lp import solve_lp

F = Fraction


def sketch(tree, deal) -> Game:
    blueprint = Blueprint("sketch", "a sketch", Source("none", "nobody", "nothing", 2000, ""), {}, lambda: (tree, deal))
    return Game(blueprint, {}, tree, deal)


def endgame_deal(p):
    return independent({"loser": (1 - p, 0), "winner": (p, 2)}, {"hand": (F(1), 1)})


def rounds(ante, bets):
    if not bets:
        return showdown(ante)
    call = rounds(ante + bets[0], bets[1:])
    return decision(0, check=showdown(ante), bet=decision(1, fold=Leaf(ante), call=call))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_endgame_of_n_rounds_at_pot_limit(n):
    """The value a(2P/P0 - 1) with P0 the product of 1/(1 + r_k); at pot limit every r_k is 1/2."""
    p = F(1, 5)
    bets = [2 * 3**k for k in range(n)]
    game = sketch(BettingTree(rounds(F(1), bets)), endgame_deal(p))
    assert solve_lp(game)[0] == min(F(1), 2 * p * F(3, 2) ** n - 1)


def test_two_bet_sizes():
    """Bellman and Blackwell with low = 0 is von Neumann's poker: a bet of nothing is a check."""
    tree = BettingTree(
        decision(0, fold=Leaf(F(-1)), low=facing_a_bet(1, F(1), [F(0)]), high=facing_a_bet(1, F(1), [F(2)]))
    )
    game = sketch(tree, uniform().cells(EqualCuts(9)))
    assert solve_lp(game)[0] == F(1, 9)


def test_high_and_low_cards_with_different_distributions():
    """Ponssard with p = q = 1/2, n = 1, m = 4, each player having anted half the pot: drop, raise, reraise."""
    half, p, q = F(1, 2), F(1, 2), F(1, 2)
    third = decision(0, drop=Leaf(-half - 1), call=showdown(half + 4))
    second = decision(1, drop=Leaf(half), call=showdown(half + 1), reraise=third)
    deal = independent({"low": (1 - p, 0), "high": (p, 2)}, {"low": (1 - q, 1), "high": (q, 3)})
    game = sketch(BettingTree(decision(0, drop=Leaf(-half), **{"raise": second})), deal)
    worth, profile = solve_lp(game)
    assert (
        worth == -half
    )  # q is above n(m + n + 1)/((n + 1)(2m + n)) = 1/3, so player 1 of the paper drops and gets nothing of the pot
    assert nash_conv(game, profile) == 0


def test_raises_up_to_a_cap_without_check_raises():
    sizes = [F(2) * 3**k for k in range(4)]
    after_check = decision(1, check=showdown(F(1)), bet=facing_a_bet(0, F(1), sizes[:1]))
    game = sketch(
        BettingTree(decision(0, check=after_check, bet=facing_a_bet(1, F(1), sizes))), uniform().cells(EqualCuts(6))
    )
    worth, profile = solve_lp(game)
    assert worth < 0
    assert nash_conv(game, profile) == 0


def test_dependent_hands_and_other_marginals():
    tree = BettingTree(decision(0, fold=Leaf(F(-1)), bet=facing_a_bet(1, F(1), [F(2)])))
    for deal in (fgm(F(-1)), fgm(F(1, 2)), powers(2, 1)):
        game = sketch(tree, deal)
        grid = sketch(tree, deal.cells(EqualCuts(6)))
        plan = {"": {"bet": [(F(1, 2), 1)]}, "bet": {"call": [(F(2, 3), 1)]}}
        cells = {"": {"bet": [0, 0, 0, 1, 1, 1]}, "bet": {"call": [0, 0, 0, 0, 1, 1]}}
        assert value(game, game.profile(plan)) == value(grid, grid.profile(cells))
        assert solve_lp(grid)[0] <= 1


def test_a_joint_matrix_and_hands_that_only_win_with_a_probability():
    """Basic Endgame in which player I's hand wins with probability 1/10 or 9/10."""
    joint = np.array([[F(3, 4)], [F(1, 4)]], object)
    edge = np.array([[F(-8, 10)], [F(8, 10)]], object)
    tree = BettingTree(rounds(F(1), [F(2)]))
    sure = sketch(tree, endgame_deal(F(1, 4)))
    chance = sketch(tree, MatrixDeal((["bad", "good"], ["hand"]), joint, edge))
    certain = sketch(tree, MatrixDeal((["bad", "good"], ["hand"]), joint, np.array([[F(-1)], [F(1)]], object)))
    assert solve_lp(certain)[0] == solve_lp(sure)[0] == F(-1, 4)
    worth, profile = solve_lp(chance)
    assert nash_conv(chance, profile) == 0
    assert worth > F(-1, 2)


def test_more_than_one_term_and_hidden_information():
    """Player II's card bears on the probability of a winner: a joint distribution of rank two."""
    joint = np.array([[F(1, 4), F(1, 2)], [F(3, 16), F(1, 16)]], object)
    edge = np.array([[F(-1), F(-1)], [F(1), F(1)]], object)
    tree = BettingTree(rounds(F(1), [F(2)]))
    game = sketch(tree, MatrixDeal((["loser", "winner"], ["red", "black"]), joint, edge))
    worth, profile = solve_lp(game)
    assert nash_conv(game, profile) == 0
    assert -F(1, 2) < worth <= F(1)
