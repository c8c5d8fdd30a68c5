"""The study of grids, on few of them, and the tables that it made."""

import csv

import pytest

import relance
from relance.pages.board_notes import short_name
from studies.grids import HEAD, PAGE, SHOWN, SPECS, full_row, row, table

with (PAGE.parents[1] / "grids.csv").open(encoding="utf-8", newline="") as file:
    FIRST, *ROWS = csv.reader(file)


def test_both_routes_agree_and_the_table_has_their_numbers():
    name, parameters = SPECS[9]
    game = relance.make(name, **parameters)
    (title, *cells), apart = row(game, SHOWN)
    assert apart < 1e-12
    assert ROWS[9][: len(SHOWN) + 1] == [title, *cells[: len(SHOWN)]]


def test_on_the_interval_the_same_strategies_lose_at_least_as_much():
    for place in (2, 11):
        name, parameters = SPECS[place]
        game = relance.make(name, **parameters)
        cells = full_row(game)
        assert ROWS[place][-len(cells) :] == cells
        grid = game.grid(10)
        assert float(cells[0]) > float(relance.nash_conv(grid, grid.published()))


def test_every_game_is_in_the_table_and_the_page_has_a_part_of_it():
    assert FIRST == HEAD
    assert [row[0] for row in ROWS] == [short_name(relance.make(name, **parameters)) for name, parameters in SPECS]
    assert f"\n\n{table(ROWS)}\n\n" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("raises", "hands", "loss"), [(2, 20, 0.0115), (3, 100, 0.00153863)])
def test_losses_that_others_computed(raises, hands, loss):
    grid = relance.make("pot_limit", raises=raises).grid(hands)
    assert float(relance.nash_conv(grid, grid.published())) == pytest.approx(loss, rel=1e-5)
