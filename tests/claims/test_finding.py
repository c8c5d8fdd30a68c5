"""Findings: what is shown of them, how they were decided, and what becomes of two."""

import pytest

from relance.claims.finding import At, Cases, Finding, joined, listed, spot
from relance.claims.proof import region

pytest.importorskip("z3", reason="needs the extra proof")
EVERYWHERE = region("B", "B > 0")
GAMES = Cases("raises", {1: (EVERYWHERE,), 2: (EVERYWHERE,)})


@pytest.mark.parametrize(
    ("finding", "method", "verdict"),
    [
        (Finding(True, "", (EVERYWHERE,)), "proved", "proved"),
        (Finding(True, "", (EVERYWHERE,)).given("since it is so"), "proved", "proved, given the argument"),
        (Finding(True, "", (At("B = 1"),)), "exact", "exact"),
        (Finding(True, "", (EVERYWHERE, At("B = 1"))), "exact", "exact"),
        (Finding(True, "", (GAMES,)), "exact", "exact"),
        (Finding(True, "", (GAMES,)).given("the others are like these"), "proved", "proved, given the argument"),
        (Finding(True, "", (EVERYWHERE,), tolerance="to 1e-9"), "numeric", "numeric"),
        (Finding(True, "", (EVERYWHERE,), searched=True), "proved", "open"),
        (Finding(True, ""), "exact", "exact"),
    ],
)
def test_how_it_was_decided(finding, method, verdict):
    assert (finding.method, finding.verdict) == (method, verdict)


def test_only_if_keeps_the_counterexample_of_the_one_that_fails():
    good, bad = Finding(True, "it is", (EVERYWHERE,)), Finding(False, "it is not", (At("B = 3"),), point={"B": "3"})
    found = good.only_if(bad)
    assert (found.holds, found.evidence, found.point) == (False, "it is not", {"B": "3"})
    assert found.where == (EVERYWHERE,)
    assert found.domain == f"{EVERYWHERE}; also at B = 3"
    assert good.only_if(False, "no").evidence == "no"
    both = good.only_if(Finding(True, "this too", (At("B = 3"),), argument="so it is", tolerance="to 1e-9"))
    assert (both.holds, both.argument, both.method, both.domain) == (
        True,
        "so it is",
        "numeric",
        f"{EVERYWHERE}; also at B = 3; to 1e-9",
    )


def test_cases_are_those_of_parts_or_of_places():
    one = Finding(True, "", (EVERYWHERE,))
    assert one.cases == {"": (EVERYWHERE,)}
    assert one.part("half").cases == {"half": (EVERYWHERE,)}
    two = Finding(True, "", (EVERYWHERE, At("endgame")))
    assert two.cases == {"B": (EVERYWHERE,), "endgame": (At("endgame"),)}
    assert one.for_each("raises", {1: (EVERYWHERE,)}).cases == {"raises = 1": (EVERYWHERE,)}
    assert joined({"a": (At(1),)}, {"a": (At(1), At(2)), "b": ()}) == {"a": (At(1), At(2)), "b": ()}


def test_texts():
    assert listed({"B": 2, "delta": "1/3"}) == str(spot({"B": 2, "delta": "1/3"})) == "B = 2, delta = 1/3"
    assert str(GAMES) == f"raises = 1, 2; {EVERYWHERE}"
    assert str(Finding(False, "it loses 1/9", (At("B = 2"),))) == "does not hold for B = 2: it loses 1/9"
    assert str(Finding(True, "it wins", (At("B = 2"),))) == "exact for B = 2: it wins"
