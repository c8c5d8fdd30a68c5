"""All optimal strategies, read back from the figure."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make
from relance.pages.plots.optimal_sets import optimal_ranges


def test_the_picture_shows_kuhns_alpha_family():
    game = make("one_card_poker", raises=0)
    drawing = optimal_ranges(game)
    first, second = drawing.axes
    assert [t.get_text() for t in first.texts].count("0 to 1/3") == 1  # the queen's bets
    assert not second.texts
    assert [t.get_text() for t in drawing.legends[0].get_texts()] == ["published, alpha = 0", "published, alpha = 1/3"]
    bars = [line.get_xydata() for line in first.lines if len(line.get_xdata()) == 2]
    ends = [line.get_xydata()[0] for line in first.lines if line.get_marker() == "o"]
    for bar in bars:
        mine = sorted(x for x, y in ends if y == bar[0][1])
        assert mine == pytest.approx(sorted(bar[:, 0]))
