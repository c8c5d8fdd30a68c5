"""The pictures of a game for a page."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import BLUEPRINTS
from relance.pages.plots import game_pictures as module
from relance.pages.plots import pictures
from relance.pages.plots.game_pictures import caption, game_figures, game_pictures


def test_they_are_those_with_a_caption_that_suit_a_report():
    found = game_pictures(BLUEPRINTS["von_neumann"])
    assert {"tree", "strategy"} <= found.keys()
    assert all(caption(name) == pictures()[name].caption != "" for name in found)
    assert all(data.lstrip().startswith(b"<?xml") or b"<svg" in data[:300] for data in found.values())


def test_a_game_with_very_many_decisions_has_none(monkeypatch):
    monkeypatch.setattr(module, "MOST_DECISIONS", 1)
    assert game_figures(BLUEPRINTS["von_neumann"]) == {}
