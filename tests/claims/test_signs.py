"""False claims made on purpose: a number is decided where it is one thing, and read where it is another.

Each is refused by the prover, and, with the prover's guards taken out, by the checker of certificates too.
"""

import json
from fractions import Fraction

import pytest

import relance
from relance.claims.certificates import certificate
from relance.claims.checks import equal, nash, positive, symbolic, true_for
from relance.claims.ledger import look
from relance.claims.proof import ElsewhereError, Region, region
from relance.claims.schemes import induction
from relance.claims.trace import Trace
from relance.model.blueprint import Blueprint, Source
from relance.model.distributions import cards
from relance.model.game import build
from relance.model.parameters import Chips
from relance.model.tree import BettingTree, Leaf, decision
from relance.solvers.exact import best_response, gains, value
from relance.solvers.watcher import watched_by
from tools import check_certificates as checker

ALL = ("0 < P < 1", "a > 0", "b > 0")


def always_bet(where):
    """What a best response earns player II if player I always bets: it folds, for -a, where the bluffs are few; else it calls."""
    game = relance.make("endgame", p=where["P"], ante=where["a"], bets=[where["b"]])
    return best_response(game, game.profile({"": {"bet": [1, 1]}, "bet": {"fold": 1}}), 1).value


def a_best_response_moved():
    """At P = 1/10, a = b = 1 it earns 8/5, not -1."""
    many = region("P, a, b", *ALL, "P*(2*a + 2*b) >= 2*a + b")
    where = region("P, a, b", *ALL)
    return equal({"II": always_bet(many).at({**where})}, {"II": -where["a"]}, where)


def a_best_response_told_for_more():
    many = region("P, a, b", *ALL, "P*(2*a + 2*b) >= 2*a + b")
    return equal({"II": always_bet(many)}, {"II": -many["a"]}, region("P, a, b", *ALL))


def a_best_response_at_a_point_outside():
    many = region("P, a, b", *ALL, "P*(2*a + 2*b) >= 2*a + b")
    there = {"P": Fraction(1, 10), "a": Fraction(1), "b": Fraction(1)}
    return equal({"II": always_bet(many).at(there)}, {"II": Fraction(-1)}, relance.make("endgame"))


def either(b):
    """Player 0 takes 1 or b; player 1 has nothing to say."""
    return BettingTree(decision(0, one=Leaf(1), other=Leaf(b))), cards(["Q", "K"])


EITHER = Blueprint("either", "Either", Source("me", "A", "T", 2026, "1"), {"b": Chips(Fraction(2), "b")}, either)


def the_better(where):
    game = build(EITHER, b=where["b"])
    return where["b"] * 0 + best_response(game, game.uniform(), 0).value


def a_maximum_moved():
    """A best response wins max(1, b): at b = 2 it is 2."""
    small, where = region("b", "0 < b < 1"), region("b", "b > 0")
    return equal({"I": the_better(small).at({**where})}, {"I": Fraction(1)}, where)


def a_maximum_told_for_more():
    small = region("b", "0 < b < 1")
    return positive(region("b", "b > 0"), 2 - the_better(small), "player 0 never wins 2")


def clipped_calls_moved():
    """Player II calls with the probability 2a/(2a + b), or always where b is small: the play is another there."""
    small, where = region("a, b", "a > 0", "0 < b <= a"), region("a, b", "a > 0", "b > 0")

    def worth(at):
        calls = 1 if bool(at["b"] <= at["a"]) else 2 * at["a"] / (2 * at["a"] + at["b"])
        game = relance.make("endgame", p="1/2", ante=at["a"], bets=[at["b"]])
        return value(game, game.profile({"": {"bet": [1, 1]}, "bet": {"call": calls}}))

    return equal({"I": worth(small).at({**where})}, {"I": where["a"] * 0}, where)


def piecewise_hands_moved():
    """Player 0 bets with the hands below s, player 1 calls with those above t: with s < t a bet that is called always loses."""
    below, where = region("s, t", "0 < s < t", "t < 1"), region("s, t", "0 < s < 1", "0 < t < 1")
    game = relance.make("von_neumann")
    plan = {"": {"bet": [(0, below["s"])]}, "bet": {"call": [(below["t"], 1)]}}
    won = symbolic(value(game, game.profile(plan)))
    s, t = where.values()
    # Both check above s, where the edge is s (1 - s); a bet wins 1 of those who fold, and loses 3 to those who call.
    return equal({"I": won.at({**where})}, {"I": s * (1 - s) + s * t - 3 * s * (1 - t)}, where)


def an_equilibrium_told_for_more():
    few, where = region("P, a, b", *ALL, "P*(2*a + 2*b) < 2*a + b"), region("P, a, b", *ALL)
    game = relance.make("endgame", p=few["P"], ante=few["a"], bets=[few["b"]])
    return nash(game, game.published().plan(), where)


def gains_told_for_more():
    few, where = region("P, a, b", *ALL, "P*(2*a + 2*b) < 2*a + b"), region("P, a, b", *ALL)
    game = relance.make("endgame", p=few["P"], ante=few["a"], bets=[few["b"]])
    return true_for(where, lambda: sum(gains(game, game.published())) == 0, "nobody gains")


def an_induction_with_a_number_of_elsewhere():
    """S is 1 at first, and each step adds what a best response earns and 1: 0 only where there are many bluffs."""
    many = region("P", "0 < P < 1", "4*P >= 3")

    def known(where):
        game = relance.make("endgame", p=many["P"], ante=1, bets=[1])
        best = best_response(game, game.profile({"": {"bet": [1, 1]}, "bet": {"fold": 1}}), 1).value
        return {"earned": (many["P"] * 0 + best).at({"P": where["P"]})}

    return induction(["0 < P < 1"], ["S == 1"], {"S": "1"}, {"S": "S + earned + 1"}, known)


FALSE = [
    a_best_response_moved,
    a_best_response_told_for_more,
    a_best_response_at_a_point_outside,
    a_maximum_moved,
    a_maximum_told_for_more,
    clipped_calls_moved,
    piecewise_hands_moved,
    an_equilibrium_told_for_more,
    gains_told_for_more,
    an_induction_with_a_number_of_elsewhere,
]


@pytest.mark.parametrize("claim", FALSE)
def test_it_is_refused(claim):
    """By name of the condition that was used; what is decided depends on the parameters, at best."""
    with pytest.raises(ElsewhereError, match="computed only for .* is used where"):
        look(lambda n: claim(), {})


@pytest.mark.parametrize("claim", [claim for claim in FALSE if "at_a_point" not in claim.__name__])
def test_its_certificate_is_refused(claim, monkeypatch):
    """Without the guards the prover falls for it. The checker, which has its own, does not.

    At a point outside a number is a plain one: the certificate has no game for it, and the checker says "partially verified" of a claim
    about one.
    """
    monkeypatch.setattr(Region, "need", lambda *given: None)
    with watched_by(trace := Trace()):
        finding = look(lambda n: claim(), {})
    assert (finding.holds, finding.verdict) == (True, "proved" if finding.method == "proved" else "exact")
    domain = finding.where[0].conditions if finding.method == "proved" else ()
    data = json.loads(json.dumps(certificate("paper/claim", claim.__doc__ or "", trace, domain, finding.verdict)))
    with pytest.raises(checker.Refused):
        checker.decide(data, checker.solver("z3"))
