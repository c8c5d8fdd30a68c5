"""Proofs of one's own: candidates for all parameters of a region, with a point where a wrong one fails."""

import json
from fractions import Fraction

import pytest

import relance
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
    assert verdict_on(file, solver("z3"))[1].startswith("facts only: no step was recorded")


def test_a_proof_names_who_can_gain():
    tree = relance.game_tree("kuhn_poker")
    found = relance.prove(tree, "uniform")
    assert not found.holds
    assert found.evidence == "player 0 can gain 3/8; player 1 can gain 13/24"
    assert relance.prove(tree, relance.solve(tree), value="-1/18").holds
    assert relance.prove(tree, relance.solve(tree), value=0).evidence == "the value is -1/18, not 0"
