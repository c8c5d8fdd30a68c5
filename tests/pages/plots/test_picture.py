"""What every picture says of itself."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")


from relance.pages.plots import pictures


def test_each_picture_says_what_it_shows():
    found = pictures()
    assert {"tree", "strategy", "chips", "value", "square", "convergence", "face"} <= set(found)
    assert all((entry.draw.__doc__ or "").startswith("Draw ") for entry in found.values())
