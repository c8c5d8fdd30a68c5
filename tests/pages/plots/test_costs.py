"""What differences from the published strategies cost, read back from the figure."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

import relance
from relance.pages.plots.costs import LITTLE, MUCH, SHOWN, cost_bars, draw_costs
from relance.solvers.deviations import deviations


def test_a_bar_is_as_long_as_its_cost_and_the_costliest_is_on_top():
    game = relance.make("one_card_poker", raises=0)
    reference = game.published(alpha="1/3")
    found = deviations(game, game.uniform(), reference)
    chance, cost = cost_bars(game, found).axes[:2]
    shown = [one for one in found if one.cost > 0][:SHOWN]
    bars = sorted(cost.patches, key=lambda bar: -bar.get_y())
    assert [bar.get_width() for bar in bars] == pytest.approx([one.cost for one in shown])
    assert all(line.get_xdata()[0] == one.played for one, line in zip(shown, chance.lines[2::3], strict=True))
    colours = [line.get_color() for line in chance.lines[2::3]]
    assert colours == [LITTLE if one.played < one.reference else MUCH for one in shown]


def test_it_needs_something_learned():
    with pytest.raises(ValueError, match="this picture needs --learned"):
        draw_costs(relance.make("one_card_poker"))
