"""The price of exploiting, read back from the figure."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")


from relance.envs.catalogue import make
from relance.pages.plots.frontiers import draw_frontier


def test_a_frontier_goes_from_the_value_to_a_best_response():
    (ax,) = draw_frontier(make("one_card_poker")).axes
    marks = ax.get_lines()[1]
    assert [*marks.get_xdata()] == pytest.approx([0, 2 / 9, 2 / 3, 17 / 18])
    assert [*marks.get_ydata()] == pytest.approx([5 / 18, 1 / 2, 5 / 9, 7 / 12])
