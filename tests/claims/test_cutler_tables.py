"""Cutler's tables of bluff-raises and his rule of ranks."""

import pytest

import relance
from relance.claims.cutler.tables import best_bluffs, nearest_below


@pytest.mark.parametrize("raises", range(1, 6))
def test_bluff_raises_of_the_tables_are_optimal(raises):
    game = relance.make("pot_limit", raises=raises)
    assert relance.nash_conv(game, game.profile(best_bluffs(game, game.published().plan()))) == 0


def test_the_rule_of_ranks_needs_good_bluff_raises():
    """With the worst hands as bluff-raises, the last raises lack their bluffs, and the error of the rule is 2005 times 1/2,598,960."""
    game = relance.make("pot_limit", raises=8)
    plan = game.blueprint.printed[0].plan(game.printed_numbers()[1], game.tree)
    rows = {
        node: {action: [tuple(map(nearest_below, span)) for span in spans] for action, spans in by_action.items()}
        for node, by_action in plan.items()
    }
    gains = relance.nash_conv(game, game.profile(rows)) * 2598960
    assert 2005 < gains < 2018
