"""Proofs for all parameters: the exact solver run on symbols instead of numbers.

A `Region` is a set of parameter values given by polynomial conditions, such as B > 0. Its symbols are numbers like any
other: they add, multiply and divide as rational functions over Q, in lowest terms. A comparison asks an SMT solver
(nonlinear real arithmetic) whether it has the same answer on the whole region. So `nash_conv(make("von_neumann", bet=B), ...)
== 0` is a theorem for every B of the region: each comparison on the way was proved, and everything else is field arithmetic.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from relance.model.numbers import FieldElement, Number, exact, formula
from relance.model.piecewise import NotExactError

try:
    import sympy
    import z3
    from sympy.polys.fields import FracElement, field
    from sympy.polys.rings import PolyElement
except ImportError as missing:  # pragma: no cover - the message is tested in a process without the extra
    raise ImportError(f"proofs for all parameters need {missing.name}: pip install 'relance[proof]'") from missing


class DependsOnParametersError(NotExactError):
    """A comparison is true for some parameters of the region and false for others: `polynomial` changes sign there."""

    def __init__(self, message: str, polynomial: PolyElement) -> None:
        super().__init__(message)
        self.polynomial = polynomial


class UndecidedError(NotExactError):
    """The prover gave up on a comparison."""


@dataclass(frozen=True)
class Obligation:
    """One comparison that a proof rests on: `formula` has no solution, or "unknown" would have been raised."""

    statement: str
    smtlib: str


class Region:
    """All values of some real parameters that satisfy polynomial conditions.

    Args:
        names: the parameters, such as "B" or "P, r".
        *conditions: such as "B > 0" or "P*(1 + r) <= 1"; all must hold.

    Raises ValueError if a condition cannot be read or no point satisfies all.
    """

    def __init__(self, names: str, *conditions: str) -> None:
        self.names = tuple(name.strip() for name in names.split(","))
        self.conditions = conditions
        self.field, *generators = field(list(self.names), sympy.QQ)
        self._symbols = {name: Symbolic(self, generator) for name, generator in zip(self.names, generators, strict=True)}
        self._reals = [z3.Real(name) for name in self.names]
        self._solver = z3.SolverFor("QF_NRA")
        self.obligations: list[Obligation] = []
        self._known: dict[tuple[PolyElement, str], bool] = {}
        by_name = {name: _Z3Number(real) for name, real in zip(self.names, self._reals, strict=True)}
        for condition in conditions:
            self._solver.add(*_conditions(condition, by_name))
        if self._solver.check() != z3.sat:
            raise ValueError(f"no point satisfies {' and '.join(conditions)}")

    def __getitem__(self, name: str) -> Symbolic:
        """The parameter `name` as a number."""
        return self._symbols[name]

    def __str__(self) -> str:
        return "all " + ", ".join(self.names) + (" with " + " and ".join(self.conditions) if self.conditions else "")

    def always(self, element: Symbolic, relation: str) -> bool:
        """Decide whether `element` > 0 (relation ">") or >= 0 (">=") on the whole region.

        True means everywhere and False nowhere; anything else raises DependsOnParametersError.
        """
        top = self._signed_numerator(element)
        if not self.somewhere(-top, _FAILS[relation]):
            return True
        if not self.somewhere(top, relation):
            return False
        raise DependsOnParametersError(f"whether {element} {relation} 0 depends on the parameters: true at {self.witness(top, relation)}", top)

    def weak_sign(self, element: Symbolic) -> bool:
        """True if `element` >= 0 on the whole region, False if <= 0 there; otherwise DependsOnParametersError."""
        top = self._signed_numerator(element)
        for sign in (1, -1):
            if not self.somewhere(-sign * top, ">"):
                return sign == 1
        raise DependsOnParametersError(f"the sign of {element} depends on the parameters", top)

    def _signed_numerator(self, element: Symbolic) -> PolyElement:
        return element.element.numer * self._strict_sign(element.element.denom)

    def _strict_sign(self, polynomial: PolyElement) -> int:
        if polynomial.is_ground:
            return 1 if polynomial.coeff(1) > 0 else -1
        for sign in (1, -1):
            if not self.somewhere(-sign * polynomial, ">="):
                return sign
        raise DependsOnParametersError(f"the sign of the denominator {polynomial.as_expr()} depends on the parameters", polynomial)

    def somewhere(self, polynomial: PolyElement, relation: str) -> bool:
        """Whether `polynomial` relation 0 has a solution in the region."""
        if polynomial.is_ground:
            constant = polynomial.coeff(1)
            return bool(constant > 0 or (constant == 0 and relation == ">="))
        key = (polynomial, relation)
        if key not in self._known:
            self._solver.push()
            try:
                self._solver.add(self._claim(polynomial, relation))
                answer = self._solver.check()
                if answer == z3.unknown:
                    raise UndecidedError(f"the prover cannot decide {polynomial.as_expr()} {relation} 0 over {self}")
                if answer == z3.unsat:
                    self.obligations.append(Obligation(f"never {polynomial.as_expr()} {relation} 0 for {self}", self._solver.to_smt2()))
                self._known[key] = answer == z3.sat
            finally:
                self._solver.pop()
        return self._known[key]

    def witness(self, polynomial: PolyElement, relation: str) -> dict[str, Fraction] | None:
        """A rational point of the region where `polynomial` relation 0, or None if the solver gives none."""
        self._solver.push()
        try:
            self._solver.add(self._claim(polynomial, relation))
            if self._solver.check() != z3.sat:
                return None
            model = self._solver.model()
            return {name: _rational(model.eval(real, model_completion=True)) for name, real in zip(self.names, self._reals, strict=True)}
        finally:
            self._solver.pop()

    def _claim(self, polynomial: PolyElement, relation: str) -> Any:
        total = z3.RealVal(0)
        for powers, coefficient in polynomial.terms():
            term = z3.RealVal(f"{coefficient.numerator}/{coefficient.denominator}")
            for real, power in zip(self._reals, powers, strict=True):
                for _ in range(power):
                    term = term * real
            total = total + term
        return total > 0 if relation == ">" else total >= 0


class Symbolic(FieldElement):
    """A rational function of the parameters of a region, in lowest terms; compares by proof over the whole region."""

    __slots__ = ("element", "region")

    def __init__(self, region: Region, element: FracElement) -> None:
        self.region = region
        self.element = element

    def _other(self, other: object) -> FracElement | None:
        if isinstance(other, Symbolic):
            if other.region is not self.region:
                raise ValueError("symbols of two regions do not mix")
            return other.element
        if isinstance(other, (int, Fraction)):
            return self.region.field(sympy.QQ(int(other.numerator), int(other.denominator)))
        return None

    def _new(self, element: FracElement) -> Symbolic:
        return Symbolic(self.region, element)

    def __add__(self, other: object) -> Symbolic:
        right = self._other(other)
        return NotImplemented if right is None else self._new(self.element + right)

    __radd__ = __add__

    def __sub__(self, other: object) -> Symbolic:
        right = self._other(other)
        return NotImplemented if right is None else self._new(self.element - right)

    def __rsub__(self, other: object) -> Symbolic:
        left = self._other(other)
        return NotImplemented if left is None else self._new(left - self.element)

    def __mul__(self, other: object) -> Symbolic:
        right = self._other(other)
        return NotImplemented if right is None else self._new(self.element * right)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Symbolic:
        right = self._other(other)
        return NotImplemented if right is None else self._divide(self.element, right)

    def __rtruediv__(self, other: object) -> Symbolic:
        left = self._other(other)
        return NotImplemented if left is None else self._divide(left, self.element)

    def _divide(self, top: FracElement, bottom: FracElement) -> Symbolic:
        if bottom == 0:
            raise ZeroDivisionError(f"division of {top.as_expr()} by 0")
        self.region._strict_sign(bottom.numer)  # raises unless the divisor is nonzero on the whole region
        return self._new(top / bottom)

    def __pow__(self, power: int) -> Symbolic:
        return self._new(self.element**power)

    def at_least_zero(self) -> bool:
        return self.region.weak_sign(self)

    def __neg__(self) -> Symbolic:
        return self._new(-self.element)

    def __pos__(self) -> Symbolic:
        return self

    def __abs__(self) -> Symbolic:
        return self if self >= 0 else -self

    def __eq__(self, other: object) -> bool:
        right = self._other(other)
        return NotImplemented if right is None else bool(self.element == right)

    def __hash__(self) -> int:
        return hash(self.element)

    def __ge__(self, other: object) -> bool:
        right = self._other(other)
        return NotImplemented if right is None else self.region.always(self._new(self.element - right), ">=")

    def __gt__(self, other: object) -> bool:
        right = self._other(other)
        return NotImplemented if right is None else self.region.always(self._new(self.element - right), ">")

    def __le__(self, other: object) -> bool:
        right = self._other(other)
        return NotImplemented if right is None else self.region.always(self._new(right - self.element), ">=")

    def __lt__(self, other: object) -> bool:
        right = self._other(other)
        return NotImplemented if right is None else self.region.always(self._new(right - self.element), ">")

    def at(self, point: Mapping[str, Number]) -> Number:
        """The value at a point of the region."""
        top, bottom = (_evaluate(p, self.region.names, point) for p in (self.element.numer, self.element.denom))
        return top / bottom

    def __str__(self) -> str:
        return str(sympy.factor(self.element.as_expr()))

    __repr__ = __str__


def _evaluate(polynomial: PolyElement, names: tuple[str, ...], point: Mapping[str, Number]) -> Number:
    total: Number = Fraction(0)
    for powers, coefficient in polynomial.terms():
        term: Number = Fraction(int(coefficient.numerator), int(coefficient.denominator))
        for name, power in zip(names, powers, strict=True):
            term = term * exact(point[name], name) ** power
        total = total + term
    return total


class _Z3Number(FieldElement):
    """A z3 real that mixes with Fractions, for reading conditions with `formula`."""

    def __init__(self, real: Any) -> None:
        self.real = real

    @staticmethod
    def of(value: Any) -> Any:
        return value.real if isinstance(value, _Z3Number) else z3.RealVal(str(value))

    def __add__(self, other: Any) -> _Z3Number:
        return _Z3Number(self.real + self.of(other))

    __radd__ = __add__

    def __mul__(self, other: Any) -> _Z3Number:
        return _Z3Number(self.real * self.of(other))

    __rmul__ = __mul__

    def __sub__(self, other: Any) -> _Z3Number:
        return _Z3Number(self.real - self.of(other))

    def __rsub__(self, other: Any) -> _Z3Number:
        return _Z3Number(self.of(other) - self.real)

    def __truediv__(self, other: Any) -> _Z3Number:
        return _Z3Number(self.real / self.of(other))

    def __neg__(self) -> _Z3Number:
        return _Z3Number(-self.real)

    def __pow__(self, power: int) -> _Z3Number:
        out = _Z3Number(z3.RealVal(1))
        for _ in range(power):
            out = out * self
        return out


_FAILS = {">": ">=", ">=": ">"}
"""x > 0 fails where -x >= 0, and x >= 0 fails where -x > 0."""

_RELATIONS: dict[type, str] = {ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<=", ast.Eq: "="}


def _conditions(text: str, letters: Mapping[str, Number]) -> Iterator[Any]:
    """The z3 conditions of a chain of comparisons such as "0 < a <= b"."""
    try:
        chain = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise ValueError(f"condition {text!r} cannot be read") from None
    if not isinstance(chain, ast.Compare):
        raise ValueError(f"condition {text!r} is not a comparison such as 'B > 0'")
    sides = [_Z3Number.of(formula(ast.unparse(side), letters)) for side in (chain.left, *chain.comparators)]
    for left, op, right in zip(sides, chain.ops, sides[1:], strict=False):
        match _RELATIONS.get(type(op)):
            case ">":
                yield left > right
            case ">=":
                yield left >= right
            case "<":
                yield left < right
            case "<=":
                yield left <= right
            case "=":
                yield left == right
            case _:
                raise ValueError(f"condition {text!r}: only > >= < <= == are read")


def _rational(value: Any) -> Fraction:
    if z3.is_rational_value(value):
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    return Fraction(str(value.approx(20).as_fraction()))


@cache
def region(names: str, *conditions: str) -> Region:
    """The region with these conditions; the same call gives the same region, so that what it has proved is kept."""
    return Region(names, *conditions)
