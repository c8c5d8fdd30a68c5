"""Names with arguments, as data."""

from fractions import Fraction

import pytest

from relance.play.call_syntax import parse_call


@pytest.mark.parametrize(
    "text",
    [
        "uniform",
        "perturbed(1/10)",
        "published(alpha=1/3)",
        "mixture(1/2, published(alpha=0), caller)",
        "published(as_printed=True)",
    ],
)
def test_a_call_prints_as_it_is_written(text):
    assert repr(parse_call(f" {text} ")) == text


def test_arguments_are_exact_numbers_truth_values_and_calls():
    call = parse_call("perturbed(0.1, published(as_printed=true), x=-2/3, y=False)")
    assert call.name == "perturbed"
    assert call.positional[0] == Fraction(1, 10)
    assert call.positional[1].keywords == {"as_printed": True}
    assert call.keywords == {"x": Fraction(-2, 3), "y": False}
    assert parse_call("super-bluffer").name == "super_bluffer"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1/2",
        "a b",
        "uniform #.json",
        "f(",
        "f(x=1, x=2)",
        "f(**x)",
        "f(*x)",
        "os.system('ls')",
        "f(lambda: 1)",
        "f([1])",
        "(" * 500 + ")" * 500,
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="cannot be read; write a name such as 'published\\(alpha=1/3\\)'"):
        parse_call(text)
