"""Checks of claims on Basic Endgame, the choice of bets, and two rounds (Sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from relance.claims.checks import equal, nash, tried_at, true_for
from relance.claims.ledger import Finding, Numbers
from relance.envs import make
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.strategy import Plan, Profile
from relance.solvers.dominance import Mistake, is_dominated
from relance.solvers.exact import action_values, best_response, value
from relance.solvers.proof import Region, region

ONE = Fraction(1)


def basic(*more: str) -> tuple[Region, dict[str, Any]]:
    """Any chance P, ante a and bet b, with further conditions."""
    where = region("P, a, b", "0 < P", "P < 1", "a > 0", "b > 0", *more)
    return where, {name: where[name] for name in ("P", "a", "b")}


def playing(game: Game, bets: int, calls: int) -> Profile:
    """Winners always bet, losers in the first `bets` rounds; player II calls the first `calls` bets."""
    plan = {}
    for name, node in game.tree.decisions.items():
        k = name.count("bet") + 1 if node.player == 0 else name.count("bet")
        plan[name] = {"bet": [int(k <= bets), 1]} if node.player == 0 else {"call": int(k <= calls)}
    return game.profile(plan)


def matrix(n: Numbers) -> Finding:
    where, at = basic()
    game = make("endgame", p=at["P"], ante=at["a"], bets=[at["b"]])
    names = [(kind, answer) for kind in ("honest", "bluff") for answer in ("fold", "call")]
    found = {f"{k}, {r}": value(game, playing(game, int(k == "bluff"), int(r == "call"))) for k, r in names}
    return equal(found, n.at(**at), where)


def basic_solution(n: Numbers) -> Finding:
    """Both cases, with the printed border between them."""
    below, at = basic(f"P < {n.texts['limit']}")
    v = n.at(**at)
    game = make("endgame", p=at["P"], ante=at["a"], bets=[at["b"]])
    active = nash(game, {"": {"bet": [v["pi"], 1]}, "bet": {"fold": v["phi"]}}, below, v["V"])
    above, at = basic(f"P >= {n.texts['limit']}")
    game = make("endgame", p=at["P"], ante=at["a"], bets=[at["b"]])
    saddle = nash(game, {"": {"bet": 1}, "bet": {"fold": 1}}, above, at["a"])
    text = f"below the border: {active.evidence}; from it on: {saddle.evidence}"
    return Finding(active.holds and saddle.holds, text, "proved", f"{below}; {above}")


def basic_border(n: Numbers) -> Finding:
    """Only the border: below it player I does not always bluff, from it on he does. Tried at a = 1, B = 2 first.

    A smaller bet s beside B changes nothing: from the border on II folds to either; below it claim size-calls has the answers.
    """
    limit = n.at(a=1, B=2)["limit"]
    game = make("endgame", p=limit, bets=[2])
    always = nash(game, {"": {"bet": 1}, "bet": {"fold": 1}})
    if not always.holds:
        text = f"I always bluffs and II always folds: {always.evidence}"
        return tried_at({"a": 1, "B": 2, "P": limit}, False, text)
    where = region("P, a, B, s", "P < 1", "a > 0", "0 < s", "s < B", f"P >= {n.texts['limit']}")
    game = make("sized_endgame", p=where["P"], ante=where["a"], sizes=[where["s"], where["B"]])
    small, large = game.tree.root.actions[1:]
    above = nash(game, {"": {large: 1, small: 0}, small: {"fold": 1}, large: {"fold": 1}}, where, where["a"])
    if not above.holds:
        return above
    single = basic_solution(
        Numbers(
            {
                "limit": n.texts["limit"].replace("B", "b"),
                "pi": "b/(2*a + b)*P/(1 - P)",
                "phi": "b/(2*a + b)",
                "V": "2*a*P*(2*a + 2*b)/(2*a + b) - a",
            }
        )
    )
    return Finding(
        single.holds, f"{single.evidence}, with a smaller bet as well", "proved", f"{single.domain}; {where}"
    )


def indifference(n: Numbers) -> Finding:
    """What each side earns at an arbitrary mixture of the other: a loser's bet, and player II's loss by call and by fold."""
    where = region("P, a, b, phi, pi", "0 < P", "P < 1", "a > 0", "b > 0", "0 < phi", "phi < 1", "0 < pi", "pi < 1")
    game = make("endgame", p=where["P"], ante=where["a"], bets=[where["b"]])
    profile = game.profile({"": {"bet": [where["pi"], 1]}, "bet": {"fold": where["phi"]}})
    reach, chips = action_values(game, profile, 0)[""]
    bet = game.tree.root.index("bet")
    losses = {
        answer: value(game, game.profile({"": {"bet": [where["pi"], 1]}, "bet": {answer: 1}}))
        for answer in ("call", "fold")
    }
    return equal({"bet of a loser": chips[bet][0] / reach[0], **losses}, n.at(**where), where)


def winner_bets(n: Numbers) -> Finding:
    """Checking a winner is weakly dominated: at every bet a bet earns at least as much, and more if it is called."""
    where, at = basic()
    game = make("endgame", p=at["P"], ante=at["a"], bets=[at["b"]])
    gains = []
    for calls in (0, 1):
        reach, chips = action_values(game, playing(game, 1, calls), 0)[""]
        earned = game.tree.root.by_action(chips)
        gains.append((earned["bet"][1] - earned["check"][1]) / reach[1])
    sample = is_dominated(make("endgame"), Mistake(0, "winner", ("",), "check"))
    return true_for(
        where,
        lambda: sample and gains[0] == 0 and bool(gains[1] > 0),
        f"betting gains {gains[0]} if folded to and {gains[1]} if called",
    )


def same_for_all_chances(n: Numbers) -> Finding:
    """Player II's strategy at pot limit, b = 2a, is the printed one for every P below the border 2/3."""
    where = region("P, a", "0 < P", "P < 2/3", "a > 0")
    game = make("endgame", p=where["P"], ante=where["a"], bets=[2 * where["a"]])
    _, numbers = game.printed_numbers()
    found = nash(game, {"": {"bet": [numbers["p1"], 1]}, "bet": {"call": n["call"]}}, where)
    return Finding(found.holds and n["fold"] == 1 - n["call"], found.evidence, "proved", str(where))


# --- the size of the bet ----------------------------------------------------------------------------------------------


def _sized(*more: str) -> tuple[Region, dict[str, Any]]:
    """A smaller bet b beside the greatest one, B; with both strategies active."""
    where = region("P, a, B, b", "0 < P", "a > 0", "b > 0", "b < B", "P*(2*a + 2*B) < 2*a + B", *more)
    return where, dict(where)


def call_range(n: Numbers) -> Finding:
    """Any calling probability in the printed range is minimax; at its ends player I is indifferent, so it is no wider."""
    low, high = n.texts["least"], n.texts["most"]
    where = region(*extended(_sized()[0], f"c >= {low}", f"c <= {high}", "c <= 1", more="c"))
    found = nash(*_against(where, where["c"]), where)
    if not found.holds:
        return found
    top = region(*extended(_sized()[0], f"{high} <= 1"))  # the upper end is a probability only for large enough bets
    above = {name: top[name] for name in top.names}
    ends = (_gain(where, formula(low, where), 0, "check"), _gain(above, formula(high, above), 1, "largest"))
    text = f"{found.evidence}; at the ends the smaller bet gains {ends[0]} with a loser and {ends[1]} with a winner"
    return Finding(ends == (0, 0), text, "proved", str(where))


def extended(where: Region, *conditions: str, more: str = "") -> tuple[str, ...]:
    """The arguments of a region with further conditions, and perhaps one more parameter."""
    return (", ".join([*where.names, *([more] if more else [])]), *where.conditions, *conditions)


def _against(at: Mapping[str, Any], call: Number) -> tuple[Game, Plan]:
    """Player I as published, with the bets b and B; player II calls b with probability `call`."""
    game = make("sized_endgame", p=at["P"], ante=at["a"], sizes=[at["b"], at["B"]])
    small, large = game.tree.root.actions[1:]
    _, numbers = game.printed_numbers()
    calls = {small: {"call": call}, large: {"call": numbers["call_most"]}}
    return game, {"": {large: [numbers["bluff"], 1], small: 0}, **calls}


def _gain(at: Mapping[str, Any], call: Number, hand: int, over: str) -> Number:
    """What betting b gains over "check" or the "largest" bet with a loser (0) or a winner (1), if II calls b with `call`."""
    game, plan = _against(at, call)
    _, chips = action_values(game, game.profile(plan), 0)[""]
    return chips[1][hand] - chips[2 if over == "largest" else game.tree.root.index(over)][hand]


def pretending(n: Numbers) -> Finding:
    """Player II calls b as if it were the only bet: with a winner player I does worse by b, with a loser as well as before."""
    where, at = _sized()
    chance = n.at(**at)["call"]
    winner, loser = _gain(at, chance, 1, "largest"), _gain(at, chance, 0, "check")
    return true_for(
        where,
        lambda: bool(winner < 0) and loser == 0,
        f"the smaller bet gains {show(winner)} with a winner and {show(loser)} with a loser",
    )


def smaller_is_a_mistake(n: Numbers) -> Finding:
    """If player II calls b half way up her range, player I loses by it with either hand."""
    most, found = "2*a*B/((2*a + B)*b)", []
    for condition, top in ((f"{most} <= 1", most), (f"{most} >= 1", "1")):
        where = region(*extended(_sized()[0], condition))
        chance = formula(f"(2*a/(2*a + b) + {top})/2", where)
        winner, loser = _gain(where, chance, 1, "largest"), _gain(where, chance, 0, "check")
        found.append(true_for(where, partial(_both_lose, winner, loser), "it loses with either hand"))
    return Finding(all(f.holds for f in found), found[0].evidence, "proved", "; ".join(f.domain for f in found))


def _both_lose(winner: Number, loser: Number) -> bool:
    return bool(winner < 0) and bool(loser < 0)


def value_grows(n: Numbers) -> Finding:
    where, at = _sized()
    worth = [n.at(P=at["P"], a=at["a"], b=at[size])["V"] for size in ("b", "B")]
    game = make("endgame", p=at["P"], ante=at["a"], bets=[at["B"]])
    true = value(game, game.published())
    return true_for(where, lambda: worth[1] == true and bool(worth[1] > worth[0]), "V at B exceeds V at any smaller b")


def dangerous(n: Numbers) -> Finding:
    """Bets that tell the card: winners bet 2, losers bluff with 1; the best reply holds player I below the value."""
    game = make("sized_endgame", p="1/4", ante=1, sizes=[1, 2])
    small, large = game.tree.root.actions[1:]
    plan: Plan = {"": {large: [0, 1], small: ["1/6", 0]}, small: {"call": "2/3"}, large: {"call": "1/2"}}
    worth, left = value(game, game.published()), -best_response(game, game.profile(plan), 1).value
    return Finding(left < worth, f"a best reply leaves player I {left}, less than the value {worth}", domain=str(game))
