"""Refinements, read back from the figure."""

import pytest
from test_tree_pictures import KUHN

pytest.importorskip("matplotlib", reason="needs the extra plot")

import relance
from relance.envs.catalogue import make
from relance.equilibria.perfection import refinement
from relance.pages.plots.refinements import draw_refinement
from relance.solvers.lp import solve_exactly


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
