"""A quick proof is never wrong, finds what it should, and gives up where it would be slow."""

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relance.claims.cover import Cover
from relance.claims.proof import Region, region
from relance.model.numbers import formula

REGIONS = [
    ("x", "x >= 1/3", "2*x <= 5"),
    ("x", "0 < x < 1"),
    ("x", "x > 0", "x*x <= 2", "3 <= 4*x + 1 <= 6"),
    ("x, y", "x >= 0", "y > 0"),
    ("x, y", "0 <= x <= 1", "0 <= y <= 1"),
    ("x, y", "0 <= x", "x < y", "y < 1"),
    ("x, y", "x > -1", "y == 2*x + 1"),
    ("x, y", "x >= 0", "x*y <= 1", "y >= x*x + 1", "y <= 3"),
    ("x, y", "0 < x < 1", "x*x <= y <= x"),
    ("x, y", "x <= 2", "y <= x"),
]


def polynomial(where, coefficients):
    symbols = list(where.values())
    terms = [1, *symbols, *(a * b for a in symbols for b in symbols)]
    return sum((c * term for c, term in zip(coefficients, terms, strict=False)), 0 * symbols[0]).top


@pytest.mark.parametrize(("names", "conditions"), [(names, conditions) for names, *conditions in REGIONS])
@given(coefficients=st.lists(st.integers(-3, 3), min_size=3, max_size=7), relation=st.sampled_from((">", ">=")))
def test_what_it_proves_the_prover_proves(names, conditions, coefficients, relation):
    where = region(names, *conditions)
    asked = polynomial(where, coefficients)
    if not asked.is_constant() and where._cover.nowhere(asked, relation):
        assert where._model("", where._condition(asked, relation)) is None


@pytest.mark.parametrize(
    ("conditions", "number", "above", "at_least"),
    [
        (["x >= 1/3", "2*x <= 5"], "x**2 - 3*x + 1/2", True, True),
        (["x >= 0", "x <= 1"], "x - 1", True, False),
        (["x >= 0", "x < 1"], "x - 1", True, True),
        (["x >= 0", "x <= 1"], "-x**2 - (1 - x)**2", True, True),
        (["x >= 0", "x <= 1"], "-x*(1 - x)", True, False),
        (["x > 0", "x < 1"], "-x*(1 - x)", True, True),
        (["x >= 1/3", "x*x <= 9"], "x - 3", False, False),
        (["x > 0", "x < y", "y < z", "z < 1"], "x*y - z", True, True),
        (["x > 0", "x <= y", "y <= z", "z <= 1"], "x*y - z", True, False),
        (["x >= 0", "x <= y", "y <= z", "z <= 1"], "x*y - z", True, False),
        (["x >= 0", "y >= x + 1", "y < z"], "x - z", True, True),
        (["x > 0", "y > 0", "x*y < z"], "x*y - z", True, True),
        (["x > 0", "y > 0", "x*y <= z"], "x*y - z", True, False),
        (["x > 0", "y >= 0", "x*y <= z", "z < 1"], "-z", True, False),  # y may be 0, and then z
        (["x > 0", "y > 0", "x*y <= z", "z < 1"], "-z", True, True),
        (["x <= -1"], "x", True, True),
        (["x <= 0"], "x", True, False),
        (["x > 0"], "-y*y", False, False),  # nothing bounds y
        (["x > 0"], "x - 1000", False, False),
    ],
)
def test_what_it_proves(conditions, number, above, at_least):
    """That a polynomial is nowhere above 0, and nowhere at least 0."""
    where = Region("x, y, z", *conditions)
    asked = formula(number, where).top
    assert where._cover.nowhere(asked, ">") == above
    assert where._cover.nowhere(asked, ">=") == at_least


def test_the_tightest_of_numbers_bounds_a_symbol():
    where = Region("x", "x >= 1/3", "x >= -7", "x <= 9", "2*x <= 5")
    assert where._cover.nowhere(formula("(x - 1/3)*(x - 5/2)", where).top, ">")
    assert not where._cover.nowhere(formula("(x - 1/3 - e)*(x - 5/2)", {**where, "e": F(1, 1000)}).top, ">")


def test_what_it_proves_needs_no_prover(monkeypatch):
    where = Region("x", "x >= 1/3", "2*x <= 5", "x*x <= 9")
    monkeypatch.setattr(where, "_model", None)
    assert not where.somewhere(formula("x**2 - 3*x + 1/2", where).top, ">")


def test_a_polynomial_that_would_get_too_many_terms_is_left_to_the_prover(monkeypatch):
    names = [f"x{k}" for k in range(8)]
    where = Region(", ".join(names), *(f"0 < {name} < 1" for name in names))
    asked = formula("-(" + "*".join(names) + ")**9", where).top
    assert not where._cover.nowhere(asked, ">")
    monkeypatch.setattr("relance.claims.cover.MOST_TERMS", 10**9)
    assert Cover(where.ring, where._polynomials).nowhere(formula("-" + "*".join(names), where).top, ">=")
