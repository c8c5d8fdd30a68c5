"""What learners do wrong, read back from the figure."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

import relance
from relance.pages.plots.mistakes import (
    LARGE,
    LITTLE,
    MOST_BARS,
    MUCH,
    SHOWN,
    cost_bars,
    draw_costs,
    draw_mistakes,
    mistake_map,
)
from relance.solvers.deviations import deviations
from relance.solvers.mistakes import mistakes


def test_shares_of_each_strategy_add_up_and_its_nash_conv_is_beside_it():
    game = relance.make("one_card_poker", raises=0)
    plans = {
        "uniform": game.uniform().as_float(),
        "passive": game.profile({**game.uniform().plan(), "": {"check": 1}}).as_float(),
    }
    found = {name: mistakes(game, profile) for name, profile in plans.items()}
    ax = mistake_map(game, found).axes[0]
    columns = [label.get_text() for label in ax.get_xticklabels()]
    assert len(columns) <= SHOWN + 1
    assert [label.get_text() for label in ax.get_yticklabels()] == list(plans)
    for row, profile in enumerate(plans.values()):
        shares = [int(text.get_text()[:-1]) for text in ax.texts if text.get_position()[1] == row]
        assert sum(shares) == pytest.approx(100, abs=len(columns))
        total = float(relance.nash_conv(game, profile))
        assert sum(one.cost for one in found[list(plans)[row]]) == pytest.approx(total, abs=1e-9)
        assert f"{total:.2g}" in [label.get_text() for label in ax.child_axes[0].get_yticklabels()]


def test_a_bar_is_as_long_as_its_cost_and_the_costliest_is_on_top():
    game = relance.make("one_card_poker", raises=0)
    reference = game.published(alpha="1/3")
    found = deviations(game, game.uniform(), reference)
    chance, cost = cost_bars(game, found).axes[:2]
    large = [one for one in found if abs(one.played - one.reference) > LARGE and abs(one.cost) < 1e-9]
    shown = ([one for one in found if one.cost > 1e-9] + large)[:MOST_BARS]
    bars = sorted(cost.patches, key=lambda bar: -bar.get_y())
    assert [bar.get_width() for bar in bars] == pytest.approx([one.cost for one in shown])
    assert all(line.get_xdata()[0] == one.played for one, line in zip(shown, chance.lines[2::3], strict=True))
    colours = [line.get_color() for line in chance.lines[2::3]]
    assert colours == [LITTLE if one.played < one.reference else MUCH for one in shown]


def test_a_large_difference_that_costs_nothing_is_shown_and_a_small_one_is_not():
    game = relance.make("one_card_poker")
    reference = game.published(False).as_float()
    for calls, labels in ((1, ["player 0, after check-bet, A: raise"]), (0.1, [])):
        plan = reference.plan()
        plan["check-bet"] |= {"call": [0, plan["check-bet"]["call"][1], calls], "raise": [0, 0, 1 - calls]}
        (found,) = deviations(game, game.profile(plan).as_float(), reference)
        assert abs(found.cost) < 1e-9
        assert [label.get_text() for label in cost_bars(game, [found]).axes[0].get_yticklabels()] == labels


@pytest.mark.parametrize("draw", [draw_costs, draw_mistakes])
def test_it_needs_something_learned(draw):
    with pytest.raises(ValueError, match="this picture needs --learned"):
        draw(relance.make("one_card_poker"))
