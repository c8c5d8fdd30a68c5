"""Exact numbers: the forms in which a user may write an amount of chips or a probability, and how these are read.

Everything in `relance.model` and `relance.solvers` works in any ordered field: ``Fraction``, an algebraic number field,
rational functions of parameters under assumptions, or floats in arrays. Text is turned into numbers only in this module.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from numbers import Integral, Rational, Real
from typing import Any, Protocol, Self


class Number(Protocol):
    """A number that can be added to, multiplied with, divided by and compared with ints and Fractions."""

    def __add__(self, other: Any, /) -> Number: ...
    def __radd__(self, other: Any, /) -> Number: ...
    def __sub__(self, other: Any, /) -> Number: ...
    def __rsub__(self, other: Any, /) -> Number: ...
    def __mul__(self, other: Any, /) -> Number: ...
    def __rmul__(self, other: Any, /) -> Number: ...
    def __truediv__(self, other: Any, /) -> Number: ...
    def __rtruediv__(self, other: Any, /) -> Number: ...
    def __pow__(self, power: int, /) -> Number: ...
    def __neg__(self) -> Number: ...
    def __abs__(self) -> Number: ...
    def __lt__(self, other: Any, /) -> bool: ...
    def __le__(self, other: Any, /) -> bool: ...
    def __gt__(self, other: Any, /) -> bool: ...
    def __ge__(self, other: Any, /) -> bool: ...
    def __float__(self) -> float: ...


class DependsOnParametersError(ArithmeticError):
    """A comparison of symbolic numbers is true for some parameters and false for others.

    Attributes:
        polynomial: the polynomial in the parameters whose sign decides the comparison.
        relation: the comparison, such as "t - 4 > 0".
        fails_at: {parameter: value}, a point where the comparison is false; empty unless the check of a claim asked for the comparison.
    """

    def __init__(
        self, message: str, polynomial: Any = None, relation: str = "", fails_at: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.polynomial, self.relation, self.fails_at = polynomial, relation, fails_at or {}


class FieldElement(ABC):
    """Base class of exact number types other than Fraction; a subclass defines its arithmetic and which elements are positive."""

    __slots__ = ()

    @abstractmethod
    def lift(self, other: object) -> Self | None:
        """`other` as an element of this field; None if that is not possible."""

    @abstractmethod
    def plus(self, other: Self) -> Self:
        """The sum with an element of this field."""

    @abstractmethod
    def times(self, other: Self) -> Self:
        """The product with an element of this field."""

    @abstractmethod
    def inverse(self) -> Self:
        """One divided by the number."""

    @abstractmethod
    def is_positive(self, or_zero: bool) -> bool:
        """Return True if the number is > 0, or >= 0 if `or_zero`."""

    @abstractmethod
    def __neg__(self) -> Self: ...

    def at_least_zero(self) -> bool:
        """Return True if the number is > 0, False if it is < 0, and either if it is 0. Callers test a difference of two numbers."""
        return self.is_positive(or_zero=True)

    def __add__(self, other: object) -> Self:
        return NotImplemented if (number := self.lift(other)) is None else self.plus(number)

    __radd__ = __add__

    def __sub__(self, other: object) -> Self:
        return NotImplemented if (number := self.lift(other)) is None else self.plus(-number)

    def __rsub__(self, other: object) -> Self:
        return -self + other

    def __mul__(self, other: object) -> Self:
        return NotImplemented if (number := self.lift(other)) is None else self.times(number)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Self:
        return NotImplemented if (number := self.lift(other)) is None else self.times(number.inverse())

    def __rtruediv__(self, other: object) -> Self:
        return self.inverse() * other

    def __pow__(self, power: int) -> Self:
        if power < 0:
            return self.inverse() ** -power
        return reduce(operator.mul, [self] * (power - 1), self) if power else self * 0 + 1

    def __abs__(self) -> Self:
        return self if self.at_least_zero() else -self

    def __bool__(self) -> bool:
        return not self.__eq__(0)

    def __ge__(self, other: object) -> bool:
        return self._above(other).is_positive(or_zero=True)

    def __gt__(self, other: object) -> bool:
        return self._above(other).is_positive(or_zero=False)

    def __le__(self, other: object) -> bool:
        return (-self + other).is_positive(or_zero=True)

    def __lt__(self, other: object) -> bool:
        return (-self + other).is_positive(or_zero=False)

    def _above(self, other: object) -> Self:
        return self if type(other) is int and other == 0 else self - other

    def __float__(self) -> float:
        raise TypeError(f"{self} has no value as a float, as it depends on symbolic parameters")


def at_least_zero(number: Number) -> bool:
    """Return True if `number` is > 0, False if it is < 0, and either if it is 0. Callers pass a difference of two numbers."""
    return number.at_least_zero() if isinstance(number, FieldElement) else bool(number >= 0)


def over_one_denominator(numbers: Sequence[Any]) -> tuple[Sequence[Any], int]:
    """Return (numerators, common denominator) of Fractions as ints, which add much faster; for other `numbers`, (numbers, 1)."""
    if not all(isinstance(number, Fraction) for number in numbers):
        return numbers, 1
    common = math.lcm(*(number.denominator for number in numbers))
    return [number.numerator * (common // number.denominator) for number in numbers], common


LONGEST_TEXT = 4000
"""The most characters of a number written as text, and its largest exponent; Python itself prints no more digits."""

MOST_DIGITS = 300
"""The most digits of a user's number, above and below the fraction bar; roughly what a float can hold."""


def exact(value: object, name: object = "value") -> Number:
    """Return `value` as an exact number.

    Whole numbers become Fractions; text is read as a fraction or a decimal; a float means its shortest decimal text.

    Examples:
        >>> relance.model.exact("2/3"), relance.model.exact(0.1)
        (Fraction(2, 3), Fraction(1, 10))

    Raises:
        TypeError: `value`, called `name` in the message, is not a number or text.
        ValueError: the text is not a number or has more than `LONGEST_TEXT` digits, or the number is not finite.
    """
    if isinstance(value, (Fraction, FieldElement)):
        return value
    if isinstance(value, bool):
        raise TypeError(f"{name}={value!r} is a truth value; a number such as 2, '2/3' or 0.25 is needed")
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Real):
        if not math.isfinite(value):
            raise ValueError(f"{name}={value!r} is not a finite number")
        return Fraction(str(value))  # not str(float(value)), which adds digits to numpy's float32
    if isinstance(value, str):
        exponent = re.search(r"e[-+]?(\d[\d_]*)\s*$", value[-LONGEST_TEXT:], re.IGNORECASE)
        if len(value) > LONGEST_TEXT or (exponent and int(exponent[1]) > LONGEST_TEXT):
            raise ValueError(f"{name}={short(value)} is too long; a number has at most {LONGEST_TEXT} digits")
        try:
            return Fraction(re.sub(r"(?<=[-+/])\s+|\s+(?=/)", "", value.strip()))
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"{name}={short(value)} is not a number; write 2, '2/3' or '0.25'") from None
    raise TypeError(f"{name}={short(value)} is a {type(value).__name__}; a number such as 2, '2/3' or 0.25 is needed")


def as_written(number: Any) -> Any:
    """The exact number that a float, numpy number or text stands for; infinities, NaN and other objects stay unchanged.

    Raises:
        ValueError: the text is not a number.
        TypeError: `number` is True or False.
    """
    if type(number) in (int, Fraction) or not isinstance(number, (Real, str)):
        return number
    return exact(number) if isinstance(number, str) or math.isfinite(number) else number


def given(value: object, name: str) -> Number:
    """Read a user's number as `exact` does; ValueError if it has more than `MOST_DIGITS` digits on one side of its fraction bar."""
    number = exact(value, name)
    if isinstance(number, Fraction) and max(abs(number.numerator), number.denominator) >= 10**MOST_DIGITS:
        raise ValueError(
            f"{name}={short(value)} has too many digits; "
            f"written as a fraction, a number may have {MOST_DIGITS} digits in the numerator and {MOST_DIGITS} in the denominator"
        )
    return number


def fraction(value: object, name: str = "value") -> Fraction:
    """Return `value` as a Fraction, read as `exact` reads it; TypeError if the number is of another field than the rational numbers."""
    number = exact(value, name)
    if not isinstance(number, Fraction):
        raise TypeError(f"{name}={number} is not a fraction; a number such as 2 or '2/3' is needed")
    return number


MOST_DENOMINATOR, LAST_PLACES = 10**6, 16
"""A float is read as a fraction of at most this denominator if one is within so many units in the last place; few floats have one."""

OFF, OFF_IN_FLOAT32 = 1e-6, 1e-4
"""How far the sum of probabilities may be from 1, in float64 and in float32."""


@lru_cache(maxsize=100_000)
def fraction_meant(number: float) -> Fraction | None:
    """The simple fraction that a float equals but for rounding, such as 1/3 for 0.3333333333333333; None if there is none."""
    if not math.isfinite(number):
        return None
    found = Fraction(number).limit_denominator(MOST_DENOMINATOR)
    return found if abs(found - Fraction(number)) <= LAST_PLACES * Fraction(math.ulp(number)) else None


def probabilities_meant(where: str, distribution: Mapping[str, Any]) -> dict[str, Fraction]:
    """The probabilities of a distribution as fractions that sum to 1; all code reads probabilities by this rule.

    Exact numbers stay as they are. Floats become the simple fractions next to them if these sum to 1; else they are divided by their sum.

    Args:
        where: the place of the distribution, for messages.
        distribution: {action: probability}, numbers of any kind or their text.

    Raises:
        ValueError: a probability is negative or no number, or the sum is not 1 (floats: to 1e-6; float32: to 1e-4).
    """
    kinds = [getattr(p, "dtype", None) for p in distribution.values()]
    short_ones = any(getattr(kind, "itemsize", 8) < 8 for kind in kinds)
    told = {name: float(p) if hasattr(p, "dtype") else p for name, p in distribution.items()}
    plain = {name: fraction(p, f"{where}: the probability of {name}") for name, p in told.items()}
    total = sum(plain.values(), Fraction(0))
    if min(plain.values(), default=0) >= 0:
        floats = any(isinstance(p, float) for p in told.values())
        if floats:  # first: the decimals of 1/3 and 1 - 1/3 sum to 1 too
            meant = {name: fraction_meant(p) if isinstance(p, float) else plain[name] for name, p in told.items()}
            simple = {name: p for name, p in meant.items() if p is not None}
            if len(simple) == len(distribution) and sum(simple.values()) == 1:
                return simple
        if total == 1:
            return plain
        if floats:
            stored = {name: Fraction(p) if isinstance(p, float) else plain[name] for name, p in told.items()}
            total = sum(stored.values(), Fraction(0))
            if abs(total - 1) <= (OFF_IN_FLOAT32 if short_ones else OFF):
                return {name: p / total for name, p in stored.items()}
    listed = ", ".join(f"{name} {told[name]}" for name in distribution)
    raise ValueError(
        f"{where}: probabilities must be at least 0 and sum to 1; they are {listed:.200}, with sum {float(total):.9g}"
    )


def number_or_none(value: object) -> int | None:
    """A whole number of Python, numpy or torch, or its text, as an int; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return int(value) if value.isdecimal() else None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # what is no number raises the error
    except TypeError:
        return None


def unique_names(labels: list[str]) -> list[str]:
    """The labels; if two are equal or one is empty, each with its number, such as "K (2)"."""
    same = len(set(labels)) < len(labels) or "" in labels
    return [f"{label} ({i + 1})".strip() for i, label in enumerate(labels)] if same else labels


def check_between(name: str, value: Any, low: int, high: int, ends: bool = True) -> None:
    """Raise ValueError unless `value` is from `low` to `high`, inclusive if `ends`; symbolic numbers are unchecked."""
    if isinstance(value, (int, float, Fraction)) and not (low <= value <= high and (ends or value not in (low, high))):
        raise ValueError(f"{name}={show(value)} must be between {low} and {high}" + ", ends excluded" * (not ends))


def whole(value: object, name: str = "value") -> int:
    """Return `value`, read as `given` reads it, as an int; ValueError if it is not a whole number."""
    number = given(value, name)
    if not isinstance(number, Fraction) or number.denominator != 1:
        raise ValueError(f"{name}={short(value)} is not a whole number")
    return int(number)


def show(number: object) -> str:
    """Return a number as short text: exact numbers in full, such as 1/3, floats with six digits."""
    if isinstance(number, (Integral, Fraction, FieldElement)):
        try:
            return str(number)
        except ValueError:
            return f"(a number of more than {sys.get_int_max_str_digits()} digits)"  # Python prints no more
    return f"{number:.6g}" if isinstance(number, Real) else str(number)


def for_json(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Turn {name: number, tuple of numbers or None} into floats and lists; exact numbers also as text in "exact"."""
    known = {name: found for name, found in figures.items() if found is not None}
    exact = {
        name: found
        for name, found in known.items()
        if not any(isinstance(n, float) for n in (found if isinstance(found, tuple) else (found,)))
    }
    return {"exact": _each(show, exact), **dict.fromkeys(figures), **_each(float, known)}


def _each(form: Callable[[Any], Any], figures: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: list(map(form, found)) if isinstance(found, tuple) else form(found) for name, found in figures.items()
    }


SHORT = 60
"""The most characters of a value in an error message."""


def short(value: object) -> str:
    """Show a value as the user gave it, for an error message, cut to `SHORT` characters."""
    try:
        text = show(value) if isinstance(value, (Integral, Fraction, FieldElement)) else repr(value)
    except ValueError:  # Python prints no more
        text = f"({type(value).__name__} with a number of more than {sys.get_int_max_str_digits()} digits)"
    return text if len(text) <= SHORT else f"{text[: SHORT // 2]}...{text[-SHORT // 4 :]}"


MOST_NAMES = 40
"""The most known names that a message lists."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the known name closest to `word`, or a list of known names if none is close."""
    import difflib

    words = sorted(known)
    near = difflib.get_close_matches(word, words, n=1, cutoff=0.5)
    if near:
        return f"; did you mean {near[0]!r}?"
    more = f" and {len(words) - MOST_NAMES} more" if len(words) > MOST_NAMES else ""
    return f"; known: {', '.join(words[:MOST_NAMES]) or 'none'}{more}"


_OPERATORS: dict[type, Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


MOST_POWER = 100
"""The largest power in a formula; of nested powers, such as (x**2)**3, the largest product."""


def formula(text: str, symbols: Mapping[str, Number]) -> Number:
    """Evaluate a printed formula such as ``"B/((B + 1)*(B + 4))"`` exactly, in the field of its symbols.

    Args:
        text: numbers, symbols, + - * / and whole powers, written ``**`` or ``^``. A power is at most `MOST_POWER`, and so is the product of
            nested powers, as in (x**2)**3. The text is parsed, and never run as code.
        symbols: the value of each symbol.

    Raises:
        ValueError: the text contains anything else.
    """

    def walk(node: ast.expr, left_over: int = MOST_POWER) -> Number:
        """The value of a part of the formula, whose nested powers may multiply to at most `left_over`."""
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return exact(number)
            case ast.Name(id=name) if name in symbols:
                return symbols[name]
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -walk(inner, left_over)
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int() as power)) if (
                abs(power) <= left_over
            ):
                return walk(base, left_over // max(abs(power), 1)) ** power
            case ast.BinOp(
                left=base, op=ast.Pow(), right=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as power))
            ) if power <= left_over:
                return walk(base, left_over // max(power, 1)) ** -power
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](walk(left, left_over), walk(right, left_over))
        raise ValueError(
            f"formula {short(text)}: {short(ast.unparse(node))} is not allowed; use numbers, + - * /, whole powers "
            f"of at most {MOST_POWER}, and these symbols: {', '.join(sorted(symbols)) or 'none'}"
        )

    try:
        return walk(_parsed(text))
    except RecursionError:
        raise ValueError(f"formula {short(text)} is nested too deeply") from None


@lru_cache(maxsize=4000)
def _parsed(text: str) -> ast.expr:
    """Parse a formula for evaluation only; callers must not change it. Cached, because most formulas are evaluated many times."""
    try:
        return ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"formula {short(text)} cannot be read; write it like 'B/((B + 1)*(B + 4))'") from None
