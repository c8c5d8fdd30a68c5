"""Gambit's files: read as the game they were written from, and refused where they are damaged."""

import re
from fractions import Fraction

import pytest

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
        assert (tree.title, tree.players, tree.histories) == ('a "title"', 2, 9)
        assert tree.by_name.keys() == {"(set 7)", "(set 1)"}
        assert tree.by_name["(set 1)"].actions == ("a (1)", "a (2)")
        assert tree.endings[2, 1] == (Fraction(1, 2), Fraction(-1, 2))
        assert tree.endings[2, 2] == (Fraction(1, 3), Fraction(-1, 3))
        assert tree.endings[1, 0] == (Fraction(1, 2) + Fraction(22, 3), Fraction(-1, 2) - Fraction(2, 3))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("EFG 2", "NFG 1", "the .nfg file needs {"),
        ("2/3", "1/3", "at the start: probabilities must be at least 0 and sum to 1"),
        ('1 { "l" "r" }', "1", "uses information set 1 before its actions"),
        ("{ 1, -1 }", "", "uses outcome 1 before its payoffs"),
        ("{ 2, -2 }", "{ 2 }", "an outcome of the .efg file has 1 payoffs for 2 players"),
        ("p", "q", "a node of kind 'q'; c, p and t are known"),
        ('p "" 1', 'p "" 3', "player 3 acts; it names 2 players"),
        ('t "" 2 "" { 2, -2 }', "", "the .efg file needs word after"),
    ],
)
def test_a_damaged_gambit_file_is_refused(old, new, message):
    text = 'EFG 2 R "" { "A" "B" }\nc "" 1 "" { "x" 1/3 "y" 2/3 } 0\nt "" 1 "" { 1, -1 }\np "" 1 1 { "l" "r" } 0\n'
    text += 't "" 1\nt "" 2 "" { 2, -2 }'
    assert game_tree(text).histories == 5
    assert old in text
    with pytest.raises(ValueError, match=re.escape(message)):
        game_tree(text.replace(old, new))
