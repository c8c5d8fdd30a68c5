"""One walk through a tree, depth first, scores a profile as the passes over all its sequences do."""

from dataclasses import replace

import numpy as np
import pytest

import relance
from relance.model import tree_table
from relance.model.arrays import thread_count
from relance.model.strategy import NotProbabilitiesError
from relance.model.tree import BettingTree
from relance.solvers import walk
from relance.solvers.float_scores import Scores
from relance.solvers.sequence_form import normalised

NAMES = [
    "leduc",
    "leduc(merge_suits=false,raises=1)",
    "limit_poker(bets=1;2;4,raises=1)",
    "liars_dice(sides=3)",
    "liars_dice(dice=2,sides=2,wild=false)",
]


def large(name):
    """A game with a tree of its own, which is made as a large one."""
    game = relance.make(name)
    return replace(game, tree=BettingTree(game.tree.root))


def profile_of(game, seed=0):
    """A random profile, with some actions never taken."""
    rng = np.random.default_rng(seed)
    weights = [rng.random((form.size, game.deal.size(p))) for p, form in enumerate(game.forms)]
    return game.profile_from_arrays(
        [normalised(form, w * (w > 0.2)) for form, w in zip(game.forms, weights, strict=True)]
    )


@pytest.fixture(autouse=True)
def _always_worth_it(monkeypatch):
    pytest.importorskip("numba", reason="needs the extra fast")
    monkeypatch.setattr(walk.numba_start, "WORTH", 0)
    monkeypatch.setattr(tree_table, "MOST_LISTED", 0)


@pytest.mark.parametrize("parts", [1, 5, 10**9])
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("name", NAMES)
def test_a_walk_earns_what_the_passes_do(name, threads, parts, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    monkeypatch.setattr(walk, "PARTS", parts)
    assert thread_count() == int(threads)
    game = large(name)
    profile = profile_of(game)
    walked = Scores(game, profile)
    assert walked._walked is not None
    monkeypatch.setattr(walk, "MOST_HANDS", 0)
    passed = Scores(game, profile)
    assert passed._walked is None
    for player in (0, 1):
        assert walked.best_value(player) == pytest.approx(passed.best_value(player), rel=0, abs=1e-13)
    assert walked.value() == passed.value()


@pytest.mark.parametrize("name", NAMES[:2])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("change", [(0, -0.25), (0, np.nan), (-1, 1e-8)])
def test_what_is_no_probability_is_named(name, seat, change):
    game = large(name)
    profile, (slot, off) = profile_of(game), change
    rows = [strategy.at.array.copy() for strategy in profile.strategies]
    rows[seat][slot, 0] += off
    broken = game.profile_from_arrays(rows)
    with pytest.raises(NotProbabilitiesError, match="hand"):
        relance.nash_conv(game, broken)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_arrays_of_a_profile_may_be_of_any_kind(seat):
    game = large("leduc")
    walker, (first, second) = walk.walk_of(game.tree, game.finite_deal().floats, game.forms), game.uniform().strategies
    plain = [np.array(first.at.array), np.array(second.at.array)]
    expected = walker.best_values(plain)
    fixed = plain[seat].copy()
    fixed.flags.writeable = False
    for other in (fixed, np.asfortranarray(plain[seat]), np.repeat(plain[seat], 2, axis=0)[::2]):
        assert walker.best_values([other if p == seat else plain[p] for p in (0, 1)]) == expected
    single = [plain[p].astype(np.float32) if p == seat else plain[p] for p in (0, 1)]
    assert walker.best_values(single) is None  # thirds in float32 do not sum to 1


def test_it_is_made_ready_once_for_a_deal():
    game = large("leduc")
    deal = game.finite_deal().floats
    assert walk.walk_of(game.tree, deal, game.forms) is walk.walk_of(game.tree, deal, game.forms)
