"""Laws of hands as text."""

import pytest

import relance


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("fgm:0.5", "fgm:1/2"),
        ("fgm: +2/4", "fgm:1/2"),
        ("power:2.0:01", "power:2:1"),
        ("atoms:.25", "atoms:1/4"),
        ("normal:-0.6", "normal:-3/5"),
        ("uniform", "uniform"),
    ],
)
def test_a_law_is_the_same_however_it_is_written(written, text):
    games = [relance.make("von_neumann", deal=law) for law in (written, text)]
    assert games[0] == games[1]
    assert hash(games[0]) == hash(games[1])
    assert games[0].parameters["deal"] == text
