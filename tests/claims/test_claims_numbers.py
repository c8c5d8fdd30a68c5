"""Printed numbers."""

from relance.claims.numbers import Numbers


def test_numbers_may_use_those_before_them():
    numbers = Numbers({"c": "B/(B + 2)", "l": "c**2"})
    assert numbers.at(B="2")["l"] == numbers.at(B=2)["c"] ** 2
    assert set(numbers.at(B=1)) == {"c", "l"}
