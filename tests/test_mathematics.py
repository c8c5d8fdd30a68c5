"""Formulas as MathML."""

import re

import pytest
from mathematics import mathml

from relance.envs.catalogue import BLUEPRINTS


def read(text):
    """MathML as a line; nothing stands for a product that is only understood."""
    text = re.sub(
        r"</?(?:math.*?|mrow|mi|mn|mo)>",
        "",
        re.sub("&(\\w+);", r"<\1>", text.replace("&it;", "").replace("&minus;", "-").replace("&sdot;", ".")),
    )
    for tag, sign in (("mfrac", "frac"), ("msup", "sup"), ("msub", "sub")):
        text = text.replace(f"<{tag}>", f"{sign}[").replace(f"</{tag}>", "]")
    return text


@pytest.mark.parametrize(
    ("formula", "drawn"),
    [
        ("(B**2 + 4*B + 2)/((B + 1)*(B + 4))", "frac[sup[B2]+4B+2(B+1)(B+4)]"),
        ("1 - (b1 - mL)", "1-(sub[b1]-mL)"),
        ("a - b + c", "a-b+c"),
        ("-(a + b)*2", "(-(a+b)).2"),
        ("(1 - x)**2", "sup[(1-x)2]"),
        ("alpha3", "sub[<alpha>3]"),
    ],
)
def test_a_formula_keeps_its_meaning(formula, drawn):
    assert read(mathml(formula)) == drawn


def test_every_printed_formula_can_be_drawn(published_game):
    printed, _ = published_game.printed_numbers()
    for text in [
        *printed.formulas(published_game.parameters).values(),
        *BLUEPRINTS[published_game.name].symbols.values(),
    ]:
        if isinstance(text, str):
            assert mathml(text).startswith("<math ")


def test_what_is_no_formula_is_refused():
    with pytest.raises(ValueError, match="is no part of a formula"):
        mathml("f(x)")
