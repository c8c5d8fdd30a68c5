"""The program of a game: its optimum in fractions and in floats, from both players' sides, for all hands and for some of them."""

from fractions import Fraction

import pytest
from random_games import random_game

import relance
from relance.model.game_tree import DecisionNode, TerminalNode
from relance.registration.game_trees import game_tree
from relance.solvers.lp import solve_lp
from relance.solvers.optimal_set import optimal_set
from relance.solvers.program import by_pivots, game_program
from relance.solvers.tree_program import profile_of_realization_weights, program_of
from relance.solvers.tree_values import evaluate

F = Fraction
TEXTS = [
    "one_card_poker(cards=5,raises=2)",
    "von_neumann(hands=9)",
    "leduc",
    "river",
    "pot_limit(hands=6,raises=1)",
]


def floats_of(game):
    return game_program(game.forms, game.finite_deal().floats, float(game.max_chips))


@pytest.mark.parametrize("text", TEXTS)
def test_the_optimum_in_floats_is_near_the_exact_one(text):
    game = relance.make(text)
    worth, profile = solve_lp(game)
    found = floats_of(game).minimised()
    scale = float(game.max_chips) / (game.deal.size(0) * game.deal.size(1))
    assert -found.cost * scale == pytest.approx(float(worth), abs=1e-9)
    assert relance.nash_conv(game, profile) == 0


@pytest.mark.parametrize("seed", range(12))
def test_games_with_events_and_contests(seed):
    """Distributions by matrices, several cases: the value is that of the tree of histories, which knows nothing of distributions."""
    game = random_game(seed).game
    tree = game_tree(game)
    worth, profile = solve_lp(game)
    assert relance.nash_conv(game, profile) == 0
    weights = [[F(1), *rows[:, 0]] for rows in by_pivots(program_of(tree, exact=True)[0])]
    assert evaluate(tree, profile_of_realization_weights(tree, weights)).values == (worth, -worth)


def test_what_floats_cannot_tell_is_still_decided():
    """An amount far below the others: floats see several optimal strategies, fractions one."""
    tiny = F(1, 10**40)
    rows = [[1, -1], [-1, 1 + tiny]]
    columns = [DecisionNode(1, "column", {f"c{j}": TerminalNode(v) for j, v in enumerate(row)}) for row in rows]
    tree = game_tree(DecisionNode(0, "row", {f"r{i}": node for i, node in enumerate(columns)}))
    for player in (0, 1):
        found = optimal_set(tree, player)
        assert found.unique
        assert found.value == (1 - 2 * player) * tiny / (4 + tiny)
    program, operator = program_of(tree, exact=True)
    assert program.weighed == 2
    assert operator.size(0) == 1
