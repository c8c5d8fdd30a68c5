"""What the pictures show, read back from the figures."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make
from relance.pages.plots import pictures
from relance.pages.plots.bars import STRIP, strategy_bars
from relance.pages.plots.chips import action_chips
from relance.pages.plots.curves import cfr_curves, convergence
from relance.pages.plots.faces import face_ranges
from relance.pages.plots.steps import MOST, MOST_DRAWN, drawn, steps
from relance.pages.plots.style import render
from relance.pages.plots.trees import MOST_LEAVES, betting_tree
from relance.pages.plots.values import POINTS, axis, first_axes, value_curve, value_square
from relance.solvers.exact import value
from relance.solvers.solve import solve


def texts(drawing):
    drawing.draw_without_rendering()
    return [text.get_text() for ax in drawing.axes for text in ax.texts]


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


def test_each_picture_says_what_it_shows():
    found = pictures()
    assert {"tree", "strategy", "chips", "value", "square", "convergence", "face"} <= set(found)
    assert all((entry.draw.__doc__ or "").startswith("Draw ") for entry in found.values())


def test_a_tree_shows_every_action_and_every_payoff(game_of_a_kind):
    if len(game_of_a_kind.tree.leaves) > MOST_LEAVES:
        with pytest.raises(ValueError, match=f"at most {MOST_LEAVES} are drawn"):
            betting_tree(game_of_a_kind)
        return
    drawing = betting_tree(game_of_a_kind)
    shown = texts(drawing)
    tree = game_of_a_kind.tree
    assert len(shown) == 2 * sum(1 for _ in tree.walk()) - 1  # each node, and each branch
    for node in tree.decisions.values():
        assert str(node.player) in shown
        assert set(node.actions) <= set(shown)
    stakes = {f"± {leaf.stake}" for leaf in tree.leaves.values() if leaf.stake and not leaf.constant}
    assert stakes <= set(shown)
    assert not overlaps(drawing)


def test_the_tree_of_von_neumann():
    assert sorted(texts(betting_tree(make("von_neumann", bet="5/2")))) == sorted(
        ["0", "1", "check", "bet", "fold", "call", "± 1", "+1", "± 7/2"]
    )


def test_every_published_strategy_can_be_drawn(game_of_a_kind):
    if not (game_of_a_kind.is_published and small(game_of_a_kind)):
        pytest.skip("nothing is published, or there are too many hands or decisions for a quick test")
    profile = game_of_a_kind.published()
    for drawing in (strategy_bars(game_of_a_kind, {"published": profile}), action_chips(game_of_a_kind, profile)):
        assert len(drawing.axes) == len(drawn(game_of_a_kind))
        assert render(drawing).endswith(b"</svg>\n")


def test_of_many_decisions_those_with_the_shortest_histories_are_drawn():
    game = make("leduc")
    assert len(drawn(game)) == MOST_DRAWN
    assert {"", "check", "bet", "bet-call-K", "check-check-J-bet"} < {*drawn(game)}
    assert "check-check-J-check-bet-raise" not in drawn(game)
    assert drawn(make("one_card_poker")) == list(make("one_card_poker").tree.decisions)
    last = strategy_bars(game, {"published": game.published()}).axes[-1]
    assert last.get_xlabel().endswith(
        f"{len(game.tree.decisions) - MOST_DRAWN} decisions with longer histories are not drawn"
    )


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


def test_very_many_cells_are_averaged():
    game = make("von_neumann", hands=4 * MOST)
    edges, rows, _ = steps(game, "bet", game.published().as_float())
    assert rows.shape == (2, MOST)
    assert edges[-1] == 1
    assert rows[1].sum() / MOST == pytest.approx(4 / 9)


def test_cells_that_are_never_dealt_are_left_empty():
    game = make("von_neumann", deal="atoms:1/2", hands=9)
    edges, rows, _ = steps(game, "", game.published())
    dealt = ~np.isnan(rows[0])
    assert dealt.sum() == game.deal.size(0) < len(edges) - 1 == 9


def test_actions_are_worth_the_same_at_the_thresholds():
    """Each threshold of von Neumann's player 0 is a crossing; between a and b player 1 is indifferent."""
    game = make("von_neumann", bet=2)
    first, second = action_chips(game, game.published()).axes
    thin = [line for line in first.lines if line.get_linewidth() == 1.0]
    check, bet = (partial(np.interp, xp=line.get_xdata(), fp=line.get_ydata()) for line in thin[:2])
    assert [text.get_text() for text in first.texts] == ["check", "bet", "bet"]
    for x in (1 / 9, 7 / 9):
        assert check(x) == pytest.approx(bet(x), abs=1e-5)
    assert check(0.05) < bet(0.05)
    assert check(0.5) == pytest.approx(0, abs=1e-12)  # 2x - 1
    assert check(0.5) > bet(0.5)
    assert check(0.9) < bet(0.9)
    assert not first.patches
    (shade,) = second.patches
    assert [shade.get_x(), shade.get_x() + shade.get_width()] == pytest.approx([1 / 9, 7 / 9])


def test_chips_are_given_the_hand_and_the_node():
    """Kuhn's ace after check-bet wins 2 by a call, whatever the probability of getting there."""
    game = make("one_card_poker", raises=0)
    drawing = action_chips(game, game.published())
    ax = drawing.axes[list(game.tree.decisions).index("check-bet")]
    ends = {round(float(line.get_ydata()[-1]), 9) for line in ax.lines if line.get_linewidth() == 1.0}
    assert ends == {-1.0, 2.0}


def test_a_node_that_is_never_reached_says_so():
    game = make("sized_endgame")
    drawing = action_chips(game, game.published())
    assert texts(drawing).count("the opponent never leads here") == 1


def test_chips_refuse_half_a_profile():
    with pytest.raises(ValueError, match="not of 'la_relance'"):
        action_chips(make("la_relance"), make("von_neumann").published())


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


def test_convergence_goes_down_and_is_what_the_solver_says():
    from relance.solvers.cfr_solver import Solver

    game, made = make("von_neumann", hands=9), []
    found = cfr_curves(game, 60, ["cfr", "cfr+"], made.append)
    assert sum(made) == 120
    again = Solver(game, "cfr+")
    again.run(60)
    assert found["cfr+"][-1][0] == 60
    assert found["cfr+"][-1][2] == pytest.approx(again.nash_conv() / 2)
    assert found["cfr+"][-1][2] < found["cfr"][-1][2] < found["cfr"][0][2]
    left, right = convergence(game, found).axes
    assert [line.get_label() for line in left.lines] == [line.get_label() for line in right.lines] == ["cfr", "cfr+"]
    with pytest.raises(ValueError, match="iterations=3"):
        cfr_curves(game, 3)


def test_the_face_shows_kuhns_alpha_family():
    game = make("one_card_poker", raises=0)
    drawing = face_ranges(game)
    first, second = drawing.axes
    assert [t.get_text() for t in first.texts].count("0 to 1/3") == 1  # the queen's bets
    assert not second.texts
    assert [t.get_text() for t in drawing.legends[0].get_texts()] == ["published, alpha = 0", "published, alpha = 1/3"]
    bars = [line.get_xydata() for line in first.lines if len(line.get_xdata()) == 2]
    ends = [line.get_xydata()[0] for line in first.lines if line.get_marker() == "o"]
    for bar in bars:
        mine = sorted(x for x, y in ends if y == bar[0][1])
        assert mine == pytest.approx(sorted(bar[:, 0]))


def test_grids_at_the_thresholds_lose_nothing():
    from relance.pages.plots.grids import SIZES, grid_losses

    (ax,) = grid_losses(make("von_neumann", bet=2)).axes
    lost, _, nothing = ax.lines
    assert set(nothing.get_xdata()) == {n for n in SIZES if n % 9 == 0}
    assert dict(zip(lost.get_xdata(), lost.get_ydata(), strict=True))[10] == pytest.approx(1 / 300)
    with pytest.raises(ValueError, match="finitely many hands already"):
        grid_losses(make("endgame"))


def test_the_operators_of_von_neumanns_caller():
    """A third of the hands bet, 1/9 of them bluffs: the worst hand loses to all, and the best wins against all."""
    from relance.pages.plots.operators import operators

    ax = operators(make("von_neumann", bet=2)).axes[1]
    mass, edge = ax.lines
    assert mass.get_ydata() == pytest.approx(np.full(len(mass.get_xdata()), 1 / 3))
    assert edge.get_ydata()[[0, -1]] == pytest.approx([-1 / 3, 1 / 3], abs=1e-6)
    assert np.interp(0.5, edge.get_xdata(), edge.get_ydata()) == pytest.approx(1 / 9 - 2 / 9)
