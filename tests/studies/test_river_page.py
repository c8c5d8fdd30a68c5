"""The page of the river is what the study writes, and says what it should."""

from fractions import Fraction
from pathlib import Path

import relance
from relance.solvers.exact import gains
from studies.river import ROWS, page, theorem


def test_the_page_is_the_studys():
    assert (Path(__file__).parents[2] / "docs" / "river.md").read_text() == page()


def test_where_a_strategy_is_published_the_theorem_is_that():
    published = 0
    for board, ranges, _ in ROWS:
        game = relance.make("river", board=board, ranges=ranges, raises=0)
        _, profile = theorem(game)
        first, second = gains(game, profile)
        assert first == 0
        assert (second == 0) == game.is_published
        if game.is_published:
            published += 1
            assert relance.value(game, profile) == relance.value(game, game.published())
    assert published == 2


def test_the_odds_of_a_bluff_catcher_by_hand():
    """Three sets against two bluffs with a ten of clubs or diamonds and four without: given KTs of hearts, 3 of 9."""
    game = relance.make("river", ranges="99;QcTc;QdTd;65s vs KTs", raises=0)
    assert theorem(game)[0] == Fraction(9 * 1, 8 + 8 + 9)
