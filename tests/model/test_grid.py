import pickle
from fractions import Fraction

import numpy as np
import pytest

import relance
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


@pytest.mark.parametrize("law", ["uniform", "power:2:1", "power:1:3", "fgm:-1/2", "fgm:1", "power:3:20"])
def test_floats_are_the_exact_probabilities(law):
    deal = relance.make("von_neumann", deal=law, hands=9).deal
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
    ("law", "player", "share"),
    [("power:2:1", 0, Fraction(3, 4)), ("power:2:1", 1, Fraction(1, 2)), ("power:1:3", 1, Fraction(7, 8))],
)
def test_a_cell_is_averaged_by_the_density_of_its_hands(law, player, share, floats):
    """Half of the cell [0, 1/2] is cut off, with an eighth, a quarter or half of its hands."""
    whole = relance.make("von_neumann", deal=law)
    high = [(Fraction(1, 4), Fraction(1))]
    profile = whole.profile({"": {"bet": high}, "bet": {"call": high}})
    fitted = whole.grid(2).fit(profile, floats=floats)
    row = fitted.row("", "bet") if player == 0 else fitted.row("bet", "call")
    assert row.tolist() == [share, 1]
