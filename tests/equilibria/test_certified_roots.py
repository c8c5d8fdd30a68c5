"""Roots that are certified, and what is none."""

import pytest

from relance.equilibria.certified_roots import certified_root, flint, precision
from relance.solvers.exact_lp import NotCertifiedError

pytest.importorskip("flint", reason="needs the extra proof")


def test_the_interval_test_finds_a_planted_error():
    """A root is certified; what is none, or a double one, is not."""
    arb = flint().arb
    (root,) = certified_root(lambda x: [x[0] ** 2 - 2], lambda x: [[2 * x[0]]], [1.4], 40)
    with precision(40):
        assert abs(root - arb(2).sqrt()) < arb(10) ** -40
    for function, slope in (
        (lambda x: [x[0] ** 2 + 1], lambda x: [[2 * x[0]]]),  # no root
        (lambda x: [x[0] ** 2], lambda x: [[2 * x[0]]]),  # a double root
        (lambda x: [x[0] ** 2 - 2], lambda x: [[-2 * x[0]]]),  # a wrong derivative
    ):
        with pytest.raises(NotCertifiedError):
            certified_root(function, slope, [1.4], 20)
