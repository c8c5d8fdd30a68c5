"""What decides a claim: each scheme has false instances, which the prover and the checker of certificates refuse."""

import json

import pytest

import relance
from relance.claims.certificates import certificate
from relance.claims.checks import equal, induction, nash, positive, whole_numbers
from relance.claims.finding import Finding
from relance.claims.ledger import Claim
from relance.claims.proof import region
from relance.claims.trace import Trace
from tools import check_certificates as checker

ASK = checker.solver("z3")
B = region("B", "B > 0")
WHOLE = region("p, q", "p < q")


def game():
    return relance.make("von_neumann", bet=B["B"])


def always_calls():
    """A call with every hand is no best response to a player who bluffs with few."""
    return {**game().published().plan(), "bet": {"call": 1}}


def no_best_response():
    return nash(game(), always_calls(), B)


def another_value():
    return equal({"V": relance.claims.checks.play_value(game(), game().published())}, {"V": B["B"] / 5}, B)


def not_above():
    return positive(B, B["B"] - 1, "a bet is above 1")


def a_step_that_fails():
    return induction(["g > 0"], ["S <= k"], {"S": "0", "k": "0"}, {"S": "S + g", "k": "k + 1"})


def a_beginning_that_fails():
    """0 <= u - 1 is false for u < 1, whatever else is said of what S is."""
    return induction(["u > 0"], ["S >= 0", "S <= u - 1"], {"S": "0"}, {"S": "S"})


def shares_that_do_not_add_up():
    """The sum of p u (p - u) is a third of 1 - p^3 less the cubes of the gaps, not half of it."""
    then = {"S": "S + p*u*(p - u)", "cubes": "cubes + (p - u)**3", "p": "u"}
    return induction(["0 < u < p", "p <= 1"], ["S == (1 - cubes - p**3)/2"], {"S": "0", "cubes": "0", "p": "1"}, then)


def whole_numbers_between():
    return whole_numbers(["p < q"], [["q > p + 1"]])


def told_elsewhere():
    """A bet of 2 or more is told for every bet."""
    return positive(region("B", "B >= 2"), region("B", "B >= 2")["B"] - 1, "above 1").part("", B)


def told_by_a_tied_letter():
    """For a bet below 1 there is no such k, so nothing is decided there."""
    tied = region("B, k", "B > 0", "k > 0", "k == B - 1")
    return positive(tied, tied["B"] - 1, "above 1").part("", B)


def decided_by_nothing():
    return Finding(True, "this is clear", (B,))


FALSE = {
    no_best_response: ({"": ("nash", lambda: (game(), game().profile(always_calls())), B)}, "a gain of"),
    another_value: (
        {"V": ("equal", lambda: (B["B"] / ((B["B"] + 1) * (B["B"] + 4)), B["B"] / 5), B)},
        "the difference is",
    ),
    not_above: ({"": ("above", lambda: (B["B"] - 1,), B)}, "not above 0"),
    whole_numbers_between: ({"": ("whole", lambda: ((("q > p + 1",),),), WHOLE)}, "not all whole numbers"),
    told_elsewhere: (
        {"": ("above", lambda: (region("B", "B >= 2")["B"] - 1,), region("B", "B >= 2"))},
        "no step decides",
    ),
    told_by_a_tied_letter: (
        {"": ("above", lambda: (region("B, k", "B > 0", "k > 0", "k == B - 1")["B"] - 1,), None)},
        "no step decides",
    ),
    decided_by_nothing: ({}, "no step decides"),
}
INDUCTIONS = {
    a_step_that_fails: (
        (["S <= k"], {"S": "0", "k": "0"}, {"S": "S + g", "k": "k + 1"}),
        (["g > 0"], ["S <= k"], "S, k"),
        "after a step",
    ),
    a_beginning_that_fails: (
        (["S >= 0", "S <= u - 1"], {"S": "0"}, {"S": "S"}),
        (["u > 0"], ["S >= 0", "S <= u - 1"], "S"),
        "at first",
    ),
    shares_that_do_not_add_up: (
        (
            ["S == (1 - cubes - p**3)/2"],
            {"S": "0", "cubes": "0", "p": "1"},
            {"S": "S + p*u*(p - u)", "cubes": "cubes + (p - u)**3", "p": "u"},
        ),
        (["0 < u < p", "p <= 1"], [], "cubes"),
        "after a step",
    ),
}


def forged(told, steps):
    """A certificate that says so for a region, with these steps."""
    trace = Trace()
    for name, (kind, of, where) in steps.items():
        trace.add(kind, *of(), where=where, name=name)
    trace.parts = {"": (told,)}
    data = json.loads(json.dumps(certificate("own/false", "", trace, told.conditions, "proved", about="numbers")))
    for step in data["steps"]:
        step |= {"gains": ["0", "0"]} if "gains" in step else {}
    return data


def verdict(check, domain):
    return Claim("one", "1", (), "It is.", lambda n: check(), domain=domain).decide()


@pytest.mark.parametrize("check", [*FALSE, *INDUCTIONS], ids=lambda check: check.__name__)
def test_the_prover_refuses_it(check):
    where = {a_step_that_fails: ["g > 0"], a_beginning_that_fails: ["u > 0"], whole_numbers_between: ["p < q"]}
    where[shares_that_do_not_add_up] = ["0 < u < p", "p <= 1"]
    found, finding = verdict(check, where.get(check, ["B > 0"]))
    assert found in ("failed", "open"), finding
    if check in (told_elsewhere, told_by_a_tied_letter, decided_by_nothing):
        assert finding.evidence == "not decided for the statement: no step is for all B with B > 0"


@pytest.mark.parametrize("check", FALSE, ids=lambda check: check.__name__)
def test_the_checker_refuses_it(check):
    steps, why = FALSE[check]
    with pytest.raises(checker.Refused, match=why):
        checker.decide(forged(WHOLE if check is whole_numbers_between else B, steps) | counted(check), ASK)


def counted(check):
    return {"counts": ["p", "q"]} if check is whole_numbers_between else {}


@pytest.mark.parametrize("check", INDUCTIONS, ids=lambda check: check.__name__)
def test_the_checker_refuses_an_induction_that_is_none(check):
    (holds, first, then), (conditions, before, more), why = INDUCTIONS[check]
    told = region(", ".join(relance.claims.domain.names_in(*conditions)), *conditions)
    known = region(", ".join([*told, more]), *conditions, *before)
    of = (tuple(holds), first, then, {}, known)
    with pytest.raises(checker.Refused, match=f"need not hold {why}"):
        checker.decide(forged(told, {"": ("induction", lambda: (of,), told)}), ASK)


def test_a_true_induction_is_one():
    """The step may use what is known before it; where that is less than is said, it is refused."""
    told, known = region("g", "0 <= g <= 1"), region("g, S, k", "0 <= g <= 1", "S <= k")
    of = (("S <= k",), {"S": "0", "k": "0"}, {"S": "S + g", "k": "k + 1"}, {}, known)
    data = forged(told, {"": ("induction", lambda: (of,), told)})
    assert checker.decide(data, ASK)[0] == checker.DECIDES
    assert data["schemes"] == {"": ["induction"]}
    data["regions"][data["steps"][0]["before"]]["conditions"].append("S <= 0")
    with pytest.raises(checker.Refused, match="for less than what is known before it"):
        checker.decide(data, ASK)


def test_the_schemes_of_a_certificate_are_those_of_its_steps():
    data = forged(B, {"": ("above", lambda: (B["B"],), B)})
    assert (data["schemes"], checker.decide(data, ASK)[0]) == ({"": ["numbers"]}, checker.DECIDES)
    with pytest.raises(checker.Refused, match="it was decided by"):
        checker.decide(data | {"schemes": {"": ["equilibrium"]}}, ASK)


def test_the_letters_that_only_a_step_has_may_be_any_that_exist():
    """For every bet there is a k with k = B + 1, so a step for these is one for all bets."""
    tied = region("B, k", "B > 0", "k > 0", "k == B + 1")
    data = forged(B, {"": ("above", lambda: (tied["k"],), None)})
    assert checker.decide(data, ASK)[0] == checker.DECIDES
    assert verdict(lambda: positive(tied, tied["k"], "above 0").part("", B), ["B > 0"])[0] == "proved"


def test_a_claim_about_a_game_that_is_not_played_is_facts_only():
    data = forged(B, {"": ("above", lambda: (B["B"],), B)}) | {"about": "games"}
    assert checker.decide(data, ASK)[0] == "facts only: no step is about a game"


@pytest.mark.parametrize(
    ("unproved", "argument", "said"),
    [
        ("any number", "It is the same again.", checker.GIVEN),
        ("", "It rests on own/other, which is proved, given the argument.", checker.GIVEN),
        ("any number", "", "nothing was argued for what its check leaves open: any number"),
        ("any number", "It rests on own/other, which is proved, given the argument.", "nothing was argued"),
        ("", "It is the same again.", "leaves nothing open"),
    ],
)
def test_what_a_check_leaves_open_is_argued_and_nothing_else(unproved, argument, said):
    data = forged(B, {"": ("above", lambda: (B["B"],), B)}) | {"unproved": unproved, "argument": argument}
    if said == checker.GIVEN:
        assert checker.decide(data, ASK)[0] == said
        return
    with pytest.raises(checker.Refused, match=said):
        checker.decide(data, ASK)
