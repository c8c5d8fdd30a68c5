"""What grids lose, read back from the figure."""

import pytest

pytest.importorskip("matplotlib", reason="needs the extra plot")

from relance.envs.catalogue import make


def test_grids_at_the_thresholds_lose_nothing():
    from relance.pages.plots.grids import SIZES, grid_losses

    (ax,) = grid_losses(make("von_neumann", bet=2)).axes
    lost, _, nothing = ax.lines
    assert set(nothing.get_xdata()) == {n for n in SIZES if n % 9 == 0}
    assert dict(zip(lost.get_xdata(), lost.get_ydata(), strict=True))[10] == pytest.approx(1 / 300)
    with pytest.raises(ValueError, match="finitely many hands already"):
        grid_losses(make("endgame"))
