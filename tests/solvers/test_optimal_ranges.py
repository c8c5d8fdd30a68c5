"""All optimal strategies of each game at its sample parameters, on the cells that its own thresholds cut."""

import pytest
from conftest import PUBLISHED, marked, parametrised

import relance
from relance.solvers.exact import reach_probs
from relance.solvers.lp import solve_lp
from relance.solvers.optimal_set import optimal_set

MOST = 9
"""Cells; games with more take minutes."""

DECISIONS = 40
"""Decisions; the same."""


def cut(game):
    """The game on the cells of its published profile, or a small grid where the thresholds are no fractions."""
    if game.deal.is_finite:
        return game
    return game.grid(4) if game.rounding else game.cells(game.published())


CUT = [cut(game) for game in PUBLISHED if not str(game.parameters.get("deal")).startswith("normal")]
SMALL = [game for game in CUT if game.deal.size(0) <= MOST and len(game.tree.decisions) <= DECISIONS]


QUICK = [game for game in SMALL if game.deal.size(0) <= 5]


@pytest.mark.parametrize(
    "game", [*parametrised(QUICK), *marked([game for game in SMALL if game not in QUICK], lambda game: True)], ids=str
)
def test_the_published_strategy_is_in_the_set(game):
    worth = solve_lp(game)[0]
    for player in (0, 1):
        found = optimal_set(game, player)
        assert found.value == (worth, -worth)[player]
        if game.rounding:
            continue  # the published thresholds are not on this grid
        profile = game.published()
        for (node, action), ranges in found.ranges_by_hand().items():
            weights = reach_probs(game, profile, player, node) * profile.row(node, action)
            assert all(low <= w <= high for w, (low, high) in zip(weights, ranges, strict=True)), (node, action)


def test_an_optimum_with_large_denominators_is_found_from_what_is_tight():
    """Its weights have denominators that floats cannot show; rounding alone does not find them."""
    game = relance.make("pot_limit", raises=3)
    cells = game.cells(game.published())
    assert solve_lp(cells)[0] == relance.value(game, game.published())
