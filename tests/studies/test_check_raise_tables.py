"""The exact tables of docs/check_raise.md are those that the study makes, and a small grid comes near them."""

from pathlib import Path

from studies.check_raise import by_grid, exact, the_hand, unprepared

PAGE = (Path(__file__).parents[2] / "docs" / "check_raise.md").read_text().splitlines()


def test_the_exact_tables_are_on_the_page():
    lines = [line.strip() for part in (exact(), the_hand("0.98"), unprepared()) for line in part]
    assert len(lines) == 17
    for line in lines:
        assert all(row in PAGE for row in line.splitlines()), line


def test_a_grid_comes_near_the_solution():
    *_, row = by_grid(15, "lp", 1e-9, 1)
    _, raises, left, value, error, a, alpha, *_ = (cell.strip() for cell in row.split("|"))
    assert (raises, value, a, alpha) == (
        "1",
        "-0.0800000",
        "0.7333",
        "0.2500",
    )  # all thresholds are borders of 15 cells
    assert abs(float(left)) < 1e-12
    assert abs(float(error)) < 1e-12
