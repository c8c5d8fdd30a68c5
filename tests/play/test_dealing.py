"""Hands dealt at many tables, against their laws."""

from fractions import Fraction

import numpy as np
import pytest
from conftest import FINITE, SAMPLES, alias_shares, marked, repeats
from scipy import stats

from relance.model.deal_table import DENSITY, RANKED
from relance.model.interval import DensityDeal
from relance.model.piecewise import Piecewise
from relance.model.ranked_deal import RankedDeal
from relance.play import loops
from relance.play.loops import edge, propose_cells
from relance.play.numpy_loops import deal_hands
from relance.play.streams import streams

LAWS = list({repr(vars(game.deal)): game for game in SAMPLES if game not in FINITE}.values())


def dealt(law, count):
    """(count, 2) hands."""
    return deal_hands(law.table(), streams(1, np.arange(count)))[0].T


def chi_square(joint, hands):
    """The p-value of dealt pairs against their law; pairs that cannot occur must not."""
    seen = np.zeros(joint.shape)
    np.add.at(seen, tuple(hands.T), 1)
    assert not seen[joint <= 0].any()
    expected = joint[joint > 0] * len(hands)
    return stats.chisquare(seen[joint > 0], expected / expected.sum() * len(hands)).pvalue if len(expected) > 1 else 1.0


@pytest.mark.parametrize("few", [True, False], ids=["pairs", "hand by hand"])
def test_finite_hands_have_their_law(finite_game, few, monkeypatch):
    law = finite_game.deal
    monkeypatch.setitem(vars(law), "few_pairs", few)
    assert (law.table().kind == RANKED) == (type(law).table is RankedDeal.table and not few)
    hands = dealt(law, 20_000)
    assert hands.shape == (20_000, 2)
    assert chi_square(np.asarray(law.joint(), float), hands) > 1e-5
    pairs = np.unique(hands, axis=0)[:60]
    expected = [float(law.compare(*pair)) for pair in pairs.tolist()]
    assert edge(law.table(), *pairs.T) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("game", LAWS, ids=str)
def test_hands_on_the_interval_have_their_law(game):
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


def test_many_hands_on_the_interval_have_the_means_of_their_law():
    """To 6 standard errors of a million deals, .0014 or less."""
    for game in LAWS:
        hands = dealt(game.deal, 1_000_000)
        for player in (0, 1):
            prior = game.deal.prior(player)
            mean = float((prior * Piecewise((0, 1), ((0, 1),))).integral())
            assert abs(hands[:, player].mean() - mean) < 6 * hands[:, player].std() / 1000


@pytest.mark.parametrize("game", [*LAWS, *marked(FINITE, repeats)], ids=str)
def test_a_proposal_is_accepted_exactly_as_often_as_the_law_says(game, monkeypatch):
    """A cell is proposed as often as its cap says, and caps multiply to at least the density: so it is as in the law."""
    monkeypatch.setitem(vars(game.deal), "few_pairs", False)
    law, table, exact = game.deal, game.deal.table(), game.deal.on_interval and not game.deal.is_finite
    if table.kind not in (DENSITY, RANKED):
        pytest.skip("this law is dealt in another way")
    sides, rng = (table.first, table.second), np.random.default_rng(5)
    width = [side.width if exact else np.ones(len(side.cap)) for side in sides]
    for side, wide in zip(sides, width, strict=True):
        shares = alias_shares(side.cells)[: len(side.cap)]
        assert shares == pytest.approx(side.cap * wide / (side.cap * wide).sum(), abs=1e-14)
    cells = [rng.choice(len(side.cap), 400, p=alias_shares(side.cells)[: len(side.cap)]) for side in sides]
    places = [rng.random(400) for _ in sides]
    hands = [s.left[c] + s.width[c] * u for s, c, u in zip(sides, cells, places, strict=True)] if exact else cells
    density = np.array([float(law_at(law, *pair)) for pair in zip(*hands, strict=True)])
    caps = sides[0].cap[cells[0]] * sides[1].cap[cells[1]]
    assert (density <= caps * (1 + 1e-12)).all()
    if table.certain:
        assert density == pytest.approx(caps * (density.sum() / caps.sum()), rel=1e-12)
        return
    for times, accepted in ((1 - 1e-9, density > 0), (1 + 1e-9, np.zeros(400, bool))):
        units = iter([*(places if exact else ()), np.where(density > 0, density / caps * times, 0.0)])
        picks = iter([cell for side, cell in zip(sides, cells, strict=True) if len(side.cap) > 1])
        monkeypatch.setattr(loops, "unit", lambda bits, units=units: next(units))
        monkeypatch.setattr(loops, "pick", lambda cells, bits, picks=picks: next(picks))
        law_parts = table.kind, table.first, table.second, table.certain, table.blocked
        _, *proposed, taken = propose_cells(*law_parts, np.zeros(400, np.uint64))
        assert (np.stack(proposed) == np.stack(hands)).all()
        assert (taken == accepted).all()


def law_at(law, mine, theirs):
    """The density, or probability, of two hands."""
    if isinstance(law, DensityDeal):
        return sum(u(Fraction(mine)) * v(Fraction(theirs)) for u, v in law.terms)
    return law.joint()[mine, theirs]
