"""What every picture says of itself."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")


from relance.envs.catalogue import BLUEPRINTS
from relance.pages.plots import picture as module
from relance.pages.plots.picture import caption, game_figures, game_pictures, pictures


def test_each_picture_says_what_it_shows():
    found = pictures()
    assert {"tree", "strategy", "chips", "value", "square", "convergence", "optimal_set"} <= set(found)
    assert all((entry.draw.__doc__ or "").startswith("Draw ") for entry in found.values())


def test_they_are_those_with_a_caption_that_suit_a_report():
    found = game_pictures(BLUEPRINTS["von_neumann"])
    assert {"tree", "strategy"} <= found.keys()
    assert all(caption(name) == pictures()[name].caption != "" for name in found)
    assert all(data.lstrip().startswith(b"<?xml") or b"<svg" in data[:300] for data in found.values())


def test_a_game_with_very_many_decisions_has_none(monkeypatch):
    monkeypatch.setattr(module, "MOST_DECISIONS", 1)
    assert game_figures(BLUEPRINTS["von_neumann"]) == {}
