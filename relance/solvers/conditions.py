"""Reads conditions on parameters, such as "0 < a <= b", either for the prover or to evaluate them on numbers."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import pairwise

from relance.model.numbers import Number, formula

_RELATIONS: dict[type[ast.cmpop], Callable[[Number, Number], object]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
}


class _Products(ast.NodeTransformer):
    """Rewrites whole powers as products, which every prover understands."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        match self.generic_visit(node):
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int() as power)) if power > 0:
                return reduce(lambda product, factor: ast.BinOp(product, ast.Mult(), factor), [base] * power)
        return node


def conditions_of(text: str, letters: Mapping[str, Number]) -> Iterator[object]:
    """Read a chain of comparisons such as "0 < a <= b".

    Yields:
        For each comparison a truth value if the letters are numbers, or a z3 condition if they are z3 reals.

    Raises:
        ValueError: if the text is not such a chain.
    """
    try:
        chain = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise ValueError(f"condition {text!r} cannot be read") from None
    if not isinstance(chain, ast.Compare):
        raise ValueError(f"condition {text!r} is not a comparison such as 'B > 0'")
    sides = [formula(ast.unparse(_Products().visit(side)), letters) for side in (chain.left, *chain.comparators)]
    for relation, (left, right) in zip(chain.ops, pairwise(sides), strict=True):
        if type(relation) not in _RELATIONS:
            raise ValueError(f"condition {text!r}: only > >= < <= == are allowed")
        yield _RELATIONS[type(relation)](left, right)
