import pickle
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import relance
from relance.model.distributions import atoms, uniform
from relance.model.grid import EqualCuts


def test_equal_cuts_are_a_sequence_made_on_demand():
    cuts = EqualCuts(4)
    assert list(cuts) == [Fraction(i, 4) for i in range(5)]
    assert cuts[-1] == 1
    assert list(cuts[1:3]) == [Fraction(1, 4), Fraction(1, 2)]
    assert cuts == EqualCuts(4)
    assert hash(cuts) == hash(EqualCuts(4))
    assert cuts != EqualCuts(5)
    with pytest.raises(IndexError):
        cuts[5]


@pytest.mark.parametrize("distribution", ["uniform", "power:2:1", "power:1:3", "fgm:-1/2", "fgm:1", "power:3:20"])
def test_floats_are_the_exact_probabilities(distribution):
    deal = relance.make("von_neumann", deal=distribution, hands=9).deal
    weight = [Fraction(k % 4, 3) for k in range(9)]
    floats = np.array([float(w) for w in weight])
    for player in (0, 1):
        for operator in ("mass", "edge"):
            exact = getattr(deal, operator)(player, np.array(weight, object))
            found = getattr(deal.floats, operator)(player, floats)
            assert np.allclose(found, exact.astype(float), atol=1e-15)


def test_a_grid_of_a_million_hands_is_made_at_once():
    game = relance.make("von_neumann", hands=10**6)
    assert game.hands == 10**6
    assert game.deal.labels[0][999_999] == "[999999/1000000, 1]"
    assert len(game.deal.labels[0]) == 10**6
    assert game.deal.floats.terms[0][0].sum() == pytest.approx(1)
    assert "_exact" not in vars(game.deal)  # no exact numbers were needed
    assert pickle.loads(pickle.dumps(game)) == game


@pytest.mark.parametrize("floats", [False, True])
@pytest.mark.parametrize(
    ("distribution", "player", "share"),
    [("power:2:1", 0, Fraction(3, 4)), ("power:2:1", 1, Fraction(1, 2)), ("power:1:3", 1, Fraction(7, 8))],
)
def test_a_cell_is_averaged_by_the_density_of_its_hands(distribution, player, share, floats):
    """Half of the cell [0, 1/2] is cut off, with an eighth, a quarter or half of its hands."""
    whole = relance.make("von_neumann", deal=distribution)
    high = [(Fraction(1, 4), Fraction(1))]
    profile = whole.profile({"": {"bet": high}, "bet": {"call": high}})
    fitted = whole.grid(2).fit(profile, floats=floats)
    row = fitted.row("", "bet") if player == 0 else fitted.row("bet", "call")
    assert row.tolist() == [share, 1]


def test_places_are_the_middles_of_cells():
    """On equal cells of one polynomial, on those of several pieces, and on cells between any cuts."""
    eighths = [1 / 8, 3 / 8, 5 / 8, 7 / 8]
    for distribution in ("uniform", "power:2:1", "fgm:-1/2"):
        assert [places.tolist() for places in relance.make("von_neumann", deal=distribution, hands=4).deal.places] == [
            eighths
        ] * 2
    cuts = [Fraction(0), Fraction(1, 9), Fraction(5, 9), Fraction(1)]
    assert [places.tolist() for places in uniform().cells(cuts).places] == [pytest.approx([1 / 18, 1 / 3, 7 / 9])] * 2
    normal = relance.make("von_neumann", deal="normal:-1/2:4").deal
    assert [places.tolist() for places in normal.places] == [pytest.approx(eighths)] * 2
    assert atoms(Fraction(1, 4)).cells(EqualCuts(6)).places[1].tolist() == [
        pytest.approx(5 / 12),
        pytest.approx(7 / 12),
    ]


@pytest.mark.parametrize("distribution", ["power:2:1", "power:1:3", "fgm:-1/2", "fgm:1"])
def test_the_edge_inside_a_cell_is_that_of_its_hands(distribution):
    """Exactly 0 only where both hands have one distribution there; otherwise as by integration over halves of the cell, and so on."""
    deal = relance.make("von_neumann", deal=distribution, hands=3).deal
    fine = relance.make("von_neumann", deal=distribution, hands=3 * 16).deal
    joint, edge = fine.joint_edge().astype(float), deal.joint_edge().astype(float)
    for cell in range(3):
        block = joint[cell * 16 : (cell + 1) * 16, cell * 16 : (cell + 1) * 16]
        assert edge[cell, cell] == pytest.approx(block.sum(), abs=1e-12)
        assert float(deal.floats.diagonal[cell] if deal.floats.diagonal is not None else 0) == pytest.approx(
            edge[cell, cell], abs=1e-14
        )


@pytest.mark.parametrize("rho", ["1/2", "-3/5", "9/10", "999/1000", "1/1000000"])
def test_cells_of_the_normal_distribution_are_integrals_of_its_conditional_distribution(rho):
    """Gauss's rule over each row of cells, written apart from the package; the marginal distributions are those of equal cells."""
    deal = relance.make("von_neumann", deal=f"normal:{rho}:8").deal
    joint, r = deal.joint(), float(Fraction(rho))
    rule, heights = np.polynomial.legendre.leggauss(10)
    nodes = np.concatenate([(rule + 1 + 2 * k) / 400 - 1 for k in range(400)])  # four hundred parts of [-1, 1]
    weights = np.tile(heights / 400, 400)
    border = np.clip(ndtri(np.arange(9) / 8), -9, 9)
    for i in range(8):
        half = (border[i + 1] - border[i]) / 2
        x = border[i] + half * (nodes + 1)
        below = ndtr((border[:, None] - r * x) / np.sqrt(1 - r * r))
        row = np.diff(below, axis=0) @ (weights * half * np.exp(-x * x / 2) / np.sqrt(2 * np.pi))
        assert joint[i] == pytest.approx(row, abs=1e-14)
    assert joint.sum(axis=0) == pytest.approx(np.full(8, 1 / 8), abs=1e-14)


def test_a_normal_distribution_has_a_thousand_cells_or_as_many_as_are_said():
    usual = relance.make("von_neumann", deal="normal:1/2")
    assert usual == relance.make("von_neumann", deal="normal:0.5:1e3")
    assert usual.parameters["deal"] == "normal:1/2"
    assert [usual.deal.size(player) for player in (0, 1)] == [1000, 1000]
    assert relance.make("von_neumann", deal="normal:1/2:6").deal.label(0, 5) == "[5/6, 1]"
    for cells in (1, 5001, "5/2"):
        with pytest.raises(
            ValueError, match=f"the distribution's number of cells '{cells}' must be a whole number from 2 to 5000"
        ):
            relance.make("von_neumann", deal=f"normal:1/2:{cells}")
    with pytest.raises(ValueError, match="'normal' takes 1 or 2 parameter"):
        relance.make("von_neumann", deal="normal:1/2:6:7")
    with pytest.raises(ValueError, match="finitely many hands already"):
        usual.grid(9)


@pytest.mark.parametrize(("cells", "off"), [(100, 7e-5), (1000, 7e-7)])
def test_what_the_paper_prints_for_normal_hands_loses_what_the_cells_take_off(cells, off):
    """The thresholds of Theorem 3 lie inside cells, which then mix; with ten times as many cells that costs a hundredth."""
    game = relance.make("la_relance", deal=f"normal:-3/5:{cells}")
    profile = game.published()
    assert 0 < relance.nash_conv(game, profile) < off
    assert relance.value(game, profile) == pytest.approx(-0.176548, abs=3e-5)
    mixed = [np.flatnonzero((row > 0) & (row < 1)) for row in (profile.row("", "bet"), profile.row("bet", "call"))]
    least, calls = ndtr(-0.24387), ndtr(0.14632)  # as printed in the example of Section 5.2
    assert [cell.tolist() for cell in mixed] == [[int(least * cells)], [int(calls * cells)]]
    share = profile.row("", "bet").sum() / cells, profile.row("bet", "call").sum() / cells
    assert share == pytest.approx((1 - least, 1 - calls), abs=1e-5)
