"""Proofs of one's own: candidates for all parameters of a region, with a point where a wrong one fails."""

import json
from fractions import Fraction

import pytest

import relance
from relance.claims.finding import UndecidedError
from relance.model.blueprint import Blueprint, Source
from relance.model.distributions import uniform
from relance.model.game import build
from relance.model.parameters import Chips
from relance.model.tree import BettingTree, decision, facing_a_bet, showdown
from relance.solvers.exact import gains
from tools.check_certificates import solver, verdict_on
from tools.check_game_trees import check as check_tree

pytest.importorskip("flint", reason="needs the extra proof")
pytest.importorskip("z3", reason="needs the extra proof")


@pytest.fixture
def bets():
    return relance.region("B", "B > 0")


def candidate(B, bluff="1", call="1"):
    """Von Neumann's strategies, with bluffs or calls changed by a factor."""
    both = (B + 1) * (B + 4)
    low, high, called = Fraction(bluff) * B / both, (B * B + 4 * B + 2) / both, Fraction(call) * B * (B + 3) / both
    return {"": {"bet": [(0, low), (high, 1)]}, "bet": {"call": [(called, 1)]}}


def test_a_right_candidate_is_proved(bets):
    B = bets["B"]
    game = relance.make("von_neumann", bet=B)
    found = relance.prove(game, candidate(B), bets, value=B / ((B + 1) * (B + 4)))
    assert (found.holds, found.method) == (True, "proved")
    assert str(found) == "proved for all B with B > 0: NashConv 0, value B/((B + 1)*(B + 4))"
    assert relance.prove(game, game.published(), bets).holds
    assert "B/((B + 1)*(B + 4))" in str(game.published())


@pytest.mark.parametrize(
    ("changes", "form"),
    [
        ({"bluff": "1001/1000"}, "plan"),
        ({"bluff": "999/1000"}, "profile"),
        ({"call": "1001/1000"}, "plan"),
        ({"call": "1/2"}, "profile"),
    ],
)
def test_a_wrong_one_fails_at_a_point(bets, changes, form):
    """The gain that is told is the gain there."""
    B = bets["B"]
    game, plan = relance.make("von_neumann", bet=B), candidate(B, **changes)
    found = relance.prove(game, plan if form == "plan" else game.profile(plan), bets)
    assert not found.holds
    at = Fraction(found.point["B"])
    there = relance.make("von_neumann", bet=at)
    both = gains(there, there.profile(candidate(at, **changes)))
    assert f" {next(filter(None, both))} " in f"{found.evidence} ".replace(";", " ")
    assert str(found).startswith("does not hold for all B with B > 0: ")


def test_one_that_holds_only_in_a_part_of_the_region():
    """Cards, and a condition that fails outside: three cards and one half-street bet, right up to the pot."""
    wide, narrow = relance.region("B", "B > 0"), relance.region("B", "B > 0", "B <= 2")
    game = relance.make("one_card_poker", raises=0)
    assert relance.prove(game, game.published()).method == "exact"
    for where in (wide, narrow):
        B = where["B"]
        game = relance.make("endgame", p="1/4", bets=[B])
        plan = game.published().plan()
        assert relance.prove(game, plan, where).holds
    found = relance.prove(game, game.uniform(), narrow)
    assert not found.holds
    assert 0 < Fraction(found.point["B"]) <= 2


def test_what_is_no_profile_somewhere_fails_there(bets):
    B = bets["B"]
    game = relance.make("one_card_poker", raises=0, bet=B)
    plan = {name: {node.actions[0]: B / 2} for name, node in game.tree.decisions.items()}
    found = relance.prove(game, plan, bets)
    assert not found.holds
    assert "at B = " in str(found)


def test_a_wrong_value_is_told(bets):
    B = bets["B"]
    game = relance.make("von_neumann", bet=B)
    found = relance.prove(game, candidate(B), bets, value=B / 9)
    assert not found.holds
    assert "the value is B/((B + 1)*(B + 4)), not B/9" in str(found)
    assert found.point


def test_numbers_need_no_region():
    exact = relance.prove("von_neumann(bet=2)", candidate(Fraction(2)))
    assert (exact.holds, exact.method) == (True, "exact")
    wrong = relance.prove("von_neumann(bet=2)", candidate(Fraction(2), bluff="2"))
    assert str(wrong) == "does not hold for von_neumann(ante=1, bet=2, deal=uniform): " + wrong.evidence
    assert "can gain" in wrong.evidence


def test_a_game_tree_has_a_certificate_of_its_own(tmp_path):
    tree = relance.game_tree(relance.make("one_card_poker(raises=0)"))
    file = tmp_path / "mine.json"
    assert not relance.prove(tree, "uniform", certificate=file).holds
    assert not file.exists()
    assert relance.prove(tree, relance.solve(tree), certificate=file).holds
    assert check_tree(json.loads(file.read_text())) == 0


def test_a_certificate_that_cannot_be_written_is_refused_before_the_proof(monkeypatch):
    monkeypatch.setattr("relance.claims.prove.nash", lambda *given: pytest.fail("it was proved first"))
    with pytest.raises(OSError, match="there is no folder /nowhere"):
        relance.prove("von_neumann(bet=2)", candidate(Fraction(2)), certificate="/nowhere/x.json")


@pytest.mark.parametrize("bet", [None, 2])
def test_a_proof_of_ones_own_has_a_certificate(bets, bet, tmp_path):
    """The script that shares no code with us decides it; a plan that is no equilibrium gets none."""
    B, where = (bets["B"], bets) if bet is None else (bet, None)
    game, file = relance.make("von_neumann", bet=B), tmp_path / "mine.json"
    assert not relance.prove(game, candidate(Fraction(1) * B, bluff="1/2"), where, certificate=file).holds
    assert not file.exists()
    assert relance.prove(game, game.published(), where, certificate=str(file)).holds
    name, said, steps = verdict_on(file, solver("z3"))
    assert (name, said, len(steps)) == ("mine", "decides the claim", 3 if bet is None else 2)
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "parts": {}}))
    assert verdict_on(file, solver("z3"))[1].startswith("WRONG: its parts are none") == (bet is None)
    file.write_text(json.dumps({**data, "steps": []}))
    without = "partially verified: no step was recorded" if bet else "WRONG: no step decides the claim for B > 0"
    assert verdict_on(file, solver("z3"))[1].startswith(without)


def test_a_proof_names_who_can_gain():
    tree = relance.game_tree("kuhn_poker")
    found = relance.prove(tree, "uniform")
    assert not found.holds
    assert found.evidence == "player 0 can gain 3/8; player 1 can gain 13/24"
    assert relance.prove(tree, relance.solve(tree), value="-1/18").holds
    assert relance.prove(tree, relance.solve(tree), value=0).evidence == "the value is -1/18, not 0"


NATURAL = [  # a game, its symbols, and the parameters for which it is published
    ("la_relance", {"ante": "a", "bet": "B"}, ["a > 0", "B > 0"]),
    ("von_neumann", {"ante": "a", "bet": "B"}, ["a > 0", "B > 0"]),
    ("bellman_blackwell", {"ante": "a", "low": "l", "high": "h"}, ["a > 0", "0 <= l < h"]),
    ("force_in", {"ante": "a"}, ["a > 0"]),
    ("pot_limit", {"ante": "a"}, ["a > 0"]),
    ("pot_limit(check_raise=true)", {"ante": "a"}, ["a > 0"]),
    (
        "endgame_hidden",
        {"p": "p", "p_blocked": "q", "blocked": "d", "ante": "a", "bet": "b"},
        ["0 < q <= p", "p < 1", "0 < d < 1", "a > 0", "b > 0", "p*(2*a + 2*b) <= 2*a + b"],
    ),
    (
        "endgame_draw",
        {"p": "p", "good": "g", "bad": "h", "ante": "a", "bet": "b"},
        [
            *("0 < p < 1", "0 < g < 1", "0 < h < 1", "a > 0", "b > 0", "2*h <= 1", "(a + b)*(2*g - 1) >= a"),
            "p*((a + b)*(2*g - 1) - a) <= (1 - p)*(a - (a + b)*(2*h - 1))",
        ],
    ),
    (
        "endgame_cards",
        {"p": "p", "good_winner": "w", "good_loser": "x"},
        ["0 < p < 1", "0 < w < 1", "0 < x < 1", "2*w <= 5*x", "2*(1 - w) <= 5*(1 - x)"],
    ),
    ("endgame", {"p": "p", "ante": "a", "bets": ["b"]}, ["0 < p < 1", "a > 0", "b > 0"]),
    ("endgame", {"p": "p", "ante": "a", "bets": ["b", "c"]}, ["0 < p < 1", "a > 0", "b > 0", "c > 0"]),
    ("sized_endgame", {"p": "p", "ante": "a", "sizes": ["b", "c"]}, ["0 < p < 1", "a > 0", "0 < b < c"]),
    ("flipped_von_neumann", {"ante": "a", "bet": "B", "flip": "f"}, ["a > 0", "B > 0", "0 <= f <= 1/2"]),
    ("sized_la_relance", {"ante": "a", "sizes": ["b", "c"]}, ["0 < a < b", "b < c"]),
    ("sized_von_neumann", {"ante": "a", "sizes": ["b", "c"]}, ["a > 0", "0 < b < c"]),
    ("one_card_poker(raises=0)", {"ante": "a", "bet": "b"}, ["a > 0", "b > 0"]),
    ("one_card_poker(raises=2)", {"ante": "a", "bet": "b"}, ["a > 0", "b == a"]),
    (
        "ponssard",
        {"pot": "w", "first": "s", "raise_to": "t", "p": "p", "q": "q"},
        ["w > 0", "0 < s < t", "0 < p < 1", "0 < q < 1"],
    ),
]


def made(name, symbols, where):
    values = {key: [where[x] for x in of] if isinstance(of, list) else where[of] for key, of in symbols.items()}
    return relance.make(name, **values)


@pytest.mark.parametrize(("name", "symbols", "conditions"), NATURAL, ids=[f"{row[0]} {row[1]}" for row in NATURAL])
def test_what_is_published_is_proved_wherever_it_is_published(name, symbols, conditions):
    """Over whole regions in which comparisons change their signs; NashConv is 0, in numbers, at points of each part."""
    flat = [x for of in symbols.values() for x in ([of] if isinstance(of, str) else of)]
    where = relance.region(", ".join(flat), *conditions)
    found = relance.prove(made(name, symbols, where), "published", where)
    assert (found.holds, found.verdict) == (True, "proved")
    (parts,) = found.cases.values()
    assert where.outside(parts) is None
    for part in parts:
        for point in part.samples[:2]:
            there = made(name, symbols, dict(zip(flat, point, strict=True)))
            assert relance.nash_conv(there, there.published()) == 0


def two_bets(t):
    bets = decision(0, check=showdown(1), small=facing_a_bet(1, 1, [1]), large=facing_a_bet(1, 1, [t]))
    return BettingTree(bets), uniform()


def two_bets_plan(t, off=0):
    """By the equations of indifference, with hands from 0 to 1."""
    d = 5 * t**2 + 22 * t + 18
    u, v = 3 * t / d + off, t * (t + 8) / (2 * d)
    w, x = (t + 3) * (5 * t + 4) / d, (7 * t**2 + 32 * t + 24) / (2 * d)
    return {
        "": {"large": [(0, u), (w, 1)], "small": [(u, v), (x, w)]},
        "small": {"call": [(2 * (t**2 + 5 * t + 3) / d, 1)]},
        "large": {"call": [(t * (5 * t + 13) / d, 1)]},
    }


TWO_BETS = Blueprint(
    "two_bets", "Two bets", Source("me", "A", "T", 2026, "1"), {"t": Chips(Fraction(2), "t")}, two_bets
)


def test_a_region_is_cut_where_a_comparison_changes_its_sign(tmp_path):
    """Which of two thresholds is the larger changes at t = 4. The checker of certificates decides the parts, and needs all of them."""
    where, file = relance.region("t", "t > 1"), tmp_path / "two.json"
    game = build(TWO_BETS, t=where["t"])
    found = relance.prove(game, two_bets_plan(where["t"]), where, certificate=file)
    assert str(found) == "proved for all t with t > 1: NashConv 0, value t*(t + 8)/(2*(5*t^2 + 22*t + 18))"
    assert [part.conditions[-1] for part in found.parts[""]] == ["t - 4 > 0", "t - 4 < 0", "t - 4 == 0"]
    data = json.loads(file.read_text())
    assert verdict_on(file, solver("z3"))[1] == "decides the claim"
    for part in range(3):
        file.write_text(json.dumps({**data, "parts": {"": [k for k in range(3) if k != part]}}))
        assert verdict_on(file, solver("z3"))[1].startswith("WRONG")


@pytest.mark.parametrize("off", [Fraction(1, 1000), -Fraction(1, 10**7)])
def test_a_moved_threshold_fails_at_a_point_that_was_evaluated(off):
    where = relance.region("t", "t > 1")
    found = relance.prove(build(TWO_BETS, t=where["t"]), two_bets_plan(where["t"], off), where)
    assert (found.holds, found.verdict) == (False, "refuted")
    t = Fraction(found.point["t"])
    there = build(TWO_BETS, t=t)
    assert t > 1
    assert relance.nash_conv(there, there.profile(two_bets_plan(t, off))) > 0


def test_cuts_that_do_not_end_are_no_verdict(monkeypatch):
    monkeypatch.setattr("relance.claims.checks.MOST_PARTS", -1)
    where = relance.region("t", "t > 1")
    with pytest.raises(UndecidedError, match="depends on the parameters"):
        relance.prove(build(TWO_BETS, t=where["t"]), two_bets_plan(where["t"]), where)


@pytest.mark.parametrize(
    ("name", "symbols", "conditions"),
    [
        ("one_card_poker(raises=1)", {"bet": "b"}, ["b > 0"]),
        (
            "endgame_hidden",
            {"p": "p", "p_blocked": "q", "blocked": "d", "ante": "a", "bet": "b"},
            ["0 < q <= p", "p < 1", "0 < d < 1", "a > 0", "b > 0"],
        ),
    ],
)
def test_what_is_not_published_in_a_part_is_not_refuted(name, symbols, conditions):
    """Nothing was shown to be false there."""
    where = relance.region(", ".join(symbols.values()), *conditions)
    with pytest.raises(ValueError, match="no strategy is published"):
        relance.prove(made(name, symbols, where), "published", where)


def test_a_region_of_other_symbols_covers_nothing():
    """It may have fewer symbols, or more besides all of them; with some of them and others it is about something else."""
    region = relance.region
    told = region("x, y", "x > 0", "y > x")
    assert told.outside([region("x", "x > 0")]) is None
    assert told.outside([region("x, y, z", "x > 0", "y > x", "z*x == y")]) is None
    assert told.outside([region("x, z", "x > 0", "z > 0")]) is not None
    assert told.outside([region("x, y, z", "x > 0", "y > x", "z > 0", "2*z == x - 1")]) is not None
