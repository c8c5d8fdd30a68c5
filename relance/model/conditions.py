"""Reads conditions on parameters, such as "0 < a <= b", as truth values for numbers or z3 conditions for a prover."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, reduce
from itertools import pairwise
from typing import Any

from relance.model.numbers import MOST_POWER, Number, formula, short

_RELATIONS: dict[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
}


class _Products(ast.NodeTransformer):
    """Rewrites whole powers as products, which every prover understands; powers of powers have one bound, as in `formula`."""

    left_over = MOST_POWER

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        match node:
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int() as power)) if power > 0:
                if power > self.left_over:
                    raise ValueError(
                        f"{short(ast.unparse(node))}: an exponent, or a product of nested exponents, must be at most {MOST_POWER}"
                    )
                before, self.left_over = self.left_over, self.left_over // power
                factor: ast.expr = self.visit(base)
                self.left_over = before
                return reduce(lambda product, one: ast.BinOp(product, ast.Mult(), one), [factor] * power)
        return self.generic_visit(node)


def conditions_of(text: str, symbols: Mapping[str, Number]) -> Iterator[object]:
    """Read a chain of comparisons such as "0 < a <= b", where `symbols` gives a and b.

    Yields:
        For each comparison, a truth value if the symbols are numbers, or a z3 condition if they are z3 reals.

    Raises:
        ValueError: the text is not such a chain.
    """
    for relation, left, right in _comparisons(text, symbols):
        yield _RELATIONS[relation](left, right)


def borders_of(text: str, symbols: Mapping[str, Number]) -> Iterator[Number]:
    """Yield left minus right side of each comparison by <=, >= or == in "0 < a <= b"; raises as `conditions_of`."""
    for relation, left, right in _comparisons(text, symbols):
        if relation in (ast.GtE, ast.LtE, ast.Eq):
            yield left - right


def differences_of(text: str, symbols: Mapping[str, Number]) -> Iterator[tuple[Callable[[Any, Any], object], Number]]:
    """For each comparison in text like "0 < a <= b", yield its relation (`operator.lt`) and left minus right side."""
    for relation, left, right in _comparisons(text, symbols):
        yield _RELATIONS[relation], left - right


def divisors_of(text: str, symbols: Mapping[str, Number]) -> Iterator[Number]:
    """Yield the divisors, unless constant, and the bases of negative powers in a condition such as "1/(a - b) > 0"."""
    for node in ast.walk(ast.parse(text.strip().replace("^", "**"), mode="eval")):
        match node:
            case ast.BinOp(op=ast.Div(), right=divisor) if not isinstance(divisor, ast.Constant):
                yield formula(_side(divisor), symbols)
            case ast.BinOp(left=divisor, op=ast.Pow(), right=ast.UnaryOp(op=ast.USub())):
                yield formula(_side(divisor), symbols)


def _comparisons(text: str, symbols: Mapping[str, Number]) -> Iterator[tuple[type[ast.cmpop], Number, Number]]:
    relations, sides = _chain(text)
    values = (formula(side, symbols) for side in sides)
    yield from ((relation, left, right) for relation, (left, right) in zip(relations, pairwise(values), strict=True))


@lru_cache(maxsize=1000)
def _chain(text: str) -> tuple[tuple[type[ast.cmpop], ...], tuple[str, ...]]:
    """The relations of a chain and the formulas between them. Cached, because a region tries the same chains at many points."""
    try:
        chain = ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        hint = "; equality is written ==" if re.search("(?<![<>=!])=(?!=)", text) else "; write it like '0 < B <= 2'"
        raise ValueError(f"condition {short(text)} cannot be read{hint}") from None
    if not isinstance(chain, ast.Compare):
        raise ValueError(f"condition {text!r} is not a comparison such as 'B > 0'")
    relations = tuple(map(type, chain.ops))
    if not all(relation in _RELATIONS for relation in relations):
        raise ValueError(f"condition {text!r}: only > >= < <= == are allowed")
    try:
        return relations, tuple(map(_side, (chain.left, *chain.comparators)))
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
        raise ValueError(f"condition {short(text)}: {why}") from None


def _side(side: ast.expr) -> str:
    return ast.unparse(_Products().visit(side))
