"""Kinds of game parameters: the allowed values, how they are read and written, and their ranges in plots and sliders."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any, ClassVar

from relance.model.distributions import DISTRIBUTIONS, distribution_text
from relance.model.numbers import Number, fraction, given, short, show, whole
from relance.model.tree import MOST_BETS


@dataclass(frozen=True)
class Parameter(ABC):
    """A parameter of a game: its default value and a short description.

    `drawn` ranks the kinds that can be an axis of a plot; the lowest number comes first. It is None if the kind cannot be an axis.
    """

    default: Any
    doc: str
    drawn: ClassVar[int | None] = None

    @property
    @abstractmethod
    def allowed(self) -> str:
        """The values that are allowed, as a phrase."""

    @abstractmethod
    def read(self, name: str, value: object) -> Any:
        """Check `value` and return it as an exact number, or in the form this kind of parameter uses.

        Raises:
            ValueError, TypeError: `value` is not allowed; the message calls the parameter `name`.
        """

    def text(self, value: Any) -> str:
        """The value as text that `read` can read back; it looks like a number only if the value is one."""
        return show(value)

    def plain(self, value: Any, scale: int = 1) -> int | bool | str:
        """The value for frameworks that take only ints, bools and text: chips times `scale`; text that looks like an int gets a "/1"."""
        text = self.text(value)
        return f"{text}/1" if text.lstrip("-").isdecimal() else text

    def chips(self, value: Any) -> tuple[Number, ...]:
        """The amounts of chips in the value; empty if the parameter is not in chips."""
        return ()

    def furthest(self, at: Any) -> Fraction:
        """Return the default right end of a plot's axis of this parameter from 0 on; `at` is the parameter's value in the game."""
        raise ValueError(f"only a numeric parameter can be the axis of a plot, not {self.doc}")

    def stops(self, at: Any, parts: int, most: int) -> list[Number]:
        """Return the values at which a slider can stop, ascending; [] if a value of this parameter is not a single number.

        `at` is the parameter's value in the game. Probabilities stop at multiples of 1/`parts`; amounts of chips have about `most` stops.
        """
        return []


class _Number(Parameter):
    """A parameter that is one exact number."""

    def read(self, name: str, value: object) -> Number:
        number = given(value, name)
        if not self.fits(number):
            raise ValueError(f"{name}={short(number)} must be {self.allowed}")
        return number

    @abstractmethod
    def fits(self, number: Number) -> bool:
        """True if the number is allowed."""


class Amount(_Number):
    """A parameter in chips, at least 0."""

    allowed = "at least 0"
    drawn = 3

    def fits(self, number: Number) -> bool:
        return bool(number >= 0)

    def plain(self, value: Number, scale: int = 1) -> int:
        return int(fraction(value * scale))

    def chips(self, value: Number) -> tuple[Number, ...]:
        return (value,)

    def furthest(self, at: Number) -> Fraction:
        """The right end of a plot's axis: four times the default, or twice the game's own value `at` if that is more."""
        return max(4 * fraction(self.default), 2 * fraction(at))

    def stops(self, at: Number, parts: int, most: int) -> list[Number]:
        """Return the values at which a slider can stop: multiples of 1/4 chip up to `top`; `at` is the parameter's present value.

        `top` is `furthest(at)`, rounded up. If 4 * `top` is over `most`, a step is ceil(`top` / `most`) chips instead. `parts` is not used.
        """
        top = ceil(self.furthest(at))
        step = Fraction(1, 4) if 4 * top <= most else Fraction(ceil(top / most))
        return [number for k in range(int(top / step) + 1) if self.fits(number := k * step)]


class Chips(Amount):
    """A parameter in chips, more than 0."""

    allowed = "above 0"
    drawn = 2

    def fits(self, number: Number) -> bool:
        return bool(number > 0)


ANTE = Chips(Fraction(1), "chips that each player puts into the pot first")
"""The parameter `ante`, which each player pays before the deal."""


@dataclass(frozen=True)
class Probability(_Number):
    """A parameter that is a probability, from 0 to `most`."""

    most: Fraction = Fraction(1)
    drawn = 0

    @property
    def allowed(self) -> str:
        return f"between 0 and {self.most}"

    def fits(self, number: Number) -> bool:
        return bool(number >= 0) and bool(number <= self.most)

    def furthest(self, at: Number) -> Fraction:
        return self.most

    def stops(self, at: Number, parts: int, most: int) -> list[Number]:
        return [Fraction(k, parts) for k in range(int(parts * self.most) + 1)]


@dataclass(frozen=True)
class WholeNumber(Parameter):
    """A whole number from `least` to `most`, as a parameter."""

    least: int = 0
    most: int = 1_000_000

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.least} to {self.most}"

    def read(self, name: str, value: object) -> int:
        number = whole(value, name)
        if not self.least <= number <= self.most:
            raise ValueError(f"{name}={short(number)} must be {self.allowed}")
        return number

    def plain(self, value: int, scale: int = 1) -> int:
        return int(value)

    def stops(self, at: int, parts: int, most: int) -> list[Number]:
        return list(range(self.least, at + 3))


class _Listed(Parameter):
    """A parameter that is a list; its text ends with a separator if it has one item."""

    def items(self, value: object) -> list[Any]:
        """The items of a value: of a text, a list or a single item."""
        if isinstance(value, str):
            return [part.strip() for part in value.replace(",", ";").strip().removesuffix(";").split(";")]
        return list(value) if isinstance(value, (list, tuple)) else [value]

    def text(self, value: Any) -> str:
        return ";".join(map(show, value)) + (";" if len(value) == 1 else "")


class Bets(_Listed):
    """A list of bets in chips, each more than 0, as a parameter."""

    allowed = f"from 1 to {MOST_BETS} numbers above 0, such as [2, 6] or '2;6'"
    drawn = 1

    def read(self, name: str, value: object) -> tuple[Number, ...]:
        bets = tuple(given(part, name) for part in self.items(value))
        if len(bets) > MOST_BETS:
            raise ValueError(f"{name} has {len(bets)} numbers; it must be {self.allowed}")
        if not bets or not all(bet > 0 for bet in bets):
            raise ValueError(f"{name}={short(self.text(bets))} must be {self.allowed}")
        return bets

    def plain(self, value: Any, scale: int = 1) -> str:
        return self.text([bet * scale for bet in value])

    def chips(self, value: Any) -> tuple[Number, ...]:
        return tuple(value)

    def furthest(self, at: Any) -> Fraction:
        """The right end of a plot's axis of a bet: 4 times the first bet in `default` or, if more, twice the first in the game, `at[0]`."""
        return max(4 * fraction(self.default[0]), 2 * fraction(at[0]))


ALL_IN = "all-in"
"""The bet size that stands for all the chips a player has."""


class PotShares(_Listed):
    """A parameter that lists bet sizes as shares of the pot, ascending; `ALL_IN` may be the last."""

    allowed = f"at most {MOST_BETS} numbers above 0 that rise, the last perhaps {ALL_IN}, such as [1/2, 1, '{ALL_IN}'] or '1/2;1;{ALL_IN}'"

    def read(self, name: str, value: object) -> tuple[Number | str, ...]:
        parts = self.items(value)
        last = [ALL_IN] if parts and re.fullmatch("all[-_ ]?in", str(parts[-1]).strip().lower()) else []
        try:
            shares = [given(part, name) for part in parts[: len(parts) - len(last)]]
        except ValueError as error:
            raise ValueError(f"{error}; {name} must be {self.allowed}") from None
        if (
            not parts
            or len(parts) > MOST_BETS
            or any(not share > 0 for share in shares)
            or any(not a < b for a, b in pairwise(shares))
        ):
            raise ValueError(f"{name}={short(self.text(shares + last))} must be {self.allowed}")
        return (*shares, *last)


class Flag(Parameter):
    """A parameter that is true or false."""

    allowed = "true or false"

    def read(self, name: str, value: object) -> bool:
        text = show(value).strip().lower()
        if text not in ("true", "false", "0", "1"):
            raise ValueError(f"{name}={short(value)} must be {self.allowed}")
        return text in ("true", "1")

    def text(self, value: bool) -> str:
        return str(value).lower()

    def plain(self, value: bool, scale: int = 1) -> bool:
        return bool(value)


class Distribution(Parameter):
    """A parameter that names a distribution of hands, as text."""

    allowed = f"a distribution of hands: {', '.join(DISTRIBUTIONS)}"

    def read(self, name: str, value: object) -> str:
        return distribution_text(show(value))
