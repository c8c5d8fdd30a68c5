"""Profiles with symbols, in Coq: definitions in the symbols, and proofs in which certificates show the signs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import lcm
from typing import TypeAlias

from relance.claims.coq.plays import FiniteHands, NotWrittenError, Play
from relance.claims.coq.positivity import Known, Powers, is_strict, sign_certificate
from relance.claims.coq.terms import decisions, definitions, list_in_coq
from relance.claims.proof import Region, region
from relance.claims.symbolic import Polynomial, Symbolic
from relance.model.numbers import Number, formula
from relance.model.tree import Decision, Leaf, Node


def whole_in_coq(number: int) -> str:
    """The text in Coq of a whole number that is at least 0."""
    return str(number) if number in (0, 1) else f"whole {number}"


def term(coefficient: int, factors: Sequence[str]) -> str:
    """The product of a coefficient above 0 and factors, as text in Coq."""
    return " * ".join([*([whole_in_coq(coefficient)] if coefficient != 1 or not factors else []), *factors])


def polynomial_in_coq(polynomial: Polynomial) -> str:
    """The text in Coq of a polynomial with whole coefficients, multiplied out."""
    names = polynomial.context().names()
    text = ""
    for powers, coefficient in polynomial.terms():
        number = int(coefficient.p)
        factors = [name for name, power in zip(names, powers, strict=True) for _ in range(power)]
        sign = (" - " if text else "- ") if number < 0 else (" + " if text else "")
        text += f"{sign}{term(abs(number), factors)}" if text or number > 0 else f"- ({term(-number, factors)})"
    return text or "0"


def cleared(polynomial: Polynomial) -> tuple[int, Polynomial]:
    """The least whole number that makes a polynomial's coefficients whole, and the polynomial times this number."""
    scale = lcm(*(int(c.q) for c in polynomial.coeffs()))
    return scale, polynomial * scale


class SignedLetters:
    """The symbols of a profile, what is known of their signs, and how numbers in them are written in Coq.

    Attributes:
        hypotheses: the conditions on the symbols, in Coq.
        proofs: the proofs in Coq of the known signs, in order.
    """

    def __init__(self, play: Play) -> None:
        same = dict(_equations(play.conditions))
        names = [name for name in play.symbols if name not in same]
        conditions = [_renamed(text, same) for text in play.conditions if "==" not in text]
        self.where: Region = region(", ".join(names), *conditions)
        self.symbols: dict[str, Number] = {**self.where, **{name: self.where[other] for name, other in same.items()}}
        self.hypotheses: list[str] = []
        self.proofs: list[str] = []
        self.known: list[Known] = []
        self._texts: list[str] = []
        self._factors: dict[str, str] = {}
        gaps = [(strict, self.number(a), self.number(b)) for text in conditions for strict, a, b in _comparisons(text)]
        # First those that divide by nothing, whose signs others need.
        for i, gap in sorted(enumerate(gaps), key=lambda one: not (one[1][2] - one[1][1]).bottom.is_constant()):
            self._know(i, *gap)
        self.hypotheses = [
            f"h{i} : {self.shown(a)} {'<' if strict else '<='} {self.shown(b)}" for i, (strict, a, b) in enumerate(gaps)
        ]

    def number(self, number: object) -> Symbolic:
        """A number, or the text of a formula, as a rational function of these symbols."""
        return 0 * next(iter(self.where.values())) + formula(str(number).replace("^", "**"), self.symbols)

    def show(self, number: object) -> str:
        """The text in Coq of a number or formula."""
        return self.shown(self.number(number))

    def shown(self, number: Symbolic) -> str:
        """The text in Coq of a rational function."""
        top, bottom = self._ratio(number)
        return bracketed(top) if bottom == "1" else f"({bracketed(top)} / ({bottom}))"

    def at_least_zero(self, number: Symbolic) -> tuple[str, str]:
        """A numerator and a denominator in Coq, sums of products that are at least 0, whose ratio is the number.

        Raises:
            NotWrittenError: no certificate was found.
        """
        top, below = self._split(number)
        if not top:
            return "0", "1"
        constant, factors = top.factor()
        above, sign = list[str](), 1 if constant > 0 else -1
        for factor, power in factors:
            scale, polynomial = cleared(factor)
            constant = constant / scale ** int(power)
            found = sign_certificate(polynomial, self.known)
            if found is None:
                sign = sign * (-1) ** int(power)
                found = sign_certificate(-polynomial, self.known)
            if found is None:
                raise NotWrittenError(f"no certificate was found for the sign of {polynomial}")
            above += [f"({self._sum(found.total)})"] * int(power)
            below += [f"({self._sum(found.factor)})"] * int(power)
        if sign < 0:
            raise NotWrittenError(f"{top} is not shown to be at least 0")
        ratio = abs(Fraction(str(constant)))
        return term(ratio.numerator, above), term(ratio.denominator, [one for one in below if one != "(1)"])

    def _know(self, i: int, strict: bool, a: Symbolic, b: Symbolic) -> None:
        """Derive from hypothesis i, `a < b` or `a <= b`, a polynomial that is positive or at least 0."""
        top, factors = self._split(b - a)
        scale, top = cleared(top)
        text, kind = polynomial_in_coq(top), "positive" if strict else "least"
        self.known.append(Known(top, strict))
        self._texts.append(bracketed(text))
        if not (text.isidentifier() and a == 0):
            bottom = term(scale, factors)
            gap = f"({self.shown(b)} - {self.shown(a)}) * ({bottom})"
            times = f"apply times_positive; [ apply minus_positive, h{i} | positive ]"
            if not strict:
                times = f"apply le_times; [ apply minus_least, h{i} | least ]"
            self.proofs.append(
                f"assert (g{i} : 0 {'<' if strict else '<='} {text}) by\n    (apply ({kind}_as K ({gap})); "
                f"[ {times} | equal ])."
            )

    def _split(self, number: Symbolic) -> tuple[Polynomial, list[str]]:
        """A numerator, and the factors of the denominator in Coq, all of which are known to be positive."""
        constant, factors = number.bottom.factor()
        top, texts = number.top / constant, list[str]()
        for factor, power in factors:
            sign = self.where.strict_sign(factor)
            scale, whole_factor = cleared(sign * factor)
            top = top * (sign * scale) ** int(power)
            texts += [self._factor(whole_factor)] * int(power)
        return top, texts

    def _ratio(self, number: Symbolic) -> tuple[str, str]:
        top, factors = self._split(number)
        scale, top = cleared(top)
        return polynomial_in_coq(top), term(scale, factors)

    def _factor(self, factor: Polynomial) -> str:
        """A factor of a denominator in Coq; its sign is proved once."""
        text = polynomial_in_coq(factor)
        if text not in self._factors:
            self._factors[text] = bracketed(text)
            if not any(item.strict and item.polynomial == factor for item in self.known):
                found = sign_certificate(factor, self.known, strict=True)
                if found is None:
                    raise NotWrittenError(f"no certificate was found for {factor} > 0")
                sums = f"({self._sum(found.factor)}) ({self._sum(found.total)})"
                self.proofs.append(
                    f"assert (d{len(self._factors)} : 0 < {text}) by\n    (apply (positive_by K {sums}); "
                    "[ positive | positive | ring ])."
                )
                self.known.append(Known(factor, True))
                self._texts.append(bracketed(text))
        return self._factors[text]

    def _sum(self, coefficients: Mapping[Powers, int]) -> str:
        """A sum of products in Coq, a positive one first if there is one."""
        ordered = sorted(coefficients, key=lambda powers: not is_strict(powers, self.known))
        return " + ".join(
            term(
                coefficients[powers],
                [text for text, power in zip(self._texts, powers, strict=False) for _ in range(power)],
            )
            for powers in ordered
        )


def bracketed(text: str) -> str:
    """Return a text in Coq, in brackets unless it is a single name, 0 or 1."""
    return text if text.isidentifier() or text in ("0", "1") else f"({text})"


def _equations(conditions: Sequence[str]) -> Iterator[tuple[str, str]]:
    for text in conditions:
        if "==" in text:
            left, right = (side.strip() for side in text.split("=="))
            if not (left.isidentifier() and right.isidentifier()):
                raise NotWrittenError(f"the condition {text} is no equation of two symbols")
            yield left, right


def _renamed(text: str, same: Mapping[str, str]) -> str:
    for name, other in same.items():
        text = re.sub(rf"\b{name}\b", other, text)
    return text


def _comparisons(text: str) -> Iterator[tuple[bool, str, str]]:
    """The comparisons of a condition: whether strict, the smaller and the larger side."""
    chain = ast.parse(text.strip(), mode="eval").body
    assert isinstance(chain, ast.Compare)
    for relation, (left, right) in zip(chain.ops, pairwise([chain.left, *chain.comparators]), strict=True):
        strict, smaller, larger = isinstance(relation, (ast.Gt, ast.Lt)), ast.unparse(left), ast.unparse(right)
        if isinstance(relation, (ast.Gt, ast.GtE)):
            smaller, larger = larger, smaller
        yield strict, smaller, larger


LetterRow: TypeAlias = tuple[Symbolic, Symbolic, int]
"""A hand of the opponent: its weight, the edge of player 0 against or with it, and its index."""


class _Proof:
    """The lines of Coq that show one goal after the other."""

    def __init__(self, play: Play, symbols: SignedLetters) -> None:
        self.play, self.symbols, self.lines = play, symbols, list[str]()
        self.plans = {name: [list(map(symbols.number, row)) for row in rows] for name, rows in play.strategies.items()}

    def at_least_zero(self, number: Symbolic) -> None:
        top, bottom = self.symbols.at_least_zero(number)
        self.lines.append("tie." if top == "0" else f"gap ({top}) ({bottom}).")

    def equal(self) -> None:
        self.lines.append("equal.")

    def lawful(self, player: int, hands: int) -> None:
        """Show that the probabilities of a strategy are at least 0 and sum to 1."""
        for hand in range(hands):
            for name, *_ in decisions(self.play.tree, player):
                for probability in self.plans[name][hand]:
                    self.at_least_zero(probability)
                self.equal()

    def bounds(self, player: int, rows_of_hands: Iterable[Sequence[LetterRow]]) -> list[Symbolic]:
        """For each hand the largest value of a pure plan; adds the lines that show that no plan has a larger value."""
        found = []
        for rows in rows_of_hands:
            values = self._options("", self.play.tree.root, player, rows)
            most = self._largest(values)
            found.append(most)
            for number in values:
                self.at_least_zero(most - number)
        return found

    def _largest(self, values: Sequence[Symbolic]) -> Symbolic:
        left = list({str(number): number for number in values}.values())
        for point in self.symbols.where.each_sample() if len(left) > 1 else ():
            at = [number.at(dict(zip(self.symbols.where.names, point, strict=True))) for number in left]
            left = [number for number, here in zip(left, at, strict=True) if here == max(at)]
        return left[0]

    def _options(self, name: str, node: Node, me: int, rows: Sequence[LetterRow]) -> list[Symbolic]:
        """The values of all pure plans, in the order of `options` in Relance.v."""
        if isinstance(node, Leaf):
            pays, stake = self.symbols.number(node.constant), self.symbols.number(node.stake)
            return [sum((weight * (pays + stake * edge) for weight, edge, _ in rows), pays * 0)]
        assert isinstance(node, Decision)  # `written_play` refuses trees with events
        found = []
        for i, (action, child) in enumerate(node.by_action(node.children).items()):
            plans = None if node.player == me else self.plans[name]
            here = rows if plans is None else [(weight * plans[hand][i], edge, hand) for weight, edge, hand in rows]
            found.append(self._options(f"{name}-{action}" if name else action, child, me, here))
        if node.player == me:
            return [number for numbers in found for number in numbers]
        return [sum(numbers[1:], numbers[0]) for numbers in product(*found)]


def with_symbols(play: Play) -> list[str]:
    """The lines of Coq that define a profile with symbols and prove that it is an equilibrium.

    Raises:
        NotWrittenError: no certificate was found for a sign.
    """
    symbols = SignedLetters(play)
    proof, number = _Proof(play, symbols), symbols.number
    if isinstance(play.hands, FiniteHands):
        joint, edge = ([list(map(number, row)) for row in table] for table in (play.hands.joint, play.hands.edge))
        hands = range(len(joint)), range(len(joint[0]))
        for probability in (p for row in joint for p in row):
            proof.at_least_zero(probability)
        proof.equal()
        proof.lawful(0, len(joint))
        proof.lawful(1, len(joint[0]))
        first = proof.bounds(0, ([(joint[i][j], edge[i][j], j) for j in hands[1]] for i in hands[0]))
        second = proof.bounds(1, ([(-joint[i][j], edge[i][j], i) for i in hands[0]] for j in hands[1]))
        bounds, deal = [first, second], f"{len(joint)} {len(joint[0])} probability wins"
        statement, theorem = f"equilibrium betting (dealing K {deal})", "equilibrium_by_options"
    else:
        both = [list(map(number, masses)) for masses in play.hands.masses]
        many = len(both[0])
        for mass in (*both[0], *both[1]):
            proof.at_least_zero(mass)
        proof.equal()
        proof.equal()
        proof.lawful(0, many)
        proof.lawful(1, many)
        one = number(1)
        bounds = [proof.bounds(me, _ends(me, end, both)) for me in (0, 1) for end in (-one, one)]
        deal = f"{many} mass0 mass1"
        statement, theorem = f"equilibrium_on_interval betting {deal}", "equilibrium_on_interval_by_options"
    proof.equal()
    proof.equal()
    lists = "\n    ".join(f"(fun hand => nth hand {list_in_coq(map(symbols.shown, bound))} 0)" for bound in bounds)
    shown = definitions(play, "K", symbols.show, "higher")
    return [
        "Section Symbols.",
        "Variable K : ordered_field.",
        "Local Open Scope number_scope.",
        "Add Field numbers : (is_field K) (constants [whole_constant]).",
        f"Variables {' '.join(symbols.where.names)} : K.",
        *(f"Hypothesis {text}." for text in symbols.hypotheses),
        *shown,
        f"Theorem holds : {statement} player0 player1 worth.",
        "Proof.",
        *(f"  {line}" for line in symbols.proofs),
        f"  apply ({theorem} K betting {deal} player0 player1\n    {lists}); compute_numbers; parts.",
        *(f"  {line}" for line in proof.lines),
        "Qed.",
        "End Symbols.",
    ]


def _ends(me: int, end: Symbolic, masses: Sequence[Sequence[Symbolic]]) -> Iterator[list[LetterRow]]:
    """For each cell of a player the cells that it may meet, as `met` in Relance.v; against its own cell it wins or loses all."""
    one, cells = end * end, range(len(masses[0]))
    for k in cells:
        weights = [(1 - 2 * me) * masses[me][k] * mass for mass in masses[1 - me]]
        yield [(weights[j], end if j == k else one if (k > j) == (me == 0) else -one, j) for j in cells]
