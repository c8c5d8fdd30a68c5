"""Checks of all claims. The paper counts the pot as nobody's: its payoffs are ours plus n/2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from relance.claims.checks import equal, nash, tried_at, true_for
from relance.claims.ledger import Finding, Numbers
from relance.envs import make
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.strategy import Plan, Profile
from relance.solvers.exact import action_values, best_response, reach, value
from relance.solvers.lp import solve_lp
from relance.solvers.proof import Region, region

ONE = Fraction(1)
PR, QR, BORDER = "(n + 1)/(n + 2)", "(m + n + 1)/(2*m + n)", "n*(m + n + 1)/((n + 1)*(2*m + n))"
REGIONS = {
    "A": ("0 < p", f"p <= {PR}", "0 <= q", f"q <= {BORDER}"),
    "B": (f"p >= {PR}", "p < 1", "0 <= q", f"q <= {BORDER}"),
}
"""Where player I bluffs, and where he always raises; he drops where q is above its border."""


def _any(*conditions: str) -> tuple[Region, dict[str, Any]]:
    """Any pot, second bet and chances, with further conditions."""
    where = region("n, m, p, q", "n > 0", "m > 1", *conditions)
    return where, dict(where)


def _game(at: Mapping[str, Number]) -> Game:
    return make("ponssard", pot=at["n"], raise_to=at["m"], p=at["p"], q=at["q"])


def _plan(raises: list[Number], reraises: list[Number], drops: Number, call: Number) -> Plan:
    """Probabilities with a low and a high card; `drops` is player II's share of drops among what is not reraised, if low."""
    return {
        "": {"raise": raises},
        "raise": {"reraise": reraises, "drop": [(1 - reraises[0]) * drops, 0]},
        "raise-reraise": {"call": [0, call]},
    }


def payoffs(n: Numbers) -> Finding:
    """The five tables of restricted games, by the cards down of I and II."""
    where, at = region("n, m", "n > 0", "m > 1"), {}
    at = {name: where[name] for name in "nm"}
    moves: dict[str, tuple[int, str, int]] = {
        "RRD": (1, "reraise", 0),
        "RRC": (1, "reraise", 1),
        "RD": (1, "drop", 0),
        "RC": (1, "call", 0),
        "D": (0, "drop", 0),
    }
    v = n.at(**at)
    for name, (raises, answer, calls) in moves.items():
        for p in (0, 1):
            for q in (0, 1):
                game = _game({**at, "p": Fraction(p), "q": Fraction(q)})
                plan: Plan = {
                    "": {"raise": raises},
                    "raise": {action: int(action == answer) for action in ("drop", "call", "reraise")},
                    "raise-reraise": {"call": calls},
                }
                worth = value(game, game.profile(plan)) + at["n"] / 2
                key = f"{name}, I wins" if p > q and f"{name}, I wins" in v else name
                if worth != v[key]:
                    hands = f"{'LH'[p]}, {'LH'[q]}"
                    return Finding(
                        False, f"V^{name} at ({hands}) is {show(worth)}, not {show(v[key])}", "proved", str(where)
                    )
    return Finding(True, "all 20 entries", "proved", str(where))


def last_border(n: Numbers) -> Finding:
    """After a reraise by a player II who has a high card with chance q, I calls with a high card up to the printed q."""
    where, at = _any("0 < p", "p < 1", "0 < q", "q < 1")
    game = _game(at)
    profile = game.profile(_plan([ONE, ONE], [ONE, ONE], ONE, ONE))
    (low_drop, high_drop), (low_call, high_call) = action_values(game, profile, 0)["raise-reraise"][1]
    gain = high_call - high_drop
    scale = (2 * at["m"] + at["n"]) * at["p"]
    worth = at["p"] * (at["n"] + at["m"] - at["q"] * (2 * at["m"] + at["n"])) - (1 - at["p"])
    good = gain == scale * (n.at(**at)["border"] - at["q"]) and value(game, profile) + at["n"] / 2 == worth
    text = f"weighted by chance, calling gains {show(gain)} with a high card and {show(low_call - low_drop)} with a low one"
    found = true_for(where, lambda: bool(low_call - low_drop < 0), text)
    return Finding(found.holds and good, text, "proved", str(where))


def first_border(n: Numbers) -> Finding:
    """A player II with a low card drops or calls a sure raise: he calls as long as p is below the printed border."""
    where, at = _any("0 < p", "p < 1", "0 < q", "q < 1")
    game = _game(at)
    profile = game.profile(_plan([ONE, ONE], [Fraction(0), ONE], ONE, ONE))
    drop, call, _ = action_values(game, profile, 1)["raise"][1]
    gain, border = call[0] - drop[0], n.at(**at)["border"]
    good = gain == (at["n"] + 2) * (border - at["p"]) * (1 - at["q"])
    return Finding(good, f"weighted by its chance, with a low card calling gains {show(gain)}", "proved", str(where))


def solution(n: Numbers, part: str) -> Finding:
    """The printed strategies of both players and the value in one region of the square, with the pot as the paper counts it."""
    where, at = _any(*REGIONS[part])
    v = n.at(**at)
    game = _game(at)
    plan = _plan([v["raise low"], ONE], [v["reraise low"], ONE], v["mu1"], v["call"])
    found = nash(game, plan, where, v["V"] - at["n"] / 2)
    rest = {key: v[key] + v[other] for key, other in (("drop low", "raise low"), ("drop", "call")) if key in v}
    wrong = [f"{key} and its complement add to {show(total)}" for key, total in rest.items() if total != 1]
    return Finding(found.holds and not wrong, "; ".join(wrong) or found.evidence, "proved", str(where))


def drops(n: Numbers) -> Finding:
    """Above the border of q: player I drops and the value is 0; II's replies keep him from raising."""
    parts = (
        (f"q < {QR}", f"p <= {PR}"),
        (f"q < {QR}", f"p >= {PR}"),
        (f"q >= {QR}", f"p <= {PR}"),
        (f"q >= {QR}", f"p >= {PR}"),
    )
    for condition, side in parts:
        where, at = _any("0 < p", "p < 1", "q < 1", f"q > {n.texts['border']}", condition, side)
        game = _game(at)
        reraise = at["q"] * (at["m"] - 1) / ((at["m"] + at["n"] + 1) * (1 - at["q"])) if "<" in condition else ONE
        call = (
            (at["n"] + 2) / (at["m"] + at["n"] + 1)
            if "<=" in side
            else (at["n"] + 1) / ((at["m"] + at["n"] + 1) * at["p"])
        )
        found = nash(game, _plan([Fraction(0)] * 2, [reraise, ONE], ONE, call), where, n["V"] - at["n"] / 2)
        if not found.holds:
            return found
    where, at = _any("0 < p", "p < 1", "0 <= q", f"q < {n.texts['border']}")
    below = 1 - at["q"] * (at["n"] + 1) * (2 * at["m"] + at["n"]) / (at["n"] * (at["m"] + at["n"] + 1))
    return true_for(where, lambda: bool(below > 0), "NashConv 0 and value 0 above the border, and more than 0 below")


def hyperplanes(n: Numbers) -> Finding:
    """What I gets by raising with chance p of a high card, against y1 and y2; which is less; and their mixture."""
    where, at = _any("0 < p", "p < 1", "0 <= q", f"q <= {BORDER}")
    v = n.at(**at)
    game = _game(at)
    reraise = at["q"] * (at["m"] - 1) / ((at["m"] + at["n"] + 1) * (1 - at["q"]))
    worth = [
        value(game, game.profile(_plan([ONE, ONE], [reraise, ONE], first, ONE))) + at["n"] / 2
        for first in (ONE, Fraction(0))
    ]
    found = equal({"gamma1": worth[0], "gamma2": worth[1]}, {k: v[k] for k in ("gamma1", "gamma2")}, where)
    mixed = v["gamma"] == v["mu1"] * v["gamma1"] + (1 - v["mu1"]) * v["gamma2"]
    order = worth[1] - worth[0] == (1 - at["q"] * (2 * at["m"] + at["n"]) / (at["m"] + at["n"] + 1)) * (at["n"] + 2) * (
        at["p"] - v["border"]
    )
    return Finding(found.holds and mixed and order, found.evidence, "proved", str(where))


def only_reply(n: Numbers, side: str) -> Finding:
    """I raises always, as if p were from its border on: player II's y1 and the calls printed for it, with p on this `side`."""
    point = {"n": ONE, "m": Fraction(4), "p": ONE / 2, "q": ONE / 5}
    if side == "<=":
        game = _game(point)
        profile = game.profile(_plan([ONE, ONE], [point["q"] / 2 / (1 - point["q"]), ONE], ONE, ONE))
        reply = best_response(game, profile, 1).value + value(game, profile)
        return tried_at(point, reply == 0, f"if I always raises, II can gain {show(reply)} over y1")
    return solution(n, "B")


def _story(where: Region, at: Mapping[str, Any], share: Number) -> dict[str, Number]:
    """The chance of a high card of the player who acts, after each of his actions; `share` is II's mu1."""
    game = _game(at)
    plan = _plan(
        [at["p"] / ((at["n"] + 1) * (1 - at["p"])), ONE],
        [at["q"] * (at["m"] - 1) / ((at["m"] + at["n"] + 1) * (1 - at["q"])), ONE],
        share,
        (at["n"] + 2) / (at["m"] + at["n"] + 1),
    )
    profile = game.profile(plan)
    return {f"{node}-{action}".strip("-"): x for node, action, x in _posteriors(game, profile)}


def _posteriors(game: Game, profile: Profile) -> Iterator[tuple[str, str, Number]]:
    for node, owner in game.tree.decisions.items():
        before = reach(game, profile, owner.player, node) * game.deal.prior(owner.player)
        for action, row in owner.by_action(profile[node]).items():
            low, high = before * row
            yield node, action, high / (low + high)


def story(n: Numbers) -> Finding:
    """The conditional probabilities along the game, the same for every mu1."""
    names = "n, m, p, q, mu"
    where = region(names, "n > 0", "m > 1", "0 < p", f"p < {PR}", "0 < q", f"q < {BORDER}", "0 < mu", "mu < 1")
    found = _story(where, where, where["mu"])
    v = n.at(**where)
    return equal({name: found[name] for name in v}, v, where)


def story_start(n: Numbers) -> Finding:
    """The border of q is not below the printed q where the printed difference is not negative: there I raises, elsewhere he drops.

    The border of p is above 1/2 for every pot.
    """
    where = region("n, m", "n > 0", "m > 1")
    v = n.at(**where)
    border = formula(BORDER, where)
    if (border - v["q"]) * 2 * (where["n"] + 1) * (2 * where["m"] + where["n"]) != v["difference"]:
        text = f"the border {show(border)} is not on the side of {n.texts['q']} that {n.texts['difference']} tells"
        return Finding(False, text, "proved", str(where))
    for relation, raises in ((">=", 1), ("<", 0)):
        part = region("n, m", "n > 0", "m > 1", f"{n.texts['difference']} {relation} 0")
        here = {"n": part["n"], "m": part["m"], "p": ONE / 2, "q": n["q"]}
        drop = formula("1/((n + 1)*(1 - q*(2*m + n)/(m + n + 1)))", here) if raises else ONE
        low = raises * formula("p/((n + 1)*(1 - p))", here)
        reraise, call = (formula(text, here) for text in ("q*(m - 1)/((m + n + 1)*(1 - q))", "(n + 2)/(m + n + 1)"))
        found = nash(_game(here), _plan([low, ONE * raises], [reraise, ONE], drop, call), part)
        if not found.holds:
            return found
    text = f"up to the border {show(border)} of q player I raises, above he drops: NashConv 0"
    return Finding(True, text, "proved", f"p = q = 1/2; {where}")


def first_raise(n: Numbers) -> Finding:
    """What player I loses by a raise that is called, with a low card: what he raised."""
    where = region("n, m", "n > 0", "m > 1")
    game = _game({**where, "p": Fraction(0), "q": Fraction(0)})
    plan: Plan = {"": {"raise": 1}, "raise": {"call": 1, "drop": 0}, "raise-reraise": {"call": 0}}
    lost = -(value(game, game.profile(plan)) + where["n"] / 2)
    return equal({"raise": lost}, n.at(**where), where)


def by_programming(n: Numbers) -> Finding:
    """The value by linear programming at a grid of points of the square, borders and corners with it."""
    count = 0
    for pot, raised in ((1, 4), (2, 2), (3, Fraction(5, 2))):
        q_r = Fraction(raised + pot + 1) / (2 * raised + pot)
        low = Fraction(pot + 1, pot + 2)
        for p in (Fraction(0), Fraction(1, 3), low, Fraction(9, 10), ONE):
            for q in (Fraction(0), Fraction(1, 5), q_r * pot / (pot + 1), q_r, ONE):
                at = {"n": Fraction(pot), "m": Fraction(raised), "p": p, "q": q}
                v = n.at(**at)
                border = q <= q_r * pot / (pot + 1)
                wanted = (v["A"] if p <= low else v["B"]) if border else Fraction(0)
                found = solve_lp(_game(at))[0] + Fraction(pot, 2)
                if found != wanted:
                    return Finding(False, f"n = {pot}, m = {raised}, p = {p}, q = {q}: {found}, not {wanted}")
                count += 1
    return Finding(True, f"the same value at {count} points, corners and borders among them")
