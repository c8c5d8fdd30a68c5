"""Certificates of game trees say what each player earns and could earn, and none is given for what is false."""

import json
from fractions import Fraction

import pytest

import relance
from relance.equilibria.tree_certificates import tree_certificate


def test_it_is_plain_data_with_exact_numbers():
    tree = relance.game_tree("kuhn_poker")
    profile = relance.solve(tree)
    found = tree_certificate(tree, profile)
    assert json.loads(json.dumps(found)) == found
    assert found["values"] == ["-1/18", "1/18"] == found["best_responses"]
    assert found["nash_conv_at_most"] == "0"
    again = relance.game_tree(found["game"])
    assert relance.nash_conv(again, found["profile"]) == 0


def test_a_bound_that_is_false_has_no_certificate():
    tree = relance.game_tree("kuhn_poker")
    uniform = tree.uniform()
    lost = Fraction(relance.nash_conv(tree, uniform))
    assert tree_certificate(tree, uniform, 1)["nash_conv_at_most"] == "1"
    assert tree_certificate(tree, uniform)["nash_conv_at_most"] == str(lost)
    with pytest.raises(ValueError, match=f"is false: the profile's NashConv is {lost}"):
        tree_certificate(tree, uniform, lost - Fraction(1, 1000))
