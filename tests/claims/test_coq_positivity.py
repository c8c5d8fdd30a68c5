"""Certificates of signs: they multiply out, and there is none for what is not so."""

import re

import pytest

from relance.claims.coq.positivity import Known, sign_certificate
from relance.claims.proof import region

CERTIFIED = [
    ("B", ["B > 0"], "B**2 + 3*B + 1", True),
    ("a, b", ["a > 0", "b > 0", "b < a"], "a**2 - b**2", True),
    ("a, b", ["a > 0", "b > 0", "b <= a"], "a**2 - a*b", False),
    ("P, a, b", ["0 <= P", "P <= 1", "a > 0", "b > 0", "2*a + b - P*(2*a + 2*b) >= 0"], "1 - P", True),
]


@pytest.mark.parametrize(("symbols", "conditions", "text", "strict"), CERTIFIED)
def test_a_certificate_multiplies_out(symbols, conditions, text, strict):
    where = region(symbols, *conditions)

    def polynomial(formula):
        return eval(formula, {}, dict(zip(where.names, where.ring.gens(), strict=True)))

    sides = [re.split("<=|>=|<|>", condition) for condition in conditions]
    known = [
        Known(polynomial(f"({a}) - ({b})" if ">" in c else f"({b}) - ({a})"), "=" not in c)
        for c, (a, b) in zip(conditions, sides, strict=True)
    ]
    found = sign_certificate(polynomial(text), known, strict)

    def total(coefficients):
        out = where.ring.constant(0)
        for powers, coefficient in coefficients.items():
            term = where.ring.constant(coefficient)
            for item, power in zip(known, powers, strict=True):
                term *= item.polynomial**power
            out += term
        return out

    assert min(*found.factor.values(), *found.total.values(), 1) > 0
    assert total(found.factor) * polynomial(text) == total(found.total)


@pytest.mark.parametrize(("text", "strict"), [("B - 1", False), ("B", True), ("-B", False)])
def test_no_certificate_is_found_for_what_is_not_so(text, strict):
    where = region("B", "B >= 0")
    assert (
        sign_certificate((where["B"] * 0 + eval(text, {"B": where["B"]})).top, [Known(where["B"].top, False)], strict)
        is None
    )
