"""The loop of a walk through a tree, on one decision with a fold, a showdown and both kinds of chips, by hand."""

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra fast")
from relance.solvers.cfr_variants import Weights
from relance.solvers.walk import in_classes
from relance.solvers.walk_loops import Distributions, Learning, walk

# isort: split
DISTRIBUTION, EDGE = np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([[0.1, -0.2], [0.0, 0.4]])
SHARE = np.array([[0.25, 0.5], [0.75, 0.5]])


def walked(share, bounds=(), reach=1.0, learning=None, whose=(0, 2)):
    """Player 1 passes and wins 3 chips, or pays 1 and fights for 2. What best responses earn, and what is wrong."""
    kind, which = np.arange(3, dtype=np.int32), np.zeros(3, np.int32)
    chips = np.array([[0.0, 0.0], [-3.0, 0.0], [1.0, 2.0]])
    classes = in_classes(np.array([DISTRIBUTION, EDGE, DISTRIBUTION.T, EDGE.T]))
    distributions = Distributions(*(part.reshape(1, 2, 2, *part.shape[1:]) for part in classes))
    room, values, wrong, steps = (
        np.full((2, 3, 2), reach),
        np.zeros((3, 2, 2)),
        np.zeros(1, np.int64),
        np.zeros((3, 8), int),
    )
    at, jumps = np.array(bounds, np.int64), np.array([[node + 1, 0, 1] for node in bounds], np.int64).reshape(-1, 3)
    seen, earned = np.zeros((2, len(at), 2, 2))
    starts, shares = (np.zeros(0, np.int64), np.zeros(1, np.int64)), (share if learning else share[:0], share)
    tree = kind, which, np.array([1, -1, -1]), np.array([2, 0, 0]), chips, starts, distributions, (0, 0)
    rooms = room, values, steps, np.zeros((2, 3))
    walk(0, np.zeros(2, np.int64), *tree, shares, learning, *whose, at, jumps, seen, earned, *rooms, wrong)
    return values[0], seen, int(wrong[0])


def test_one_adds_up_and_the_other_takes_the_best():
    values, _, wrong = walked(SHARE)
    passed, fought = -3 * DISTRIBUTION, DISTRIBUTION + 2 * EDGE
    assert wrong == 0
    assert values[0] == pytest.approx(passed @ SHARE[0] + fought @ SHARE[1], abs=1e-15)
    assert values[1] == pytest.approx(np.maximum(-passed.sum(0), -fought.sum(0)), abs=1e-15)


def test_a_bound_sees_what_leads_to_it_and_earns_what_is_given():
    values, seen, _ = walked(SHARE, bounds=[2])
    assert seen[0].tolist() == [[1, 1], SHARE[1].tolist()]
    assert values[0] == pytest.approx(-3 * DISTRIBUTION @ SHARE[0], abs=1e-15)  # nothing is earned after the bound
    assert values[1] == pytest.approx(np.maximum(3 * DISTRIBUTION.sum(0), 0), abs=1e-15)


@pytest.mark.parametrize(
    ("row", "value", "counted"),
    [(0, -0.25, 2), (0, np.nan, 1), (1, np.nan, 1), (0, 0.25 + 1e-8, 1), (0, 0.25 + 1e-10, 0)],
)
def test_numbers_that_are_no_probabilities_are_counted(row, value, counted):
    share = SHARE.copy()
    share[row, 0] = value
    assert walked(share)[2] == counted


@pytest.mark.parametrize("predictive", [False, True])
def test_a_pass_of_cfr_updates_who_learns(predictive):
    weights, matched = Weights(0.5, 0.25, 0.75, 3.0), np.array([[1.0, -2.0], [3.0, -1.0]])
    regrets, averages, old = np.array([[4.0, 5.0], [-6.0, 0.0]]), np.array([[1.0, 2.0], [3.0, 4.0]]), matched.copy()
    before, kept = regrets.copy(), averages.copy()
    learning = Learning((matched[:0], matched), regrets, averages, weights, predictive, np.zeros((2, 2)))
    share = np.full((2, 2), np.nan)
    values, _, _ = walked(share, reach=0.5, learning=learning, whose=(1, 2))
    assert share.tolist() == SHARE.tolist()  # in proportion, or equal where no action has a positive one
    gains = -0.5 * np.array([(-3 * DISTRIBUTION).sum(0), (DISTRIBUTION + 2 * EDGE).sum(0)])
    gained = gains - (SHARE * gains).sum(0)
    sums = before + gained
    assert values[1] == pytest.approx((SHARE * gains).sum(0), abs=1e-15)
    assert regrets == pytest.approx(np.where(sums > 0, 0.5 * sums, 0.25 * sums), abs=1e-15)
    assert averages == pytest.approx(0.75 * kept + 3 * 0.5 * SHARE, abs=1e-15)
    assert matched == pytest.approx(regrets + gained if predictive else old, abs=1e-15)
    learnt = regrets.copy()
    walked(share, learning=learning, whose=(0, 1))
    assert regrets.tolist() == learnt.tolist()  # the other player's pass leaves them as they are
