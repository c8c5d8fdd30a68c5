"""Certificates that a polynomial is at least 0, or positive, wherever some given polynomials are at least 0 or positive.

A certificate writes the polynomial, times a positive one if need be, as a sum of products of given polynomials with positive coefficients
(Handelman 1988). It is found by exact linear programming, and anyone can check it by multiplying out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm
from typing import TypeAlias

from relance.claims.symbolic import Polynomial
from relance.solvers.exact_lp import Program
from relance.solvers.exact_simplex import LinearForm

Powers: TypeAlias = tuple[int, ...]
"""A product of given polynomials, those of a list of `Known`, as the power of each."""

MOST_PRODUCTS = 1000
"""The most products of given polynomials in one linear program."""


@dataclass(frozen=True)
class Known:
    """A given polynomial: it is known to be at least 0 in the region, or positive if `strict`."""

    polynomial: Polynomial
    strict: bool


@dataclass(frozen=True)
class Certificate:
    """An identity that shows the sign of a polynomial: `factor` times the polynomial is `total`.

    Both are sums {powers of the given polynomials: positive whole coefficient}, in which no term is negative in the region. At least one
    term of the factor is known to be positive, so the factor is positive. If a strict sign was asked for, so is the total.
    """

    factor: Mapping[Powers, int]
    total: Mapping[Powers, int]


def sign_certificate(polynomial: Polynomial, known: Sequence[Known], strict: bool = False) -> Certificate | None:
    """Return a certificate that a polynomial is >= 0, or > 0 if `strict`, at each point with the signs in `known`; None if none is found.

    At such a point each polynomial in `known` is >= 0, or > 0 if its entry there is `strict`.
    """
    nothing = (0,) * len(known)
    if (found := _monomials(polynomial, known, strict)) is not None:
        return _whole({nothing: Fraction(1)}, found)
    least = polynomial.total_degree()
    for more in range(3):
        for factor in range(more + 1):
            sums, factors = (dict(_products(known, d, polynomial)) for d in (least + more, factor))
            if len(sums) > MOST_PRODUCTS:
                return None
            if (both := _sums(polynomial, sums, factors, known, strict)) is not None:
                return _whole(*both)
    return None


def _whole(factor: Mapping[Powers, Fraction], total: Mapping[Powers, Fraction]) -> Certificate:
    scale = lcm(*(c.denominator for c in (*factor.values(), *total.values())))
    return Certificate(*({powers: int(c * scale) for powers, c in side.items()} for side in (factor, total)))


def _monomials(polynomial: Polynomial, known: Sequence[Known], strict: bool) -> dict[Powers, Fraction] | None:
    """The polynomial's own terms as a sum of products of `known` ones; None if a coefficient is negative or a symbol's sign is not known.

    If `strict`, also None unless one of the terms is known to be positive.
    """
    place = {str(item.polynomial): i for i, item in enumerate(known)}
    symbols = [place.get(name) for name in polynomial.context().names()]
    found: dict[Powers, Fraction] = {}
    sure = False
    for monomial, coefficient in polynomial.terms():
        if coefficient < 0 or any(power and at is None for power, at in zip(monomial, symbols, strict=True)):
            return None
        powers = [0] * len(known)
        for power, at in zip(monomial, symbols, strict=True):
            if power and at is not None:
                powers[at] = int(power)
        found[tuple(powers)] = _fraction(coefficient)
        sure = sure or all(known[i].strict for i, power in enumerate(powers) if power)
    return found if sure or not strict else None


def _products(known: Sequence[Known], degree: int, polynomial: Polynomial) -> Iterator[tuple[Powers, Polynomial]]:
    """Yield (powers, product) for each product of the given polynomials `known` that has at most this degree."""
    one = polynomial * 0 + 1
    degrees = [item.polynomial.total_degree() for item in known]
    for many in range(degree + 1):
        for chosen in combinations_with_replacement(range(len(known)), many):
            if sum(degrees[i] for i in chosen) <= degree:
                product = one
                for i in chosen:
                    product *= known[i].polynomial
                yield tuple(chosen.count(i) for i in range(len(known))), product


def is_strict(powers: Powers, known: Sequence[Known]) -> bool:
    """True if a product of the polynomials `known`, with these powers, is positive because each of its factors is `strict`."""
    return all(item.strict for item, power in zip(known, powers, strict=True) if power)


def _sums(
    polynomial: Polynomial,
    sums: Mapping[Powers, Polynomial],
    factors: Mapping[Powers, Polynomial],
    known: Sequence[Known],
    strict: bool,
) -> tuple[dict[Powers, Fraction], dict[Powers, Fraction]] | None:
    """The coefficients of a factor and of its product with the polynomial."""
    rows: dict[tuple[int, ...], LinearForm] = {}
    columns = [*sums.values(), *(-polynomial * factor for factor in factors.values())]
    for column, product in enumerate(columns):
        for monomial, coefficient in product.terms():
            rows.setdefault(monomial, {})[column] = _fraction(coefficient)
    program = Program()
    program.variables(len(columns), nonnegative=True)
    sure = {len(sums) + i: Fraction(1) for i, powers in enumerate(factors) if is_strict(powers, known)}
    program.equal = [*((row, Fraction(0)) for row in rows.values()), (sure, Fraction(1))]
    if strict:
        program.objective = {i: Fraction(1) for i, powers in enumerate(sums) if is_strict(powers, known)}
    try:
        program.floats()  # most programs without a solution are refused quickly
        best, found = program.solve()
    except (ValueError, ArithmeticError):
        return None
    if strict and best == 0:
        return None
    total, factor = found[: len(sums)], found[len(sums) :]
    return {p: c for p, c in zip(factors, factor, strict=True) if c}, {
        p: c for p, c in zip(sums, total, strict=True) if c
    }


def _fraction(number: object) -> Fraction:
    return Fraction(str(number))
