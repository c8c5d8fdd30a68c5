"""One check of arguments for all public functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest

from relance.model.arguments import Chance, Count, NaturalNumber, PathName, Positive, Seat, check, checked
from relance.model.numbers import Number


@checked(elsewhere={"old": "another takes it"})
def function(
    whole: Count = 1,
    real: Positive | None = None,
    *,
    seat: Seat = 0,
    chance: Chance = 0.5,
    flag: bool = True,
    mode: Literal["a", "b", "c"] = "a",
    names: tuple[str, str] | None = None,
    many: Sequence[int] = (),
    table: Mapping[str, Any] | None = None,
    tick: Callable[[int], object] = print,
    path: PathName | None = None,
    number: Number | None = None,
    anything: object = None,
) -> object:
    return whole, real


GOOD = [
    {"whole": np.int64(3)}, {"whole": 1e6}, {"real": Fraction(1, 3)}, {"real": np.float32(0.5)}, {"real": None}, {"seat": np.int8(1)},
    {"chance": 0}, {"flag": np.True_}, {"mode": "b"},
    {"names": ["x", "y"]}, {"many": np.arange(3)}, {"many": [1, 2]}, {"table": {"a": ...}},
    {"path": Path("x")}, {"number": "2/3"}, {"number": 0.1}, {"anything": ...},
]  # fmt: skip


@pytest.mark.parametrize("given", GOOD, ids=str)
def test_what_fits_is_taken(given):
    function(**given)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"whole": True}, TypeError, "function: whole=True must be a whole number at least 1"),
        ({"whole": "3"}, TypeError, "whole='3' must be a whole number"),
        ({"whole": 1.5}, ValueError, "whole=1.5 must be a whole number at least 1"),
        ({"whole": float("nan")}, ValueError, "whole=nan must be a whole number"),
        ({"whole": 0}, ValueError, "whole=0 must be a whole number at least 1"),
        ({"real": float("inf")}, ValueError, "real=inf must be a number above 0 or None"),
        ({"real": "x"}, TypeError, "real='x' must be a number above 0 or None"),
        ({"real": np.ones(2)}, TypeError, "must be a number above 0 or None"),
        ({"seat": 2}, ValueError, "seat=2 must be 0 or 1"),
        ({"seat": np.array([0, 1])}, TypeError, "must be 0 or 1"),
        ({"chance": 1.1}, ValueError, "chance=1.1 must be a number between 0 and 1"),
        ({"flag": 5}, TypeError, "flag=5 must be True or False"),
        ({"mode": "d"}, ValueError, "mode='d' must be one of 'a', 'b', 'c'"),
        ({"mode": np.ones(2)}, TypeError, "must be one of 'a', 'b', 'c'"),
        ({"names": 5}, TypeError, "names=5 must be a list of 2: text, text or None"),
        ({"names": ("a", "b", "c")}, TypeError, "names="),
        ({"many": "123"}, TypeError, "many='123' must be a list, each a whole number"),
        ({"many": [1, "x"]}, TypeError, "many="),
        ({"table": 5}, TypeError, "table=5 must be a mapping from text to anything or None"),
        ({"table": {1: 2}}, TypeError, "table="),
        ({"tick": 5}, TypeError, "tick=5 must be a function"),
        ({"path": 5}, TypeError, "path=5 must be the path of a file or None"),
        ({"number": "x"}, ValueError, "number='x' must be an exact number"),
        ({"number": [1]}, TypeError, "number="),
        ({"wholes": 5}, TypeError, "function has no argument 'wholes'; did you mean 'whole'"),
        ({"old": 5}, TypeError, "function has no argument 'old'; another takes it"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_named(given, error, said):
    with pytest.raises(error) as found:
        function(**given)
    assert said in str(found.value)


def test_places_and_needed_arguments():
    @checked
    def needs(first: int, *others: str, **more: float) -> None:
        """Nothing."""

    needs(1, "a", "b", x=1, y=2.5)
    for wrong, said in (
        (lambda: needs(), "needs first, a whole number"),
        (lambda: needs(1, 2), "others=2 must be text"),
        (lambda: needs(1, x="a"), "x='a' must be a number"),
        (lambda: needs(1, first=2), "is given first twice"),
        (lambda: function(1, 2, 3), "function takes at most 2 arguments by place .whole, real., not 3"),
    ):
        with pytest.raises(TypeError, match=said):
            wrong()


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan"), -(10**400)])
def test_a_number_has_the_size_of_a_float_and_a_whole_number_any(value):
    with pytest.raises(ValueError, match="must be a number"):
        check("real", value, float)
    if isinstance(value, int):
        check("whole", value, int)


@pytest.mark.parametrize("kind", [Count, NaturalNumber])
def test_what_is_counted_can_be_told(kind):
    """Python writes no number of more than 4,300 digits, so a log could not hold such a seed."""
    check("n", 10**300, kind)
    with pytest.raises(ValueError, match="must be a whole number at least"):
        check("n", 10**5000, kind)


def test_an_array_has_the_shape_of_its_list():
    check("n", np.ones(3), Sequence[int])
    check("n", np.ones(0), Sequence[int])
    check("n", np.ones((2, 3)), Sequence[Sequence[float]])
    for wrong in (np.ones((2, 3)), np.array(1.0), np.array(["a"])):
        with pytest.raises(TypeError, match="must be a list, each a whole number"):
            check("n", wrong, Sequence[int])


def test_fields_of_a_dataclass():
    @checked
    @dataclass(frozen=True)
    class Settings:
        tries: Count = 1

    class Others(Settings): ...

    assert Settings(2) == Settings(tries=2)
    for kind in (Settings, Others):
        with pytest.raises(ValueError, match=rf"^{kind.__name__}: tries=1.5 must be a whole number at least 1"):
            kind(1.5)
        with pytest.raises(TypeError, match=rf"^{kind.__name__} has no argument 'tires'; did you mean 'tries'"):
            kind(tires=1)


def test_an_array_may_be_of_another_library():
    """PyTorch's and JAX's arrays are no numpy arrays, and have a `dtype` as these do."""
    check("x", SimpleNamespace(dtype="float32"), npt.NDArray[Any])
    check("x", np.zeros(2), npt.NDArray[Any])
    with pytest.raises(TypeError, match=r"x=\[1\] must be an array"):
        check("x", [1], npt.NDArray[Any])
