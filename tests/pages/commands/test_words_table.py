"""Chips as text."""

import pytest

from relance.pages.commands.words.table import chips_text


@pytest.mark.parametrize(
    ("chips", "text"),
    [
        (2, "2"),
        ("1/3", "1/3 (0.3333)"),
        ("-1/2", "-1/2 (-0.5000)"),
        ("1/1001", "0.0010"),
        (3.0, "3"),
        (0.25, "0.2500"),
        (-1e-9, "0.0000"),
    ],
)
def test_chips_as_text(chips, text):
    from relance.model.numbers import exact

    assert chips_text(exact(chips) if not isinstance(chips, float) else chips) == text
