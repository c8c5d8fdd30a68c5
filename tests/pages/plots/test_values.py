"""Curves and squares of values, read back from the figure."""

from fractions import Fraction

import numpy as np
import pytest
from test_bars import overlaps
from test_chips import texts

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make
from relance.pages.plots.values import POINTS, axis, first_axes, value_curve, value_square
from relance.solvers.exact import value
from relance.solvers.solve import solve


def test_a_value_curve_has_the_exact_values_and_the_border():
    drawing = value_curve(make("endgame", bets=2), ["p"])
    line, border = drawing.axes[0].lines
    x, y = line.get_data()
    assert len(x) == POINTS + 1
    for p in (Fraction(1, 4), Fraction(9, 10)):
        game = make("endgame", p=p, bets=2)
        assert np.interp(float(p), x, y) == pytest.approx(float(value(game, game.published())), abs=1e-9)
    assert border.get_xdata()[0] == pytest.approx(2 / 3)
    assert texts(drawing) == ["p = 2/3"]


def test_where_nothing_is_published_a_small_game_is_solved():
    """Along its default axis, Miao's game is published at one point only."""
    drawing = value_curve(make("one_card_poker"))
    (line,) = drawing.axes[0].lines
    for x, y in zip(*line.get_data(), strict=True):
        if abs(x - 2.5) < 0.1 or abs(x - 0.6) < 0.1:
            game = make("one_card_poker", bet=float(x))
            assert abs(y - float(value(game, solve(game)))) < 1e-9
    assert "solved at each point" in drawing._suptitle.get_text()


def test_ponssards_square_has_the_papers_three_regions(monkeypatch):
    monkeypatch.setattr("relance.pages.plots.values.SIDE", 12)  # fewer points are enough
    monkeypatch.setattr("relance.pages.plots.values.FINE", 48)
    game, ticks = make("ponssard"), []
    assert first_axes(game, 2) == ["p", "q"]
    drawing = value_square(game, tick=lambda *now: ticks.append(now))
    assert ticks == [(1, 12)] * 12
    places = {t.get_text(): t.get_position() for t in drawing.axes[0].texts}
    assert len(places) == 3
    for name, (p, q) in places.items():  # n = 1, m = 4: p_R = 2/3, the border of q is 1/3
        expected = "above its threshold" if q > 1 / 3 else "up to" if p < 2 / 3 else "from"
        assert expected in name
    assert not overlaps(drawing)


@pytest.mark.parametrize(
    ("name", "low", "high", "message"),
    [
        ("bat", None, None, "no numeric parameter 'bat' for an axis; did you mean 'bet'"),
        ("deal", None, None, "no numeric parameter 'deal' for an axis"),
        ("bet", 3, 2, "bet from 3 to 2 is not a range: it must start"),
        ("bet", "x", None, "bet='x' is not a number"),
        ("bet", -1, 2, "must start at 0 or above"),
    ],
)
def test_axes_that_are_none(name, low, high, message):
    with pytest.raises(ValueError, match=message):
        axis(make("von_neumann"), name, low, high)


def test_an_axis_reaches_where_the_game_is():
    assert axis(make("von_neumann"), "bet") == (0, 8)
    assert axis(make("von_neumann", bet=20), "bet") == (0, 40)
    assert axis(make("endgame"), "p") == (0, 1)


def test_a_curve_where_nothing_is_published():
    with pytest.raises(ValueError, match="no strategy is published"):
        value_curve(make("one_card_poker", cards=40), ["bet"])
