"""Pictures of what is computed on game trees, read back from the figures."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")


import relance
from relance.envs.catalogue import make
from relance.equilibria.abstraction_price import price_of_abstraction
from relance.equilibria.perfection import refinement
from relance.pages.plots.tree_pictures import draw_abstraction, draw_frontier, draw_quantal, draw_refinement
from relance.solvers.lp import solve_exactly

KUHN = make("one_card_poker", raises=0)


@pytest.mark.parametrize(
    ("draw", "game", "message"),
    [
        (lambda game: draw_abstraction(game), KUHN, "finitely many hands"),
        (lambda game: draw_abstraction(game, cells=1), make("von_neumann"), "cells=1 must be at least 2"),
        (lambda game: draw_refinement(game), make("von_neumann"), "hands"),
    ],
)
def test_what_cannot_be_drawn(draw, game, message):
    with pytest.raises(ValueError, match=message):
        draw(game)


def lines(ax):
    return {line.get_label(): line for line in ax.get_lines()}


def test_prices_of_cells_are_those_that_are_computed():
    game = make("von_neumann")
    (ax,) = draw_abstraction(game, cells=9).axes
    shown = lines(ax)["player 1"]
    prices = [float(price_of_abstraction(game, game.grid(n)).prices[1]) for n in range(2, 10)]
    assert [*shown.get_ydata()] == prices
    assert [*lines(ax)["player 0"].get_xdata()] == [*range(2, 9)]  # 9 cells cost player 0 nothing


def test_a_frontier_goes_from_the_value_to_a_best_response():
    (ax,) = draw_frontier(make("one_card_poker")).axes
    marks = ax.get_lines()[1]
    assert [*marks.get_xdata()] == pytest.approx([0, 2 / 9, 2 / 3, 17 / 18])
    assert [*marks.get_ydata()] == pytest.approx([5 / 18, 1 / 2, 5 / 9, 7 / 12])


def test_quantal_responses_come_to_alpha_and_to_the_one_call():
    pytest.importorskip("flint", reason="needs the extra proof")
    drawing = draw_quantal(KUHN)
    first, second = drawing.axes
    assert set(lines(second)) == {f"{card} {node}" for card in "QKA" for node in ("check: bet", "bet: call")}
    for ax in drawing.axes:
        assert all(abs(line.get_ydata()[0] - 0.5) < 0.2 for line in ax.get_lines())
    assert lines(second)["K bet: call"].get_ydata()[-1] == pytest.approx(1 / 3, abs=0.03)
    assert lines(first)["A check-bet: call"].get_ydata()[-1] > 0.99


def test_a_refinement_marks_the_folded_aces_and_nothing_else():
    drawing = draw_refinement(make("one_card_poker"))
    crosses = {
        ax.get_yticklabels()[int(line.get_ydata()[0])].get_text()
        for ax in drawing.axes
        for line in ax.get_lines()
        if line.get_marker() == "X"
    }
    tree = relance.game_tree("one_card_poker")
    faults = refinement(tree, solve_exactly(tree)).faults  # which equilibrium it is depends on the version of HiGHS
    assert crosses == {
        f"{fault.information_set}: {tree.by_name[fault.information_set].actions[-1]}" for fault in faults
    }
    assert crosses
    refined = draw_refinement(KUHN)
    assert not [line for ax in refined.axes for line in ax.get_lines() if line.get_marker() == "X"]
