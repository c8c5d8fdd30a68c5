"""Proofs for all parameters: the exact solver run on symbols instead of numbers.

A `Region` is a set of parameter values given by polynomial conditions, such as B > 0. Its symbols are numbers like any other: they add,
multiply and divide as rational functions over Q, in lowest terms. Each comparison asks an SMT solver (nonlinear real arithmetic) for an
answer that holds on the whole region. So `nash_conv(make("von_neumann", bet=B), ...) == 0` is a theorem for every B in the region: each
comparison in the computation was proved, and the rest is field arithmetic.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import islice
from math import lcm, prod
from typing import Any, TypeAlias

import numpy as np

from relance.model.arguments import checked
from relance.model.arrays import Floats, Ints
from relance.model.numbers import DependsOnParametersError, short

try:
    import flint
    import z3

    from relance.claims.cover import Cover
    from relance.claims.finding import UndecidedError, listed
    from relance.claims.symbolic import Polynomial, Relation, Symbolic, asked_by_a_check
    from relance.model.conditions import borders_of, conditions_of, differences_of, divisors_of
    from relance.solvers.watcher import watched_by, watcher
except ImportError as missing:
    raise ImportError(f"proofs for all parameters need {missing.name}: pip install 'relance[proof]'") from missing


PATIENCE = 2_000_000
"""The most z3 steps (`rlimit`, alike on all machines) for one comparison: usually seconds. Those of `relance verify` need up to a 50th."""

SIMPLE = [*(Fraction(k, n) for n in (1, 2, 3, 4, 5, 8, 10) for k in range(1, n + 1)), *map(Fraction, (2, 3, 4, 5, 8))]
"""The fractions from which coordinates of simple points are drawn, to try before the prover is asked."""

TRIES, SAMPLES = 400, 40
"""How many points with simple coordinates are tried per region, and how many of those inside it are kept."""


Both: TypeAlias = tuple[tuple[Fraction, ...], tuple[Any, ...]]
"""A point twice: its coordinates as fractions, and as numbers of python-flint."""


class ElsewhereError(ArithmeticError):
    """A function of parameters was evaluated or compared outside the region for which it was computed, where nothing was proved."""


class NoPointError(ValueError):
    """No point satisfies all conditions of a region."""


@dataclass(frozen=True)
class Obligation:
    """One fact that a proof rests on: at no point of `region` is `polynomial` > 0, or >= 0 if `relation` is ">="."""

    region: Region
    polynomial: Polynomial
    relation: Relation

    @cached_property
    def statement(self) -> str:
        """The fact as text. "never B - 1 > 0 for all B with B < 1" means: at no point of this region is B - 1 above 0."""
        return f"never {self.polynomial} {self.relation} 0 for {self.region}"

    @property
    def smtlib(self) -> str:
        """An SMT-LIB script that is unsatisfiable if and only if the fact is true."""
        return self.region.script(self.polynomial, self.relation)


_USED: ContextVar[dict[str, Obligation] | None] = ContextVar("used", default=None)


@contextmanager
def obligations() -> Iterator[dict[str, Obligation]]:
    """Collect the facts that the proofs inside this `with` rest on, as {statement: fact}, in order."""
    used: dict[str, Obligation] = {}
    token = _USED.set(used)
    try:
        yield used
    finally:
        _USED.reset(token)


_FOR: ContextVar[Region | None] = ContextVar("for", default=None)


@contextmanager
def decided_for(where: object) -> Iterator[None]:
    """Inside this `with`, comparing symbolic numbers raises ElsewhereError if they are defined on a region that lacks points of `where`."""
    token = _FOR.set(where if isinstance(where, Region) else None)
    try:
        yield
    finally:
        _FOR.reset(token)


class Region(Mapping[str, Symbolic]):
    """All values of real parameters that satisfy polynomial conditions; `region[name]` is the parameter `name` as a symbol.

    Args:
        names: the parameters, such as "B" or "P, r".
        *conditions: comparisons such as "B > 0" or "P*(1 + r) <= 1"; all must hold.

    Raises:
        ValueError: a condition cannot be read or may divide by 0, or no point satisfies all of them.
    """

    for_all = True
    """True: a statement that is decided for a region holds at all of its points."""

    def __init__(self, names: str, *conditions: str) -> None:
        self.names = tuple(name.strip() for name in names.split(","))
        for name in self.names:
            if not (name.isascii() and name.isidentifier()):
                raise ValueError(f"names={short(names)} must be symbols such as 'B' or 'P, r', not {short(name)}")
        self.conditions = conditions
        self.ring = flint.fmpq_mpoly_ctx.get(self.names, flint.Ordering.lex)
        self.one: Polynomial = self.ring.constant(1)
        self._symbols = {
            name: Symbolic(self, x, self.one) for name, x in zip(self.names, self.ring.gens(), strict=True)
        }
        self._reals = {name: z3.Real(name) for name in self.names}
        self._given: list[Any] = []
        self._known: dict[tuple[str, Relation], bool] = {}
        self._facts: dict[tuple[str, Relation], Obligation] = {}
        self._containing: set[Region] = set()
        every, division = " and ".join(conditions), list[Any]()
        whole: list[str] = []
        for condition in conditions:
            self._given += conditions_of(condition, self._reals)
            division += (divisors := list(divisors_of(condition, self._reals)))
            whole += [] if divisors else [condition]
        zero = self._symbols[self.names[0]] * 0
        gaps = (pair for condition in whole for pair in differences_of(condition, self))
        self._polynomials = [(relation, (zero + gap).top) for relation, gap in gaps]
        self._fractions = [condition for condition in conditions if condition not in whole]
        signs = [(relation, _signs(polynomial)) for relation, polynomial in self._polynomials]
        inside: Any = np.ones(len(_simple_points(len(self.names))), bool)
        for relation, sign in signs:
            inside &= relation(sign, 0)
        self._maybe = np.flatnonzero(inside)
        # If the region has an interior, rational functions that are equal on it are identical.
        clear = not self._fractions and bool(np.all([inside, *(sign != 0 for _, sign in signs)], axis=0).any())
        if not clear and not self._simple and not self._model(f"whether a point satisfies {every}"):
            raise NoPointError(f"no point satisfies {every}")
        if any(self._model(f"what {every} divides by", divisor == 0) for divisor in division):
            raise ValueError(f"the conditions {every} divide by 0 at some point")
        borders = [border for condition in conditions for border in borders_of(condition, self._reals)]
        self.thin = not clear and not self._model(
            f"whether {every} has an inside", *(border != 0 for border in borders)
        )
        self._borders = borders

    def __getitem__(self, name: str) -> Symbolic:
        """The parameter `name` as a number."""
        return self._symbols[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return "all " + ", ".join(self.names) + (" with " + " and ".join(self.conditions) if self.conditions else "")

    def constant(self, number: int | Fraction) -> Polynomial:
        """Return a number as a polynomial."""
        return self.ring.constant(flint.fmpq(int(number.numerator), int(number.denominator)))

    def always(self, number: Symbolic, relation: Relation) -> bool:
        """Return whether `number` `relation` 0, such as > 0, on the whole region: True if everywhere, False if nowhere.

        Raises:
            DependsOnParametersError: the relation is true at some points of the region and false at others.
            UndecidedError: the prover cannot tell.
        """
        self._need_what_is_told()
        top = self.signed_numerator(number)
        opposite: Relation = ">=" if relation == ">" else ">"
        for holds, sign, against in ((True, 1, opposite), (False, -1, relation)):
            if not self.somewhere(-top if sign == 1 else top, against):
                if (who := watcher()) is not None:
                    who.compared(number if holds else -number, relation if holds else opposite, 0, asked=holds)
                return holds
        point = self.witness(-top, opposite)
        if (who := watcher()) is not None and point is not None:
            who.compared(number, relation, 0, fails_at=point)
        text = f"true at {self._example(top, relation)}, false at {self._example(-top, opposite)}"
        asked = point if asked_by_a_check() else None
        compared = f"{number} {relation} 0"
        raise DependsOnParametersError(f"{compared} depends on the parameters: {text}", top, compared, asked)

    def weak_sign(self, number: Symbolic) -> bool:
        """Return True if `number` >= 0 on the whole region, False if <= 0 on all of it; raises as `always` does."""
        self._need_what_is_told()
        top = self.signed_numerator(number)
        for sign in (1, -1):
            if not self.somewhere(-sign * top, ">"):
                return sign == 1
        raise DependsOnParametersError(
            f"the sign of {number} depends on the parameters: positive at {self._example(top, '>')}", top
        )

    def identical(self, one: Symbolic, other: Symbolic) -> bool:
        """Return True if two numbers are equal on the whole region. If not, they may still be equal at some points."""
        self._need_what_is_told()
        same = bool(one.top == other.top) and one.bottom == other.bottom
        if not same and self.thin:
            gap = one.top * other.bottom - other.top * one.bottom
            same = not self.somewhere(gap, ">") and not self.somewhere(-gap, ">")
        if (who := watcher()) is not None:
            who.compared(one, "=" if same else "!=", other, asked=same)
        return same

    def signed_numerator(self, number: Symbolic) -> Polynomial:
        """Return a polynomial with the sign of `number`: the numerator times the proved sign of the denominator."""
        return number.top if number.bottom == self.one else number.top * self.strict_sign(number.bottom)

    def strict_sign(self, polynomial: Polynomial) -> int:
        """Return the sign, 1 or -1, that a polynomial has on the whole region; raises the errors of `always`."""
        for sign in (1, -1):
            if not self.somewhere(-sign * polynomial, ">="):
                return sign
        raise DependsOnParametersError(f"the divisor {polynomial} must have one sign, never 0, for {self}", polynomial)

    def cut(self, polynomial: Polynomial) -> list[Region]:
        """Return the two or three non-empty parts into which the sign (+, -, 0) of a factor of `polynomial` divides the region.

        Raises:
            UndecidedError: the prover cannot tell, or each factor has the same sign in the whole region.
        """
        for factor, _ in polynomial.factor()[1]:
            parts = []
            for relation in (">", "<", "=="):
                with suppress(NoPointError):
                    parts.append(region(", ".join(self.names), *self.conditions, f"{factor} {relation} 0"))
            if len(parts) > 1:
                return parts
        raise UndecidedError(
            f"no factor of {polynomial} changes sign in the region ({self}), so none divides the region; try a smaller region"
        )

    def somewhere(self, polynomial: Polynomial, relation: Relation) -> bool:
        """Return True if `polynomial` > 0 (or >= 0: `relation`) at some point of the region.

        Raises:
            UndecidedError: the prover cannot tell.
        """
        if polynomial.is_constant():
            return _holds(polynomial.leading_coefficient() if polynomial else 0, relation)
        key = (str(polynomial), relation)
        if key not in self._known:
            self._known[key] = bool(self._found(polynomial, relation))
        used = _USED.get()
        if used is not None and not self._known[key]:
            fact = self._facts.setdefault(key, Obligation(self, polynomial, relation))
            used[fact.statement] = fact
        return self._known[key]

    @property
    def samples(self) -> list[tuple[Fraction, ...]]:
        """Return points of the region: some with simple coordinates, such as 1/2, and at most one on each border of the region.

        A comparison is tested at these points before the prover is asked. The points also make readable counterexamples.
        """
        return list(self.each_sample())

    def each_sample(self) -> Iterator[tuple[Fraction, ...]]:
        """Yield the points of `samples` one by one; a point on a border is sought only when its turn comes."""
        return (point for point, _ in self._samples())

    def _samples(self) -> Iterator[Both]:
        yield from self._simple
        yield from self._on_borders
        if not self._simple and not self._on_borders and (model := self._model(f"a point of {self}")):
            point = tuple(map(_rational, model))
            if self._contains(point):
                yield point, _in_flint(point)

    @cached_property
    def _simple(self) -> list[Both]:
        points = _simple_points(len(self.names))
        inside = (points[k] for k in self._maybe if not self._fractions or self._holds(*points[k]))
        return list(islice(inside, SAMPLES))

    @cached_property
    def _on_borders(self) -> list[Both]:
        models = (self._model(f"a border of {self}", border == 0) for border in self._borders)
        border = (tuple(map(_rational, model)) for model in models if model)
        return [(point, _in_flint(point)) for point in border if self._contains(point)]

    @cached_property
    def _cover(self) -> Cover:
        """A quick proof of most comparisons."""
        return Cover(self.ring, self._polynomials)

    def _contains(self, point: tuple[Fraction, ...]) -> bool:
        return self._holds(point, _in_flint(point))

    def _holds(self, point: tuple[Fraction, ...], same: tuple[Any, ...]) -> bool:
        """True if the region contains a point, which is given in flint's numbers too."""
        if not all(relation(polynomial(*same), 0) for relation, polynomial in self._polynomials):
            return False
        symbols = dict(zip(self.names, point, strict=True))
        try:
            return all(all(conditions_of(text, symbols)) for text in self._fractions)
        except ZeroDivisionError:  # nothing in the region divides by 0
            return False

    def script(self, polynomial: Polynomial, relation: Relation) -> str:
        """Return an SMT-LIB script that asks for a point of the region where `polynomial` > 0 (or >= 0: `relation`)."""
        return str(self._question(self._condition(polynomial, relation)).to_smt2())

    def _condition(self, polynomial: Polynomial, relation: Relation) -> Any:
        """`polynomial` `relation` 0 for the prover, with integer coefficients, which some provers decide sooner."""
        total, scale = z3.RealVal(0), lcm(*(int(c.q) for c in polynomial.coeffs()))
        for powers, coefficient in (polynomial * scale).terms():
            factors = [real for real, power in zip(self._reals.values(), powers, strict=True) for _ in range(power)]
            total = total + prod(factors, start=z3.RealVal(str(coefficient)))
        return total > 0 if relation == ">" else total >= 0

    def _question(self, *conditions: Any) -> Any:
        """A prover with the conditions of the region and these. It is new, so that no answer depends on earlier questions."""
        solver = _tactic().solver()
        solver.set(rlimit=PATIENCE, ctrl_c=False)  # otherwise z3 catches Ctrl-C and sometimes swallows it
        solver.add(*self._given, *conditions)
        return solver

    def _model(self, what: str, *conditions: Any) -> tuple[Any, ...] | None:
        """The prover's coordinates of a point of the region that also satisfies these conditions, or None; `what` is for errors."""
        solver = self._question(*conditions)
        answer = solver.check()
        if answer == z3.unknown:
            raise UndecidedError(f"the prover cannot decide {what}")
        if answer == z3.unsat:
            return None
        return tuple(solver.model().eval(real, model_completion=True) for real in self._reals.values())

    def _sought(self, what: str, fits: Callable[..., bool], *conditions: Any) -> tuple[Any, ...] | None:
        """As `_model`, but a sample that `fits`, if there is one: they are tried unless the prover says that there is no point."""
        try:
            model, undecided = self._model(what, *conditions), None
        except UndecidedError as error:
            model, undecided = None, error
        if model is not None or undecided is not None:
            model = next((point for point, same in self._samples() if fits(point, same)), model)
        if model is None and undecided is not None:
            raise undecided
        return model

    def _need_what_is_told(self) -> None:
        """Raise ElsewhereError unless this region contains that for which something is being decided."""
        if (told := _FOR.get()) is None or told is self or told in self._containing:
            return
        with decided_for(None):
            self.need(told)
        self._containing.add(told)

    def need(self, point: Mapping[str, Any]) -> None:
        """Raise ElsewhereError unless this region contains `point`, whatever the values of the symbols in the point's coordinates."""
        with watched_by(None):
            for condition in self.conditions:
                try:
                    inside = all(bool(part) for part in conditions_of(condition, point))
                except DependsOnParametersError as error:
                    raise ElsewhereError(
                        f"a number computed only for {condition} is used where {listed(point)}, and the condition may fail there: {error}"
                    ) from None
                if not inside:
                    raise ElsewhereError(f"a number computed only for {condition} is used where {listed(point)}")

    def outside(self, regions: Sequence[Region]) -> dict[str, Fraction] | None:
        """Return a point {parameter: value} of this region that is in none of `regions`; None if they cover it.

        If one of `regions` has all symbols of this region and further ones, it contains a point if its conditions hold there for some
        values of the further symbols. If it has further symbols but lacks some of this region's, it is ignored.

        Raises:
            UndecidedError: the prover cannot tell.
        """
        own = {*self.names}
        fewer = [other for other in regions if {*other.names} <= own]
        regions = [*fewer, *(other for other in regions if {*other.names} > own)]
        inside = [[self.names.index(name) for name in other.names] for other in fewer]

        def fits(point: tuple[Fraction, ...], same: object) -> bool:
            return not any(r._contains(tuple(point[k] for k in at)) for r, at in zip(fewer, inside, strict=True))

        what, left = f"whether {self} is covered", [other._without(self.names) for other in fewer]
        model = self._sought(what, fits, *left)
        if model is not None and len(fewer) < len(regions):
            solver = z3.SolverFor("NRA")
            solver.set(rlimit=PATIENCE)
            solver.add(*self._given, *(other._without(self.names) for other in regions))
            if (answer := solver.check()) == z3.unknown:
                raise UndecidedError(f"the prover cannot decide {what}")
            if answer == z3.unsat:
                return None
            model = tuple(solver.model().eval(real, model_completion=True) for real in self._reals.values())
        return None if model is None else dict(zip(self.names, map(_rational, model), strict=True))

    def _without(self, names: Collection[str]) -> Any:
        """That a point with these symbols is not in this region, whatever the other symbols of the region are."""
        outside = z3.Or(*(z3.Not(condition) for condition in self._given))
        more = [real for name, real in self._reals.items() if name not in names]
        return z3.ForAll(more, outside) if more else outside

    def point_with_sign(self, number: Symbolic, sign: int) -> dict[str, Fraction] | None:
        """Return a point of the region where `number` has this sign (+1 or -1), or None if none is found."""
        return self.witness(sign * self.signed_numerator(number), ">")

    def witness(self, polynomial: Polynomial, relation: Relation) -> dict[str, Fraction] | None:
        """Return a point of the region where `polynomial` > 0 (or >= 0: `relation`), or None if no fractions are found.

        Raises:
            UndecidedError: the prover cannot tell.
        """
        for value in self._found(polynomial, relation):
            point = tuple(map(_rational, value))
            if self._contains(point) and _true_at(point, polynomial, relation):
                return dict(zip(self.names, point, strict=True))
        return None

    def _found(self, polynomial: Polynomial, relation: Relation) -> list[tuple[Any, ...]]:
        """Yield a point of the region where `polynomial` `relation` 0, if there is one."""
        if self._cover.nowhere(polynomial, relation):
            return []

        def fits(point: object, same: tuple[Any, ...]) -> bool:
            return _holds(polynomial(*same), relation)

        if (simple := next((both for both in self._simple if fits(*both)), None)) is not None:
            return [simple[0]]
        asked = f"{polynomial} {relation} 0 somewhere among {self}"
        model = self._sought(f"whether {asked}", fits, self._condition(polynomial, relation))
        if model is None:
            return []
        point = tuple(map(_rational, model))
        if all(map(z3.is_rational_value, model)) and not (
            self._contains(point) and _true_at(point, polynomial, relation)
        ):
            raise UndecidedError(
                f"the prover gave a wrong point for {asked}: {listed(dict(zip(self.names, point, strict=True)))}, "
                "which by exact arithmetic is outside the region or makes the comparison false; try a smaller region"
            )
        return [model]

    def _example(self, polynomial: Polynomial, relation: Relation) -> str:
        return ", ".join(f"{name} = {value}" for name, value in (self.witness(polynomial, relation) or {}).items())


@cache
def _tactic() -> Any:
    return z3.Tactic("qfnra-nlsat")


def _holds(number: Any, relation: Relation) -> bool:
    return bool(number > 0 or (number == 0 and relation == ">="))


def _true_at(point: tuple[Fraction, ...], polynomial: Polynomial, relation: Relation) -> bool:
    return _holds(polynomial(*_in_flint(point)), relation)


def _in_flint(point: tuple[Fraction, ...]) -> tuple[Any, ...]:
    return tuple(flint.fmpq(x.numerator, x.denominator) for x in point)


@cache
def _simple_points(symbols: int) -> list[Both]:
    """Simple points with so many coordinates, each also in flint's numbers."""
    draw = random.Random(0)
    points = dict.fromkeys(tuple(draw.choice(SIMPLE) for _ in range(symbols)) for _ in range(TRIES))
    return [(point, _in_flint(point)) for point in points]


def _signs(polynomial: Polynomial) -> Ints:
    """The sign of a polynomial, -1, 0 or 1, at each simple point: in floats, and exactly where rounding could change it."""
    points, at = _simple_points(len(polynomial.degrees())), _in_floats(len(polynomial.degrees()))
    signs, doubtful = np.zeros(len(points), np.int64), np.ones(len(points), bool)
    # Within these limits nothing under- or overflows, so that the relative error of each term is near 1e-16.
    if sum(map(int, polynomial.degrees())) <= 100 and all(1 / _LARGE < abs(c) < _LARGE for c in polynomial.coeffs()):
        terms = [
            prod((at[k] ** int(power) for k, power in enumerate(powers) if power), start=np.full(len(points), float(c)))
            for powers, c in polynomial.terms()
        ]
        total = sum(terms, np.zeros(len(points)))
        signs, doubtful = np.sign(total).astype(np.int64), np.abs(total) <= 1e-9 * sum(map(np.abs, terms))
    for k in np.flatnonzero(doubtful):
        exact = polynomial(*points[k][1])
        signs[k] = int(exact > 0) - int(exact < 0)
    return signs


_LARGE = flint.fmpq(10**100)


@cache
def _in_floats(symbols: int) -> Floats:
    """The simple points: a row for each coordinate."""
    return np.array([point for point, _ in _simple_points(symbols)], float).T


def _rational(value: Any) -> Fraction:
    """A coordinate from the prover, or a fraction near it if it is not a fraction."""
    if isinstance(value, Fraction):
        return value
    number = value if z3.is_rational_value(value) else value.approx(20)
    return Fraction(str(number.as_fraction()))


@checked
def region(names: str, *conditions: str) -> Region:
    """Return the region with these conditions; equal calls return the same object, which keeps what it has proved.

    Examples:
        >>> where = relance.region("B", "B > 0")
        >>> relance.prove(relance.make("von_neumann", bet=where["B"]), "published", where).evidence
        'NashConv 0, value B/((B + 1)*(B + 4))'
    """
    return _region(names, *conditions)


_region = cache(Region)
