"""Formulas as MathML, which browsers draw without a script: fractions as fractions, digits of a symbol as its index."""

from __future__ import annotations

import ast
import re
from html import escape

GREEK = ("alpha", "beta", "gamma", "delta", "eta", "xi", "pi", "sigma")

SYMBOL = re.compile(r"([A-Za-z]+?)_?(\d*)")

SUM, PRODUCT, POWER = 1, 2, 3
"""How tightly a part binds."""


def mathml(text: str) -> str:
    """A formula such as `relance.model.numbers.formula` reads, as MathML."""
    drawn, _ = _part(ast.parse(text, mode="eval").body)
    return f'<math displaystyle="true">{drawn}</math>'


def _part(node: ast.expr) -> tuple[str, int]:
    """A part of a formula, and how tightly it binds."""
    match node:
        case ast.Constant(value):
            return f"<mn>{value!s}</mn>", POWER
        case ast.Name(name):
            return _symbol(name), POWER
        case ast.UnaryOp(ast.USub(), inner):
            return f"<mrow><mo>&minus;</mo>{_inside(inner, PRODUCT)}</mrow>", SUM
        case ast.BinOp(left, ast.Div(), right):
            return f"<mfrac>{_inside(left, 0)}{_inside(right, 0)}</mfrac>", PRODUCT
        case ast.BinOp(left, ast.Pow(), right):
            return f"<msup>{_inside(left, POWER)}{_inside(right, 0)}</msup>", PRODUCT
        case ast.BinOp(left, ast.Mult(), right):
            between = "<mo>&sdot;</mo>" if isinstance(right, ast.Constant) else "<mo>&it;</mo>"
            return f"<mrow>{_inside(left, PRODUCT)}{between}{_inside(right, PRODUCT)}</mrow>", PRODUCT
        case ast.BinOp(left, ast.Add() | ast.Sub() as sign, right):
            between = "<mo>+</mo>" if isinstance(sign, ast.Add) else "<mo>&minus;</mo>"
            return f"<mrow>{_inside(left, SUM)}{between}{_inside(right, SUM + isinstance(sign, ast.Sub))}</mrow>", SUM
    raise ValueError(f"{ast.unparse(node)!r} is no part of a formula")


def _inside(node: ast.expr, least: int) -> str:
    """A part as an operand, in brackets if it binds less than `least`."""
    text, tight = _part(node)
    return text if tight >= least else f"<mrow><mo>(</mo>{text}<mo>)</mo></mrow>"


def _symbol(name: str) -> str:
    found = SYMBOL.fullmatch(name)
    stem, index = (found[1], found[2]) if found else (name, "")
    written = f"<mi>{f'&{stem};' if stem in GREEK else escape(stem)}</mi>"
    return f"<msub>{written}<mn>{index}</mn></msub>" if index else written
