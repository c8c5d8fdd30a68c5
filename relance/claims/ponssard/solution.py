"""Checks of all claims. In the paper the pot belongs to neither player: its payoffs are ours plus n/2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from relance.claims.checks import chips_by_action, equal, gained, nash, surely, tried_at, true_for, with_numbers
from relance.claims.finding import Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.strategy import Plan, Profile
from relance.solvers.exact import best_response, reach, value
from relance.solvers.lp import solve_lp
from relance.solvers.proof import Region, region

ZERO, ONE = Fraction(0), Fraction(1)
PR, QR, BORDER = "(n + 1)/(n + 2)", "(m + n + 1)/(2*m + n)", "n*(m + n + 1)/((n + 1)*(2*m + n))"
REGIONS = {
    "A": ("0 < p", f"p <= {PR}", "0 <= q", f"q <= {BORDER}"),
    "B": (f"p >= {PR}", "p < 1", "0 <= q", f"q <= {BORDER}"),
}
"""The regions where player I bluffs and where he always raises. He drops where q is above its threshold."""

BLUFF, RERAISE = "p/((n + 1)*(1 - p))", "q*(m - 1)/((m + n + 1)*(1 - q))"
CALL, CALL_ALWAYS = "(n + 2)/(m + n + 1)", "(n + 1)/((m + n + 1)*p)"
"""How often I raises with a low card, II reraises with a low card, and I then calls with a high card, in each region."""


def _any(*conditions: str, names: str = "n, m, p, q") -> Region:
    """The region of any pot, second bet and chances, with further conditions."""
    return region(names, "n > 0", "m > 1", *conditions)


def _game(at: Mapping[str, Number]) -> Game:
    return make("ponssard", pot=at["n"], raise_to=at["m"], p=at["p"], q=at["q"])


def _plan(raise_low: Number, reraise_low: Number, mu1: Number, call: Number, raise_high: Number = ONE) -> Plan:
    """The published strategies with these probabilities. With a low card, II drops the share `mu1` of what she does not reraise."""
    numbers = {"raise_low": raise_low, "raise_high": raise_high, "reraise_low": reraise_low, "mu1": mu1}
    return with_numbers(make("ponssard"), {**numbers, "call_high": call})


def payoffs(n: Numbers) -> Finding:
    """The five tables of restricted games, by the cards down of I and II."""
    where = _any(names="n, m")
    moves: dict[str, tuple[int, str, int]] = {
        "RRD": (1, "reraise", 0),
        "RRC": (1, "reraise", 1),
        "RD": (1, "drop", 0),
        "RC": (1, "call", 0),
        "D": (0, "drop", 0),
    }
    v, entries, printed = n.at(**where), {}, {}
    for (name, (raises, answer, calls)), p, q in product(moves.items(), (0, 1), (0, 1)):
        game = _game({**where, "p": p, "q": q})
        answers = surely(game.tree.decisions["raise"], answer)
        plan: Plan = {"": {"raise": raises}, "raise": answers, "raise-reraise": {"call": calls}}
        entry = f"V^{name} at ({'LH'[p]}, {'LH'[q]})"
        entries[entry] = _worth(game, plan)
        printed[entry] = v[f"{name}, I wins" if p > q and f"{name}, I wins" in v else name]
    same = equal(entries, printed, where)
    return same.only_if(True, f"all {len(entries)} entries" * same.holds)


def _worth(game: Game, plan: Plan) -> Number:
    """Player I's payoff as the paper counts it, with the pot belonging to neither player."""
    half_the_pot: Number = game.parameters["pot"] / 2
    return value(game, game.profile(plan)) + half_the_pot


def last_border(n: Numbers) -> Finding:
    """After a reraise by player II, who has a high card with chance q, I calls with a high card up to the printed q."""
    where = _any("0 < p", "p < 1", "0 < q", "q < 1")
    pot, m, p, q = where.values()
    game, plan = _game(where), _plan(ONE, ONE, ONE, ONE)
    chips = chips_by_action(game, plan, "raise-reraise")
    low, high = chips["call"] - chips["drop"]
    good = high == (2 * m + pot) * p * (n.at(**where)["border"] - q)
    good = good and _worth(game, plan) == p * (pot + m - q * (2 * m + pot)) - (1 - p)
    text = f"weighted by chance, calling gains {show(high)} with a high card and {show(low)} with a low one"
    return true_for(where, lambda: good and bool(low < 0), text)


def first_border(n: Numbers) -> Finding:
    """Player II with a low card, facing a certain raise, calls while p is below the printed border, and drops above it."""
    where = _any("0 < p", "p < 1", "0 < q", "q < 1")
    gain = gained(_game(where), _plan(ONE, ZERO, ONE, ONE), "raise", "call", "drop")
    good = gain == (where["n"] + 2) * (n.at(**where)["border"] - where["p"]) * (1 - where["q"])
    return Finding(good, f"weighted by its chance, with a low card calling gains {show(gain)}", (where,))


def solution(n: Numbers, part: str) -> Finding:
    """The printed strategies of both players and the value in one region of the square, with the pot as the paper counts it."""
    where = _any(*REGIONS[part])
    v = n.at(**where)
    plan = _plan(v["raise low"], v["reraise low"], v["mu1"], v["call"])
    optimal = nash(_game(where), plan, where, v["V"] - where["n"] / 2)
    rest = {key: v[key] + v[other] for key, other in (("drop low", "raise low"), ("drop", "call")) if key in v}
    wrong = [f"{key} and its complement add to {show(total)}" for key, total in rest.items() if total != 1]
    return optimal.only_if(not wrong, "; ".join(wrong))


def drops(n: Numbers) -> Finding:
    """Above the border of q: player I drops and the value is 0; II's replies keep him from raising."""
    replies = ((f"q < {QR}", RERAISE), (f"q >= {QR}", "1"))
    calls = ((f"p <= {PR}", CALL), (f"p >= {PR}", CALL_ALWAYS))
    for (condition, reply), (side, answer) in product(replies, calls):
        where = _any("0 < p", "p < 1", "q < 1", f"q > {n.texts['border']}", condition, side)
        reraise, call = formula(reply, where), formula(answer, where)
        optimal = nash(_game(where), _plan(ZERO, reraise, ONE, call, ZERO), where, n["V"] - where["n"] / 2)
        if not optimal.holds:
            return optimal
    where = _any("0 < p", "p < 1", "0 <= q", f"q < {n.texts['border']}")
    below = formula("1 - q*(n + 1)*(2*m + n)/(n*(m + n + 1))", where)
    return true_for(where, lambda: bool(below > 0), "NashConv 0 and value 0 above the border, and more than 0 below")


def hyperplanes(n: Numbers) -> Finding:
    """Player I's payoff by raising with chance p of a high card, against y1 and y2; the smaller of the two; and their mixture."""
    where = _any("0 < p", "p < 1", "0 <= q", f"q <= {BORDER}")
    v = n.at(**where)
    game, reraise = _game(where), formula(RERAISE, where)
    first, second = (_worth(game, _plan(ONE, reraise, mu1, ONE)) for mu1 in (ONE, ZERO))
    mixed = v["gamma"] == v["mu1"] * v["gamma1"] + (1 - v["mu1"]) * v["gamma2"]
    slope = formula("(1 - q*(2*m + n)/(m + n + 1))*(n + 2)", where)
    order = second - first == slope * (where["p"] - v["border"])
    same = equal({"gamma1": first, "gamma2": second}, {name: v[name] for name in ("gamma1", "gamma2")}, where)
    return same.only_if(mixed and order)


def only_reply(n: Numbers, side: str) -> Finding:
    """Player I always raises, as if p were at or above its border: player II's y1 and the printed calls, with p on this `side`."""
    point = {"n": ONE, "m": Fraction(4), "p": ONE / 2, "q": ONE / 5}
    if side == "<=":
        game = _game(point)
        profile = game.profile(_plan(ONE, point["q"] / 2 / (1 - point["q"]), ONE, ONE))
        reply = best_response(game, profile, 1).value + value(game, profile)
        return tried_at(point, reply == 0, f"if I always raises, II can gain {show(reply)} over y1")
    return solution(n, "B")


def _posteriors(game: Game, profile: Profile) -> Iterator[tuple[str, Number]]:
    """The chance of a high card of the player who acts, after each of his actions."""
    for node, owner in game.tree.decisions.items():
        before = reach(game, profile, owner.player, node) * game.deal.prior(owner.player)
        for action, row in owner.by_action(profile[node]).items():
            low, high = before * row
            yield f"{node}-{action}".strip("-"), high / (low + high)


def story(n: Numbers) -> Finding:
    """The conditional probabilities along the game, the same for every mu1."""
    inside = ("0 < p", f"p < {PR}", "0 < q", f"q < {BORDER}", "0 < mu", "mu < 1")
    where = _any(*inside, names="n, m, p, q, mu")
    game = _game(where)
    bluff, reraise, call = (formula(text, where) for text in (BLUFF, RERAISE, CALL))
    profile = game.profile(_plan(bluff, reraise, where["mu"], call))
    return equal(dict(_posteriors(game, profile)), n.at(**where), where)


def story_start(n: Numbers) -> Finding:
    """The border of q is at least the printed q where the printed difference is at least 0. There I raises, elsewhere he drops."""
    where = _any(names="n, m")
    v = n.at(**where)
    border = formula(BORDER, where)
    if (border - v["q"]) * 2 * (where["n"] + 1) * (2 * where["m"] + where["n"]) != v["difference"]:
        text = f"the border {show(border)} is not on the side of {n.texts['q']} that {n.texts['difference']} indicates"
        return Finding(False, text, (where,))
    for relation, raises in ((">=", 1), ("<", 0)):
        part = _any(f"{n.texts['difference']} {relation} 0", names="n, m")
        here: dict[str, Number] = {"n": part["n"], "m": part["m"], "p": ONE / 2, "q": n["q"]}
        drop = formula("1/((n + 1)*(1 - q*(2*m + n)/(m + n + 1)))", here) if raises else ONE
        bluff, reraise, call = (formula(text, here) for text in (BLUFF, RERAISE, CALL))
        optimal = nash(_game(here), _plan(raises * bluff, reraise, drop, call, ONE * raises), part)
        if not optimal.holds:
            return optimal
    text = f"up to the border {show(border)} of q player I raises, above he drops: NashConv 0"
    return Finding(True, text, (where,))


def first_raise(n: Numbers) -> Finding:
    """A called raise with a low card loses player I exactly what he raised."""
    where = _any(names="n, m")
    game = _game({**where, "p": 0, "q": 0})
    plan: Plan = {"": {"raise": 1}, "raise": {"call": 1, "drop": 0}, "raise-reraise": {"call": 0}}
    return equal({"raise": -_worth(game, plan)}, n.at(**where), where)


def by_programming(n: Numbers) -> Finding:
    """The value by linear programming at a grid of points of the square, including borders and corners."""
    count = 0
    for pot, m in ((ONE, Fraction(4)), (Fraction(2), Fraction(2)), (Fraction(3), Fraction(5, 2))):
        pR, qR, border = (formula(text, {"n": pot, "m": m}) for text in (PR, QR, BORDER))
        for p, q in product((ZERO, ONE / 3, pR, 9 * ONE / 10, ONE), (ZERO, ONE / 5, border, qR, ONE)):
            at = {"n": pot, "m": m, "p": p, "q": q}
            wanted = n.at(**at)["A" if p <= pR else "B"] if q <= border else 0
            worth = solve_lp(_game(at))[0] + pot / 2
            if worth != wanted:
                return tried_at(at, False, f"the value is {worth}, not {wanted}")
            count += 1
    return Finding(True, f"the same value at {count} points, corners and borders among them")
