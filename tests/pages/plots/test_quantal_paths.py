"""Quantal responses, read back from the figure."""

import pytest
from test_abstractions import lines
from test_tree_pictures import KUHN

pytest.importorskip("matplotlib", reason="needs the extra plot")


from relance.pages.plots.quantal_paths import draw_quantal


def test_quantal_responses_come_to_alpha_and_to_the_one_call():
    pytest.importorskip("flint", reason="needs the extra proof")
    drawing = draw_quantal(KUHN)
    first, second = drawing.axes
    assert set(lines(second)) == {f"{card} {node}" for card in "QKA" for node in ("check: bet", "bet: call")}
    for ax in drawing.axes:
        assert all(abs(line.get_ydata()[0] - 0.5) < 0.2 for line in ax.get_lines())
    assert lines(second)["K bet: call"].get_ydata()[-1] == pytest.approx(1 / 3, abs=0.03)
    assert lines(first)["A check-bet: call"].get_ydata()[-1] > 0.99
