"""Checks of claims on Basic Endgame, the choice of bets, and two rounds (Sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from relance.claims.checks import chips_by_action, equal, nash, tried_at, true_for, with_numbers
from relance.claims.finding import At, Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.strategy import Plan, Profile
from relance.solvers.dominance import Mistake, is_dominated
from relance.solvers.exact import action_values, best_response, value
from relance.solvers.proof import Region, region

ONE = Fraction(1)


def basic(*more: str) -> Region:
    """The region of any chance P, ante a and bet b, with further conditions."""
    return region("P, a, b", "0 < P", "P < 1", "a > 0", "b > 0", *more)


def one_bet(where: Region) -> Game:
    """Basic Endgame with the chance P, the ante a and the bet b."""
    return make("endgame", p=where["P"], ante=where["a"], bets=[where["b"]])


def playing(game: Game, bets: int, calls: int) -> Profile:
    """Winners always bet, losers in the first `bets` rounds; player II calls the first `calls` bets."""
    rounds = range(1, len(game.parameters["bets"]) + 1)
    numbers = {f"p{k}": Fraction(k <= bets) for k in rounds} | {f"f{k}": Fraction(k > calls) for k in rounds}
    return game.profile(with_numbers(game, numbers))


def matrix(n: Numbers) -> Finding:
    where = basic()
    game = one_bet(where)
    rows, columns = ("honest", "bluff"), ("fold", "call")
    return equal(payoff_matrix(game, rows, columns), n.at(**where), where)


def payoff_matrix(game: Game, rows: Sequence[str], columns: Sequence[str]) -> dict[str, Number]:
    """The value if losers bluff in none, one, ... of the rounds (rows) and player II calls none, one, ... of the bets (columns)."""
    return {
        f"{row}, {column}": value(game, playing(game, bets, calls))
        for bets, row in enumerate(rows)
        for calls, column in enumerate(columns)
    }


def basic_solution(n: Numbers) -> Finding:
    """Both cases of the solution, with the printed border between them."""
    below, above = (basic(f"P {relation} {n.texts['limit']}") for relation in ("<", ">="))
    v = n.at(**below)
    active = nash(one_bet(below), with_numbers(one_bet(below), {"p1": v["pi"], "f1": v["phi"]}), below, v["V"])
    saddle = nash(one_bet(above), {"": {"bet": 1}, "bet": {"fold": 1}}, above, above["a"])
    text = f"below the border: {active.evidence}; from it on: {saddle.evidence}"
    return Finding(active.holds and saddle.holds, text, (below, above))


def basic_border(n: Numbers) -> Finding:
    """Only the border: player I always bluffs from it on, and does not below it. Tried at a = 1, B = 2 first.

    A smaller bet s as well as B changes nothing: from the border on, II folds to either; below it, see claim size-calls.
    """
    limit = n.at(a=1, B=2)["limit"]
    game = make("endgame", p=limit, bets=[2])
    always = nash(game, {"": {"bet": 1}, "bet": {"fold": 1}})
    if not always.holds:
        text = f"I always bluffs and II always folds: {always.evidence}"
        return tried_at({"a": 1, "B": 2, "P": limit}, False, text)
    where = region("P, a, B, s", "P < 1", "a > 0", "0 < s", "s < B", f"P >= {n.texts['limit']}")
    game = make("sized_endgame", p=where["P"], ante=where["a"], sizes=[where["s"], where["B"]])
    saddle = {"bluff": ONE, "call0": Fraction(0), "call_most": Fraction(0)}
    above = nash(game, with_numbers(game, saddle), where, where["a"])
    if not above.holds:
        return above
    known = {"pi": "b/(2*a + b)*P/(1 - P)", "phi": "b/(2*a + b)", "V": "2*a*P*(2*a + 2*b)/(2*a + b) - a"}
    single = basic_solution(Numbers({"limit": n.texts["limit"].replace("B", "b"), **known}))
    return replace(single, evidence=f"{single.evidence}, with a smaller bet as well", where=(*single.where, where))


def indifference(n: Numbers) -> Finding:
    """Earnings against any mixture of the other player: a loser's bet, and player II's loss by calling and by folding."""
    where = region("P, a, b, phi, pi", "0 < P", "P < 1", "a > 0", "b > 0", "0 < phi", "phi < 1", "0 < pi", "pi < 1")
    game = one_bet(where)
    plan = with_numbers(game, {"p1": where["pi"], "f1": where["phi"]})
    won = {"bet of a loser": chips_by_action(game, plan, "")["bet"][0] / (1 - where["P"])}
    for answer in ("call", "fold"):
        won[answer] = value(game, game.profile({**plan, "bet": {answer: 1}}))
    return equal(won, n.at(**where), where)


def winner_bets(n: Numbers) -> Finding:
    """Checking a winner is weakly dominated: whatever the size, a bet earns at least as much, and more if it is called."""
    where = basic()
    game = one_bet(where)
    chips = [chips_by_action(game, playing(game, 1, calls), "") for calls in (0, 1)]
    folded, called = ((earned["bet"][1] - earned["check"][1]) / where["P"] for earned in chips)
    sample = is_dominated(make("endgame"), Mistake(0, "winner", ("",), "check"))
    text = f"betting gains {folded} if folded to and {called} if called"
    return true_for(where, lambda: sample and folded == 0 and bool(called > 0), text)


def same_for_all_chances(n: Numbers) -> Finding:
    """Player II's strategy at pot limit, b = 2a, is the printed one for every P below the border 2/3."""
    where = region("P, a", "0 < P", "P < 2/3", "a > 0")
    game = make("endgame", p=where["P"], ante=where["a"], bets=[2 * where["a"]])
    _, numbers = game.printed_numbers()
    optimal = nash(game, with_numbers(game, {**numbers, "f1": 1 - n["call"]}), where)
    return optimal.only_if(n["fold"] == 1 - n["call"])


# --- the size of the bet ----------------------------------------------------------------------------------------------


def _sized(*more: str, names: str = "P, a, B, b") -> Region:
    """The region of a smaller bet b and the greatest one, B, in which both players mix."""
    return region(names, "0 < P", "a > 0", "b > 0", "b < B", "P*(2*a + 2*B) < 2*a + B", *more)


def call_range(n: Numbers) -> Finding:
    """Any calling probability in the printed range is minimax; at its ends player I is indifferent, so it is no wider."""
    low, high = n.texts["least"], n.texts["most"]
    where = _sized(f"c >= {low}", f"c <= {high}", "c <= 1", names="P, a, B, b, c")
    optimal = nash(*_against(where, where["c"]), where)
    if not optimal.holds:
        return optimal
    top = _sized(f"{high} <= 1")  # the upper end is a probability only for large enough bets
    loser, _ = _gains(where, formula(low, where))
    _, winner = _gains(top, formula(high, top))
    text = f"{optimal.evidence}; at the ends the smaller bet gains {loser} with a loser and {winner} with a winner"
    return optimal.only_if(loser == 0 and winner == 0, text)


def _against(where: Region, call: Number) -> tuple[Game, Plan]:
    """Player I as published, with the bets b and B; player II calls b with probability `call`."""
    game = make("sized_endgame", p=where["P"], ante=where["a"], sizes=[where["b"], where["B"]])
    return game, with_numbers(game, {**game.printed_numbers()[1], "call0": call})


def _gains(where: Region, call: Number) -> tuple[Number, Number]:
    """The gain of betting b over a check with a loser, and over the largest bet with a winner, if II calls b with chance `call`."""
    game, plan = _against(where, call)
    check, small, large = action_values(game, game.profile(plan), 0)[""][1]
    return small[0] - check[0], small[1] - large[1]


def pretending(n: Numbers) -> Finding:
    """Player II calls b as if it were the only bet: with b, player I does worse with a winner and equally well with a loser."""
    where = _sized()
    loser, winner = _gains(where, n.at(**where)["call"])
    text = f"the smaller bet gains {show(winner)} with a winner and {show(loser)} with a loser"
    return true_for(where, lambda: bool(winner < 0) and loser == 0, text)


def smaller_is_a_mistake(n: Numbers) -> Finding:
    """If player II calls b with the midpoint of her range, player I loses by betting b with either hand."""
    most = "2*a*B/((2*a + B)*b)"
    cases = [(_sized(f"{most} <= 1"), most), (_sized(f"{most} >= 1"), "1")]
    both = [_gains(where, formula(f"(2*a/(2*a + b) + {top})/2", where)) for where, top in cases]
    good = all(bool(gain < 0) for gains in both for gain in gains)
    return Finding(good, "it loses with either hand", tuple(where for where, _ in cases))


def value_grows(n: Numbers) -> Finding:
    where = _sized()
    smaller, greatest = (n.at(P=where["P"], a=where["a"], b=where[size])["V"] for size in "bB")
    game = make("endgame", p=where["P"], ante=where["a"], bets=[where["B"]])
    right = greatest == value(game, game.published())
    return true_for(where, lambda: right and bool(greatest > smaller), "V at B exceeds V at any smaller b")


def dangerous(n: Numbers) -> Finding:
    """Bets that reveal the card: winners bet 2, losers bluff with 1. The best reply holds player I below the value."""
    game = make("sized_endgame", p="1/4", ante=1, sizes=[1, 2])
    small, large = game.tree.root.actions[1:]
    plan: Plan = {"": {large: [0, 1], small: ["1/6", 0]}, small: {"call": "2/3"}, large: {"call": "1/2"}}
    worth, left = value(game, game.published()), -best_response(game, game.profile(plan), 1).value
    return Finding(left < worth, f"a best reply leaves player I {left}, less than the value {worth}", (At(game),))
