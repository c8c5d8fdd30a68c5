"""A deal's operators, read back from the figure."""

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make


def test_the_operators_of_von_neumanns_caller():
    """A third of the hands bet, 1/9 of them bluffs: the worst hand loses to all, and the best wins against all."""
    from relance.pages.plots.operators import operators

    ax = operators(make("von_neumann", bet=2)).axes[1]
    mass, edge = ax.lines
    assert mass.get_ydata() == pytest.approx(np.full(len(mass.get_xdata()), 1 / 3))
    assert edge.get_ydata()[[0, -1]] == pytest.approx([-1 / 3, 1 / 3], abs=1e-6)
    assert np.interp(0.5, edge.get_xdata(), edge.get_ydata()) == pytest.approx(1 / 9 - 2 / 9)
