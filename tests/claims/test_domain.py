"""Whether what was decided covers the domain that a claim states as data."""

import pytest

pytest.importorskip("z3", reason="needs the extra proof")

from relance.claims.checks import each, together
from relance.claims.domain import undecided, with_one_less
from relance.claims.finding import At, Finding
from relance.claims.proof import region


def found(*conditions, names="B"):
    return Finding(True, "so", (region(names, *conditions),))


LOW, HIGH, FROM = found("0 < B", "B < 1"), found("B > 1"), found("B >= 1")


@pytest.mark.parametrize(
    ("finding", "domain", "left"),
    [
        (found("B > 0"), ["B > 0"], ""),
        (found("B > 0"), ["B > 1"], ""),  # more than what is claimed
        (found("B > 1"), ["B > 0"], "B = 1/5"),
        (together([LOW.part(), FROM.part()]), ["B > 0"], ""),
        (together([LOW.part(), HIGH.part()]), ["B > 0"], "B = 1"),
        (together([LOW, FROM]), ["B > 0"], "any part of the domain"),  # may be two facts rather than two cases
        (together([LOW, FROM, found("x > 1", names="x")]), {"B": ["B > 0"], "x": ["x > 1"]}, ""),
        (together([LOW, FROM]), {"B": ["B > 0"], "x": ["x > 1"]}, "x"),
        (together([LOW.part("one"), FROM.part("two")]), {"one": ["B > 0"], "two": ["B > 0"]}, "one, B = 1"),
        (together([LOW.part("one"), FROM.part("two")]), {"one": ["0 < B < 1"], "two": ["B >= 1"]}, ""),
        (LOW.part("one"), {"one": ["0 < B < 1"], "two": ["B >= 1"]}, "two"),
        (together([LOW.part("one"), FROM.part("two")]), {"one": ["0 < B < 1"]}, "two: the domain does not say where"),
        (LOW.part().only_if(FROM.part()), ["B > 0"], ""),
        (found("B > 0", "0 <= x", names="B, x"), ["B > 0"], "B = 1, x = -1"),  # x is not restricted by the claim
        (found("B > 0", "0 <= x <= 1", names="B, x"), ["B > 0", "0 <= x <= 1"], ""),
        (found("B > 0"), ["B > 0", "0 <= x <= 1"], ""),  # true for all x
        (Finding(True, "so", (At("one game"),)), {"": []}, ""),
        (found("B > 0"), {"": []}, "B = 0"),
        (Finding(True, "so", (region("B"),)), {"": []}, ""),
        (found("x*x <= 2", names="x").part(), ["x*x < 2"], ""),
        (together([found("x > y", names="x, y").part(), found("y >= x", names="y, x").part()]), ["x == x"], ""),
    ],
)
def test_what_is_left(finding, domain, left):
    assert undecided(finding, domain) == left


def family(first, last, argument=""):
    return each("n", range(first, last + 1), lambda k: found("B > 0"), "so").given(argument)


@pytest.mark.parametrize(
    ("finding", "part", "left"),
    [
        (family(1, 3), "n = 1 to 3", ""),
        (family(1, 2), "n = 1 to 3", "n = 3"),
        (family(2, 3), "n = 1 to 3", "n = 1"),
        (family(1, 4), "n = 1 to 3", "n = 4: the domain does not say where"),
        (family(1, 1, "Induction."), "n = 1 to 1 and on", ""),
        (family(1, 3, "Induction."), "n = 1 to 3 and on", ""),
        (family(1, 1), "n = 1 to 1 and on", "n = 1 to 1 and on: no argument says so"),
        (family(2, 2, "Induction."), "n = 1 to 2 and on", "n = 1"),
    ],
)
def test_families_by_whole_numbers(finding, part, left):
    assert undecided(finding, {part: ["B > 0"]}) == left


def test_each_family_needs_an_argument_of_its_own():
    """Cases of m are closed by an argument, those of n are not."""
    both = together(
        [each("m", (1,), lambda k: found("B > 0")).given("Induction."), each("n", (1,), lambda k: found("B > 0"))]
    )
    names = {"m = 1 to 1 and on": ["B > 0"], "n = 1 to 1 and on": ["B > 0"]}
    assert undecided(both, names) == "n = 1 to 1 and on: no argument says so"


def test_a_part_without_conditions_needs_a_case():
    assert undecided(Finding(True, "so", parts={"play": ()}), {"play": []}) == "play, all"


def test_one_case_less():
    both = together([LOW.part(), FROM.part()])
    assert [undecided(fewer, ["B > 0"]) for _, fewer in with_one_less(both)] == ["B = 1/5", "B = 1"]
    assert not list(with_one_less(LOW))
    parts = together([LOW.part("one"), FROM.part("two")])
    assert [undecided(fewer, {"one": ["0 < B < 1"], "two": ["B >= 1"]}) for _, fewer in with_one_less(parts)] == [
        "one",
        "two",
    ]


def test_conditions_of_a_family_may_name_its_number():
    bounds = each("n", (1, 2), lambda k: found("B > 0", f"B <= {k}").part("play"), "so")
    assert undecided(bounds, {"n = 1 to 2, play": ["0 < B <= n"]}) == ""
    assert undecided(bounds, {"n = 1 to 2, play": ["0 < B <= n + 1"]}).startswith("n = 1, play, B = ")
    gains = each("n", (1, 2), lambda k: found("gain > 0", f"gain <= {k}", names="gain"), "so")
    assert undecided(gains, {"n = 1 to 2": ["0 < gain <= n"]}) == ""
