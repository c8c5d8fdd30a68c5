"""A quick proof that a polynomial is nowhere above 0 in a region: after a substitution no coefficient is above 0.

New variables s and t, at least 0, replace each symbol: one with bounds low and high is (low*s + high*t)/(s + t), one with a single bound
is low + t or high - t. A bound may contain symbols that are already replaced. A polynomial in s and t without coefficients above 0
is nowhere above 0. For one symbol between two numbers, these are its Bernstein coefficients. The method does not prove every true case.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple, TypeAlias

import flint

from relance.claims.symbolic import Polynomial, Relation

Comparison: TypeAlias = tuple[Callable[[Any, Any], object], Polynomial]
"""A relation, such as `operator.gt`, and the polynomial that it compares with 0."""

MOST_TERMS = 2000
"""The most terms of a polynomial after the substitution; one that may get more is left to the prover, to save time."""


class Bound(NamedTuple):
    """A lower or upper bound of a symbol: a polynomial in other `symbols`; `strict` if the symbol never reaches it."""

    value: Polynomial
    strict: bool
    symbols: frozenset[int]


class Cover:
    """The symbols of a region, each written as a rational function of new variables s and t that are at least 0.

    These functions are made from the bounds of the symbols, which are read from the region's `conditions`; other conditions are not used.
    """

    def __init__(self, ring: Any, conditions: Sequence[Comparison]) -> None:
        self._size = size = len(ring.gens())
        self._ring = flint.fmpq_mpoly_ctx.get([f"{x}{k}" for x in "st" for k in range(size)], flint.Ordering.lex)
        self._above, self._below = [self._ring.constant(0)] * size, [self._ring.constant(1)] * size
        # For each symbol: how often its s and t occur at most in each other symbol, and which of them are surely above 0.
        self._degrees: dict[int, list[int]] = {}
        self._surely: dict[int, list[set[int]]] = {}
        bounds, left = _bounds(ring, conditions), list(range(size))
        while left:
            sides = {k: [self._usable(bounds[k][0], 1), self._usable(bounds[k][1], -1)] for k in left}
            symbol = max(left, key=lambda k: sum(side is not None for side in sides[k]))
            if sides[symbol] == [None, None]:
                break
            left.remove(symbol)
            self._place(symbol, *sides[symbol])

    def _usable(self, bounds: Iterable[Bound], sign: int) -> Bound | None:
        """Of the bounds that can be written in s and t, the one with the most symbols; if all are numbers, the tightest."""
        known = [b for b in bounds if b.symbols <= self._degrees.keys() and self._terms(b.value) <= MOST_TERMS]
        zero = (0,) * self._size
        return max(known, key=lambda b: (len(b.symbols), 0 if b.symbols else sign * b.value[zero]), default=None)

    def _place(self, symbol: int, low: Bound | None, high: Bound | None) -> None:
        """Write the symbol of index `symbol` in its s and t, from a lower bound, an upper bound or both."""
        s, t = symbol, self._size + symbol
        gens = self._ring.gens()
        if low is not None and high is not None:
            (least, under), (most, over) = self._fraction(low.value), self._fraction(high.value)
            self._above[symbol] = least * over * gens[s] + most * under * gens[t]
            self._below[symbol] = under * over * (gens[s] + gens[t])
            surely = {t} if low.strict else set[int]()
            surely |= {s} if high.strict else set()
            self._surely[symbol] = [surely] if surely else [{s}, {t}]
        else:
            bound, sign = (low, 1) if low is not None else (high, -1)
            assert bound is not None
            top, bottom = self._fraction(bound.value)
            self._above[symbol], self._below[symbol] = top + sign * bottom * gens[t], bottom
            self._surely[symbol] = [{t} if bound.strict else set()]
        both = [map(int, p.degrees()) for p in (self._above[symbol], self._below[symbol])]
        self._degrees[symbol] = [*map(max, *both)][self._size :]

    def _terms(self, polynomial: Polynomial) -> int:
        """The most terms that a polynomial can have in s and t. Its degrees in the t of all symbols tell, since those in s follow."""
        powers = [(self._degrees[k], int(d)) for k, d in enumerate(polynomial.degrees()) if d > 0]
        return prod(1 + sum(degrees[j] * d for degrees, d in powers) for j in self._degrees)

    def _written(self, polynomial: Polynomial) -> Polynomial:
        """A polynomial times the denominators of its symbols, in s and t."""
        most = polynomial.degrees()
        terms = {(*powers, *map(operator.sub, most, powers)): c for powers, c in polynomial.terms()}
        return self._ring.from_dict(terms).compose(*self._above, *self._below, ctx=self._ring)

    def _fraction(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial]:
        if not polynomial:
            return self._ring.constant(0), self._ring.constant(1)
        bottoms = (b ** int(d) for b, d in zip(self._below, polynomial.degrees(), strict=True))
        return self._written(polynomial), prod(bottoms, start=self._ring.constant(1))

    def nowhere(self, polynomial: Polynomial, relation: Relation) -> bool:
        """Return True if it proves that `polynomial`, not 0, is > 0 (or >= 0 if `relation` is ">=") at no point of the region."""
        if any(d and k not in self._degrees for k, d in enumerate(polynomial.degrees())):
            return False
        if self._terms(polynomial) > MOST_TERMS:
            return False
        written = self._written(polynomial)
        if any(c > 0 for c in written.coeffs()):
            return False
        if relation == ">":
            return True
        # It is below 0 if, whichever s and t are 0, some term has none of them.
        terms = [{k for k, power in enumerate(powers) if power} for powers in written.monoms()]
        used = {k % self._size for term in terms for k in term}
        cases = product(*(self._surely[symbol] for symbol in used))
        return all(any(term.issubset(set().union(*case)) for term in terms) for case in cases)


def _bounds(ring: Any, conditions: Sequence[Comparison]) -> list[tuple[list[Bound], list[Bound]]]:
    """For each symbol, its bounds from below and from above."""
    bounds: list[tuple[list[Bound], list[Bound]]] = [([], []) for _ in ring.gens()]
    for relation, polynomial in conditions:
        for k, degree in enumerate(polynomial.degrees()):
            if degree == 1 and (slope := polynomial.derivative(k)).is_constant():
                value = ring.gens()[k] - polynomial / slope.leading_coefficient()
                strict = relation in (operator.gt, operator.lt)
                bound = Bound(value, strict, frozenset(j for j, d in enumerate(value.degrees()) if d > 0))
                is_low = (relation in (operator.gt, operator.ge)) == (slope.leading_coefficient() > 0)
                for side in (0, 1) if relation is operator.eq else (0,) if is_low else (1,):
                    bounds[k][side].append(bound)
    never_negative: dict[int, bool] = {}
    while more := _never_negative(bounds, never_negative):
        never_negative |= more
    for k, strict in never_negative.items():
        bounds[k][0].append(Bound(ring.constant(0), strict, frozenset()))
    return bounds


def _never_negative(bounds: Sequence[tuple[Sequence[Bound], object]], known: Mapping[int, bool]) -> dict[int, bool]:
    """The symbols that are not below 0 since others are not: whether they are always above 0."""
    found: dict[int, bool] = {}
    for k, (lower, _) in enumerate(bounds):
        for value, strict, symbols in lower if k not in known else ():
            if symbols <= known.keys() and all(c > 0 for c in value.coeffs()):
                terms = ([known[j] for j, power in enumerate(powers) if power] for powers in value.monoms())
                found[k] = found.get(k, False) or strict or any(map(all, terms))
    return found
