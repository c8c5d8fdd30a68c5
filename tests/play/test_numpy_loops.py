"""Hands dealt at many tables, against their distributions."""

from fractions import Fraction

import numpy as np
import pytest
from conftest import FINITE, SAMPLES
from scipy import stats

from relance.model.deal_table import RANKED
from relance.model.piecewise import Piecewise
from relance.model.ranked_deal import RankedDeal
from relance.play.loops import edge, streams
from relance.play.numpy_loops import deal_hands

DISTRIBUTIONS = list({repr(vars(game.deal)): game for game in SAMPLES if game not in FINITE}.values())


def dealt(distribution, count):
    """(count, 2) hands."""
    return deal_hands(distribution.table(), streams(1, np.arange(count)))[0].T


def chi_square(joint, hands):
    """The p-value of dealt pairs against their distribution; pairs that cannot occur must not."""
    seen = np.zeros(joint.shape)
    np.add.at(seen, tuple(hands.T), 1)
    assert not seen[joint <= 0].any()
    expected = joint[joint > 0] * len(hands)
    return stats.chisquare(seen[joint > 0], expected / expected.sum() * len(hands)).pvalue if len(expected) > 1 else 1.0


@pytest.mark.parametrize("few", [True, False], ids=["pairs", "hand by hand"])
def test_finite_hands_have_their_distribution(finite_game, few, monkeypatch):
    distribution = finite_game.deal
    monkeypatch.setitem(vars(distribution), "few_pairs", few)
    assert (distribution.table().kind == RANKED) == (type(distribution).table is RankedDeal.table and not few)
    hands = dealt(distribution, 20_000)
    assert hands.shape == (20_000, 2)
    assert chi_square(np.asarray(distribution.joint(), float), hands) > 1e-5
    pairs = np.unique(hands, axis=0)[:60]
    expected = [float(distribution.compare(*pair)) for pair in pairs.tolist()]
    assert edge(distribution.table(), *pairs.T) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("game", DISTRIBUTIONS, ids=str)
def test_hands_on_the_interval_have_their_distribution(game):
    hands = dealt(game.deal, 20_000)
    assert ((hands >= 0) & (hands <= 1)).all()
    for player in (0, 1):
        cumulative = game.deal.prior(player).cumulative()
        places = [float(cut) for cut in cumulative.cuts]
        upto = [np.polynomial.Polynomial([float(c) for c in piece] or [0.0]) for piece in cumulative.pieces]
        x = hands[:, player]
        values = np.choose(np.clip(np.searchsorted(places, x) - 1, 0, len(upto) - 1), [piece(x) for piece in upto])
        assert stats.kstest(values, "uniform").pvalue > 1e-4
    cells = (hands * 6).astype(int)
    spans = [(Fraction(i, 6), Fraction(i + 1, 6)) for i in range(6)]
    parts = [[[float(f.integral(a, b)) for a, b in spans] for f in pair] for pair in game.deal.terms]
    joint = sum(np.outer(u, v) for u, v in parts)
    assert chi_square(joint, cells) > 1e-5


def test_many_hands_on_the_interval_have_the_means_of_their_distribution():
    """To 6 standard errors of a million deals, .0014 or less."""
    for game in DISTRIBUTIONS:
        hands = dealt(game.deal, 1_000_000)
        for player in (0, 1):
            prior = game.deal.prior(player)
            mean = float((prior * Piecewise((0, 1), ((0, 1),))).integral())
            assert abs(hands[:, player].mean() - mean) < 6 * hands[:, player].std() / 1000
