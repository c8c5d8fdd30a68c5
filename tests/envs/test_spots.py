"""The named spots of the river and of the turn: their values by linear programs and, as bounds, by CFR."""

from fractions import Fraction

import pytest

import relance
from relance.envs.spots import river_spot, spots, turn_spot
from relance.solvers.exact import gains
from relance.solvers.lp import solve_lp

QUICK = 190
"""Exact programs of so many hands times decisions are quick; `python -m benchmarks river` solves them all."""


def size(found):
    return found.game.deal.size(0) * len(found.game.tree.decisions)


@pytest.mark.parametrize("name", spots("river"))
def test_the_value_lies_between_what_both_players_guarantee(name):
    """By CFR: a best response to each half of the profile bounds the value on one side."""
    found = river_spot(name)
    game, pot = found.game, found.parameters["pot"]
    profile = relance.solve(game, method="dcfr+", tolerance=1e-4 * pot)
    worth, (first, second) = relance.value(game, profile), gains(game, profile)
    assert worth - second <= float(found.value) <= worth + first
    assert first + second <= 2e-4 * pot


@pytest.mark.parametrize("name", [name for name, found in spots("river").items() if found.exact])
def test_a_linear_program_has_the_value(name):
    found = river_spot(name)
    game = found.game
    if size(found) <= QUICK:
        assert solve_lp(game)[0] == found.value
    profile = relance.solve(game, method="lp", tolerance=1e-9)
    assert relance.nash_conv(game, profile) < 1e-11
    assert relance.value(game, profile) == pytest.approx(float(found.value), abs=1e-11)


def test_the_spots_are_a_dozen_of_all_kinds():
    names = list(spots("river"))
    assert len(names) == 12
    assert {name.split("_")[0] for name in names} >= {"polar", "linear", "merged", "capped"}
    assert sum(found.exact for found in spots("river").values()) == 11
    for found in spots("river").values():
        assert found.about.endswith(".")
    theorem = river_spot("polar_small").game
    assert relance.value(theorem, theorem.published()) == river_spot("polar_small").value == Fraction(-10, 11)


def test_an_unknown_spot_is_named():
    with pytest.raises(ValueError, match="there is no spot 'polar' of river; did you mean 'polar_"):
        river_spot("polar")


def test_a_spot_is_called_by_its_name_and_another_river_by_its_table():
    for name, found in spots("river").items():
        assert found.game.blueprint.short_name(found.game.parameters) == f"River, {name}"
    other = relance.make("river", pot=3)
    assert other.blueprint.short_name(other.parameters) == "River, Ks9d7h4c2s, 11 against 9 hands"


@pytest.mark.parametrize("name", [name for name, found in spots("turn").items() if found.game.deal.size(0) < 100])
def test_a_turn_is_worth_what_its_file_says(name):
    """The spot with all hands is too large for a test: `python -m benchmarks turn-spots`."""
    found = turn_spot(name)
    game = found.game
    assert game.blueprint.short_name(game.parameters) == f"Turn, {name}"
    if found.exact:
        assert solve_lp(game)[0] == found.value
        return
    profile = relance.solve(game, method="dcfr+", tolerance=1e-3 * found.parameters["pot"])
    worth, (first, second) = relance.value(game, profile), gains(game, profile)
    assert worth - second - found.within <= found.value <= worth + first + found.within
    assert first + second <= 2e-3 * found.parameters["pot"]
