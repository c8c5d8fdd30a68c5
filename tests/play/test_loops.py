"""A proposal of hands is accepted as often as the distribution says; streams of random words."""

from fractions import Fraction

import numpy as np
import pytest
from conftest import FINITE, alias_shares, marked, repeats
from test_numpy_loops import DISTRIBUTIONS

from relance.model.deal_table import DENSITY, RANKED
from relance.model.interval import DensityDeal
from relance.play import loops
from relance.play.loops import propose_cells, unit
from relance.play.numpy_loops import draw


@pytest.mark.parametrize("game", [*DISTRIBUTIONS, *marked(FINITE, repeats)], ids=str)
def test_a_proposal_is_accepted_exactly_as_often_as_the_distribution_says(game, monkeypatch):
    """A cell is proposed as often as its cap says, and caps multiply to at least the density: so it is as in the distribution."""
    monkeypatch.setitem(vars(game.deal), "few_pairs", False)
    distribution, table, exact = game.deal, game.deal.table(), game.deal.on_interval and not game.deal.is_finite
    if table.kind not in (DENSITY, RANKED):
        pytest.skip("this distribution is dealt in another way")
    sides, rng = (table.first, table.second), np.random.default_rng(5)
    width = [side.width if exact else np.ones(len(side.cap)) for side in sides]
    for side, wide in zip(sides, width, strict=True):
        shares = alias_shares(side.cells)[: len(side.cap)]
        assert shares == pytest.approx(side.cap * wide / (side.cap * wide).sum(), abs=1e-14)
    cells = [rng.choice(len(side.cap), 400, p=alias_shares(side.cells)[: len(side.cap)]) for side in sides]
    places = [rng.random(400) for _ in sides]
    hands = [s.left[c] + s.width[c] * u for s, c, u in zip(sides, cells, places, strict=True)] if exact else cells
    density = np.array([float(distribution_at(distribution, *pair)) for pair in zip(*hands, strict=True)])
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
        distribution_parts = table.kind, table.first, table.second, table.certain, table.blocked
        _, *proposed, taken = propose_cells(*distribution_parts, np.zeros(400, np.uint64))
        assert (np.stack(proposed) == np.stack(hands)).all()
        assert (taken == accepted).all()


def distribution_at(distribution, mine, theirs):
    """The density, or probability, of two hands."""
    if isinstance(distribution, DensityDeal):
        return sum(u(Fraction(mine)) * v(Fraction(theirs)) for u, v in distribution.terms)
    return distribution.joint()[mine, theirs]


def test_streams_are_splitmix64():
    """Its published first numbers from the state 1234567; and where its 64 bits lie in [0, 1)."""
    state = np.array([1234567], np.uint64)
    numbers = [int(draw(state)[0]) for _ in range(5)]
    assert numbers == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    bits = np.array([0, 2**11 - 1, 2**11, 2**63, 2**64 - 1], np.uint64)
    assert unit(bits).tolist() == [0, 0, 2**-53, 0.5, 1 - 2**-53]
