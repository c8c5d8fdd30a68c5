"""Leduc hold'em and limit poker: exact values, the best hands, and the largest that may be asked for."""

from fractions import Fraction

import numpy as np
import pytest

import relance
from relance.envs.turn import MOST_TERMINALS
from relance.solvers import gains as gains_of


def test_the_value_of_leduc_is_exact():
    """The published value is -0.0856064; suits that are told apart change nothing."""
    game = relance.make("leduc")
    profile = relance.solve(game)
    assert relance.nash_conv(game, profile) == 0
    worth = relance.value(game, profile)
    assert isinstance(worth, Fraction)
    assert float(worth) == pytest.approx(-0.085606424078, abs=1e-12)
    split = relance.make("leduc", merge_suits=False)
    plan = {
        name: {a: np.repeat(np.asarray(profile[ranked(name)][i]), 2) for i, a in enumerate(node.actions)}
        for name, node in split.tree.decisions.items()
    }
    assert relance.nash_conv(split, split.profile(plan)) == 0
    assert relance.value(split, split.profile(plan)) == worth


def ranked(name):
    """The name of a node without suits."""
    return "-".join(step[0] if step[:1] in {*"JQK"} else step for step in name.split("-"))


def test_the_largest_leduc_is_within_the_limit_of_the_turn_and_no_exact_solution_is_begun():
    game = relance.make("leduc(ranks=13,suits=4,raises=10,merge_suits=false)")
    assert len(game.tree.leaves) == 44_792 < MOST_TERMINALS
    with pytest.raises(
        ValueError,
        match="an exact solution of leduc.* would take about .* days; 1 hour is allowed; solve it with a tol",
    ):
        relance.solve(game)


def test_the_value_of_three_rounds_is_exact():
    """What is printed on the game's page."""
    game = relance.make("limit_poker")
    profile = relance.solve(game)
    assert relance.nash_conv(game, profile) == 0
    assert relance.value(game, profile) == Fraction(-1, 320)


def test_hands_of_up_to_five_cards_are_ranked():
    """The cards that turned up, the cards of player 0 and of player 1, and who wins."""
    deal = relance.make("limit_poker", ranks=3, suits=4, bets=[1] * 5).deal
    jack, queen, king = range(3)
    for shown, first, second, edge in [
        ("JQ", king, jack, -1),  # no pair and a pair
        ("JQ", queen, jack, 1),  # the higher pair
        ("JJQ", queen, jack, -1),  # two pairs and three
        ("JQQ", king, jack, -1),  # a pair and two pairs
        ("JKK", queen, queen, 0),
        ("QQQK", king, jack, 1),  # three and two, three alone
        ("QQQK", queen, king, 1),  # four
        ("JJQQ", jack, queen, -1),
        ("JJQQ", king, jack, -1),  # two pairs and three with two
    ]:
        after = deal
        for card in shown:
            after = after.after(card)
        assert after.compare(first, second) == edge


def test_only_the_best_five_of_six_cards_count():
    """With two pairs of kings and queens and a jack on the table, a pair of jacks adds nothing to the kicker."""
    deal = relance.make("limit_poker", ranks=5, suits=4, bets=[1] * 6).deal
    for card in "KKQQJ":
        deal = deal.after(card)
    nine, jack, queen, king = map("9TJQK".index, "9JQK")
    assert deal.compare(jack, nine) == 0
    assert deal.compare(queen, jack) == 1
    assert deal.compare(king, queen) == 1


def test_what_goes_on_alike_is_one_object():
    """The four rounds that others have: few objects, and as many information sets as they count, from which cards rule some hands out."""
    ways, cards = [1, 5, 25, 125], [1, 12, 12 * 11, 12 * 11 * 10]
    parameters = {"ranks": 3, "suits": 4, "bets": [2, 2, 4, 4], "raises": 2}
    tree = relance.make("limit_poker", **parameters, merge_suits=False).tree
    assert len(tree.kinds.nodes) < 10_000
    assert tree.kinds.decisions[0] == 6 * sum(w * c for w, c in zip(ways, cards, strict=True))
    possible = sum(3 * w * c * (12 - k) for k, (w, c) in enumerate(zip(ways, cards, strict=True)))
    assert possible == 4_556_016  # nashbench 0.2.0 counts as many of each player
    merged = relance.make("limit_poker", **parameters).tree
    assert merged.kinds.decisions[0] == 6 * sum(w * 3**k for k, w in enumerate(ways))
    assert len(merged.table.every_case) == 1 + 3 + 9 + 27


@pytest.mark.slow
def test_best_responses_to_uniform_play_in_four_rounds():
    """nashbench 0.2.0, which tells all cards apart, says 4.093015 for player 0, 5.727288 for player 1 and a value of .0118001."""
    game = relance.make("limit_poker", ranks=3, suits=4, bets=[2, 2, 4, 4], raises=2)
    uniform = game.uniform().as_float()
    worth, gains = relance.value(game, uniform), gains_of(game, uniform)
    assert worth == pytest.approx(0.0118001, abs=5.1e-8)
    assert [gains[0] + worth, gains[1] - worth] == pytest.approx([4.093015, 5.727288], abs=5.1e-7)
