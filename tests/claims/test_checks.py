"""The blocks that checks are made of."""

from fractions import Fraction

import pytest

import relance
from relance.claims.checks import (
    advantage,
    better,
    equal,
    every,
    greatest_product,
    higher,
    induction,
    rises,
    root,
    signs_between,
    together,
    whole_numbers,
    whole_sizes,
)
from relance.claims.proof import ElsewhereError, region
from relance.model.numbers import DependsOnParametersError, formula
from relance.model.piecewise import Piecewise

ONE = Fraction(1)
SQUARE = Piecewise((0 * ONE, ONE), [(0 * ONE, 0 * ONE, ONE)])
HUMP = Piecewise((0 * ONE, ONE), [(0 * ONE, ONE, -ONE)])  # x - x^2: 0 at both ends and positive between them


def test_signs_of_functions_that_are_not_linear():
    """A quadratic may have one sign at both ends and in the middle, and another between."""
    assert signs_between(HUMP, 0, 1) == [1]
    cuts = (Fraction(k, 12) for k in (0, 3, 4, 8, 12))
    assert signs_between(HUMP - Fraction(1, 5), *cuts) == [-1, None, 1, None]
    dip = (SQUARE - 1 * Piecewise.constant(ONE)) * (SQUARE - Fraction(9, 100)) * -1
    assert signs_between(dip, 0, 1) == [None]
    narrow = Piecewise((0 * ONE, ONE), [(-Fraction(1, 4), ONE)]) * Piecewise((0 * ONE, ONE), [(-Fraction(3, 10), ONE)])
    assert all(narrow(x) > 0 for x in (0 * ONE, ONE / 2, ONE))
    assert signs_between(narrow, 0, 1) == [None]
    assert signs_between(narrow + Fraction(1, 1000), 0, 1) == [1]


def test_a_sign_that_stays_undecided_is_an_error():
    third = Piecewise((0 * ONE, ONE), [(-Fraction(1, 3), ONE)])
    with pytest.raises(ArithmeticError, match="of degree 2 is not decided near"):
        signs_between(third * third, 0, 1)


def test_rising_is_asked_of_the_slope_and_wherever_the_interval_lies():
    assert rises(SQUARE, 0 * ONE, ONE)
    assert not rises(HUMP, 0 * ONE, ONE / 4)
    tent = Piecewise((0 * ONE, ONE / 2, ONE), ((0 * ONE, ONE), (ONE, -ONE)))
    assert not rises(tent, 0 * ONE, ONE / 2)  # it falls outside the interval
    assert not rises(Piecewise.constant(ONE), ONE / 4, ONE / 2)  # the interval lies inside a piece that is flat
    steps = Piecewise.steps([(ONE / 2, ONE, ONE)])
    assert rises(steps, ONE / 2, ONE / 2)
    assert not rises(steps * -1, ONE / 2, ONE / 2)


def test_signs_hold_for_all_parameters():
    where = region("s", "0 < s < 1")
    bent = HUMP * where["s"]
    assert signs_between(bent, 0, 1) == [1]
    assert signs_between(-bent, 0, where["s"], 1) == [-1, -1]


def test_nothing_is_decided_by_looking_at_nothing():
    for look in (lambda: together([]), lambda: every([], "all of none"), lambda: equal({"x": ONE}, {})):
        with pytest.raises(ValueError, match="nothing is decided"):
            look()


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


def test_the_letters_of_an_induction_have_a_beginning_and_a_step():
    with pytest.raises(ValueError, match="must name the same letters"):
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
    with pytest.raises(ValueError, match="must have whole coefficients"):
        whole_sizes(where, [n * (n - 1) / 2], ["n"])
    with pytest.raises(ValueError, match="`counts` lists no letter"):
        whole_sizes(where, [n], [])


# --- whatever the other player does -------------------------------------------------------------------------------------

B = region("B", "B > 0")


@pytest.mark.parametrize(
    ("game", "node", "action", "over", "when", "true"),
    [
        ("la_relance", "", "bet", "fold", {"bet": "call"}, True),
        ("la_relance", "", "bet", "fold", {"bet": "fold"}, False),  # then all hands win the same
        ("la_relance", "", "fold", "bet", {}, False),
        ("von_neumann", "bet", "call", "fold", {}, True),
        ("von_neumann", "bet", "fold", "call", {}, False),
        (
            "von_neumann",
            "",
            "bet",
            "check",
            {"bet": "call"},
            False,
        ),  # a check wins with the hand too, and a bet may be folded to
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
    with pytest.raises(ValueError, match="nobody can play {'bet': 'raise'} after bet at ''"):
        higher(relance.make("la_relance"), B, "", "bet", "fold", {"bet": "raise"})
    with pytest.raises(ValueError, match="only the other player may act, not as at 'raise-raise'"):
        higher(relance.make("force_in", raises=2), B, "", "raise", "fold", {"raise": "call"})
    for deal in ("fgm:1/2", "cards:3"):
        with pytest.raises(ValueError, match="take independent hands on"):
            higher(relance.make("la_relance", deal=deal), B, "", "bet", "fold", {"bet": "call"})


def at(text, letters, *conditions):
    return formula(text, region(letters, *conditions))


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
    with pytest.raises(DependsOnParametersError, match="the divisor x vanishes"):
        at("1/x", "a, x", "a > 0", "x**2 > a")
    with pytest.raises(ElsewhereError, match="x < 1 was used"):
        root(at("x - a", "a, x", "a > 0", "x < 1"), "x", "a/2", "2*a")
    with pytest.raises(ValueError, match="no point satisfies"):
        root(at("x - a", "a, x", "a > 0"), "x", "2*a", "a/2")


@pytest.mark.parametrize(
    ("text", "true"), [("2*t/(t + 1)", True), ("1/(t + 1)", True), ("t", False), ("t + 1", False), ("t - 1", False)]
)
def test_a_product_that_is_greatest_where_all_factors_are_equal(text, true):
    """Three factors whose letters have the product 8 tell as well: equal ones, and 1, 2 and 4."""
    assert greatest_product(at(text, "t", "t > 0"), "t").holds is true
    factors = {t: formula(text, {"t": Fraction(t)}) for t in (1, 2, 4)}
    assert (factors[2] ** 3 > factors[1] * factors[2] * factors[4] >= 0) == (true or text == "t - 1")


def test_a_product_is_of_all_factors_above_0():
    with pytest.raises(ElsewhereError, match="t > 1 was used"):
        greatest_product(at("2*t/(t + 1)", "t", "t > 1"), "t")
