"""Gambit's files: read as the game they were written from, and refused where they are damaged."""

import re
from fractions import Fraction

import pytest

from relance.model.game_tree import ChanceNode, DecisionNode, GameTree, TerminalNode
from relance.registration.efg_file import write_efg
from relance.registration.game_trees import game_tree


def test_gambit_files(tmp_path):
    text = """EFG 2 R "a \\"title\\"" { "A" "B" } "a comment"
    c "" 1 "" { "x" 1/3 "y" 2/3 } 1 "bonus" { 1, -1 }
    p "" 1 7 { "l" "r" } 0
    t "" 2 "" { 0.5 -.5 }
    p "" 2 1 "" { "a" "a" } 0
    t "" 2
    t "" 0
    p "" 1 7 0
    t "" 3 "big" { 1e1, 0 }
    t "" 3"""
    path = tmp_path / "mine.efg"
    path.write_text(text)
    for source in (text, str(path), path):
        tree = game_tree(source)
        assert (tree.title, tree.num_players, tree.num_histories) == ('a "title"', 2, 9)
        assert tree.by_name.keys() == {"(set 7)", "(set 1)"}
        assert tree.by_name["(set 1)"].actions == ("a (1)", "a (2)")
        assert tree.terminals[2, 1] == (Fraction(1, 2), Fraction(-1, 2))
        assert tree.terminals[2, 2] == (Fraction(1, 3), Fraction(-1, 3))
        assert tree.terminals[1, 0] == (Fraction(1, 2) + Fraction(22, 3), Fraction(-1, 2) - Fraction(2, 3))


@pytest.mark.parametrize(
    ("distribution", "meant"),
    [
        (("0.1", "0.9"), Fraction(1, 10)),
        (("0.123456789", "0.876543211"), Fraction(123456789, 10**9)),
        ((".3333333333333333", "0.6666666666666667"), Fraction(1, 3)),
        (("0.9999999", "1e-7"), 1 - Fraction(1, 10**7)),
        # 1 - 1e-200 in a float beside 1e-200: neither is right, and their shares in their sum are
        (("1.0", "1e-200"), 1 / (1 + Fraction(1e-200))),
    ],
)
def test_probabilities_as_decimals_are_floats(distribution, meant):
    tree = game_tree(
        f'EFG 2 R "" {{ "A" }} c "" 1 "" {{ "x" {distribution[0]} "y" {distribution[1]} }} 0 t "" 1 "" {{ 1 }} t "" 2 "" {{ 0 }}'
    )
    assert sum(paid for (paid,) in tree.terminals.values()) == meant


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("EFG 2", "NFG 1", "the .nfg file needs {"),
        ("2/3", "1/3", "at the start: probabilities must be at least 0 and sum to 1"),
        ('1 { "l" "r" }', "1", "uses information set 1 before giving its actions"),
        ("{ 1, -1 }", "", "uses outcome 1 before giving its payoffs"),
        ("{ 2, -2 }", "{ 2 }", "an outcome of the .efg file has 1 payoffs for 2 players"),
        ("p", "q", "a node of kind 'q'; it must be c, p or t"),
        ('p "" 1', 'p "" 3', "line 4: in the .efg file player '3' acts; the file names 2 players"),
        ('p "" 1', 'p "" x', "line 4: in the .efg file player 'x' acts; the file names 2 players"),
        ('p "" 1', 'p "" 0', "line 4: in the .efg file player '0' acts; the file names 2 players"),
        ('t "" 2 "" { 2, -2 }', "", "the .efg file needs an unquoted word or number after"),
    ],
)
def test_a_damaged_gambit_file_is_refused(old, new, message):
    text = 'EFG 2 R "" { "A" "B" }\nc "" 1 "" { "x" 1/3 "y" 2/3 } 0\nt "" 1 "" { 1, -1 }\np "" 1 1 { "l" "r" } 0\n'
    text += 't "" 1\nt "" 2 "" { 2, -2 }'
    assert game_tree(text).num_histories == 5
    assert old in text
    with pytest.raises(ValueError, match=re.escape(message)):
        game_tree(text.replace(old, new))


def test_payoffs_at_inner_nodes_are_added():
    """Each decision pays on the way; outcome 0 is none, whatever stands there. By hand: in, then up is worth 1 + 10 + 100 to player 0."""
    text = """EFG 2 R "" { "A" "B" }
    p "" 1 1 "first" { "in" "out" } 1 "" { 1, -2 }
    p "" 2 1 "second" { "up" "down" } 2 "" { 10, 20 }
    t "" 3 "" { 100, 200 }
    t "" 0 "" { 7, 7 }
    t "" 2"""
    tree = game_tree(text)
    assert tree.terminals == {(1, 1): (111, 218), (1, 2): (11, 18), (2, 0): (11, 18)}


def test_sets_are_told_apart_by_player_and_number():
    """Two sets of player A have one name, and a set of player B has the number of one of them; each lists its actions once."""
    text = """EFG 2 R "" { "A" "B" }
    c "" 1 "" { "x" 1/2 "y" 1/4 "z" 1/4 } 0
    p "" 1 1 "here" { "l" "r" } 0
    p "" 2 1 "there" { "up" "down" } 0
    t "" 1 "" { 1, 0 }
    t "" 2 "" { 0, 1 }
    t "" 2
    p "" 1 2 "here" { "l" "r" } 0
    p "" 2 1 0
    t "" 1
    t "" 2
    t "" 1
    p "" 1 1 0
    t "" 2
    t "" 1"""
    tree = game_tree(text)
    assert {name: s.actions for name, s in tree.by_name.items()} == {
        "here": ("l", "r"),
        "there": ("up", "down"),
        "here (set 2)": ("l", "r"),
    }


def test_long_probabilities_are_exact():
    p = Fraction(10**30 + 1, 3 * 10**30)
    tree = game_tree(
        f'EFG 2 R "" {{ "A" }}\nc "" 1 "" {{ "x" {p} "y" {1 - p} }} 0\nt "" 1 "" {{ 1 }}\nt "" 2 "" {{ 0 }}'
    )
    assert tree.terminals == {(0,): (p,)}


def test_what_is_written_is_read_back_and_as_gambit_reads_it():
    """Three players, backslashes and quotes in names, two moves of chance; each set and each move of chance has a number of its own."""

    def last(name, x):
        return DecisionNode(2, name, {"\\": TerminalNode((x, 0, 1)), '"': TerminalNode((0, x, Fraction(1, 3)))})

    coins = [
        ChanceNode({"heads": (p, last(name, 2)), "tails": (1 - p, last(name, 3))})
        for p, name in ((Fraction(1, 4), "s\\t"), (Fraction(2, 3), "s\\u"))
    ]
    root = DecisionNode(
        0, "a", {"l": DecisionNode(1, "b", {"x": coins[0]}), "r": DecisionNode(1, "c", {"x": coins[1]})}
    )
    tree = GameTree(root, "a \\ title")
    text = write_efg(tree)
    again = game_tree(text)
    assert (again.title, again.num_players, again.infosets, again.terminals) == (
        tree.title,
        3,
        tree.infosets,
        tree.terminals,
    )
    numbers = {kind: re.findall(rf'^{kind} "" (\d+ \d+|\d+)', text, re.MULTILINE) for kind in "cpt"}
    assert sorted(numbers["c"]) == ["1", "2"]
    assert sorted(set(numbers["p"])) == ["1 1", "2 1", "2 2", "3 1", "3 2"]
    assert len(set(numbers["t"])) == 8
