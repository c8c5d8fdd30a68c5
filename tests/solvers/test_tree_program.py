"""Exact equilibria of game trees: by the floats' vertex, by pivots alone, by Relance's own programs, and as OpenSpiel scores them."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

import relance
from relance import equilibria
from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode
from relance.registration.game_trees import game_tree
from relance.solvers import lp, tree_program
from relance.solvers.lp import solve_exactly, solve_lp
from relance.solvers.optimal_set import optimal_set
from relance.solvers.tree_values import evaluate

F = Fraction

REFERENCE = Path(__file__).parents[2] / "docs/results/reference"

GAMES = {
    "kuhn_poker": F(-1, 18),
    "leduc_poker": None,
    "liars_dice(numdice=1,dice_sides=3)": F(1, 9),
    "liars_dice(numdice=1,dice_sides=4)": F(1, 16),
    "dark_hex(board_size=2)": F(1),
    "one_card_poker(cards=5)": None,
    "von_neumann(hands=9)": F(1, 9),
    "pot_limit(hands=12,raises=2)": None,
    "river": None,
    "ponssard": None,
}


@pytest.mark.parametrize("name", GAMES)
def test_the_value_by_two_routes(name, monkeypatch):
    tree = game_tree(pyspiel.load_game(name) if "numdice" in name else name)  # Relance has a game liars_dice too
    monkeypatch.setattr(lp, "program_of", None)  # the vertex must do
    profile = solve_exactly(tree)
    found = evaluate(tree, profile)
    assert found.nash_conv == 0
    if isinstance(tree.source, pyspiel.Game):
        policy = relance.openspiel.policy(tree, profile)
        assert abs(pyspiel.nash_conv(tree.source, policy)) < 1e-12
        assert relance.from_policy(tree, policy).tree is tree
    else:
        assert found.values[0] == solve_lp(tree.source)[0]
    if name == "leduc_poker":
        assert found.values[0] == F(json.loads((REFERENCE / "leduc_poker.json").read_text())["value"])
    if GAMES[name] is not None:
        assert found.values[0] == GAMES[name]


@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice(numdice=1,dice_sides=3)", "von_neumann(hands=9)"])
def test_pivots_alone_find_the_same_value(name, monkeypatch):
    tree = game_tree(pyspiel.load_game(name) if "numdice" in name else name)  # Relance has a game liars_dice too
    value = evaluate(tree, solve_exactly(tree)).values
    monkeypatch.setattr(lp, "vertices", lambda tree: iter([]))
    profile = solve_exactly(tree)
    assert evaluate(tree, profile).nash_conv == 0
    assert evaluate(tree, profile).values == value


def matrix_game(rows):
    """Both choose unseen; player 0 wins the entry."""
    columns = [f"c{j}" for j in range(len(rows[0]))]
    return DecisionNode(
        0,
        "row",
        {
            f"r{i}": DecisionNode(1, "column", {c: TerminalNode(v) for c, v in zip(columns, row, strict=True)})
            for i, row in enumerate(rows)
        },
    )


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_random_matrices(rows, columns, data):
    entry = st.fractions(-3, 3, max_denominator=5)
    table = [[data.draw(entry) for _ in range(columns)] for _ in range(rows)]
    tree = GameTree(matrix_game(table))
    assert evaluate(tree, solve_exactly(tree)).nash_conv == 0


def test_numbers_beyond_floats_fall_back_on_pivots():
    """An entry that floats cannot tell from another decides the game."""
    tiny = F(1, 10**40)
    tree = GameTree(matrix_game([[1, -1], [-1, 1 + tiny]]))
    assert evaluate(tree, solve_exactly(tree)).values[0] == tiny / (4 + tiny)


def test_constant_sums_are_solved_too():
    """Player 0 gets what player 1 leaves of 5."""
    tree = GameTree(DecisionNode(0, "a", {"take": TerminalNode((4, 1)), "leave": TerminalNode((2, 3))}))
    assert evaluate(tree, relance.solve(tree)).values == (4, 1)


SOLVERS = {
    "solve": relance.solve,
    "solve to a bound": lambda tree: relance.solve(tree, "cfr+", 0.1),
    "optimal_set": lambda tree: optimal_set(tree, 0),
    "quasi_perfect": equilibria.quasi_perfect,
    "frontier": lambda tree: equilibria.frontier(tree, 0, "uniform"),
    "restricted_nash_response": lambda tree: equilibria.restricted_nash_response(tree, 0, "uniform", "1/2"),
}


@pytest.mark.parametrize("use", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kuhn_poker(players=3)", "has 3 players; only games of two are solved; relance.score scores profiles"),
        ("tiny_hanabi", "is not a game of zero sum: the sum of both players' payoffs differs"),
    ],
)
def test_what_is_evaluated_but_not_solved(name, message, use):
    tree = game_tree(name)
    with pytest.raises(ValueError, match=message):
        use(tree)
    assert relance.score(tree, "uniform").nash_conv >= 0


@pytest.mark.parametrize("name", sorted(SOLVERS.keys() - {"solve to a bound"}))
def test_a_game_too_large_for_an_exact_solution_says_so(monkeypatch, name):
    monkeypatch.setattr(tree_program, "MOST_SETS", 5)
    instead = "give a tolerance, such as tolerance=1e-4" if name == "solve" else "take a smaller game"
    with pytest.raises(ValueError, match=f"6 information sets; an exact solution takes up to 5; {instead}"):
        SOLVERS[name](game_tree("kuhn_poker"))


def test_an_unsound_vertex_is_not_accepted(monkeypatch):
    """Candidates are strategies, but no equilibrium: the exact best responses refuse them."""
    tree = game_tree("kuhn_poker")
    uniform = [[F(1)] * size for size in tree.num_sequences]
    for s in tree.infosets:
        for j in s.after:
            uniform[s.player][j] = uniform[s.player][s.before] / 2
    candidate = [np.array(weights[1:], object)[:, None] for weights in uniform]
    monkeypatch.setattr(lp, "_candidates", lambda tree: iter([candidate]))
    with pytest.raises(ArithmeticError, match=r"no solution found for kuhn_poker\(\) has a NashConv of exactly 0"):
        solve_exactly(tree)


def test_chance_at_the_start_and_sets_without_a_choice():
    tree = GameTree(
        ChanceNode({"a": ("1/3", DecisionNode(1, "s", {"only": TerminalNode(3)})), "b": ("2/3", TerminalNode(-3))})
    )
    assert evaluate(tree, relance.solve(tree)).values == (-1, 1)
