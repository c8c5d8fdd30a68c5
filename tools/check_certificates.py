"""Re-verifies the certificates of `relance verify --certificates DIR` independently, from the rules alone. It imports nothing of Relance.

It needs the standard library and, for most certificates with symbols, an SMT solver. A file belongs to one claim and holds

    claim, statement, printed, corrected, domain, verdict     what is claimed, and for which symbols
    unproved, argument     a step that the check leaves open, and what a person argued for it
    about      "games", or "numbers" if the claim is about no game
    counts     the symbols that stand for whole numbers
    regions    symbols and the conditions on them, and the `amounts` there, which are whole where such symbols are
    plays      a game (betting tree, distribution of the two hands) and how both players play it
    numbers    a program: each is a printed formula, what a play gives, or computed from those before it; "#3" is the fourth
    steps      what shows the claim, see below; "wrong" marks what shows that the print is
    parts      in which regions each part of the claim was decided
    schemes    by what: an equilibrium, values that games give, plans, numbers, whole numbers, an induction

A step says one of these:

    nash               the value of a play, and what each player could gain by playing otherwise; 0 and 0 for a Nash equilibrium
    short              with this play a player earns less than an amount, so other strategies of that player are not optimal
    equal, differ      two numbers are equal, for a printed number by its `name`; or they differ, at a point
    above, at least    a number is above 0, or at least 0, in the whole region
    fails              a number is not above 0, or not at least 0, at a point
    rounds             a number has the printed digits: it is no further from them than half a unit
    signs, rises       a function of the hand has one sign between two hands, or it never falls and rises between them
    moves, left        who may do what at each node; the plans of a player with a hand that make none of some mistakes
    whole              all whole numbers of a region satisfy one of some lists of conditions
    induction          relations hold at first, and after a step if before it, for all symbols of the region
    dominated          a mixture is never worse than a plan and sometimes better; or the plan is a best reply to beliefs that exclude
                       nothing, so that no mixture is
    higher             of two hands the higher gains no less by an action than by another, whatever the other player does and whatever the
                       distributions of independent hands; and more if the other has a hand between with which they play as said
    better             an action wins no less than another, whatever the other player holds and does, and more where they play as said
    root               a number is below 0 at one value of a symbol and above 0 at a higher one, so it is 0 between, for all other symbols
    product            a product of any number of factors, each the same function of a symbol above 0, is greatest where these are equal,
                       of those with the same product

Numbers are texts: 2/3, B/(B + 1), 1/2 - 3*sqrt(7). All arithmetic is exact; what contains symbols is decided for every point of
a region. Each step is independently re-verified, each number that a play gives is computed anew, the regions of the steps must cover those
of each part, and these the domain. A claim is decided by the schemes of its steps alone, or given the argument that its check asks for.
How a play is scored:

1. [0, 1] is cut into cells, on which no strategy and no density changes. There, all that a player expects is one polynomial in
   their hand. With finitely many hands, each hand is a cell and the polynomial is constant (`Distribution`).
2. For each cell of a player the betting tree is walked (`Play.chips`): a leaf is averaged over the other's hands, the other's
   actions are added up, and the player mixes (for the value) or takes the best action (for a best response).
3. The cells are added up and compared with the certificate.

Four steps say more than they compute. `higher`: what an action gains with a hand is a mean, over the hands and answers of the other, of
what it gains against each, which never falls as the hand passes theirs. So of all sets of hands with one probability the best gain the
most, and to act with others is dominated; and where it gains less than 0 if all other hands are better and more if all are worse
(`crosses`), it gains 0 with one hand or those of an interval, if the distributions have no jumps. `better`: the same mean. `root`: a
fraction of polynomials without a pole has no jumps. `product`: a logarithm whose slope in the logarithm of the symbol falls is below its
tangents.

With `--claims FOLDER`, the `relance/claims` of the repository, it also reads what each paper claims from its `claims.toml` and
compares statement, printed numbers, domain, verdict and argument; and the steps that each claim needs from `goals.txt`, so that none can be
taken out, shrunk or weakened. There a step is a line: its words and formulas, and a hash of the text of all that it rests on.

    python check_certificates.py FOLDERS_OR_FILES [--claims FOLDER] [--solver z3, cvc5, or a command that reads SMT-LIB, "z3 -in"]

It says of each claim "decides the claim", "decides it, given the argument" or "partially verified", and why; or that the certificate is
wrong, or that a solver is needed. The exit status is 1 if any is wrong or undecided, and 2 if a path is not there.
"""

import argparse
import ast
import hashlib
import json
import math
import operator
import re
import shlex
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from graphlib import CycleError, TopologicalSorter
from importlib.util import find_spec
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

Terms = dict[tuple[int, ...], int | Fraction]  # a polynomial in the symbols, {powers: coefficient}
Trail = tuple[tuple[str, str], ...]  # nodes, and the actions there
OWN = ("other!", "hand!", "root!")  # the last symbols: the other's hand, the player's hand, and the square root
OPERATORS = {"Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv}
RELATIONS = {"Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "="}
HOLDS = {
    "<": lambda x: x < 0,
    "<=": lambda x: x <= 0,
    ">": lambda x: x > 0,
    ">=": lambda x: x >= 0,
    "=": lambda x: x == 0,
}
OPPOSITES = {"<": [">="], "<=": [">"], ">": ["<="], ">=": ["<"], "=": ["<", ">"]}
PRIME = 2**61 - 1
SIMPLE = [*(Fraction(k, n) for n in (1, 2, 3, 4, 5, 8, 10) for k in range(n + 1)), *map(Fraction, (2, 3, 4, 5, 8))]
SURE = ("sat", "unsat")
TRIES, SAMPLES = 300, 12  # simple points that are tried, and kept, in each region
STEPS = 20_000_000  # that the solver may take for one question, as z3 and cvc5 count them: the same on every machine


class Refused(Exception):
    """The certificate is wrong."""


class Undecided(Exception):
    """No solver is there, or it gives up."""


class Changes(Exception):
    """The best action changes at a hand inside a cell."""


def need(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Refused(otherwise)


# ---- polynomials in symbols ------------------------------------------------------------------------------------------------


def at_point(p: Terms, point: Sequence[int]) -> Fraction:
    """A number with the sign of the value at a point of the first symbols, times a common denominator that comes last in it."""
    *tops, below = point
    degree = max(map(sum, p), default=0)
    terms = (c * math.prod(map(pow, tops, m)) * below ** (degree - sum(m)) for m, c in p.items())
    return Fraction(sum(terms))


def add(p: Terms, q: Terms) -> Terms:
    if not p or not q:
        return p or q
    total = {**p}
    for m, c in q.items():
        total[m] = total.get(m, 0) + c
    return {m: c for m, c in total.items() if c}


def multiply(p: Terms, q: Terms) -> Terms:
    return dot([(p, q)])


def dot(pairs: Iterable[tuple[Terms, Terms]]) -> Terms:
    """The sum of the products of pairs."""
    total: Terms = {}
    for p, q in pairs:
        for n, d in q.items():
            constant = not any(n)
            for m, c in p.items():
                powers = m if constant else tuple(map(operator.add, m, n))
                total[powers] = total.get(powers, 0) + c * d
    return {m: whole(c) for m, c in total.items() if c}


def plain(number: "Number") -> Fraction:
    """A number without symbols."""
    need(not number.bottom and not any(map(any, number.top)), f"{number} is no fraction")
    return Fraction(sum(number.top.values()))


def whole(c: int | Fraction) -> int | Fraction:
    """A fraction that is a whole number as an int, with which Python computes much faster."""
    return c.numerator if c.denominator == 1 else c


def modulo(p: Terms, point: Sequence[int]) -> int:
    """The value at a point modulo a prime."""
    total = 0
    for powers, c in p.items():
        factors = (pow(x, power, PRIME) for x, power in zip(point, powers, strict=True) if power)
        total += c.numerator * (1 if c.denominator == 1 else pow(c.denominator, -1, PRIME)) * math.prod(factors)
    return total % PRIME


def zero_of(p: Terms, drawn: Sequence[int]) -> list[int]:
    """A point modulo a prime at which a polynomial is 0, if one is found near a drawn one: in a symbol that is at most squared."""
    for more, i in product(range(5), range(len(drawn))):
        point = [x + more for x in drawn]
        degree = max(m[i] for m in p)
        c, b, a = (modulo({(*m[:i], 0, *m[i + 1 :]): c for m, c in p.items() if m[i] == k}, point) for k in range(3))
        if degree == 2 and a:
            root = pow(
                gap := b * b - 4 * a * c, (PRIME + 1) // 4, PRIME
            )  # the root of a square, as the prime is 3 modulo 4
            if (root * root - gap) % PRIME == 0:
                return [*point[:i], (root - b) * pow(2 * a, -1, PRIME) % PRIME, *point[i + 1 :]]
        if degree == 1 and b:
            return [*point[:i], -c * pow(b, -1, PRIME) % PRIME, *point[i + 1 :]]
    return []


def quotient(p: Terms, q: Terms) -> Terms | None:
    """`p` / `q` if the division leaves no rest, else None."""
    lead, last, rest, out = max(q), min(q), {**p}, Terms()
    if rest and min(map(operator.sub, min(rest), last)) < 0:
        return None
    while rest:
        first = max(rest)
        powers = tuple(map(operator.sub, first, lead))
        if min(powers) < 0:
            return None
        c = out[powers] = whole(Fraction(rest[first]) / q[lead])
        for m, d in q.items():
            at = tuple(map(operator.add, m, powers))
            if left := rest.get(at, 0) - c * d:
                rest[at] = left
            else:
                rest.pop(at, None)
    return out


def derivative(p: Terms, i: int) -> Terms:
    """By symbol `i`."""
    return {(*m[:i], m[i] - 1, *m[i + 1 :]): c * m[i] for m, c in p.items() if m[i]}


# ---- numbers: rational functions of symbols --------------------------------------------------------------------------------


class Number:
    """The polynomial `top` over a product of divisors, {index in `region.divisors`: power}, cancelled where possible."""

    def __init__(self, region: "Region", top: Terms, bottom: dict[int, int]) -> None:
        self.region, self.bottom = region, dict[int, int]()
        self.top = region.without_squares(top) if region.square else top
        for i, power in bottom.items() if self.top else ():
            while power and (rest := region.divided(self.top, i)) is not None:
                self.top, power = rest, power - 1
            self.bottom |= {i: power} if power else {}

    def lift(self, other: Any) -> "Number":
        return other if isinstance(other, Number) else Number(self.region, self.region.constant(other), {})

    def over(self, bottom: dict[int, int]) -> Terms:
        """The numerator over this larger denominator."""
        return self.region.product(self.top, {i: power - self.bottom.get(i, 0) for i, power in bottom.items()})

    def __add__(self, other: Any) -> "Number":
        a, b = self, self.lift(other)
        if not (a.bottom or b.bottom):
            return Number(self.region, add(a.top, b.top), {})
        bottom = {i: max(a.bottom.get(i, 0), b.bottom.get(i, 0)) for i in {**a.bottom, **b.bottom}}
        return Number(self.region, add(a.over(bottom), b.over(bottom)), bottom)

    def __mul__(self, other: Any) -> "Number":
        a, b = self, self.lift(other)
        if not (a.bottom or b.bottom):
            return Number(self.region, multiply(a.top, b.top), {})
        bottom = {i: a.bottom.get(i, 0) + b.bottom.get(i, 0) for i in {**a.bottom, **b.bottom}}
        return Number(self.region, multiply(a.top, b.top), bottom)

    def __truediv__(self, other: "Number") -> "Number":
        inverse, divisors = self.region.inverse(other.top)
        return self * Number(self.region, self.region.product(inverse, other.bottom), divisors)

    def __sub__(self, other: Any) -> "Number":
        return self + self.lift(other) * -1

    __radd__, __rmul__ = __add__, __mul__

    def sign(self) -> int:
        """1 if it is >= 0, -1 if <= 0, 0 if = 0: everywhere in the region."""
        if not self.top:
            return 0
        sign = self.region.sign(self.region.numerator(self))
        if sign is None:
            raise Refused(f"the sign of {self} depends on the symbols")
        return sign

    def is_zero(self) -> bool:
        """Whether it is 0 everywhere in the region."""
        return not self.top or self.region.sign(self.top) == 0

    def is_above(self, or_zero: bool = False) -> bool:
        """Whether it is > 0, or >= 0, everywhere in the region."""
        return self.region.never(self.region.numerator(self), "<" if or_zero else "<=")

    def __str__(self) -> str:
        below = [f"({self.region.text(self.region.divisors[i])})**{power}" for i, power in self.bottom.items()]
        return "/".join([f"({self.region.text(self.top)})" if below else self.region.text(self.top), *below])

    def slope(self, symbol: str) -> "Number":
        """The derivative by a symbol."""
        i, region = self.region.symbols.index(symbol), self.region
        total = Number(region, derivative(self.top, i), self.bottom)
        for k, power in self.bottom.items():
            more = {**self.bottom, k: power + 1}
            falls = multiply(self.top, {m: c * power for m, c in derivative(region.divisors[k], i).items()})
            total = total - Number(region, falls, more)
        return total

    def moved(self, region: "Region", point: Mapping[str, "Number"]) -> "Number":
        """The value at a point, whose coordinates are numbers of another region; other symbols stay."""
        known = {symbol: point.get(symbol) for symbol in self.region.symbols if self.uses(symbol)}
        need(all(known[x] or x in region.symbols for x in known), f"{self} has symbols that are not in the region")
        known = {symbol: number or region.symbol(symbol) for symbol, number in known.items()}

        def at(p: Terms) -> Number:
            total = region.number(0)
            for powers, c in p.items():
                term = region.number(c)
                for symbol, power in zip(self.region.symbols, powers, strict=True):
                    for _ in range(power):
                        term = term * known[symbol]
                total = total + term
            return total

        region.square = region.square or self.region.square
        return reduce(
            lambda value, factor: value / factor,
            [at(self.region.divisors[i]) for i, power in self.bottom.items() for _ in range(power)],
            at(self.top),
        )

    def uses(self, symbol: str) -> bool:
        """Whether the symbol is in it."""
        i = self.region.symbols.index(symbol)
        return any(m[i] for p in (self.top, *(self.region.divisors[k] for k in self.bottom)) for m in p)

    def coefficient(self, power: int) -> "Number":
        """As a polynomial in the hand, the coefficient of this power."""
        return Number(self.region, {(*m[:-2], 0, m[-1]): c for m, c in self.top.items() if m[-2] == power}, self.bottom)

    # As a polynomial in the hand:

    def degree(self) -> int:
        return max((powers[-2] for powers in self.top), default=0)

    def at(self, hand: "Number") -> "Number":
        if not self.degree():
            return self
        total = self.lift(0)
        for k in range(self.degree(), -1, -1):
            total = total * hand + self.coefficient(k)
        return total

    def primitive(self) -> "Number":
        terms = {(*m[:-2], m[-2] + 1, m[-1]): whole(Fraction(c) / (m[-2] + 1)) for m, c in self.top.items()}
        return Number(self.region, terms, self.bottom)

    def integral(self, left: "Number", right: "Number") -> "Number":
        if not self.degree():
            return self * (right - left)
        return self.primitive().at(right) - self.primitive().at(left)

    def sign_within(self, left: "Number", right: "Number") -> int | None:
        """The sign for all hands from `left` to `right`; None if it is not seen to stay the same."""
        if self.degree() > 1:
            return self.region.sign_between(self.region.numerator(self), self.region.between(left, "hand!", right))
        signs = {self.at(left).sign(), self.at(right).sign()} - {0}
        return None if len(signs) == 2 else sum(signs)


class Region:
    """All values of some symbols that satisfy conditions.

    `program` gives the numbers that texts name by "#" and their place. The symbols `counts` stand for whole numbers, and so do the
    `amounts`: an amount k has k (k - 1) >= 0.
    """

    def __init__(
        self,
        symbols: Sequence[str],
        conditions: Sequence[str],
        ask: Callable[[str], str],
        program: Callable[[int], Number] | None = None,
        known: Mapping[str, str] = {},
        counts: Sequence[str] = (),
        amounts: Sequence[str] = (),
    ) -> None:
        self.counts, self.amounts = [*counts], [*amounts]
        self.symbols, self.ask, self.square, self.program = (*symbols, *OWN), ask, 0, program
        named = len({*self.symbols}) == len(self.symbols) and all(symbol.isidentifier() for symbol in symbols)
        need(named, f"symbols must be different names other than {', '.join(OWN)}")
        self.divisors, self.signs = list[Terms](), list[int]()  # what was divided by, and its proved sign
        self.drawn, self.zeros = [Random(symbol).randrange(PRIME) for symbol in self.symbols], list[list[int]]()
        self.smt_conditions, self.known = list[str](), dict[str, str]()
        self.limits, self.read = list[tuple[Terms, str]](), dict[object, Number]()
        self.implied = list[tuple[Terms, str]]()
        self.texts, self.points = list(conditions), list[tuple[int, ...]]()
        waiting, tried = list(conditions), set[tuple[int, str]]()
        while waiting:  # a condition may divide by what a later one keeps away from 0
            text = waiting.pop(0)
            try:
                limits = [*self.relations(text, known)]
            except Refused:
                if (len(waiting), text) in tried:
                    raise
                tried.add((len(waiting), text))
                waiting.append(text)
                continue
            self.limits += limits
            self.smt_conditions += [self.smt(*limit) for limit in limits]
            self.__dict__.pop("least", None)
        self.__dict__.pop("least", None)
        self.implied = [(k.top, ">=") for k in map(self.with_one_less, amounts)]
        self.points = self.simple_points()
        if symbols and not self.points:
            answer = self.answer()
            if answer not in SURE:
                raise Undecided(f"whether any point lies in a region: {answer or 'no answer'}")
            need(answer == "sat", "no point lies in the region")

    def simple_points(self) -> list[tuple[int, ...]]:
        """Some points of the region, and on its borders, with simple coordinates; see `at_point`."""
        draw, free, found = Random(0), len(self.symbols) - len(OWN), list[tuple[int, ...]]()
        if self.square or not free:
            return []
        for _ in range(TRIES):
            drawn = [draw.choice(SIMPLE) for _ in range(free)]
            below = math.lcm(*(x.denominator for x in drawn))
            point = (*(int(x * below) for x in drawn), below)
            if len(found) < SAMPLES and self.contains(point):
                found.append(point)
        return found

    def contains_point(self, point: Mapping[str, str]) -> bool:
        """Whether a point given by texts satisfies all conditions."""
        at = {symbol: self.number(text) for symbol, text in point.items()}
        gaps = ((Number(self, p, {}).moved(self, at), relation) for p, relation in self.limits)
        need(all(plain(at[x]).denominator == 1 for x in at if x in self.counts), f"{dict(point)} are no whole numbers")
        return all(HOLDS[relation](Fraction(self.sign(gap.top) or 0)) for gap, relation in gaps)

    def contains(self, point: Sequence[int]) -> bool:
        return all(HOLDS[relation](at_point(p, point)) for p, relation in (*self.limits, *self.implied))

    def with_one_less(self, text: str) -> Number:
        """k (k - 1), if k is whole wherever the symbols that are counts are whole."""
        k, symbols = self.number(text), {i for i, symbol in enumerate(self.symbols) if symbol in self.counts}
        used = {i for powers in k.top for i, power in enumerate(powers) if power}
        good = not k.bottom and used <= symbols and all(c.denominator == 1 for c in k.top.values())
        need(good, f"{text} need not be a whole number")
        return k * (k - 1)

    def tight(self, p: Terms, relation: str) -> str:
        """`p` `relation` 0 for whole numbers, as SMT-LIB: above 0 is at least 1."""
        scale = math.lcm(*(c.denominator for c in p.values()))
        p = {powers: whole(c * scale) for powers, c in p.items()}
        more = {"<": 1, ">": -1}.get(relation, 0)
        return self.smt(add(p, self.constant(more)), f"{relation[0]}=" if more else relation)

    def missed(self, either: Sequence[Sequence[str]]) -> str:
        """Whether whole numbers of the region may satisfy none of these lists of conditions: "unsat" if not."""
        need(self.counts == [*self.symbols[: -len(OWN)]], "a symbol is no whole number")
        fails = []
        for texts in either:
            limits = [limit for text in texts for limit in self.relations(text)]
            ways = [self.tight(p, opposite) for p, relation in limits for opposite in OPPOSITES[relation]]
            fails.append(f"(or {' '.join(ways)} false)")
        return self.answer(*(self.tight(*limit) for limit in self.limits), *fails)

    def number(self, text: object, known: Mapping[str, Any] = {}) -> Number:
        if isinstance(text, str) and text.startswith("#"):
            need(self.program is not None and text[1:].isdigit(), f"there is no number {text}")
            return self.take(self.program(int(text[1:])))  # type: ignore[misc]  # `need` says that there is a program
        if not known:
            if text not in self.read:
                self.read[text] = self.walk(ast.parse(str(text).strip().replace("^", "**"), mode="eval").body)
            return self.read[text]
        return self.walk(ast.parse(str(text).strip().replace("^", "**"), mode="eval").body, known)

    def lies_in(self, old: "Region", point: Mapping[str, Number]) -> bool:
        """Whether each point of this region is one of another, where symbols have other values if `point` says so."""
        if set(old.counts) - set(self.counts) or set(old.counts) & point.keys():
            return False
        if not point and set(old.smt_conditions) <= set(self.smt_conditions):
            return True
        gaps = self.gaps(old, point)
        return all(self.never(self.numerator(gap), other) for gap, relation in gaps for other in OPPOSITES[relation])

    def gaps(self, old: "Region", point: Mapping[str, Number] = {}) -> Iterator[tuple[Number, str]]:
        """The conditions of another region as numbers of this one, compared with 0."""
        return ((Number(old, p, {}).moved(self, point), relation) for p, relation in old.limits)

    def take(self, number: Number) -> Number:
        """A number of another region, if it has no symbols."""
        if number.region is self:
            return number
        return number.moved(self, {"root!": self.symbol("root!")})

    def walk(self, node: ast.expr, known: Mapping[str, Any] = {}) -> Number:
        """Read a formula; `known` are numbers, or texts of numbers, by name."""
        match node:
            case ast.Name(name) if name in known:
                named = known[name]
                return (
                    named
                    if isinstance(named, Number)
                    else self.number(named, {k: v for k, v in known.items() if k != name})
                )
            case ast.Constant(int() | float() as number):  # 0.1 is 1/10
                return Number(self, self.constant(Fraction(str(number))), {})
            case ast.Name(name) if name in self.symbols[: -len(OWN)]:
                return self.symbol(name)
            case ast.Call(ast.Name("sqrt"), [ast.Constant(int() as d)]):
                need(math.isqrt(d) ** 2 != d and self.square in (0, d), f"sqrt({d}) is not allowed here")
                self.square = d
                return self.symbol("root!")
            case ast.UnaryOp(ast.USub(), inner):
                return self.walk(inner, known) * -1
            case ast.BinOp(base, ast.Pow(), ast.Constant(int() as power)) if power > 0:
                return reduce(operator.mul, [self.walk(base, known)] * power)
            case ast.BinOp(base, ast.Pow(), ast.UnaryOp(ast.USub(), power)):
                return self.walk(ast.BinOp(ast.Constant(1), ast.Div(), ast.BinOp(base, ast.Pow(), power)), known)
            case ast.BinOp(left, ast.Div(), ast.BinOp(a, ast.Mult(), b)):  # divide by one factor after the other
                return self.walk(ast.BinOp(ast.BinOp(left, ast.Div(), a), ast.Div(), b), known)
            case ast.BinOp(left, ast.Div(), ast.BinOp(base, ast.Pow(), ast.Constant(int() as power))):
                return reduce(operator.truediv, [self.walk(base, known)] * power, self.walk(left, known))
            case ast.BinOp(left, op, right) if (name := type(op).__name__) in OPERATORS:
                combined: Number = OPERATORS[name](self.walk(left, known), self.walk(right, known))
                return combined
        raise Refused(f"{ast.unparse(node)} is not a number")

    def polynomial(self, coefficients: Sequence[str]) -> Number:
        """A polynomial in the hand; the constant comes first."""
        hand, read = self.symbol("hand!"), map(self.number, reversed(coefficients))
        return reduce(lambda total, c: total * hand + c, read, self.number(0))

    def symbol(self, name: str) -> Number:
        return Number(self, {tuple(int(name == symbol) for symbol in self.symbols): 1}, {})

    def constant(self, number: int | Fraction) -> Terms:
        return {(0,) * len(self.symbols): whole(number)} if number else {}

    def without_squares(self, p: Terms) -> Terms:
        """The same number with the square root to the power 0 or 1 only."""
        if all(powers[-1] < 2 for powers in p):
            return p
        return reduce(add, ({(*m[:-1], m[-1] % 2): c * self.square ** (m[-1] // 2)} for m, c in p.items()))

    def product(self, start: Terms, powers: dict[int, int]) -> Terms:
        """`start` times divisors to these powers."""
        return reduce(multiply, (self.divisors[i] for i, power in powers.items() for _ in range(power)), start)

    def inverse(self, p: Terms) -> tuple[Terms, dict[int, int]]:
        """1 / `p` as a polynomial over divisors. A new divisor must vanish nowhere in the region."""
        need(bool(p), "division by 0")
        if any(powers[-1] for powers in p):  # 1 / (a + b root) = (a - b root) / (a^2 - b^2 root^2)
            conjugate = {m: -c if m[-1] else c for m, c in p.items()}
            over, divisors = self.inverse(self.without_squares(multiply(p, conjugate)))
            return multiply(conjugate, over), divisors
        divisors = {}
        for i in range(len(self.divisors)):
            while (rest := self.divided(p, i)) is not None:
                p, divisors[i] = rest, divisors.get(i, 0) + 1
        scale = Fraction(math.lcm(*(c.denominator for c in p.values())), math.gcd(*(c.numerator for c in p.values())))
        if any(map(any, p)):
            p = {powers: whole(c * scale) for powers, c in p.items()}
            signs = [sign for sign, zero in ((1, "<="), (-1, ">=")) if self.never(p, zero)]
            need(bool(signs), f"the divisor {self.text(p)} may vanish")
            divisors[len(self.divisors)] = 1
            self.divisors.append(p)
            self.signs.append(signs[0])
            self.zeros.append(zero_of(p, self.drawn))
            return self.constant(scale), divisors
        return self.constant(Fraction(1) / p[max(p)]), divisors

    def divided(self, p: Terms, i: int) -> Terms | None:
        """`p` divided by a divisor, if that leaves no rest. What is not 0 where the divisor is has a rest."""
        if len(p) > 2 and self.zeros[i] and modulo(p, self.zeros[i]):
            return None
        return quotient(p, self.divisors[i])

    def numerator(self, number: Number) -> Terms:
        """A polynomial that has the sign of `number`."""
        sign = math.prod(self.signs[i] ** power for i, power in number.bottom.items())
        return {powers: c * sign for powers, c in number.top.items()}

    def sign(self, p: Terms) -> int | None:
        """See `Number.sign`; None if it is not seen to stay the same."""
        if not any(any(powers[:-1]) for powers in p):  # a + b root
            a, b = (p.get((*[0] * (len(self.symbols) - 1), k), Fraction(0)) for k in (0, 1))
            larger = a if a * a > b * b * self.square else b
            return (larger > 0) - (larger < 0)
        signs = [sign for sign, beyond in ((1, "<"), (-1, ">")) if self.never(p, beyond)]
        return sum(signs) if signs else None

    def sign_between(self, p: Terms, inside: Sequence[str]) -> int | None:
        """The sign under more conditions, as SMT-LIB; None if it is not seen to stay the same."""
        if not any(any(powers[:-1]) for powers in p):
            return self.sign(p)
        beyond = {1: self.smt(p, "<"), -1: self.smt(p, ">")}
        return next((sign for sign, text in beyond.items() if self.answer(*inside, text) == "unsat"), None)

    def never(self, p: Terms, relation: str) -> bool:
        """Whether `p` `relation` 0 has no solution in the region. Points and signs of coefficients are tried before the solver."""
        if not any(any(powers[:-1]) for powers in p):
            return not HOLDS[relation](Fraction(self.sign(p) or 0))
        if not any(powers[-2] or powers[-1] or powers[-3] for powers in p):
            if any(HOLDS[relation](at_point(p, point)) for point in self.points):
                return False
            if self.surely_not(p, relation):
                return True
        answer = self.answer(self.smt(p, relation))
        if answer not in SURE:
            raise Undecided(f"whether {self.text(p)} {relation} 0 somewhere: {answer or 'no answer'}")
        return answer == "unsat"

    def surely_not(self, p: Terms, relation: str) -> bool:
        """Whether all coefficients have one sign, and the symbols too, so that `p` `relation` 0 is impossible."""
        sign = 1 if relation in ("<", "<=") else -1
        if any(c * sign < 0 for c in p.values()):
            return False
        least = dict(self.least.items())
        if any(power and i not in least for m in p for i, power in enumerate(m)):
            return False
        return relation in ("<", ">") or any(all(least[i] for i, power in enumerate(m) if power) for m in p)

    @cached_property
    def least(self) -> dict[int, bool]:
        """The symbols that are at least 0 by one condition alone, and whether they are above 0."""
        found: dict[int, bool] = {}
        for p, relation in self.limits:
            if len(p) == 1 and sum(m := max(p)) == 1 and (relation in (">", ">=")) == (p[m] > 0) and relation != "=":
                found[m.index(1)] = found.get(m.index(1), False) or relation in ("<", ">")
        return found

    def text(self, p: Terms) -> str:
        """A polynomial as text."""
        words = []
        for powers, c in p.items():
            factors = [f"{x}**{k}" if k > 1 else x for x, k in zip(self.symbols, powers, strict=True) if k]
            words.append("*".join([str(c), *factors] if c != 1 or not factors else factors))
        return " + ".join(words).replace("root!", f"sqrt({self.square})") or "0"

    def smt(self, p: Terms, relation: str) -> str:
        """The condition `p` `relation` 0 as SMT-LIB."""
        scale, words = math.lcm(*(c.denominator for c in p.values())), ["0.0", "0.0"]
        for powers, c in p.items():
            symbols = [symbol for symbol, power in zip(self.symbols, powers, strict=True) for _ in range(power)]
            words.append(f"(* {'1.0' if c > 0 else '(- 1.0)'} {abs(c * scale)}.0 {' '.join(symbols)})")
        return f"({relation} (+ {' '.join(words)}) 0.0)"

    def answer(self, *more: str) -> str:
        """Whether a point of the region satisfies more conditions: "sat", "unsat" or anything else."""
        logic = "NRA" if any("(forall" in text for text in more) else "QF_NRA"
        root = [f"(= (* root! root!) {self.square}.0)", "(> root! 0.0)"] if self.square else []
        declared = [f"(declare-const {symbol} Real)" for symbol in self.symbols]
        implied = [self.smt(*limit) for limit in self.implied]
        asserted = [f"(assert {condition})" for condition in (*root, *self.smt_conditions, *implied, *more)]
        script = "\n".join([f"(set-logic {logic})", *declared, *asserted])
        if script not in self.known:
            if (answer := self.ask(script)) not in SURE:
                return answer
            self.known[script] = answer
        return self.known[script]

    def without(self, other: "Region") -> str:
        """That a point of this region is not in another, whatever the symbols are that only the other has; as SMT-LIB."""
        nowhere = f"(or {' '.join(f'(not {limit})' for limit in other.smt_conditions)} false)"
        more = " ".join(f"({symbol} Real)" for symbol in other.symbols if symbol not in self.symbols)
        return f"(forall ({more}) {nowhere})" if more else nowhere

    def relations(self, text: str, known: Mapping[str, Any] = {}) -> Iterator[tuple[Terms, str]]:
        """A chain such as "0 < a <= 1/b" as polynomials compared with 0; each divisor has one sign by the conditions before."""
        chain = ast.parse(text.strip().replace("^", "**"), mode="eval").body
        if not isinstance(chain, ast.Compare):
            raise Refused(f"{text} is not a condition")
        for op, (left, right) in zip(chain.ops, pairwise([chain.left, *chain.comparators]), strict=True):
            yield self.numerator(self.walk(left, known) - self.walk(right, known)), RELATIONS[type(op).__name__]

    def between(self, left: Number, symbol: str, right: Number) -> list[str]:
        x = self.symbol(symbol)
        return [self.smt(self.numerator(gap), ">=") for gap in (x - left, right - x)]


def solver(name: str) -> Callable[[str], str]:
    """A function from an SMT-LIB script to "sat", "unsat" or anything else, which counts as undecided."""

    def ask(script: str) -> str:
        if name in ("z3", "cvc5") and not find_spec(name):
            raise Undecided(f"it needs a solver: {name} is not installed")
        if name == "z3":
            import z3

            prover = z3.SolverFor(re.findall(r"set-logic (\w+)", script)[0])
            prover.set("rlimit", STEPS)
            prover.from_string(script)
            return str(prover.check())
        if name == "cvc5":
            import cvc5

            prover = cvc5.Solver(cvc5.TermManager())
            prover.setOption("rlimit-per", str(STEPS))
            parser = cvc5.InputParser(prover)
            parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "")
            while not (command := parser.nextCommand()).isNull():
                command.invoke(prover, parser.getSymbolManager())
            return str(prover.checkSat())
        if not name:
            raise Undecided("it needs a solver, such as pip install z3-solver")
        try:
            done = subprocess.run(shlex.split(name), input=f"{script}\n(check-sat)\n", capture_output=True, text=True)
        except OSError as error:
            raise Undecided(f"the solver {name!r} does not run: {error}") from None
        return done.stdout.strip()

    return ask


# ---- games -----------------------------------------------------------------------------------------------------------------


class Distribution:
    """The distribution of the two hands.

    For each `player`, their cell i and the other's cell j, `pairs[player][i][j]` are two polynomials in the player's hand: the
    probability (on [0, 1] the density) that the other's hand is in j, and the same times what the player wins of a stake of 1.

    `events` are the distributions of the hands together with an event, and `contests` those with the same probabilities and other winners.
    """

    def __init__(self, region: Region, hands: dict[str, Any], before: "Distribution | None" = None) -> None:
        number = region.number
        if "joint" in hands:
            # The probability of each pair of hands; and 1, 0 or -1 where player 0 wins, ties or loses it.
            joint, edge = ([[number(x) for x in row] for row in hands[key]] for key in ("joint", "edge"))
            first = [[(p, p * e) for p, e in zip(*rows, strict=True)] for rows in zip(joint, edge, strict=True)]
            least = [x for row in first for p, won in row for x in (p, p - won, p + won)]
            need(all(x.sign() >= 0 for x in least), "a probability is negative, or an edge not between -1 and 1")
            self.pairs = first, [[(p, won * -1) for p, won in column] for column in zip(*first, strict=True)]
            self.cells = [[(number(0), number(1))] * len(rows) for rows in self.pairs]
        else:
            # The density is a sum of terms f(x) g(y); each factor is a polynomial per cell. The higher hand wins.
            if before:
                self.cells = before.cells
            else:
                cuts = [number(cut) for cut in hands["cuts"]]
                rising = all((b - a).sign() >= 0 for a, b in pairwise(cuts))
                need(rising and cuts[0].sign() == 0 and (cuts[-1] - 1).sign() == 0, "the cuts do not go up from 0 to 1")
                self.cells = [list(pairwise(cuts))] * 2
            terms = [[[*map(region.polynomial, f)] for f in term] for term in hands["density"]]
            whole = all(len(f) == len(self.cells[0]) for term in terms for f in term)
            need(whole, "a density has not one piece per cell")
            sides = [list(side) for side in zip(*terms, strict=True)]
            self.pairs = self.from_density(region, *sides), self.from_density(region, *sides[::-1])
        if not before:
            rows = zip(self.cells[0], self.pairs[0], strict=True)
            total = sum((mass.integral(*cell) for cell, row in rows for mass, _ in row), number(0))
            need((total - 1).sign() == 0, "the probabilities of the hands do not sum to 1")
        self.events, self.contests = (
            {name: Distribution(region, distribution, self) for name, distribution in hands.get(key, {}).items()}
            for key in ("events", "contests")
        )
        need(
            all(self.is_sum_of([distribution]) for distribution in self.contests.values()),
            "a contest has other probabilities",
        )

    def family(self) -> Iterator["Distribution"]:
        """This distribution, those after its events, and those of its contests."""
        yield self
        for distribution in (*self.events.values(), *self.contests.values()):
            yield from distribution.family()

    def is_sum_of(self, distributions: Sequence["Distribution"]) -> bool:
        """Whether the probabilities of each pair of cells are the sums of those of these distributions."""
        for i, (cell, row) in enumerate(zip(self.cells[0], self.pairs[0], strict=True)):
            others = [distribution.pairs[0][i] for distribution in distributions]
            for (mass, _), *parts in zip(row, *others, strict=True):
                if sum((part for part, _ in parts), mass * -1).sign_within(*cell) != 0:
                    return False
        return True

    def from_density(self, region: Region, mine: Any, others: Any) -> list[list[tuple[Number, Number]]]:
        rows: list[list[tuple[Number, Number]]] = [[] for _ in self.cells[0]]
        for (i, cell), (j, (left, right)) in product(enumerate(self.cells[0]), repeat=2):
            terms = [(f[i], g[j]) for f, g in zip(mine, others, strict=True)]
            height = sum(f * g.at(region.symbol("other!")) for f, g in terms)
            if any(powers[-2] or powers[-3] for powers in height.top):
                inside = [*region.between(cell[0], "hand!", cell[1]), *region.between(left, "other!", right)]
                good = region.sign_between(region.numerator(height), inside) in (0, 1)
            else:
                good = height.sign() >= 0
            need(good, "a density is negative")
            mass = sum(f * g.integral(left, right) for f, g in terms)
            if i == j:  # the other's hands below mine, minus those above
                parts = [(f, g.primitive()) for f, g in terms]
                won = sum(f * (g * 2 - g.at(left) - g.at(right)) for f, g in parts)
            rows[i].append((mass, won if i == j else mass * (1 if i > j else -1)))
        return rows


class Play:
    """A game and a profile. A node of the tree is {"player": 0 or 1, "actions": {name: node}} or {"pays": c, "stake": s}.

    At a leaf player 0 gets c chips, plus s for a won showdown, minus s for a lost one; "contest" says which, if it is not the usual one.
    At a node {"events": {name: node}} chance decides, by the distributions of the hands after each event.
    """

    def __init__(self, region: Region, profile: dict[str, Any]) -> None:
        self.region, self.tree, self.distribution = region, profile["tree"], Distribution(region, profile["hands"])
        self.names = profile["hands"].get("names", [])
        self.independent = len(profile["hands"].get("density", ())) == 1
        self.zero, self.one, self.totals = region.number(0), region.number(1), dict[tuple[int, bool], Number]()
        self.chances = {
            name: {action: [*map(region.number, row)] for action, row in rows.items()}
            for name, rows in profile["strategies"].items()
        }
        listed = [*self.nodes(self.tree, "", (), self.distribution)]
        self.found = {name: (node, trail, distribution) for name, node, trail, distribution in listed}
        need(len(self.found) == len(listed), "two nodes have one name")
        self.terminals = {name: node for name, (node, *_) in self.found.items() if "pays" in node}
        nodes = {name: node for name, (node, *_) in self.found.items() if "actions" in node}
        need(nodes.keys() == self.chances.keys(), "the strategies are for other nodes than those of the tree")
        for name, node in nodes.items():
            need(node["player"] in (0, 1), f"nobody acts at {name!r}")
            need(node["actions"].keys() == self.chances[name].keys(), f"other actions than those at {name!r}")
            cells = self.distribution.cells[node["player"]]
            for _, *mixture in zip(cells, *self.chances[name].values(), strict=True):
                good = all(p.sign() >= 0 for p in mixture) and (sum(mixture) - self.one).sign() == 0
                need(good, f"at {name!r} probabilities are negative, or do not sum to 1")

    def nodes(
        self, node: dict[str, Any], name: str, trail: Trail, distribution: Distribution
    ) -> Iterator[tuple[str, dict[str, Any], Trail, Distribution]]:
        """Each node and terminal node by name, with the actions that lead to it and the distribution there.

        On the way, whether chance is that of the distribution at each event, and the distribution has each contest.
        """
        need(node.get("contest", "") in ("", *distribution.contests), "there is no such contest")
        yield name, node, trail, distribution
        if "events" in node:
            need(node["events"].keys() <= distribution.events.keys(), f"there is no such event at {name!r}")
            after = [distribution.events[event] for event in node["events"]]
            need(distribution.is_sum_of(after), f"the events at {name!r} are not all that may turn up")
            for event, child in node["events"].items():
                yield from self.nodes(child, f"{name}-{event}" if name else event, trail, distribution.events[event])
        for action, child in node.get("actions", {}).items():
            yield from self.nodes(child, f"{name}-{action}" if name else action, (*trail, (name, action)), distribution)

    def of_hand(
        self, what: str, player: int, node: str, action: str | None, i: int, against: Sequence[Number]
    ) -> Number:
        """A polynomial in the hand of `player` in cell i at a node: chips of an action or of the profile, or the chance to come there."""
        at, trail, distribution = self.found[node]
        led, own = [*against] or [self.one] * len(self.distribution.cells[1 - player]), self.one
        for before, step in trail:
            chance = self.chances[before][step]
            if self.found[before][0]["player"] == player:
                own = own * chance[i]
            else:
                led = [p * c for p, c in zip(led, chance, strict=True)]
        if what == "reach":
            return own
        if what == "met":
            return self.met(led, distribution.pairs[player][i])[0]
        if action is not None:
            need(at["player"] == player, f"player {player} does not act at {node!r}")
            return self.chips(
                at["actions"][action], f"{node}-{action}" if node else action, player, i, led, None, distribution
            )
        return self.chips(at, node, player, i, led, None, distribution)

    # Plans: what a player does with one hand at each node that the plan itself can reach; for finitely many hands.

    def plans(self, player: int, node: dict[str, Any] | None = None, name: str = "") -> list[dict[str, str]]:
        """All plans of a player."""
        node = self.tree if node is None else node
        need("events" not in node and "contest" not in node, "plans are for games without events and with one contest")
        below = {
            action: self.plans(player, child, f"{name}-{action}" if name else action)
            for action, child in node.get("actions", {}).items()
        }
        if node.get("player") == player:
            return [{name: action, **plan} for action, plans in below.items() for plan in plans]
        return [dict(choice for plan in parts for choice in plan.items()) for parts in product(*below.values())]

    def left(self, player: int, label: str, without: Sequence[Any]) -> list[dict[str, str]]:
        """The plans with a hand that make none of the mistakes: each a player, a hand, nodes, and an action there."""
        mistakes = [(nodes, action) for who, hand, nodes, action in without if (who, hand) == (player, label)]
        return [
            plan
            for plan in self.plans(player)
            if not any(plan.get(node) == action for nodes, action in mistakes for node in nodes)
        ]

    def paid(self, player: int, i: int, own: Mapping[str, str], j: int, theirs: Mapping[str, str]) -> Fraction:
        """What a plan earns `player` with hand i against a plan of the other with hand j, times the probability of both hands."""
        node, name = self.tree, ""
        while "actions" in node:
            action = (own if node["player"] == player else theirs)[name]
            node, name = node["actions"][action], f"{name}-{action}" if name else action
        mass, won = self.distribution.pairs[player][i][j]
        pays, stake = (self.region.number(node[key]) for key in ("pays", "stake"))
        return plain(mass * pays * (1 - 2 * player) + won * stake)

    def dominated(self, player: int, label: str, said: dict[str, Any]) -> None:
        """Whether a mixture dominates a plan weakly; or the plan is a best reply to beliefs that exclude nothing, so that none does."""
        names, plan, without = self.names, said["plan"], said["without"]
        mine, i = self.left(player, label, without), names[player].index(label)
        need(plan in mine, f"{plan} is no plan that is left")
        others = {
            j: self.left(1 - player, other, without)
            for j, other in enumerate(names[1 - player])
            if self.distribution.pairs[player][i][j][0].top
        }

        def gain(own: Mapping[str, str], j: int, reply: Mapping[str, str]) -> Fraction:
            return self.paid(player, i, own, j, reply) - self.paid(player, i, plan, j, reply)

        if "by" in said:
            mixture = [(one, Fraction(p)) for one, p in said["by"]]
            good = all(one in mine and p >= 0 for one, p in mixture) and sum(p for _, p in mixture) == 1
            need(good, "what should dominate is no mixture of plans that are left")
            rows = [
                [sum(p * gain(one, j, reply) for one, p in mixture) for reply in replies]
                for j, replies in others.items()
            ]
            need(
                sum(map(min, rows)) >= 0 and sum(map(sum, rows)) > 0,
                f"{plan} with {label} is not dominated by {mixture}",
            )
            return
        beliefs = [(j, reply, Fraction(p)) for j, reply, p in said["beliefs"]]
        for j, replies in others.items():
            chances = [[p for k, one, p in beliefs if k == j and one == reply] for reply in replies]
            need(
                all(len(row) == 1 and row[0] > 0 for row in chances) and sum(map(sum, chances)) == 1,
                "beliefs exclude a plan",
            )
        for own in mine:
            more = sum(p * gain(own, j, reply) for j, reply, p in beliefs)
            need(more <= 0, f"{own} earns {more} more than {plan} with {label}")

    def whatever(self, kind: str, said: dict[str, Any]) -> list[Number]:
        """Whether an action gains over another with the hand, or never wins less, by each pair of the other's answers."""
        start, when = said["node"], said["when"]
        at = self.found[start][0] if start in self.found else {}
        need({said["action"], said["over"]} <= at.get("actions", {}).keys(), f"no such actions at {start!r}")
        player, actions = at["player"], at["actions"]
        need(
            not self.distribution.events and not self.distribution.contests and not self.names,
            "the hands are not on [0, 1]",
        )
        need(self.independent, "the hands depend on each other")

        def terminals(node: dict[str, Any], name: str) -> Iterator[tuple[dict[str, str], Number, Number]]:
            if "pays" in node:
                yield {}, self.region.number(node["pays"]) * (1 - 2 * player), self.region.number(node["stake"])
                return
            need(node.get("player") == 1 - player, f"after these actions player {player} acts again, or chance does")
            for step, child in node["actions"].items():
                for more, pays, stake in terminals(child, f"{name}-{step}"):
                    yield {name: step, **more}, pays, stake

        mine, others = (
            [*terminals(actions[step], f"{start}-{step}" if start else step)] for step in (said["action"], said["over"])
        )
        found, strict = list[Number](), 0
        for (answers, pays, stake), (_, less, lower) in product(mine, others):
            chips, more, so = pays - less, stake - lower, when.items() <= answers.items()
            if kind == "higher":
                parts = [
                    (more, not so),
                    *([(more - chips, False), (more + chips, False)] if so and said["crosses"] else []),
                ]
            else:
                parts = [(chips - more, True), (chips + more, True), *([(chips, False)] if so else [])]
            for number, or_zero in parts:
                need(
                    number.is_above(or_zero), f"{number} is not {'at least' if or_zero else 'above'} 0 where {answers}"
                )
            found, strict = [*found, chips, more], strict + so
        need(strict > 0, f"nobody can play {when}")
        return found

    def all_numbers(self) -> Iterator[Number]:
        """All that says what is played, and how: payoffs, distribution and strategies."""
        for node, *_ in self.found.values():
            yield from (self.region.number(node[key]) for key in ("player", "pays", "stake") if key in node)
        for distribution in self.distribution.family():
            for row in distribution.pairs[0]:
                for pair in row:
                    yield from pair
        for cell in self.distribution.cells[0]:
            yield from cell
        for rows in self.chances.values():
            for chances in rows.values():
                yield from chances

    def met(self, reach: Sequence[Number], row: Sequence[tuple[Number, Number]]) -> tuple[Number, ...]:
        """The probability that the other comes here, and the same times what is won of a stake of 1."""
        if not any(number.bottom for number in (*reach, *(number for pair in row for number in pair))):
            tops = [[(p.top, pair[k].top) for p, pair in zip(reach, row, strict=True)] for k in (0, 1)]
            return tuple(Number(self.region, dot(pairs), {}) for pairs in tops)
        pairs = [(p, *pair) for p, pair in zip(reach, row, strict=True) if p.top]
        return tuple(sum((terms[0] * terms[k] for terms in pairs), self.zero) for k in (1, 2))

    def chips(
        self,
        node: dict[str, Any],
        name: str,
        player: int,
        i: int,
        reach: list[Number],
        best: Any,
        distribution: Distribution,
    ) -> Number:
        """What cell i of `player` expects, if the other's hand in cell j leads here with probability reach[j]."""
        if "pays" in node:
            pays, stake = (self.region.number(node[key]) for key in ("pays", "stake"))
            mine = pays * (-1 if player else 1)
            distribution = distribution.contests[node["contest"]] if node.get("contest") else distribution
            mass, won = self.met(reach, distribution.pairs[player][i])
            return mass * mine + won * stake
        if "events" in node:
            after = [
                (f"{name}-{event}" if name else event, distribution.events[event], child)
                for event, child in node["events"].items()
            ]
            return sum(
                (self.chips(child, below, player, i, reach, best, later) for below, later, child in after), self.zero
            )
        values = []
        for action, child in node["actions"].items():
            chance, below, led = self.chances[name][action], f"{name}-{action}" if name else action, reach
            if node["player"] != player:
                led = [p * c for p, c in zip(reach, chance, strict=True)]
            value = self.chips(child, below, player, i, led, best, distribution)
            values.append(value if best or node["player"] != player else value * chance[i])
        return reduce(best, values) if best and node["player"] == player else sum(values, self.zero)

    def earned(self, player: int, i: int, left: Number, right: Number, best: bool, depth: int = 0) -> Number:
        """What `player` earns with the hands from `left` to `right`, which lie in the player's cell i."""

        def better(p: Number, q: Number) -> Number:
            sign = (gap := p - q).sign_within(left, right)
            if sign is None:
                at_0, at_1 = gap.at(self.zero), gap.at(self.one)
                raise Changes(at_0 / (at_0 - at_1) if gap.degree() == 1 else (left + right) * Fraction(1, 2))
            return q if sign < 0 else p

        everywhere = [self.one] * len(self.distribution.cells[1 - player])
        try:
            chips = self.chips(self.tree, "", player, i, everywhere, better if best else None, self.distribution)
            return chips.integral(left, right)
        except Changes as change:
            need(depth < 50, "where the best action changes is not found")
            ends = pairwise((left, *change.args, right))
            return sum((self.earned(player, i, a, b, best, depth + 1) for a, b in ends), self.zero)

    def total(self, player: int, best: bool) -> Number:
        """What `player` earns if both play the profile, or if `player` plays a best response to the other's half of it."""
        if (player, best) not in self.totals:
            cells = enumerate(self.distribution.cells[player])
            earned = (self.earned(player, i, *cell, best) for i, cell in cells)
            self.totals[player, best] = sum(earned, self.zero)
        return self.totals[player, best]


# ---- certificates ----------------------------------------------------------------------------------------------------------


ABOUT_PLAYS = ("nash", "short", "moves", "left", "dominated", "higher", "better")
STEPS_SAY = (
    *ABOUT_PLAYS,
    "equal",
    "differ",
    "rounds",
    "fails",
    "above",
    "at least",
    "signs",
    "rises",
    "root",
    "product",
    "whole",
    "induction",
)
SCHEMES = {
    **dict.fromkeys(("nash", "short"), "equilibrium"),
    **dict.fromkeys(("moves", "left", "dominated", "higher", "better"), "plans"),
    "whole": "whole numbers",
    "induction": "induction",
}  # by what a part is decided; the other steps compare values that games give, or numbers


SHOWN = (
    *("sign", "mended", "wrong", "is", "point", "unit", "player", "hand", "without", "plan", "are", "whole"),
    *("node", "action", "over", "when", "crosses", "symbol", "between", "induction", "first", "then"),
)
"""What a step says beside its numbers."""

LONG = 160

READ_OFF = ("terminal", "taken", "dealt")
"""What is read off a play without a comparison."""


class Certificate:
    """The data of a certificate, with what is computed from it."""

    def __init__(self, data: dict[str, Any], ask: Callable[[str], str]) -> None:
        self.data, self.unsure = data, False  # whether the solver gave up on something since this was set

        def asked(script: str) -> str:
            answer = ask(script)
            self.unsure |= answer not in SURE
            return answer

        self.ask = asked
        self.regions = dict[int | None, Region]()
        self.plays = dict[int, Play]()
        self.numbers, self.rests = dict[int, Number](), dict[int, frozenset[str]]()
        self.functions = dict[str, Number]()
        self.signed = dict[int, frozenset[int | None]]()
        self.pins = dict[int, str]()
        self.used = dict[bool, set[str]](
            {False: set(), True: set()}
        )  # printed numbers that a step is about; the right ones
        self.typed = set[str]()  # those that were compared with formulas alone

    def region(self, place: int | None) -> Region:
        """The region at this place; without one, no symbols."""
        if place not in self.regions:
            said = {"symbols": [], "conditions": []} if place is None else self.data["regions"][place]
            need(not named_numbers(said), "a region names a number of the program")
            known = self.names(self.data[said["with"]]) if "with" in said else {}
            counts = [symbol for symbol in said["symbols"] if symbol in self.data["counts"]]
            self.regions[place] = Region(
                said["symbols"], said["conditions"], self.ask, self.number, known, counts, said.get("amounts", ())
            )
        return self.regions[place]

    def names(self, table: Mapping[str, str]) -> dict[str, str]:
        """The printed numbers that formulas can name."""
        return {name: text for name, text in table.items() if name.isidentifier()}

    def play(self, place: int) -> Play:
        if place not in self.plays:
            said = self.data["plays"][place]
            self.within(said["region"], said)
            self.plays[place] = Play(self.region(said["region"]), said)
        return self.plays[place]

    def number(self, place: int) -> Number:
        """The number at this place of the program. A number may use only those before it."""
        if place not in self.numbers:
            where, how, *of = self.data["numbers"][place]
            region = self.region(where)
            need(all(k < place for k in named_numbers(of)), "a number uses one after it")
            if how == "at":
                self.within(where, of[1])
                self.within(where, of[0], {symbol: region.number(text) for symbol, text in of[1].items()})
            else:
                self.within(where, of)
            self.numbers[place] = self.computed(region, how, of)
        return self.numbers[place]

    def signs_of(self, place: int) -> frozenset[int | None]:
        """The places of the regions in which signs were used for this number: all that a play is worth, but not what is read off it."""
        if place not in self.signed:
            where, how, *of = self.data["numbers"][place]
            found = frozenset[int | None]().union(*map(self.signs_of, named_numbers(of)))
            if how == "at" and found:
                found = frozenset([where])
            if how == "play":
                said = self.data["plays"][of[0]]
                found = found.union(*map(self.signs_of, named_numbers(said)))
                found |= frozenset() if of[1] in READ_OFF else frozenset([said["region"]])
            self.signed[place] = found
        return self.signed[place]

    def within(self, where: int | None, part: Any, point: Mapping[str, Number] = {}) -> None:
        """Refuse a part of the certificate for a region that is not in those in which signs were used for its numbers."""
        for k in named_numbers(part):
            for old in self.signs_of(k) - {where} if not point else self.signs_of(k):
                inside = self.region(where).lies_in(self.region(old), point)
                need(inside, f"#{k} was decided for {' and '.join(self.region(old).texts)}, and is read elsewhere")

    def computed(self, region: Region, how: str, of: list[Any]) -> Number:
        match how, of:
            case "+", [a, b]:
                return region.number(a) + region.number(b)
            case "*", [a, b]:
                return region.number(a) * region.number(b)
            case "-", [a]:
                return region.number(a) * -1
            case "-", [a, b]:
                return region.number(a) - region.number(b)
            case "1/", [a]:
                return region.number(1) / region.number(a)
            case "/", [a, b]:
                return region.number(a) / region.number(b)
            case "^", [a, int(power)]:
                return reduce(operator.mul, [region.number(a)] * power, region.number(1))
            case "slope", [a, str(symbol)]:
                return region.number(a).slope(symbol)
            case "at", [a, point]:
                inner = self.number(int(a[1:]))
                return inner.moved(region, {symbol: region.number(text) for symbol, text in point.items()})
            case "formula", [_, str(text), known]:
                return region.number(text, {symbol: region.number(number) for symbol, number in known.items()})
            case "play", [place, what, player, node, action, at, against]:
                return region.take(self.of_play(place, what, player, node, action, at, against))
        raise Refused(f"{how} {of} is not a number")

    def of_play(
        self, place: int, what: str, player: int, node: str, action: Any, at: list[int], against: Any
    ) -> Number:
        play, said = self.play(place), self.data["plays"][place]
        scale = play.region.number(said.get("scale", "1"))
        if what in ("value", "best"):
            return play.total(player, best=what == "best") * scale
        match what:
            case "terminal":
                pays, stake = (play.region.number(play.terminals[node][key]) for key in ("pays", "stake"))
                return pays + stake * play.region.number(at[0])
            case "taken":
                return play.chances[node][action][at[0]]
            case "dealt":
                return play.distribution.pairs[0][at[0]][at[1]][0] * scale
        key = json.dumps([place, what, player, node, action, at[0], against])
        if key not in self.functions:
            weights = [play.region.number(text) for text in against or ()]
            self.functions[key] = play.of_hand(what, player, node, action, at[0], weights)
        part = self.functions[key].coefficient(at[1] if len(at) > 1 else 0)
        return part if what == "reach" else part * scale

    # What something rests on: "game", and the names of printed numbers.

    def rests_on(self, part: Any) -> frozenset[str]:
        """What the numbers named in a part of the certificate rest on."""
        return frozenset[str]().union(*map(self.source, named_numbers(part)))

    def source(self, place: int) -> frozenset[str]:
        if place not in self.rests:
            _, how, *of = self.data["numbers"][place]
            own = {"game"} if how == "play" else set[str]()
            if how == "formula":
                own = {f"{table} {of[0]}" for table in ("printed", "corrected") if self.data[table].get(of[0]) == of[1]}
            below = self.rests_on(self.data["plays"][of[0]]) if how == "play" else frozenset[str]()
            self.rests[place] = frozenset(own) | below | self.rests_on(of)
        return self.rests[place]

    # Steps

    def function(self, region: Region, said: dict[str, Any]) -> list[tuple[Number, Number, Number]]:
        """A function of the hand: where each piece begins and ends, and its polynomial."""
        cuts = [region.number(cut) for cut in said["cuts"]]
        pieces = [region.polynomial(piece) for piece in said["pieces"]]
        need(cuts[0].is_zero() and (cuts[-1] - 1).is_zero(), "a function of the hand is not on [0, 1]")
        return [(a, b, p) for (a, b), p in zip(pairwise(cuts), pieces, strict=True)]

    def step(self, said: dict[str, Any]) -> tuple[str, set[str], str]:
        """Decide a step. Return its line, the printed numbers that it is about, and one that is compared with a formula alone."""
        region = self.region(said.get("region"))
        rests, own, typed = self.rests_on(said), set[str](), ""
        kind = next(key for key in STEPS_SAY if key in said)
        numbers: list[Number] = []
        if kind in ABOUT_PLAYS:
            play, written = self.play(said[kind]), self.data["plays"][said[kind]]
            region, rests = play.region, rests | self.rests_on(written) | {"game"}
            said = {**said, "region": written["region"]}
        self.within(said.get("region"), said)
        match kind:
            case "moves":
                are = {
                    name: [node["player"], [*node["actions"]]]
                    for name, (node, *_) in play.found.items()
                    if "actions" in node
                }
                need(said["are"] == are, f"the moves are {are}, not {said['are']}")
            case "left":
                left = play.left(said["player"], said["hand"], said["without"])
                same = len(left) == len(said["are"]) and all(plan in left for plan in said["are"])
                need(same, f"the plans with {said['hand']} are {left}, not {said['are']}")
            case "higher" | "better":
                numbers = play.whatever(kind, said)
            case "root" | "product":
                numbers = [region.number(said[kind])]
                (self.has_root if kind == "root" else self.is_greatest)(region, numbers[0], said)
            case "dominated":
                play.dominated(said["player"], said["hand"], said)
            case "nash":
                value = play.total(0, best=False)
                gains = play.total(0, best=True) - value, play.total(1, best=True) + value
                for what, number, text in zip(
                    ("value", "gain", "gain"), (value, *gains), (said["value"], *said["gains"]), strict=True
                ):
                    self.same(number, region.number(text), f"a {what} of {self.data['plays'][said['nash']]['game']}")
                    numbers.append(number)
                numbers += play.all_numbers()
            case "short":
                player = said["player"]
                need(player in (0, 1), "nobody is short")
                most = region.number(said["of"])
                gap = most - play.total(0, best=False) * (1 - 2 * player)
                need(gap.is_above(), f"player {player} reaches {most}: what is missing is {gap}")
                numbers += [region.number(player), most, *play.all_numbers()]
            case "equal":
                numbers = [region.number(text) for text in said["equal"]]
                self.same(numbers[0], numbers[1], said.get("name", "the first of two numbers"))
                own, typed = self.named(said, region, numbers[1])
            case "differ":
                numbers = [region.number(text) for text in said["differ"]]
                gap = numbers[0] - numbers[1]
                if said.get("point"):
                    point = {symbol: gap.region.number(text) for symbol, text in said["point"].items()}
                    need(
                        region.contains_point(said["point"]), "the point where two numbers differ is not in the region"
                    )
                    gap = gap.moved(region, point)
                need(not gap.is_zero(), "two numbers do not differ")
                own, typed = self.named(said, region, numbers[1])
            case "rounds":
                numbers = [region.number(text) for text in (*said["rounds"], said["unit"])]
                gap, unit = numbers[0] - numbers[1], numbers[2]
                near = (unit - gap).sign() >= 0 and (unit + gap).sign() >= 0
                what = said.get("name", "a number")
                need(near != said.get("wrong", False), f"{what} is {numbers[0]}, not {numbers[1]}: off by {gap}")
                own, typed = self.named(said, region, numbers[1])
            case "fails":
                numbers = [region.number(said["fails"])]
                need(region.contains_point(said["point"]), "the point where a comparison fails is not in the region")
                there = numbers[0].moved(region, {x: region.number(text) for x, text in said["point"].items()})
                need(not there.is_above(said["is"] == "at least"), f"{there} is {said['is']} 0")
            case "whole":
                answer = region.missed(said["whole"])
                if answer not in SURE:
                    raise Undecided(f"whether whole numbers have {said['whole']}: {answer}")
                need(answer == "unsat", f"not all whole numbers have {said['whole']}")
            case "induction":
                self.induction(region, said)
            case "above" | "at least":
                numbers = [region.number(said[kind])]
                need(numbers[0].is_above(kind == "at least"), f"{numbers[0]} is not {kind} 0 everywhere")
            case "signs" | "rises":
                pieces = self.function(region, said[kind])
                low, high = (region.number(said[end]) for end in ("from", "to"))
                numbers = [low, high, *(number for piece in pieces for number in piece)]
                (self.has_sign if kind == "signs" else self.rises)(pieces, low, high, said.get("sign", 1))
        about = own | set(rests) | self.named_in(said.get("region"))
        more = {key: said[key] for key in SHOWN if said.get(key)}
        if kind in ABOUT_PLAYS and kind not in ("moves", "higher", "better"):
            more["plan"] = self.data["plays"][said[kind]]["strategies"]
        words = [
            " ".join(filter(None, [kind, said.get("name", "")])),
            cut("; ".join(map(str, numbers[: 3 if kind in ABOUT_PLAYS else None]))),
            f"for {' and '.join(region.texts) or 'these numbers'}",
            *([cut(json.dumps(more, ensure_ascii=False))] if more else []),
            f"about {', '.join(sorted(about)) or 'no game'}",
            *(f"in {self.data['plays'][k]['game']}" for k in sorted(self.plays_of(said))),
        ]
        return f"{' | '.join(words)} | {self.pinned(said)}", about, typed

    def induction(self, region: Region, said: dict[str, Any]) -> None:
        """Whether relations hold at first, for all symbols of the region, and after a step if before it."""
        holds, first, then = said["induction"], said["first"], said["then"]
        need(first.keys() == then.keys(), "not the same symbols change at first and in a step")
        solved = dict(text.split(" == ") for text in holds if text.split(" == ")[0] in first and " == " in text)
        before = [spelled(text, solved) for text in holds if text.split(" == ")[0] not in solved]
        told, place = (
            self.region(said["before"]),
            {} if said["region"] is None else self.data["regions"][said["region"]],
        )
        names = self.names(self.data[place["with"]]) if "with" in place else {}
        symbols = [*region.symbols[: -len(OWN)], *(x for x in first if x not in {*region.symbols, *solved})]
        need({*told.symbols[: -len(OWN)]} == {*symbols}, f"a step has the symbols {', '.join(symbols)}")
        there = Region(symbols, [*region.texts, *before], self.ask, self.number, names, region.counts)
        need(there.lies_in(told, {}), "a step is decided for less than what is known before it")
        self.within(said["before"], said["known"])
        now = {name: told.number(text).moved(there, {}) for name, text in said["known"].items()}
        now = {**now, **{symbol: there.number(text, {**solved, **now}) for symbol, text in solved.items()}}
        words = {*re.findall(r"[A-Za-z_]\w*", " ".join(holds))}
        fixed = {x: told.number(text).moved(region, {}) for x, text in said["known"].items() if x in words}
        for where, state, known in ((region, first, fixed), (there, then, now)):
            after = {**known, **{symbol: where.number(text, known) for symbol, text in state.items()}}
            for text in holds:
                for p, relation in where.relations(text, after):
                    sure = all(where.never(p, other) for other in OPPOSITES[relation])
                    need(sure, f"{text} need not hold {'at first' if state is first else 'after a step'}")

    def plays_of(self, part: Any) -> frozenset[int]:
        """The places of the plays that a part of the certificate, such as a step, is made of."""
        found = (
            frozenset(part[kind] for kind in ABOUT_PLAYS if kind in part)
            if isinstance(part, dict)
            else frozenset[int]()
        )
        for place in named_numbers(part):
            _, how, *of = self.data["numbers"][place]
            found |= self.plays_of(of) | (
                frozenset([of[0]]) | self.plays_of(self.data["plays"][of[0]]) if how == "play" else frozenset()
            )
        return found

    def pinned(self, part: Any) -> str:
        """The hash, of 256 bits, of the text of a part of the certificate, and of the numbers, regions and plays that it names."""
        of = part if isinstance(part, dict) else {}
        named = ("region", *ABOUT_PLAYS)  # by their places, which say nothing
        text = json.dumps({key: of[key] for key in of if key not in named} if of else part, ensure_ascii=False)
        for place in sorted({*named_numbers(part)}, reverse=True):
            if place not in self.pins:
                where, how, *made = self.data["numbers"][place]
                if how == "play":
                    made[0] = self.pinned(self.placed(self.data["plays"][made[0]]))
                self.pins[place] = self.pinned([self.limits(self.region(where)), how, *made])
            text = text.replace(f'"#{place}"', f'"{self.pins[place]}"')
        if of:
            plays = [
                [kind, self.pinned(self.placed(self.data["plays"][of[kind]]))] for kind in ABOUT_PLAYS if kind in of
            ]
            text += json.dumps([plays, self.limits(self.region(of.get("region")))], ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def placed(self, said: dict[str, Any]) -> list[Any]:
        """A play with its region in the place of the number of that."""
        return [
            self.limits(self.region(said["region"])),
            {key: value for key, value in said.items() if key != "region"},
        ]

    def named_in(self, place: int | None) -> set[str]:
        """The printed numbers that the conditions of a region name."""
        said = {} if place is None else self.data["regions"][place]
        words = re.findall(r"[A-Za-z_]\w*", " ".join(said.get("conditions", ())))
        return (
            {f"{said['with']} {name}" for name in words if name in self.data[said["with"]]} if "with" in said else set()
        )

    def limited_by(self, text: str) -> bool:
        """Whether a formula stands in the conditions of a region; a number with less than three characters may be there by chance."""
        formula = re.compile(rf"(?<![\w.]){re.escape(text.replace(' ', ''))}(?![\w.])")
        conditions = (condition.replace(" ", "") for said in self.data["regions"] for condition in said["conditions"])
        return len(text) > 2 and any(formula.search(condition) for condition in conditions)

    def named(self, said: dict[str, Any], region: Region, number: Number) -> tuple[set[str], str]:
        """The printed number that a step compares, if the step has its name; again, if it is compared with what no game gives."""
        table, name = "corrected" if said.get("mended") else "printed", said.get("name", "")
        key = f"{table} {name}"
        sides = next(said[kind] for kind in ("equal", "differ", "rounds") if kind in said)
        computed, right = (self.rests_on([text]) for text in sides)
        if name not in self.data[table]:
            return set(), ""
        if key not in right:
            text = self.data[table][name]
            known = self.names(self.data[table])
            symbols = {*region.symbols, *known, "sqrt"}
            if not symbols >= {*re.findall(r"[A-Za-z_]\w*", text)}:
                return set(), ""
            if not (region.number(text, known) - number).is_zero():
                return set(), ""
        return {key}, "" if computed else key

    def same(self, one: Number, other: Number, what: str) -> None:
        gap = one - other
        need(gap.is_zero(), f"{what} is {one}, not {other}: the difference is {gap}")

    def has_sign(self, pieces: list[tuple[Number, Number, Number]], low: Number, high: Number, sign: int) -> None:
        """Whether a function has this sign between two hands, but for single ones."""
        need((high - low).is_above(or_zero=True), "an interval ends before it begins")
        for a, b, p in pieces:
            left, right = self.later(a, low), self.later(high * -1, b * -1) * -1
            if not (right - left).is_above():
                need((left - right).is_above(or_zero=True), f"whether there are hands between {left} and {right}")
                continue
            if sign == 0:
                need(p.is_zero(), f"{p} is not 0")
                continue
            need(p.sign_within(left, right) == sign, f"{p} has not the sign {sign} between {left} and {right}")
            need((p.at((left + right) * Fraction(1, 2)) * sign).is_above(), f"{p} may be 0 between {left} and {right}")

    def rises(self, pieces: list[tuple[Number, Number, Number]], low: Number, high: Number, _: int) -> None:
        """Whether a function never falls on [0, 1], and rises between two hands."""
        for k, (a, b, p) in enumerate(pieces):
            slope = sum(
                (p.coefficient(n) * n * hand_power(p.region, n - 1) for n in range(1, p.degree() + 1)), p.lift(0)
            )
            need(slope.is_zero() or slope.sign_within(a, b) == 1, f"{p} falls with the hand")
            inside = (high - a).is_above() and (b - low).is_above()
            if inside or not ((a - high).is_above(or_zero=True) or (low - b).is_above(or_zero=True)):
                need(slope.at((a + b) * Fraction(1, 2)).is_above(), f"{p} does not rise with the hand")
            if k + 1 < len(pieces):
                jump = pieces[k + 1][2].at(b) - p.at(b)
                need(jump.is_above(or_zero=True), f"it falls by {jump * -1} at {b}")

    def without(self, region: Region, symbol: str, *more: str) -> Region:
        """The region of the other symbols, by the conditions that do not name this one; or with it, and more conditions."""
        need(symbol not in region.counts and not region.amounts, f"{symbol} takes all values, not whole ones alone")
        rest = [text for text in region.texts if not re.search(rf"\b{symbol}\b", text)]
        symbols = [name for name in region.symbols[: -len(OWN)] if more or name != symbol]
        return Region(symbols, [*rest, *more], self.ask, self.number, counts=[x for x in region.counts if x in symbols])

    def has_root(self, region: Region, number: Number, said: dict[str, Any]) -> None:
        """Whether a number of a region that holds all values of a symbol between two is below 0 at the first and above 0 at the second."""
        symbol, (low, high) = said["symbol"], said["between"]
        rest = self.without(region, symbol)
        need((rest.number(high) - rest.number(low)).is_above(), f"{low} is not below {high}")
        whole = self.without(region, symbol, f"{low} <= {symbol}", f"{symbol} <= {high}")
        need(whole.lies_in(region, {}), f"the region does not hold all {symbol} from {low} to {high}")
        first, last = (number.moved(rest, {symbol: rest.number(end)}) for end in (low, high))
        need((first * -1).is_above(), f"{first} is not below 0, where {symbol} = {low}")
        need(last.is_above(), f"{last} is not above 0, where {symbol} = {high}")

    def is_greatest(self, region: Region, number: Number, said: dict[str, Any]) -> None:
        """Whether a number is above 0, and t g'/g falls as the symbol t rises, for all t above 0."""
        symbol = said["symbol"]
        need(
            self.without(region, symbol, f"{symbol} > 0").lies_in(region, {}),
            f"the region does not hold all {symbol} > 0",
        )
        need(number.is_above(), f"{number} is not above 0")
        slope = (region.symbol(symbol) * number.slope(symbol) / number).slope(symbol)
        need((slope * -1).is_above(), f"{symbol} g'/g does not fall for g = {number}: its slope is {slope}")

    def later(self, one: Number, other: Number) -> Number:
        return one if (one - other).sign() >= 0 else other

    # The domain

    def limits(self, region: Region) -> list[Any]:
        texts = [text.replace(" ", "") for text in region.texts]
        return [[*region.symbols[: -len(OWN)]], texts, *(part for part in (region.counts, region.amounts) if part)]

    def scopes(self, scopes: Sequence[Any]) -> Iterator[int]:
        """The places of the regions of a part."""
        for scope in scopes:
            if isinstance(scope, int):
                yield scope
            elif "of" in scope:
                for inner in scope["of"].values():
                    yield from self.scopes(inner)

    def cases(self) -> str:
        """The line that says for what and by what each part was decided, and what was left to an argument."""
        parts: list[Any] = []
        for part, scopes in self.data["parts"].items():
            regions = [self.limits(self.region(place)) for place in self.scopes(scopes)]
            parts.append(
                [
                    part,
                    regions,
                    [scope for scope in scopes if not isinstance(scope, int) and "at" in scope],
                    len(scopes),
                ]
            )
        return json.dumps(["parts", parts, self.schemes(), self.data["unproved"]], ensure_ascii=False)

    def covers(self, domain: Any, known: Mapping[str, str]) -> None:
        """The regions of each part must cover the domain of that part."""
        table = domain if isinstance(domain, dict) else {"": domain}
        wanted = dict(pair for part, conditions in table.items() for pair in members(part, conditions))
        need(
            wanted.keys() == self.data["parts"].keys(),
            f"its parts are {', '.join(self.data['parts']) or 'none'}, not {', '.join(wanted)}",
        )
        for part, conditions in wanted.items():
            scopes = self.data["parts"][part]
            regions = [self.region(place) for place in scopes if isinstance(place, int)]
            if not conditions and len(regions) < max(len(scopes), 1):
                need(bool(scopes), f"nothing is decided for {part or 'the claim'}")
                continue
            need(bool(regions), f"no region covers {part or 'the domain'}")
            for region in regions:
                need(
                    self.was_decided(region), f"no step decides {part or 'the claim'} for {' and '.join(region.texts)}"
                )
            symbols = dict.fromkeys(symbol for region in regions for symbol in region.symbols[: -len(OWN)])
            symbols |= dict.fromkeys(symbols_of(conditions, known))
            whole = Region([*symbols], conditions, self.ask, known=known)
            outside = [
                f"(or {' '.join(f'(not {limit})' for limit in region.smt_conditions)} false)" for region in regions
            ]
            if any(set(region.smt_conditions) <= set(whole.smt_conditions) for region in regions):
                continue
            answer = whole.answer(*outside)
            if answer not in SURE:
                raise Undecided(f"whether the regions of {part or 'the claim'} cover its domain: {answer}")
            need(answer == "unsat", f"the regions of {part or 'the claim'} do not cover {' and '.join(conditions)}")

    def was_decided(self, told: Region) -> bool:
        """Whether each point of a region that a part names is, with some values of the other symbols of a step, in the region of that."""
        steps = [
            region
            for region, _ in self.decided
            if region is not None and not {*region.counts} & {*told.symbols} - {*told.counts}
        ]
        if told in steps:
            return True
        own = {*told.symbols}
        fewer, more = ([step for step in steps if f({*step.symbols})] for f in (own.issuperset, own.issubset))
        for some in (fewer, [*fewer, *more]):
            answer = told.answer(*map(told.without, some))
            if answer == "unsat":
                return True
        if answer not in SURE:
            raise Undecided(f"whether the steps cover {' and '.join(told.texts)}: {answer}")
        return False

    @cached_property
    def decided(self) -> list[tuple[Region | None, str]]:
        """The region and the scheme of each step that shows the claim: not of those that show that the print is wrong."""
        found = list[tuple[Region | None, str]]()
        for step in self.data["steps"]:
            if not step.get("wrong") and step.get("mended", False) == (self.data["verdict"] == "refuted"):
                play = next((self.data["plays"][step[kind]] for kind in ABOUT_PLAYS if kind in step), step)
                scheme = next((scheme for kind, scheme in SCHEMES.items() if kind in step), None)
                region = None if play.get("region") is None else self.region(play["region"])
                found.append((region, scheme or ("values" if "game" in self.rests_on(step) else "numbers")))
        return found

    def schemes(self) -> dict[str, list[str]]:
        """By what each part was decided: the steps for its regions; where none is for one of these, all that have symbols."""
        found = dict[str, list[str]]()
        for part, scopes in self.data["parts"].items():
            if told := [self.region(scope) for scope in scopes if isinstance(scope, int)]:
                same = {scheme for region, scheme in self.decided if region in told}
                found[part] = sorted(same or {scheme for region, scheme in self.decided if region is not None})
        return found


def conditions_by_part(domain: Any, known: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Each part of a domain, with its conditions as `spelled` writes them."""
    for part, conditions in (domain if isinstance(domain, dict) else {"": domain}).items():
        yield part, [spelled(text, known) for text in conditions]


def symbols_of(texts: Sequence[str], known: Mapping[str, str]) -> Iterator[str]:
    """The symbols of some conditions, and of the formulas of what they name."""
    for name in re.findall(r"[A-Za-z_]\w*", " ".join(texts)):
        if name in known:
            yield from symbols_of([known[name]], {k: v for k, v in known.items() if k != name})
        elif name != "sqrt":
            yield name


def named_numbers(part: Any) -> list[int]:
    """The places of the numbers that a part of the certificate names."""
    return [int(text) for text in re.findall(r'"#(\d+)"', json.dumps(part))]


def hand_power(region: Region, power: int) -> Number:
    return reduce(operator.mul, [region.symbol("hand!")] * power, region.number(1))


def members(part: str, conditions: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The parts that a name such as "cards = 3 to 8, play" stands for, with their conditions, in which `cards` is the number."""
    family = re.fullmatch(r"(\w+) = (\d+) to (\d+)( and on)?(, .*)?", part)
    if family is None:
        yield part, list(conditions)
        return
    for k in range(int(family[2]), int(family[3]) + 1):
        yield f"{family[1]} = {k}{family[5] or ''}", [re.sub(rf"\b{family[1]}\b", str(k), text) for text in conditions]


def cut(text: str) -> str:
    """A text as it is, or its beginning if it is long; the hash of the line has all of it."""
    return text if len(text) <= LONG else f"{text[:LONG]}..."


def spelled(text: str, known: Mapping[str, str]) -> str:
    """A condition with the formulas of what it names in their place."""

    class Spell(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            if node.id not in known:
                return node
            inner: ast.AST = self.visit(ast.parse(known[node.id].replace("^", "**"), mode="eval").body)
            return inner

    return ast.unparse(Spell().visit(ast.parse(text.replace("^", "**"), mode="eval")))


FORMS = (
    "nash",
    "equal",
    "always",
    "short",
    "signs",
    "higher",
    "better",
    "induction",
    "whole",
    "deck",
)  # how a claim may be stated as data


class Claims:
    """What each paper claims, and the steps that each claim needs: a second source beside the certificates."""

    def __init__(self, folder: Path) -> None:
        self.entries = dict[str, dict[str, Any]]()
        for file in sorted(folder.glob("*/claims.toml")):
            paper = tomllib.loads(file.read_text(encoding="utf-8"))
            for entry in paper["claim"]:
                entry["rests_on"] = [x if "/" in x else f"{paper['key']}/{x}" for x in entry.get("rests_on", ())]
                entry["games"] = entry.get("games", paper.get("games"))
                entry["domain"] = self.domain(entry.get("domain", []), paper.get("domains", {}))
                argued, texts = entry.get("argument", ""), paper.get("arguments", {})
                entry["argument"] = [argued] if isinstance(argued, str) else [texts.get(x, x) for x in argued]
                self.entries[f"{paper['key']}/{entry['id']}"] = entry
        goals = folder / "goals.txt"
        blocks = goals.read_text(encoding="utf-8").removesuffix("\n").split("\n\n") if goals.exists() else []
        self.steps = {name: Counter(steps) for name, *steps in (block.split("\n    ") for block in blocks if block)}

    def domain(self, domain: Any, shared: Mapping[str, Mapping[str, list[str]]]) -> Any:
        """A domain with the shared parts that it names."""
        if not isinstance(domain, dict):
            return domain
        parts: dict[str, list[str]] = {}
        for name, given in domain.items():
            parts |= (
                {f"{name}, {part}": limits for part, limits in shared[given].items()}
                if isinstance(given, str)
                else {name: given}
            )
        return parts

    def compare(self, data: dict[str, Any]) -> tuple[Any, dict[str, str]]:
        """Compare a certificate with the data of its claim. Return the domain that the claim states, and the numbers that it may name."""
        name = data["claim"]
        need(name in self.entries, f"there is no claim {name}")
        entry = self.entries[name]
        argued = [*entry["argument"], *self.grounds(entry["rests_on"])]
        said = {
            "statement": entry.get("correction") or entry["statement"],
            "printed": entry.get("printed", {}),
            "corrected": entry.get("corrected", {}),
            "verdict": entry["recorded"],
            "argument": " ".join(filter(None, argued)),
            "as data": any(form in entry for form in FORMS),
            "games": entry["games"],
            "about": entry.get("about", "games"),
            "rests on": entry["rests_on"],
            "counts": entry.get("counts", []),
        }
        said |= {"unproved": entry.get("unproved", "")} if said["as data"] else {}
        for key, wanted in said.items():
            need(data[key] == wanted, f"its {key} is {data[key]!r}, not {wanted!r}")
        domain = entry["domain"]
        if not isinstance(domain, dict) and isinstance(data["domain"], dict):
            domain = dict.fromkeys(data["domain"], domain)
        table = "corrected" if entry["recorded"] == "refuted" else "printed"
        names = entry.get(table, {}) if said["as data"] else {}
        wanted, there = ([*conditions_by_part(one, names)] for one in (domain, data["domain"]))
        need(wanted == there, f"its domain is {data['domain']!r}, not {domain!r}")
        return domain, names

    def grounds(self, names: Sequence[str]) -> list[str]:
        """The sentences on the claims that another rests on, if these are not proved without an argument."""
        found = ((name, self.entries[name]["recorded"]) for name in names)
        return [f"It rests on {name}, which is {verdict}." for name, verdict in found if verdict != "proved"]

    def needs(self, name: str, found: Sequence[str]) -> None:
        """The steps must be those of the claim, each as often."""
        wanted, there = self.steps.get(name, Counter[str]()), Counter(found)
        lost, more = (wanted - there).total(), (there - wanted).total()
        first = cut(min(wanted - there, default=""))
        need(
            not lost,
            f"{lost} of the {wanted.total()} steps that the claim needs are not there, or are changed: {first}",
        )
        need(not more, f"{more} steps are not those of this claim: {cut(min(there - wanted, default=''))}")


def decide(data: dict[str, Any], ask: Callable[[str], str], claims: Claims | None = None) -> tuple[str, list[str]]:
    """Decide a certificate: what it shows, and a line for each step: its words and formulas, and a hash of all that it rests on.

    Raises:
        Refused: it is wrong.
        Undecided: a solver is needed, or gives up.
    """
    domain, names = claims.compare(data) if claims else (data["domain"], {})
    argued = re.sub(r"It rests on \S+, which is [^.]*\.", "", data["argument"]).strip()
    need(bool(argued) or not data["unproved"], f"nothing was argued for what its check leaves open: {data['unproved']}")
    need(bool(data["unproved"]) or not argued, "its check leaves nothing open, but something was argued")
    certificate, tied = Certificate(data, ask), set[str]()  # printed numbers in a step that is about a game
    found, about, typed = [certificate.cases()], set[str](), set[str]()
    unsettled: Undecided | None = None
    for step in data["steps"]:
        certificate.unsure = False
        try:
            line, rests, formula = certificate.step(step)
        except Undecided as undecided:  # a later step may be wrong
            unsettled = undecided
            continue
        except Refused as error:
            if not certificate.unsure:
                raise
            unsettled = Undecided(f"the solver gives up on a step, or it is wrong: {error}")
            continue
        found.append(line)
        about |= rests
        typed |= {formula} - {""}
        tied |= rests if "game" in rests else set()
    for scopes in data["parts"].values():
        about |= {name for place in certificate.scopes(scopes) for name in certificate.named_in(place)}
    table = "corrected" if data["verdict"] == "refuted" else "printed"
    if domain:
        certificate.covers(domain, certificate.names(names))
        about |= {f"{table} {name}" for name in re.findall(r"[A-Za-z_]\w*", json.dumps(domain)) if name in names}
    need(data["schemes"] == certificate.schemes(), f"it was decided by {certificate.schemes()}, not {data['schemes']}")
    if unsettled:
        raise unsettled
    if claims:
        claims.needs(data["claim"], found)
    return shown(certificate, about, {key.partition(" ")[2] for key in typed - tied}, table, bool(domain)), found


def shown(certificate: Certificate, about: set[str], typed: set[str], table: str, covered: bool) -> str:
    """What a certificate without faults shows."""
    data, steps = certificate.data, certificate.data["steps"]
    texts = data[table]
    unused = [
        name for name, text in texts.items() if f"{table} {name}" not in about and not certificate.limited_by(text)
    ]
    wrong = any(step.get("wrong") or set(step.get("gains", [])) - {"0"} for step in steps if not step.get("mended"))
    tied = data["as data"] or data["argument"] or data["rests on"]  # by the statement, a person, or another claim
    symbolised = any(step.get("region") is not None for step in steps)
    whys = {
        "no step was recorded": not steps,
        f"{', '.join(unused[:3])}: in no step": bool(unused),
        f"{', '.join(sorted(typed)[:3])}: compared with a formula, not with a game": bool(typed) and not tied,
        "no step is about a game": bool(steps)
        and data["about"] == "games"
        and "game" not in about
        and not data["rests on"],
        "its domain is not stated": not covered and symbolised and data["verdict"].startswith("proved"),
        "what is wrong with the print is not in it": data["verdict"] == "refuted" and not wrong,
        "a search, which only fails to refute it": data["verdict"] == "open",
    }
    why = "; ".join(text for text, holds in whys.items() if holds)
    return f"partially verified: {why}" if why else GIVEN if data["argument"] else DECIDES


DECIDES, GIVEN = "decides the claim", "decides it, given the argument"


def verdict_on(file: Path, ask: Callable[[str], str], claims: Claims | None = None) -> tuple[str, str, list[str]]:
    """The claim of a certificate, what is shown or wrong, and its steps."""
    data, found = {"claim": str(file)}, list[str]()
    try:
        data = {**data, **json.loads(file.read_text(encoding="utf-8"))}
        need(file.stem == data["claim"].rpartition("/")[2], f"the file is for {file.stem}, but holds {data['claim']}")
        said, found = decide(data, ask, claims)
    except Undecided as undecided:
        said = f"undecided: {undecided}"
    except Refused as error:
        said = f"WRONG: {error}"
    except Exception as error:  # a malformed certificate is wrong too
        said = f"WRONG: {type(error).__name__}: {error}"
    return data["claim"], said, found


def grounds_of(files: Sequence[Path]) -> dict[Path, list[str]]:
    """The files, each after those of the claims that it rests on, and these claims.

    Raises:
        CycleError: claims rest on each other.
    """
    grounds, names = dict[Path, list[str]](), dict[str, Path]()
    for file in files:
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            grounds[file], names[data["claim"]] = [str(ground) for ground in data["rests on"]], file
        except (ValueError, KeyError, TypeError, RecursionError):  # `verdict_on` says what is wrong
            grounds[file] = []
    graph = {file: [names[ground] for ground in below if ground in names] for file, below in grounds.items()}
    return {file: grounds[file] for file in TopologicalSorter(graph).static_order()}


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Re-verifies certificates of relance independently; see the top of this file."
    )
    parser.add_argument("paths", nargs="+", type=Path)
    installed = [name for name in ("z3", "cvc5") if find_spec(name)]
    parser.add_argument("--solver", default=next(iter(installed), ""), help="z3, cvc5 or a command (z3 if installed)")
    parser.add_argument("--claims", type=Path, help="the folder relance/claims of the repository, to compare with")
    parser.add_argument("--goals", type=Path, help="write the steps of each claim to this file")
    options = parser.parse_args()
    if missing := next((path for path in options.paths if not path.exists()), None):
        print(f"there is no file or folder {missing}", file=sys.stderr)
        return 2
    claims = Claims(options.claims) if options.claims else None
    if claims and not claims.entries:
        print(f"there are no claims in {options.claims}", file=sys.stderr)
        return 2
    files = [file for path in options.paths for file in (sorted(path.rglob("*.json")) if path.is_dir() else [path])]
    ask, start = solver(options.solver), time.perf_counter()
    counts, steps = (
        dict.fromkeys((DECIDES, GIVEN, "partially verified", "undecided", "WRONG"), 0),
        dict[str, list[str]](),
    )
    try:
        grounds, verdicts = grounds_of(files), dict[str, str]()
    except CycleError as error:
        print(f"claims rest on each other: {', '.join(map(str, error.args[1]))}", file=sys.stderr)
        return 1
    for file, below in grounds.items():
        name, said, found = verdict_on(file, ask, None if options.goals else claims)
        weak = next((x for x in below if verdicts.get(x, DECIDES) not in (DECIDES, GIVEN)), "")
        if weak and said in (DECIDES, GIVEN):
            said = f"partially verified: it rests on {weak}, which is {verdicts[weak]}"
        verdicts[name] = said.partition(":")[0]
        counts[verdicts[name]] += 1
        steps[name] = sorted(found)
        print(name, said, sep=": ", flush=True)
    whole = (
        {name.partition("/")[0] for name in verdicts} if any(path.is_dir() for path in options.paths) else set[str]()
    )
    for name in claims.entries if claims and not options.goals else ():
        if name.partition("/")[0] in whole and name not in verdicts:
            counts["WRONG"] += 1
            print(f"{name}: WRONG: it has no certificate here")
    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    print(f"{len(files)} claims: {told}; {time.perf_counter() - start:.0f} s")
    undone = counts["WRONG"] + counts["undecided"]
    if options.goals:
        known = Claims(options.goals.parent)
        kept = {name: sorted(known.steps[name].elements()) for name in known.entries if name in known.steps}
        steps = kept | steps  # a claim without a certificate keeps its line
        lost = sorted(known.entries.keys() - steps)
        why = f"{undone} certificates are not right" if undone else f"{lost[0]} has no certificate" if lost else ""
        if why or not files:
            print(f"{options.goals} is not written: {why or 'there are no certificates'}", file=sys.stderr)
            return 1
        blocks = ["\n    ".join([name, *found]) for name, found in sorted(steps.items())]
        options.goals.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    return int(bool(undone) or not files)


if __name__ == "__main__":
    sys.exit(main())
