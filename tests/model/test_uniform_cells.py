"""Runs of equal cells give the same totals as cell by cell."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import relance
from relance.model import uniform_cells
from relance.model.arrays import run_starts
from relance.model.game import Game
from relance.model.strategy import Profile
from relance.solvers import exact

GAMES = ["la_relance", "von_neumann", "bellman_blackwell", "force_in", "pot_limit", "pot_limit(check_raise=true)"]


@pytest.fixture(autouse=True)
def always_worth_it(monkeypatch):
    monkeypatch.setattr(uniform_cells, "WORTH_IT", 0)


def totals(game: Game, profile: Profile):
    return relance.value(game, profile), exact.gains(game, profile)


def cell_by_cell(game: Game, profile: Profile):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "by_runs", lambda game, profile: None)
        return totals(game, profile)


@st.composite
def profiles(draw):
    """A game on a grid, and a profile that changes at a few cells."""
    game = relance.make(draw(st.sampled_from(GAMES))).grid(draw(st.integers(2, 40)))
    chances = st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 3), Fraction(1, 2)])
    plan = {}
    for name, node in game.tree.decisions.items():
        rest = np.full(game.hands, Fraction(1), object)
        rows = {}
        for action in node.actions[:-1]:
            blocks = draw(st.lists(chances, min_size=1, max_size=3))
            cuts = sorted(
                draw(st.lists(st.integers(0, game.hands), min_size=len(blocks) - 1, max_size=len(blocks) - 1))
            )
            share = np.repeat(np.array(blocks, object), np.diff([0, *cuts, game.hands]))
            rows[action] = rest * share
            rest = rest - rows[action]
        plan[name] = {**rows, node.actions[-1]: rest}
    return game, game.profile(plan)


@given(profiles())
def test_the_same_totals_by_runs_and_cell_by_cell(pair):
    game, profile = pair
    assert uniform_cells.by_runs(game, profile) is not None
    assert totals(game, profile) == cell_by_cell(game, profile)


@pytest.mark.parametrize("hands", [7, 20, 33])
@pytest.mark.parametrize("name", GAMES)
def test_published_strategies_by_runs_and_cell_by_cell(name, hands):
    game = relance.make(name).grid(hands)
    assert totals(game, game.published()) == cell_by_cell(game, game.published())


def test_what_runs_are_not_for():
    """Other distributions, floats, unequal cells and cards are computed hand by hand."""
    game = relance.make("von_neumann", deal="power:2:1").grid(9)
    assert uniform_cells.by_runs(game, game.uniform()) is None
    game = relance.make("von_neumann").grid(9)
    assert uniform_cells.by_runs(game, game.uniform().as_float()) is None
    game = relance.make("one_card_poker")
    assert uniform_cells.by_runs(game, game.uniform()) is None
    game = relance.make("von_neumann")
    cells = game.cells(game.published())
    assert (uniform_cells.by_runs(cells, cells.published()) is None) == (cells.hands is None)


def test_run_starts():
    third = Fraction(1, 3)
    row = np.array([third, third, Fraction(1, 3), 0, 0, third], object)
    assert run_starts(row).tolist() == [0, 3, 5]
    assert run_starts(row[:1]).tolist() == [0]


@pytest.mark.parametrize("kind", [object, int, float])
def test_probabilities_given_as_arrays_are_read_hand_by_hand(kind):
    game = relance.make("von_neumann").grid(6)
    bets = np.array([1, 0, 0, 1, 1, 0], kind)
    profile = game.profile({"": {"bet": bets}, "bet": {"call": "1/2"}})
    assert profile.row("", "bet").tolist() == [1, 0, 0, 1, 1, 0]
    assert profile.row("", "check").tolist() == [0, 1, 1, 0, 0, 1]
