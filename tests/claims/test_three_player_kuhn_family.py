"""Kuhn's poker for three players: its tree is OpenSpiel's, and members of the family are scored number by number."""

from dataclasses import replace
from fractions import Fraction

import pytest

import relance
from relance.claims.checks import tree_nash
from relance.claims.ledger import look, papers
from relance.claims.numbers import Numbers
from relance.claims.proof import region
from relance.claims.three_player_kuhn.family import _plan, kuhn_tree
from relance.equilibria.grades import grade_game
from relance.solvers.tree_values import evaluate

FAMILY, _ = papers()["szafron-2013"].claims
POINTS = [
    {"c11": 0, "b11": "1/8", "b21": "1/4", "b23": 0, "beta": "1/4", "b32": "1/2", "c33": "1/3", "c34": "2/5"},
    {"c11": "1/3", "b11": "1/6", "b21": "1/6", "b23": 0, "beta": "1/6", "b32": "19/24", "c33": 0, "c34": "3/4"},
    {"c11": "1/2", "b11": "1/4", "b21": 0, "b23": "1/8", "beta": "1/4", "b32": "3/4", "c33": 0, "c34": "3/4"},
]
"""One member of each sub-family; the second and third are those of the authors' group's scripts for matches."""


@pytest.mark.parametrize("players", [2, 3])
def test_the_tree_is_that_of_openspiel(players):
    assert grade_game(kuhn_tree(players), relance.game_tree(f"kuhn_poker(players={players})")).right


@pytest.mark.parametrize("point", POINTS)
def test_a_member_scored_in_fractions_is_an_equilibrium_with_these_utilities(point):
    symbols = {symbol: Fraction(number) for symbol, number in point.items()}
    known = {**symbols, **Numbers(FAMILY.printed).at(**symbols)}
    found = evaluate(kuhn_tree(3), _plan(known))
    assert found.nash_conv == 0
    assert found.values == (known["u1"], known["u2"], known["u3"])
    moved = evaluate(kuhn_tree(3), _plan({**known, "b33": known["b33"] - Fraction(1, 100)}))
    assert moved.nash_conv > 0


@pytest.mark.parametrize(
    ("part", "bound", "wider"),
    [
        ("c11 = 0", "b21 <= 1/4", "b21 <= 1/3"),
        ("0 < c11 < 1/2", "c11 <= (2 - b11)/(3 + 4*b11)", "c11 <= 1"),
        ("c11 = 1/2", "b23 <= (b11 - b21)/(2*(1 - b21))", "b23 <= b11 - b21"),
        ("c11 = 1/2", "1/2 - b32 <= c33", "1/3 - b32 <= c33"),
    ],
)
def test_wider_bounds_are_no_equilibria(part, bound, wider):
    parts = FAMILY.check.keywords["parts"]
    where = [wider if text == bound else text for text in parts[part]["where"]]
    assert where != parts[part]["where"]
    found = look(lambda n: FAMILY.check.func(n, {part: {**parts[part], "where": where}}), FAMILY.printed)
    assert not found.holds


def test_the_claim_is_open_without_one_of_its_sub_families():
    parts = dict(FAMILY.check.keywords["parts"])
    del parts["c11 = 1/2"]
    less = replace(FAMILY, check=lambda n: FAMILY.check.func(n, parts))
    assert less.decide()[0] == "open"


def test_a_plan_with_probabilities_off_1_does_not_hold():
    where = region("x", "0 <= x", "x <= 1")
    tree = kuhn_tree(2)
    plan = {name: {"p": where["x"], "b": where["x"]} for name in tree.by_name}
    assert not tree_nash(tree, plan, where, [Fraction(0), Fraction(0)]).holds
