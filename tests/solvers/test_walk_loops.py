"""The loop of a walk through a tree, on one decision with a fold, a showdown and both kinds of chips, by hand."""

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the extra fast")
from relance.solvers.walk_loops import walk

# isort: split
DISTRIBUTION, EDGE = np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([[0.1, -0.2], [0.0, 0.4]])
SHARE = np.array([[0.25, 0.5], [0.75, 0.5]])


def walked(share, bounds=(), reach=1.0):
    """Player 1 passes and wins 3 chips, or pays 1 and fights for 2. What best responses earn, and what is wrong."""
    kind, which = np.arange(3, dtype=np.int32), np.zeros(3, np.int32)
    chips = np.array([[0.0, 0.0], [-3.0, 0.0], [1.0, 2.0]])
    distributions = np.array([[[DISTRIBUTION, EDGE], [DISTRIBUTION.T, -EDGE.T]]])
    room, wrong, steps = np.full((2, 3, 2, 2), reach), np.zeros(1, np.int64), np.zeros((3, 3), np.int64)
    at, jumps = np.array(bounds, np.int64), np.array([[node + 1, 0, 1] for node in bounds], np.int64).reshape(-1, 3)
    seen, earned = np.zeros((2, len(at), 2, 2))
    starts, shares = (np.zeros(0, np.int64), np.zeros(1, np.int64)), (share[:0], share)
    tree = kind, which, np.array([1, -1, -1]), np.array([2, 0, 0]), chips
    walk(
        0,
        np.zeros(2, np.int64),
        *tree,
        starts,
        shares,
        distributions,
        (0, 0),
        at,
        jumps,
        seen,
        earned,
        *room,
        steps,
        wrong,
    )
    return room[1, 0], seen, int(wrong[0])


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
    ("row", "value", "counted"), [(0, -0.25, 2), (1, np.nan, 2), (0, 0.25 + 1e-8, 1), (0, 0.25 + 1e-10, 0)]
)
def test_numbers_that_are_no_probabilities_are_counted(row, value, counted):
    share = SHARE.copy()
    share[row, 0] = value
    assert walked(share)[2] == counted
