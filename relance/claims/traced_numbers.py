"""Exact numbers that remember where they come from: a game, the print, or the numbers that they are computed from."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from relance.claims.symbolic import Symbolic
from relance.model.game import Game
from relance.model.numbers import FieldElement, Number
from relance.model.quadratic import Quadratic
from relance.model.strategy import Profile
from relance.solvers.watcher import watcher

if TYPE_CHECKING:  # the prover takes half a second to load
    from relance.claims.proof import Region


class OfGame(NamedTuple):
    """The origin of a number that a game with a profile gives.

    Attributes:
        what: which number this is. "value": the expected chips of `player` if both play `profile`. "best": the expected chips of `player`
            with a best response to `profile`. "chips": the counterfactual value of `action` at `node` with a hand; of `node` if `action` is
            None. "met": the counterfactual reach probability of `node` with a hand. "reach": the probability that the actions of `player`
            lead to `node` with a hand. "taken": the probability of `action`. "terminal": player 0's payoff at `node`. "dealt": P(hands).
        at: for "terminal", (player 0's edge at the showdown,); for "dealt", the indices of both hands; else (the hand's index,), if any. On
            [0, 1], (left end of a cell, k): the number is the coefficient of the hand's k-th power in the polynomial on this cell.
        against: weights of the opponent's hands; None if all are 1.
    """

    what: str
    game: Game
    profile: Profile
    player: int
    node: str = ""
    action: str | None = None
    at: tuple[Any, ...] = ()
    against: Any = None


class PrintedNumber(NamedTuple):
    """The origin of a printed number: its name, its formula `text`, and the values of its symbols."""

    name: str
    text: str
    symbols: Mapping[str, Number]


class Computed(NamedTuple):
    """The origin of a computed number.

    Attributes:
        how: the operation: "+", "-", "*", "/", "1/" (one over a number), "^" (power), "slope" (derivative) or "at" (value at a point).
        of: the operands in order. The second one of "^" is a whole number, of "slope" the name of a symbol, and of "at" {symbol: value}.
    """

    how: str
    of: tuple[Any, ...]


class _TracedField(FieldElement):
    """Arithmetic that keeps where numbers come from."""

    __slots__ = ()

    def _made(self, number: Any, how: str, *of: Any) -> Any:
        return number if watcher() is None else of_field(number, Computed(how, of))

    def plus(self, other: Any) -> Any:
        return self._made(super().plus(other), "+", self, other)  # type: ignore[safe-super]  # of the other base class

    def times(self, other: Any) -> Any:
        return self._made(super().times(other), "*", self, other)  # type: ignore[safe-super]  # of the other base class

    def inverse(self) -> Any:
        return self._made(super().inverse(), "1/", self)  # type: ignore[safe-super]  # of the other base class

    def __neg__(self) -> Any:
        return self._made(super().__neg__(), "-", self)  # type: ignore[safe-super]  # of the other base class

    def __pow__(self, power: int) -> Any:
        return self.inverse() ** -power if power < 0 else self._made(super().__pow__(power), "^", self, power)

    # Python asks the right operand first only if its class has reflected operators of its own.

    def __radd__(self, other: object) -> Any:
        return self.__add__(other)

    def __rmul__(self, other: object) -> Any:
        return self.__mul__(other)

    def __rsub__(self, other: object) -> Any:
        return (-self).__add__(other)

    def __rtruediv__(self, other: object) -> Any:
        return self.inverse().__mul__(other)


class Traced(_TracedField, Symbolic):
    """A rational function that remembers where it comes from, its `origin`: an `OfGame`, a `PrintedNumber` or a `Computed`."""

    __slots__ = ("origin",)

    def __init__(self, number: Symbolic, origin: tuple[Any, ...]) -> None:
        super().__init__(number.region, number.top, number.bottom)
        self.origin = origin

    def derivative(self, name: str) -> Any:
        return self._made(super().derivative(name), "slope", self, name)

    def at(self, point: Mapping[str, Number]) -> Number:
        value = super().at(point)
        return self._made(value, "at", self, dict(point)) if isinstance(value, Symbolic) else value

    __hash__ = Symbolic.__hash__


class TracedRoot(_TracedField, Quadratic):
    """A number with a square root that remembers its `origin`; see `Traced`."""

    __slots__ = ("origin",)

    def __init__(self, number: Quadratic, origin: tuple[Any, ...]) -> None:
        super().__init__(number.radicand, number.rational, number.root)
        self.origin = origin

    def is_positive(self, or_zero: bool) -> bool:
        """True if the number is > 0, or >= 0 if `or_zero`; the current watcher is told (see `relance.solvers.watcher`)."""
        holds = super().is_positive(or_zero)
        if (who := watcher()) is not None:
            who.compared(self if holds else -self, ">=" if or_zero == holds else ">", 0, asked=holds)
        return holds

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        if same is not NotImplemented and (who := watcher()) is not None:
            who.compared(self, "=" if same else "!=", other, asked=same)
        return same

    __hash__ = Quadratic.__hash__


def of_field(number: Any, origin: tuple[Any, ...]) -> Any:
    """Return an equal number that remembers its `origin`, see `Traced`; `number` is symbolic or has a square root."""
    return TracedRoot(number, origin) if isinstance(number, Quadratic) else Traced(number, origin)


_OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def _both_sides(how: str) -> tuple[Any, Any]:
    """The two methods of `TracedFraction` for the operator `how`: with the fraction on the left, and on the right."""

    def left(self: TracedFraction, other: Any) -> Any:
        return self._computed(how, self, other)

    def right(self: TracedFraction, other: Any) -> Any:
        return self._computed(how, other, self)

    return left, right


def _comparison(relation: str, compare: Any) -> Any:
    """The method of `TracedFraction` for a comparison, such as ">"; `compare` is the function of `operator` for it."""
    plain = getattr(Fraction, f"__{compare.__name__}__")

    def compared(self: TracedFraction, other: Any) -> Any:
        if isinstance(other, FieldElement):
            return compare(self._in(other), other)
        return self._compared(plain(self, other), other, relation)

    return compared


class TracedFraction(Fraction):
    """A fraction that remembers its `origin`; see `Traced`."""

    __slots__ = ("origin",)
    origin: tuple[Any, ...]

    @classmethod
    def made(cls, number: Fraction, origin: tuple[Any, ...]) -> TracedFraction:
        """Return the fraction `number` as one that remembers its `origin`: an `OfGame`, a `PrintedNumber` or a `Computed`."""
        traced = cls(number)
        traced.origin = origin
        return traced

    def _in(self, other: FieldElement) -> FieldElement:
        """This number in the field of another."""
        plain = other.lift(Fraction(self.numerator, self.denominator))
        assert plain is not None
        return plain if watcher() is None else of_field(plain, self.origin)

    def _computed(self, how: str, one: Any, other: Any) -> Any:
        if isinstance(one, FieldElement) or isinstance(other, FieldElement):
            return _OPERATORS[how](*(x._in(y) if x is self else x for x, y in ((one, other), (other, one))))
        plain = [Fraction(x.numerator, x.denominator) if isinstance(x, TracedFraction) else x for x in (one, other)]
        result = _OPERATORS[how](*plain)
        if type(result) is not Fraction or watcher() is None:
            return result
        return TracedFraction.made(result, Computed(how, (one, other)))

    def __neg__(self) -> Any:
        return self._computed("-", 0, self)

    def _compared(self, holds: Any, other: Any, relation: str) -> Any:
        if holds is NotImplemented or (who := watcher()) is None:
            return holds
        if relation == "=":
            who.compared(self, "=" if holds else "!=", other, asked=holds)
        else:
            sign = (1 if relation[0] == ">" else -1) * (1 if holds else -1)
            strictly = (len(relation) == 1) == holds
            who.compared((self - other) * sign, ">" if strictly else ">=", 0, asked=holds)
        return holds

    __add__, __radd__ = _both_sides("+")
    __sub__, __rsub__ = _both_sides("-")
    __mul__, __rmul__ = _both_sides("*")
    __truediv__, __rtruediv__ = _both_sides("/")
    __eq__ = _comparison("=", operator.eq)
    __lt__ = _comparison("<", operator.lt)
    __le__ = _comparison("<=", operator.le)
    __gt__ = _comparison(">", operator.gt)
    __ge__ = _comparison(">=", operator.ge)
    __hash__ = Fraction.__hash__


TracedNumber: TypeAlias = Traced | TracedRoot | TracedFraction
TRACED = (Traced, TracedRoot, TracedFraction)


def traced(number: Any, origin: tuple[Any, ...], where: Region | None = None) -> Any:
    """Return a number that remembers its `origin`, see `Traced`; with `where`, a fraction first becomes a constant function on this region.

    The number is returned unchanged if it is a float, or if there is no current watcher (see `relance.solvers.watcher`).
    """
    if watcher() is None:
        return number
    if where is not None and isinstance(number, (int, Fraction)):
        number = where[where.names[0]].lift(Fraction(number.numerator, number.denominator))
    if isinstance(number, FieldElement):
        return of_field(number, origin)
    return TracedFraction.made(Fraction(number), origin) if isinstance(number, (int, Fraction)) else number
