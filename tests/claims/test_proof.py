from fractions import Fraction

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

import relance
from relance.claims.cover import Cover
from relance.claims.proof import Region, UndecidedError, _signs, _simple_points, obligations, region
from relance.model.numbers import DependsOnParametersError, formula
from relance.model.profile_file import write_profile
from relance.solvers.exact import falls_short

F = Fraction


def test_regions_are_checked():
    with pytest.raises(ValueError, match="no point satisfies B > 0 and B < 0$"):
        Region("B", "B > 0", "B < 0")
    with pytest.raises(ValueError, match="divide by 0"):
        Region("B, x", "B >= 0", "x > 1/B")
    assert Region("B, x", "B > 0", "x > 1/B")["x"] > 0
    for bad in ("B", "B >", "B != 0"):
        with pytest.raises(ValueError, match="condition|formula"):
            Region("B", bad)


def blind(names, *conditions):
    """A region that tries no points before it asks the prover."""
    R = Region(names, *conditions)
    vars(R).update(_simple=[], _on_borders=[])
    return R


def unaided(names, *conditions):
    """A region that leaves every comparison to the prover."""
    R = blind(names, *conditions)
    vars(R).update(_cover=Cover(R.ring, []))
    return R


EITHER = pytest.mark.parametrize("kind", [Region, blind, unaided])


@EITHER
@pytest.mark.parametrize(
    ("names", "conditions", "number", "positive", "at_least_zero"),
    [
        ("x", ["x > 0"], "x", True, True),
        ("x", ["x >= 0"], "x", None, True),
        ("x", ["x >= 0"], "x + 1/1000", True, True),
        ("x", ["x >= 0"], "x - 1/1000", None, None),
        ("x", ["x >= 0"], "-x", False, None),
        ("x", ["x > 0"], "-x", False, False),
        ("x", ["x <= 1"], "1 - x", None, True),
        ("x", ["x < 1"], "1 - x", True, True),
        ("x", ["x > 0"], "(x - 1)**2", None, True),
        ("x", ["x > 0"], "(x**2 - 2)**2", None, True),  # it is 0 at no fraction
        ("x", ["x > 0"], "(x**2 - 2)**2 + 1/1000", True, True),
        ("x", ["x > 0"], "-(x**2 - 2)**2", False, None),
        ("A, B", ["A > 0"], "A + B", None, None),
        ("A, B", ["A > 0", "B >= 0"], "A + B", True, True),
        ("A, B", ["A >= 0", "B >= 0"], "A + B", None, True),
        ("A, B", ["A > 0", "B > 0"], "-A - B", False, False),
        ("A, B", ["A > 0", "B > 0"], "A - B/1000", None, None),
        ("A, B", ["A >= 0", "B > 0"], "-A - B", False, False),
        ("A, B", ["A >= 0", "B > 0"], "-A*B - B", False, False),
        ("A, B", ["A >= 0", "B > 0"], "-A*B", False, None),
        ("A, B", ["A >= 0", "B > 0"], "A/1000 - A*B - B", None, None),
        ("A, B", ["A >= 0", "B > 0", "A <= 1"], "A - 1", False, None),
        ("x", ["-1 < x < 1"], "x/(x**2 + 1)", None, None),
        ("x", ["x < 0"], "1/x", False, False),  # the sign of a divisor counts
        ("x", ["x <= -1"], "(x + 1)/x", None, True),
    ],
)
def test_near_misses(kind, names, conditions, number, positive, at_least_zero):
    """Whether it is > 0 and whether it is >= 0: everywhere (True), nowhere (False), or only at some points (None)."""
    R = kind(names, *conditions)
    number = formula(number, R)
    for relation, answer in ((">", positive), (">=", at_least_zero)):
        if answer is None:
            with pytest.raises(DependsOnParametersError):
                R.always(number, relation)
        else:
            assert R.always(number, relation) is answer


@EITHER
def test_the_larger_of_two_numbers_may_equal_the_other(kind):
    R = kind("x", "x >= 0")
    x = R["x"]
    assert x.at_least_zero()
    assert not (-x).at_least_zero()
    assert (x * 0).at_least_zero()
    assert abs(-x) == x
    with pytest.raises(DependsOnParametersError, match="sign"):
        (x - 1).at_least_zero()


@EITHER
@pytest.mark.parametrize(
    ("condition", "divisor", "vanishes"),
    [
        ("x >= 0", "x", True),
        ("x > 0", "x", False),
        ("x <= 1", "1 - x", True),
        ("x < 1", "1 - x", False),
        ("x > 0", "x**2 - 2", True),
        ("x > 2", "x**2 - 2", False),
        ("x > 0", "(x - 1)**2", True),
        ("x > -1", "x**2 + 1", False),
        ("-1 < x < 1", "x", True),
    ],
)
def test_a_divisor_must_vanish_nowhere(kind, condition, divisor, vanishes):
    """Even if it cancels: x/x is not 1 where x may be 0."""
    R = kind("x", condition)
    d = formula(divisor, R)
    for number in (R["x"] + 5, d, d * (R["x"] + 1), d * 0):
        for divide in (lambda number: number / d, lambda number: number * d**-1, lambda number: (number / 3) / (d / 3)):
            if vanishes:
                with pytest.raises(DependsOnParametersError, match="divisor"):
                    divide(number)
            else:
                assert divide(number) * d == number


def test_different_functions_are_not_equal():
    R = region("B", "B > 0")
    B = R["B"]
    one, other = B / (B + 1), B / (B + 2)
    assert one != other
    assert B / (B + 1) != (B + 1) / (B + 2)
    assert (B + 1) / (B + 2) != (B + 1) / (B + 3)
    assert B / 2 != B / 3
    assert 1 / B != 1
    assert 1 / B != 1 / B**2
    assert B != 0
    assert one == (B * B + B) / (B + 1) ** 2 == 1 / (1 + 1 / B)
    assert hash(one) == hash((B * B + B) / (B + 1) ** 2)
    assert {one: "one", other: "other"}[1 - 1 / (B + 1)] == "one"
    assert B / B == 1
    assert hash(B / B) == hash(1)
    assert hash(B / (3 * B)) == hash(F(1, 3))
    assert one
    assert not one - one
    assert B**-2 == 1 / (B * B)


@pytest.mark.parametrize("conditions", [["y == x**2", "x > 0"], ["x > 0", "y <= x**2", "x*x <= y"]])
def test_on_a_curve_different_functions_may_be_equal(conditions):
    R = Region("x, y", *conditions)
    x, y = R["x"], R["y"]
    assert x * x == y == (x**3 + 2 * y) / (x + 2)
    assert x * x - y == 0
    assert not x * x - y
    assert len({x * x, y}) == 1
    assert x != y
    assert x * x != y + F(1, 1000)
    assert not y < 0
    assert x * x >= y
    assert not x * x > y
    with pytest.raises(DependsOnParametersError):
        bool(y > x)
    with pytest.raises(DependsOnParametersError, match="divisor"):
        1 / (y - x * x)


def test_on_a_border_that_belongs_to_it_a_region_has_more_than_its_border():
    """Where x is 0 the functions are equal, elsewhere they are not."""
    R = Region("x, y", "x >= 0", "y > 0")
    assert R["x"] * R["y"] != R["x"] * 2


def test_points_that_are_tried_include_the_borders():
    R = Region("x, y", "x >= 0", "y > 0", "x + y <= 1")
    assert all(x >= 0 and y > 0 and x + y <= 1 for x, y in R.samples)
    assert any(x == 0 for x, _ in R.samples)
    assert any(x + y == 1 for x, y in R.samples)


@given(
    coefficients=st.lists(st.fractions(-4, 4, max_denominator=9), min_size=6, max_size=6),
    scale=st.sampled_from([1, 10**150, F(1, 10**150)]),
)
def test_the_signs_at_simple_points_are_exact(coefficients, scale):
    R = region("x, y", "x > 0")
    x, y = R["x"], R["y"]
    terms = zip(coefficients, (1, x, y, x * y, x**3, x * y**60), strict=True)
    number = sum(((c * scale) * term for c, term in terms), 0 * x) * (3 * x - y) * (x - F(1, 3))
    signs = [int(value > 0) - int(value < 0) for _, same in _simple_points(2) for value in [number.top(*same)]]
    assert _signs(number.top).tolist() == signs


def test_a_point_of_the_prover_is_checked(monkeypatch):
    """Exactly, so one that it finds by an error in what it was asked is no answer. One that is no fraction is not shown."""
    R = blind("x", "0 < x < 1")
    assert R.witness(R.signed_numerator(2 * R["x"] - 1), ">") is not None
    assert R.witness(R.signed_numerator(-((2 * R["x"] ** 2 - 1) ** 2)), ">=") is None
    assert R.somewhere(R.signed_numerator(-((2 * R["x"] ** 2 - 1) ** 2)), ">=")
    for wrong in ("1/3", "3/2"):
        monkeypatch.setattr(R, "_model", lambda *asked, x=wrong: (z3.RealVal(x),))
        with pytest.raises(UndecidedError, match="the prover gave a wrong point"):
            R.somewhere(R.signed_numerator(5 * R["x"] - 3), ">")


@pytest.mark.parametrize(
    ("name", "worth"), [("la_relance", "-A*B**2/(B + 2*A)**2"), ("von_neumann", "A**2*B/((A + B)*(4*A + B))")]
)
def test_theorems_for_every_ante_and_bet(name, worth):
    R = Region("A, B", "A > 0", "B > 0")
    game = relance.make(name, ante=R["A"], bet=R["B"])
    profile = game.published()
    with obligations() as used:
        assert relance.nash_conv(game, profile) == 0
    assert relance.value(game, profile) == formula(worth, {"A": R["A"], "B": R["B"]})
    assert used


def test_obligations_can_be_decided_by_another_solver():
    R = Region("B", "B > 0")
    game = relance.make("von_neumann", bet=R["B"])
    with obligations() as first:
        assert relance.nash_conv(game, game.published()) == 0
    with obligations() as again:
        assert relance.nash_conv(game, game.published()) == 0
    assert list(first) == list(again)  # what the region already knows is still named
    for obligation in first.values():
        fresh = z3.Solver()
        fresh.from_string(obligation.smtlib)
        assert fresh.check() == z3.unsat


def test_a_proof_rejects_a_planted_error():
    R = Region("B", "B > 0")
    game = relance.make("von_neumann", bet=R["B"])
    _, at = game.printed_numbers()
    plan = {"": {"bet": [(0, at["a"]), (at["b"] + (1 - at["b"]) / 1000, 1)]}, "bet": {"call": [(at["c"], 1)]}}
    assert relance.nash_conv(game, game.profile(plan)) > 0


def test_a_missing_extra_is_named(tmp_path):
    import subprocess
    import sys

    code = "import sys; sys.modules['z3'] = None\nimport relance.claims.proof"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert "pip install 'relance[proof]'" in out.stderr


class Stubborn:
    """A solver that gives no answer, for this reason."""

    def check(self):
        return z3.unknown


def test_no_answer_is_no_verdict():
    """That the solver gives up does not count as an answer."""
    R = unaided("x", "x > 1")
    R._question = lambda *conditions: Stubborn()
    polynomial = R.signed_numerator(-R["x"] * R["x"] - 1)
    with pytest.raises(UndecidedError):
        R.somewhere(polynomial, ">")
    with pytest.raises(UndecidedError):
        R.witness(polynomial, ">")


def test_the_prover_stops_after_as_many_steps_on_any_machine(monkeypatch):
    """The limit counts steps, so the same question is decided or left open whatever else the machine does."""
    ball = "x**2 + y**2 < 1", "x > -1"
    easy, hard = Region("x, y", *ball), Region("x, y", *ball)
    polynomial = formula("x*y - 1", hard).top
    assert not easy.somewhere(polynomial, ">")
    assert hard.samples
    monkeypatch.setattr("relance.claims.proof.PATIENCE", 5)
    with pytest.raises(UndecidedError, match="the prover cannot decide"):
        hard.somewhere(polynomial, ">")


@pytest.mark.parametrize("player", [0, 1])
def test_who_earns_an_amount_in_the_whole_region_does_not_fall_short_of_it(player):
    where, sign = region("B", "1 <= B", "B < 2"), 1 - 2 * player
    game = relance.make("one_card_poker", raises=0, bet=where["B"])
    worth = sign * relance.value(game, game.uniform())
    assert not falls_short(game, game.uniform(), player, worth)
    assert falls_short(game, game.uniform(), player, worth + where["B"])
    with pytest.raises(DependsOnParametersError):
        falls_short(game, game.uniform(), player, worth + (where["B"] - 1))  # it does but for B = 1


def test_a_profile_with_symbols_is_not_written(tmp_path):
    game, path = relance.make("one_card_poker", raises=0), tmp_path / "file.json"
    symbolic = region("x", "x > 0", "x < 1")["x"]
    profile = game.profile({**game.uniform().plan(), "bet": {"call": [0, symbolic, 1]}})
    with pytest.raises(ValueError, match="depends on symbolic parameters"):
        write_profile(game, profile, path)
    assert not path.exists()
