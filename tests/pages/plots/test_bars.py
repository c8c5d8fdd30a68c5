"""Strategies as bars, read back from the figure."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make
from relance.pages.plots.bars import STRIP, strategy_bars
from relance.pages.plots.chips import action_chips
from relance.pages.plots.steps import drawn, steps
from relance.pages.plots.style import render


def overlaps(drawing):
    """Pairs of texts of a figure that lie on one another."""
    drawing.draw_without_rendering()
    boxes = [(t.get_text(), t.get_window_extent()) for ax in drawing.axes for t in ax.texts if t.get_text()]
    for ax in drawing.axes:
        boxes += [(t.get_text(), t.get_window_extent()) for t in ax.get_xticklabels() if t.get_text().strip()]
    return [
        (a, b)
        for i, (a, one) in enumerate(boxes)
        for b, other in boxes[i + 1 :]
        if min(one.x1, other.x1) - max(one.x0, other.x0) > 1 and min(one.y1, other.y1) - max(one.y0, other.y0) > 1
    ]


def small(game):
    return max(game.deal.size(0), game.deal.size(1)) <= 100 and len(game.tree.decisions) <= 50


def test_every_published_strategy_can_be_drawn(game_of_a_kind):
    if not (game_of_a_kind.is_published and small(game_of_a_kind)):
        pytest.skip("nothing is published, or there are too many hands or decisions for a quick test")
    profile = game_of_a_kind.published()
    for drawing in (strategy_bars(game_of_a_kind, {"published": profile}), action_chips(game_of_a_kind, profile)):
        assert len(drawing.axes) == len(drawn(game_of_a_kind))
        assert render(drawing).endswith(b"</svg>\n")


def test_bars_are_as_high_as_the_probabilities():
    game = make("one_card_poker", raises=0)
    ax = strategy_bars(game, {"published": game.published(alpha="1/4")}).axes[0]
    tops = {round(float(p.get_data().values[0]), 6) for p in ax.patches}  # of the queen
    assert tops == {round(STRIP * 3 / 4, 6), round(STRIP, 6)}
    assert [t.get_text() for t in ax.texts] == ["check 3/4", "check", "bet 3/4"]  # no room for 1/4


def test_thresholds_stand_under_the_bars():
    game = make("von_neumann", bet=2)
    first, second = strategy_bars(game, {"published": game.published()}).axes
    assert [t.get_text() for t in first.get_xticklabels()] == ["0", "1/9", "7/9", "1"]
    assert [t.get_text() for t in second.get_xticklabels()] == ["0", "5/9", "1"]
    assert [t.get_text() for t in first.texts] == ["bet", "check", "bet"]


def test_parts_too_narrow_for_their_name_have_it_above():
    game = make("pot_limit")
    axes = dict(zip(game.tree.decisions, strategy_bars(game, {"published": game.published()}).axes, strict=True))
    assert [t.get_text() for t in axes["bet"].texts] == ["fold", "call", "raise", "raise"]
    assert [t.get_position()[1] > STRIP for t in axes["bet"].texts] == [False, False, True, True]
    assert not [pair for pair in overlaps(axes["bet"].figure) if "raise" in pair]


def test_nothing_lies_between_two_cards():
    game = make("one_card_poker")
    drawing = action_chips(game, game.published())
    assert {line.get_linestyle() for ax in drawing.axes for line in ax.lines} == {"None"}
    first = [line.get_xdata()[0] for line in drawing.axes[0].lines if line.get_linewidth() == 1.0]
    assert first == pytest.approx([0.43, 0.57])  # beside each other, around the middle of the first card
    assert "filled: taken" in drawing.get_suptitle()


def test_layers_of_all_kinds_lie_one_over_the_other():
    """A profile on [0, 1], one on cells, and rows as a sweep keeps them."""
    whole, cells = make("von_neumann"), make("von_neumann", hands=9)
    rows = {node: [[0.25] * 6, [0.75] * 6] for node in whole.tree.decisions}
    drawing = strategy_bars(cells, {"published": whole.published(), "cells": cells.published(), "learned": rows})
    for ax in drawing.axes:
        assert [t.get_text() for t in ax.get_yticklabels()] == ["published", "cells", "learned"]
    assert not overlaps(drawing)
    edges, shown, _ = steps(cells, "", rows)
    assert edges.tolist() == pytest.approx([k / 6 for k in range(7)])
    assert shown.tolist() == rows[""]
    assert steps(cells, "", cells.published())[1].tolist() == [[0] + [1] * 6 + [0] * 2, [1] + [0] * 6 + [1] * 2]
