"""The study of smaller sets of bet sizes: its table is on the page, and its prices are those of the games themselves."""

from fractions import Fraction

import relance
from relance.equilibria.abstraction_price import nearest_size_probs, pseudo_harmonic_probs
from studies.bet_sizes import BET_SIZES, PAGE, SIZES, game, price, rows


def test_the_page_has_the_table():
    text = PAGE.read_text(encoding="utf-8")
    first = next(rows())
    assert first in text
    assert (
        len(
            [
                line
                for line in text.split("## The price of a smaller set of bet sizes")[1].split("\n")
                if line.startswith("| ")
            ]
        )
        == 5
    )


def test_a_bet_sizes_costs_player_0_the_difference_of_the_values():
    bet_sizes = [SIZES[k] for k in BET_SIZES[-1]]
    worth = [
        relance.value(tree, relance.solve(tree)) for tree in (relance.game_tree(game(s)) for s in (SIZES, bet_sizes))
    ]
    found = price(bet_sizes, nearest_size_probs)
    assert found.value == worth[0] == Fraction(152, 1215)
    assert found.prices[0] == worth[0] - worth[1]


def test_between_two_sizes_the_mixture_costs_less():
    bet_sizes = [SIZES[0], SIZES[2]]
    assert price(bet_sizes, pseudo_harmonic_probs).prices[1] < price(bet_sizes, nearest_size_probs).prices[1] / 5
