"""What decides a claim: each scheme has false instances, which the prover and the checker of certificates refuse."""

import json
from fractions import Fraction

import pytest

import relance
from relance.claims.certificates import certificate
from relance.claims.checks import advantage, equal, nash, positive, rises
from relance.claims.finding import Finding
from relance.claims.ledger import Claim
from relance.claims.proof import ElsewhereError, region
from relance.claims.schemes import better, greatest_product, higher, induction, root, whole_numbers, whole_sizes
from relance.claims.trace import Trace
from relance.model.numbers import DependsOnParametersError, formula
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


def told_by_a_tied_symbol():
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
    told_by_a_tied_symbol: (
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
    if check in (told_elsewhere, told_by_a_tied_symbol, decided_by_nothing):
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


def test_the_symbols_that_only_a_step_has_may_be_any_that_exist():
    """For every bet there is a k with k = B + 1, so a step for these is one for all bets."""
    tied = region("B, k", "B > 0", "k > 0", "k == B + 1")
    data = forged(B, {"": ("above", lambda: (tied["k"],), None)})
    assert checker.decide(data, ASK)[0] == checker.DECIDES
    assert verdict(lambda: positive(tied, tied["k"], "above 0").part("", B), ["B > 0"])[0] == "proved"


def test_a_claim_about_a_game_that_is_not_played_is_facts_only():
    data = forged(B, {"": ("above", lambda: (B["B"],), B)}) | {"about": "games"}
    assert checker.decide(data, ASK)[0] == "partially verified: no step is about a game"


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


SUM = {"first": {"S": "0", "k": "0"}, "then": {"S": "S + 2*k + 1", "k": "k + 1"}}
POWERS = {"first": {"p": "1", "k": "0"}, "then": {"p": "p*(1 + x)", "k": "k + 1"}}


@pytest.mark.parametrize(
    ("holds", "steps", "true"),
    [
        (["S == k**2"], SUM, True),
        (["S == k**2 + 1"], SUM, False),  # each step keeps it, and the beginning breaks it
        (["S == 2*k**2"], SUM, False),  # true at first
        (["S >= k"], SUM, False),  # of the sums it is true, but it does not follow from itself
        (["S >= k", "k >= 0"], SUM, True),
        (["p >= 1 + k*x", "k >= 0"], POWERS, True),  # Bernoulli's inequality
        (["p >= 1 + 2*k*x", "k >= 0"], POWERS, False),
    ],
)
def test_an_induction_needs_its_beginning_and_its_step(holds, steps, true):
    found = induction(["x > 0"], holds, **steps)
    assert found.holds is true
    assert str(found.where[0]) == "all x with x > 0"  # the hypothesis is no condition of what is decided


def test_the_symbols_of_an_induction_have_a_beginning_and_a_step():
    with pytest.raises(ValueError, match="must name the same symbols"):
        induction(["x > 0"], ["S >= 0"], {"S": "0"}, {"k": "k + 1"})


@pytest.mark.parametrize(
    ("conditions", "either", "true"),
    [
        (["p < q"], [["p + 1 <= q"]], True),  # between real numbers it is not so
        (["p < q"], [["p + 2 <= q"]], False),
        (["s > -1"], [["s == 0"], ["s >= 1"]], True),
        (["s > -1"], [["s == 0"], ["s >= 2"]], False),
    ],
)
def test_whole_numbers_have_nothing_between_them(conditions, either, true):
    found = whole_numbers(conditions, either)
    assert found.holds is true
    assert bool(found.point) is not true


def test_sizes_are_whole_or_not_or_nothing_is_said():
    where = region("n", "n >= 2")
    n = where["n"]
    assert whole_sizes(where, [n, 2 * n - 1], ["n"]).holds
    half = whole_sizes(where, [n, n / 2], ["n"])
    assert (half.holds, half.evidence) == (False, "n/2 is not always whole")
    with pytest.raises(ValueError, match="some coefficients are fractions"):
        whole_sizes(where, [n * (n - 1) / 2], ["n"])
    with pytest.raises(ValueError, match="must be a polynomial in the symbols that `counts` lists: none"):
        whole_sizes(where, [n], [])


# --- whatever the other player does -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "node", "action", "over", "when", "true"),
    [
        ("la_relance", "", "bet", "fold", {"bet": "call"}, True),
        ("la_relance", "", "bet", "fold", {"bet": "fold"}, False),  # then all hands win the same
        ("la_relance", "", "fold", "bet", {}, False),
        ("von_neumann", "bet", "call", "fold", {}, True),
        ("von_neumann", "bet", "fold", "call", {}, False),
        # A check wins with the hand too, and a bet may be folded to.
        ("von_neumann", "", "bet", "check", {"bet": "call"}, False),
    ],
)
def test_what_gains_with_the_hand_whatever_the_other_does(game, node, action, over, when, true):
    """For all bets; and at a bet of 2, by what it gains against other strategies, hand by hand."""
    assert higher(relance.make(game, bet=B["B"]), B, node, action, over, when).holds is true
    made, other, found = relance.make(game), "" if node else "bet", []
    for low, high in ((0, 1), (Fraction(1, 3), Fraction(1, 2)), (Fraction(1, 2), 1)):
        play = {other: {when.get(other, "bet" if node else "call"): [(low, high)]}, node: {action: 1}}
        found.append(rises(advantage(made, play, node, action, over), low, high))
    assert all(found) is true


def test_a_gain_that_crosses_0_loses_with_the_worst_hand_and_gains_with_the_best():
    assert higher(relance.make("von_neumann", bet=B["B"]), B, "bet", "call", "fold", {}, crosses=True).holds
    lower = relance.make("bellman_blackwell", low=0, high=B["B"])
    assert higher(lower, B, "low", "call", "fold", {}).holds
    assert not higher(
        lower, B, "low", "call", "fold", {}, crosses=True
    ).holds  # nobody loses more by a call than by a fold


def test_what_never_wins_less():
    def low(bet, over="fold", when=None):
        return better(relance.make("bellman_blackwell", low=bet, high=B["B"] + 1), B, "", "low", over, when or {})

    assert low(0).holds
    assert low(0, when={"low": "call"}).holds is True
    assert not low(B["B"]).holds
    assert not low(0, over="high").holds


def test_answers_must_be_those_of_the_other_player_and_of_independent_hands():
    with pytest.raises(ValueError, match="when={'bet': 'raise'} must be {node: opponent's action} on a path"):
        higher(relance.make("la_relance"), B, "", "bet", "fold", {"bet": "raise"})
    with pytest.raises(
        ValueError,
        match="node 'raise-raise' must be a decision of player 0: no other may act after 'raise' or 'fold' at ''",
    ):
        higher(relance.make("force_in", raises=2), B, "", "raise", "fold", {"raise": "call"})
    for deal in ("fgm:1/2", "cards:3"):
        with pytest.raises(ValueError, match="must have independent hands on"):
            higher(relance.make("la_relance", deal=deal), B, "", "bet", "fold", {"bet": "call"})


def at(text, symbols, *conditions):
    return formula(text, region(symbols, *conditions))


@pytest.mark.parametrize(
    ("text", "conditions", "low", "high", "true"),
    [
        ("x - a", [], "a/2", "2*a", True),
        ("x - a", [], "a", "2*a", False),  # 0 at the end itself
        ("a - x", [], "a/2", "2*a", False),  # falls
        ("x**2 - 2", [], "1", "2", True),  # no fraction is a root
        ("x**2 - a", ["a < 4"], "0", "2", True),
        ("x**2 - a", [], "0", "2", False),
        ("(x - a)/(x + 1)", ["x > 0"], "a/2", "2*a", True),
    ],
)
def test_a_number_that_changes_its_sign_is_0_between(text, conditions, low, high, true):
    assert root(at(text, "a, x", "a > 0", *conditions), "x", low, high).holds is true


def test_a_root_needs_the_whole_way():
    """What is decided for some of the way says nothing of the rest: 1/x changes its sign too, and is nowhere 0."""
    with pytest.raises(DependsOnParametersError, match="the divisor x must have one sign, never 0"):
        at("1/x", "a, x", "a > 0", "x**2 > a")
    with pytest.raises(ElsewhereError, match="computed only for x < 1"):
        root(at("x - a", "a, x", "a > 0", "x < 1"), "x", "a/2", "2*a")
    with pytest.raises(ValueError, match="no point satisfies"):
        root(at("x - a", "a, x", "a > 0"), "x", "2*a", "a/2")


@pytest.mark.parametrize(
    ("text", "true"), [("2*t/(t + 1)", True), ("1/(t + 1)", True), ("t", False), ("t + 1", False), ("t - 1", False)]
)
def test_a_product_that_is_greatest_where_all_factors_are_equal(text, true):
    """Three factors whose symbols have the product 8 tell as well: equal ones, and 1, 2 and 4."""
    assert greatest_product(at(text, "t", "t > 0"), "t").holds is true
    factors = {t: formula(text, {"t": Fraction(t)}) for t in (1, 2, 4)}
    assert (factors[2] ** 3 > factors[1] * factors[2] * factors[4] >= 0) == (true or text == "t - 1")


def test_a_product_is_of_all_factors_above_0():
    with pytest.raises(ElsewhereError, match="computed only for t > 1"):
        greatest_product(at("2*t/(t + 1)", "t", "t > 1"), "t")
