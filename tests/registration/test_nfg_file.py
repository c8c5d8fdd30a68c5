"""Gambit's strategic-form files: both ways to write payoffs, any number of players, and what is no such file."""

import re
from fractions import Fraction

import numpy as np
import pyspiel
import pytest

import relance
from relance.registration.game_trees import game_tree

F = Fraction
PENNIES = 'NFG 1 R "pennies" { "row" "column" } { { "h" "t" } { "h" "t" } }\n'
CASES = {
    "payoffs": PENNIES + "1 -1 -1 1 -1 1 1 -1",
    "outcomes": PENNIES + '"a comment"\n{ { "won" 1, -1 } { "lost" -1, 1 } }\n1 2 2 1',
    "counted": 'NFG 1 D "pennies" { "row" "column" } { 2 2 }\n1 -1 -1 1 -1.0 1 1 -1',
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_matching_pennies(text):
    tree = game_tree(text)
    assert (tree.title, tree.num_players, tree.utility_sum) == ("pennies", 2, 0)
    assert [s.name for s in tree.infosets] == ["row", "column"]
    profile = relance.solve(tree)
    assert relance.value(tree, profile) == 0
    assert set(profile["row"].values()) == {F(1, 2)}


def test_the_first_players_strategies_run_in_the_inner_loop(tmp_path):
    """Two rows and three columns; the value of the matrix by hand: row 0 dominates, and then column 2 is best, 1."""
    rows = [[4, 3, 1], [0, 2, 0]]
    cells = " ".join(f"{row[j]} {-row[j]}" for j in range(3) for row in rows)
    path = tmp_path / "game.nfg"
    path.write_text('NFG 1 R "m" { "a" "b" } { 2 3 }\n' + cells)
    for source in (path, str(path), rows, np.array(rows)):
        tree = game_tree(source)
        assert relance.value(tree, relance.solve(tree)) == 1
    assert relance.value(str(path), "uniform") == F(10, 6)


def test_three_players_and_outcome_0():
    text = 'NFG 1 R "" { "a" "b" "c" } { 1 2 2 } { { "" 1, 2, 3 } { "" 0, 0, 9 } } 1 0 2 1'
    tree = game_tree(text)
    assert tree.num_players == 3
    best = relance.best_response(tree, "uniform", 2)
    assert best.value == max(F(1 * 3, 2), F(9 + 3, 2))  # by c's first and second strategy: cells 1 0 and 2 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1 -1 -1 1 -1 1 1 -1", "1 -1 -1 1 -1 1 1", "the .nfg file needs an unquoted word or number after"),
        ("1 -1 -1 1 -1 1 1 -1", "1 -1 -1 1 -1 1 1 -1 5", "goes on after its 4 cells: '5'"),
        ('{ "h" "t" } }', "{ } }", "strategies for 2; each player needs one or more"),
        ('{ { "h" "t" } { "h" "t" } }', '{ { "h" "t" } }', "has 2 players and strategies for 1"),
        ("1 -1 -1 1 -1 1 1 -1", '{ { "" 1, -1 } } 1 1 1 2', "uses outcome 2; its last is 1"),
        ("1 -1 -1 1 -1 1 1 -1", '{ { "" 1 } } 1 1 1 1', "has 1 payoffs for 2 players"),
        ("1 -1 -1", "one -1 -1", "number in the .nfg file='one' is not a number"),
    ],
)
def test_a_damaged_file_is_refused(old, new, message):
    assert old in CASES["payoffs"]
    with pytest.raises(ValueError, match=re.escape(message)):
        game_tree(CASES["payoffs"].replace(old, new))


def test_other_files_are_named_as_such(tmp_path):
    path = tmp_path / "kuhn.game"
    path.write_text("a game of LiteEFG")
    for use in (game_tree, relance.solve, lambda text: relance.value(text, "uniform")):
        with pytest.raises(ValueError, match=r"kuhn\.game is not a Gambit file"):
            use(str(path))


def test_simultaneous_moves_are_taken_in_turn():
    for name, value in (("matrix_rps", 0), ("goofspiel(num_cards=3,points_order=descending)", 0)):
        tree = game_tree(pyspiel.load_game(name))
        assert tree.title.startswith("turn_based_simultaneous_game")
        assert relance.value(tree, relance.solve(tree)) == value


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "relance_turn"])
def test_what_openspiel_rounds_is_read(name):
    """Its files hold .3333333333333333 for 1/3, and products of chances are off in their last digits."""
    game = pyspiel.load_game(name)
    tree = game_tree(game)
    if name != "relance_turn":
        from open_spiel.python.algorithms.gambit import export_gambit

        written = game_tree(export_gambit(game))
        assert relance.nash_conv(written, "uniform") == relance.nash_conv(tree, "uniform")
    else:
        ours = relance.make("turn")
        assert relance.nash_conv(tree, "uniform") == relance.nash_conv(ours, ours.uniform())
