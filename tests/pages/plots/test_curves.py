"""Convergence, read back from the figure."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make
from relance.pages.plots.curves import cfr_curves, convergence


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
