"""Checks on pot limit with limited or unlimited raises: thresholds, value, and what can be moved (Sections 3 to 5)."""

from __future__ import annotations

from relance.claims.cutler.first_game import ENDLESS, ROOT, rounded
from relance.claims.cutler.force_in import every_stage, is_endless
from relance.claims.cutler.opening import Opening, first_bets, opening
from relance.claims.cutler.stages import ALPHA, answers, prize, settled
from relance.claims.prelude import *
from relance.envs.cutler import pot_limit_numbers

_B = Fraction(5, 9) - ROOT / 63
LINES: Mapping[str, Number] = {"a": 1 - ROOT / 21, "b": _B, "c": Fraction(7, 9) - 2 * ROOT / 63, "d": _B}
"""The exact thresholds of pot limit with unlimited raises: A bets above a and calls above b; B bets above c and calls above d."""


def cut_off(raises: int) -> tuple[Game, Plan]:
    """Return pot limit with this many raises, and the strategies for unlimited raises as far as this limit allows."""
    game = make("pot_limit", raises=raises)
    return game, with_numbers(game, every_stage(raises, LINES))


def close_to(exact: Number, n: Numbers, name: str, text: str = "") -> Finding:
    """Check that n[name] is `exact` to three digits. If `n` has a number named "exactly", it must be `exact`. `text` is the evidence."""
    digits = rounded({name: exact}, {name: n[name]}, text=text or f"{show(exact)} = {float(exact):.5f}")
    if "exactly" not in n.texts:
        return digits
    return digits.only_if(equal({"exactly": exact}, {"exactly": n.at(s=ROOT)["exactly"]}).holds)


def _gains(plan_numbers: Mapping[str, Number], raises: int = 1) -> dict[str, Number]:
    """A's winnings with the hand a by a check and by a bet, and the four gains that equations (8) to (11) set to 0, scaled as printed."""
    game, a, c = make("pot_limit", raises=raises), plan_numbers["a"], plan_numbers["c"]
    plan = with_numbers(game, plan_numbers)
    check, bet = chips_by_action(game, plan, "").values()
    reply = advantage(game, plan, "check", "bet", "check")
    worst = (1 - a) / 2
    return {
        "check at a": check(a),
        "bet at a": bet(a),
        "(8)": bet(a) - check(a),
        "(9)": (bet(worst) - check(worst)) / 2,
        "(10)": reply(c) / -2,
        "(11)": reply((1 - c) / 2) / -1,
    }


def equations(n: Numbers) -> Finding:
    """Check the indifference equations (8) to (11), and what A wins with the hand at A's betting threshold a, at any thresholds."""
    return together([_equations(n, "b < d"), _equations(n, "d < b"), _equations(n, "b == d")])


def _equations(n: Numbers, order: str) -> Finding:
    """Check the equations for b and d in the given `order`, such as "b < d"; if they are equal, the symbol b stands for both."""
    rows = ("0 < c", "c < a", "a < 1", "b < c", "1 - c < 2*b", "d < c", "1 - c < 2*d", "d < 1 - alpha*(1 - a)", order)
    told = where = region("a, b, c, d, alpha, beta", "0 < alpha", "alpha < beta", "beta < 1", *rows)
    if order == "b == d":
        one = [row.replace("d", "b") for row in rows[:-1]]
        where = region("a, b, c, alpha, beta", "0 < alpha", "alpha < beta", "beta < 1", *one)
    v: dict[str, Number] = {"d": where["b"], **where}
    gains = _gains({**v, "alpha1": v["alpha"], "alpha2": ZERO, "beta1": v["beta"]})
    return equal(gains, n.at(**v), where).part("", told)


@unproved("any number of raises")
def lines(n: Numbers) -> Finding:
    """Check that the printed formulas of a, b, c, d for unlimited raises solve equations (8) to (11) and round to the printed decimals."""
    v = n.at(s=ROOT)
    at = {symbol: v[symbol] for symbol in "abcd"}
    digits = rounded(at, {x: v[f"{x} digits"] for x in at})

    def solved(raises: int) -> Finding:
        gains = _gains(every_stage(raises, at), raises)
        return equal(gains, {name: ZERO for name in gains if name.startswith("(")}, make("pot_limit", raises=raises))

    all_zero = each("raises", (1, 2), solved, digits.evidence)
    return all_zero.only_if(digits.holds, "" if digits.holds else digits.evidence)


@unproved("play without end")
def endless(n: Numbers, a: str) -> Finding:
    """Check that pot limit's published solution for unlimited raises is optimal; `a` is the formula of A's threshold for bets."""
    numbers = {"alpha1": ENDLESS["alpha"]}
    for symbol, text in pot_limit_numbers({"raises": 1}).items():
        if symbol in "abcd":
            numbers[symbol] = formula(text, numbers)
    own = {**LINES, "a": formula(a, {"s": ROOT})} == {symbol: numbers[symbol] for symbol in "abcd"}
    facts = together([first_bets(opening()).part("first bets"), answers("calls", "bluffs", "raises")])
    return facts.only_if(own and is_endless(**ENDLESS))


@unproved("any number of raises")
def printed_list(n: Numbers, what: str, first: int, start: str) -> Finding:
    """Check printed thresholds for raises or for calls of raises, or printed numbers of bluffs, in pot limit with unlimited raises.

    Each is read off the published strategies, and tested. Above its threshold, and not below, a raise must win more than a call. If calls
    begin at their threshold, a bluff must win as much as a fold. With this number of bluffs, a call must win as much as a fold for a hand
    between the bluffs and the hands that bet or raise for value.

    Args:
        n: the printed numbers, in the order of play.
        what: "raise" or "call", whose thresholds are printed, or "bluff".
        first: 0 if the first number belongs to the bet, 1 if it belongs to the first raise.
        start: the formula of the share of hands above the first threshold, or of the first bluffs; each next share is alpha times the last.
    """
    depth = first + len(n) + 2
    found = {raises: _listed(n, what, first, start, raises) for raises in (depth, depth + 1)}
    return each("raises", found, found.__getitem__)


def _listed(n: Numbers, what: str, first: int, start: str, raises: int) -> Finding:
    """Check the list of `printed_list` in the game with this many raises."""
    game, plan = cut_off(raises)
    profile = game.profile(plan)
    found: dict[str, Number] = {}
    good = True
    for k, name in enumerate(n, first):
        node = "-".join(["bet", *["raise"] * (k - 1)]) if k else ""
        reply = f"{node}-raise" if k else "bet"
        made = profile.row(node, "raise" if k else "bet")
        line = 1 - 2 * made.integral() / 3
        calls = lowest(profile.row(reply, "call"))
        found[name] = {"raise": line, "call": calls, "bluff": made.integral() / 3}[what]
        above = 1 - (1 - line) * ENDLESS["alpha"]
        if what == "call":
            good &= signs_between(advantage(game, plan, node, "raise", "fold"), made.integral() / 3, calls) == [0]
        elif what == "bluff":
            good &= signs_between(advantage(game, plan, reply, "call", "fold"), found[name], line) == [0]
        elif k:
            low = 1 - (1 - line) / ENDLESS["alpha"]
            good &= signs_between(advantage(game, plan, node, "raise", "call"), low, line, above) == [-1, 1]
    amounts = [x if what == "bluff" else 1 - x for x in found.values()]
    good &= amounts[0] == formula(start, {**LINES, **ENDLESS})
    good &= all(after == before * ENDLESS["alpha"] for before, after in pairwise(amounts))
    return rounded(found, n, game).only_if(good)


# --- the value --------------------------------------------------------------------------------------------------------


def pot_limit_value(alpha: Number) -> Number:
    """Return the value of pot limit in chips to A, if B raises for value with `alpha` times as many hands as A bets for value."""
    return -(1 + 2 * alpha) / (12 + 18 * alpha)


@unproved("any number of raises, and play without end")
def endless_value(n: Numbers) -> Finding:
    """Check pot limit's printed value V for unlimited raises. For any limit on raises, the value must be `pot_limit_value`, and below 0."""
    at, limit = opening(), pot_limit_value(ENDLESS["alpha"])
    alpha = at.lines["alpha1"]
    force_in = settled(make("force_in", raises=1), {"raise": Leaf(-prize(alpha, at.x))})
    third = Fraction(1, 3)
    plan: Plan = {"": {"call": [(third, 1 - 2 * alpha / 3)], "raise": [(0, alpha / 3), (1 - 2 * alpha / 3, 1)]}}
    again = play_value(force_in, plan) == -(1 + 2 * alpha) / 3
    step = true_for(
        at.where, lambda: again and at.worth == pot_limit_value(alpha) and at.worth < 0, "the value is as stated"
    ).part("first bets")
    games = [make("pot_limit", raises=k) for k in range(5)]
    few = [play_value(game, game.published()) for game in games]
    known = each("raises", range(5), lambda k: _worth_of(games[k]))
    text = f"{', '.join(map(str, few))} with 0 to 4 raises; without end {show(limit)} = {float(limit):.5f}"
    return step.only_if(known).only_if(close_to(limit, n, "V").holds, text)


def _worth_of(game: Game) -> Finding:
    """Check that the value of the published strategies is the `pot_limit_value` of their alpha1."""
    alpha = game.printed_numbers()[1]["alpha1"]
    return equal({"V": play_value(game, game.published())}, {"V": pot_limit_value(alpha)}, game)


def essentially(n: Numbers, value_rate: str, line_rate: str) -> Finding:
    """Check that two limits on raises give pot limit almost the same value and thresholds.

    Let alpha, how many hands raise for value divided by how many bet for value, differ by e between the two limits. Then the values differ
    by at most `value_rate` times e, and each threshold differs by at most `line_rate` times e.
    """
    where = region("x, y", "0 <= x", "4*x <= 1", "0 <= y", "4*y <= 1")
    one, other = Opening(where, where["x"]), Opening(where, where["y"])
    more = other.lines["alpha1"] - one.lines["alpha1"]

    def close() -> bool:
        scale = 36 * (2 + 3 * one.lines["alpha1"]) * (2 + 3 * other.lines["alpha1"])
        moves = {"V": one.worth - other.worth, **{x: other.lines[x] - one.lines[x] for x in "abcd"}}
        times = {"V": 6, "a": 36, "b": 12, "c": 24, "d": 12}
        exact = all(moves[name] * scale == times[name] * more for name in moves)
        return exact and bool(6 / scale <= Fraction(value_rate)) and bool(36 / scale <= Fraction(line_rate))

    text = f"where alpha differs by e, the value differs by at most {value_rate} e, and a, b, c and d by at most {line_rate} e"
    return true_for(where, close, text)


# --- which lines can be moved -----------------------------------------------------------------------------------------


def indifferent(n: Numbers, beta: str) -> Finding:
    """Check that, with a hand that beats only bluffs, a player who faces a bet in pot limit wins as much by a raise as by a call or a fold.

    Of the hands that bet for value, the opponent calls or reraises a raise with the best share; the formula of this share is `beta`.
    """
    return answers("calls", "bluffs", beta=beta)


@unproved("play without end, and that no other strategy is optimal")
def strict_lines(n: Numbers, alpha: str) -> Finding:
    """Check in pot limit that of all hands good enough to bet, exactly the best share `alpha` win more by raising a bet than by calling."""
    return answers("raises", alpha=alpha)


def bet_line(n: Numbers) -> Finding:
    """Test in pot limit with one raise: A must lose chips against B's published play if A bets for value from 9/10 on, not from 29/33."""
    game = make("pot_limit", raises=1)
    base = game.published()
    line = Fraction(9, 10)
    lost = play_value(game, base) - play_value(game, {**base.plan(), "": {"bet": [(0, (1 - line) / 2), (line, 1)]}})
    return tried_at({"raises": 1}, lost > 0, f"A bets from 9/10 instead of 29/33 and loses {show(lost)}", game)


@unproved("play without end, and that no other strategy is optimal")
def bet_line_where(n: Numbers) -> Finding:
    """Check in pot limit that A's threshold for value bets may be anywhere from B's threshold c to the printed `line` without a loss.

    Also check that any other threshold for B's value bets, or for a raise for value, costs the player chips.
    """
    at = opening()
    v = at.lines
    line = n.at(a=v["a"], alpha=v["alpha1"])["line"]

    def strict() -> bool:
        fold, call = (at.gain("", "bet", "check", answer) for answer in ("fold", "call"))
        after = at.gain("check", "bet", "check")
        return (
            signs_between(fold, (1 - v["c"]) / 2, v["c"], line) == [-1, 0]
            and signs_between(call, line, 1) == [1]
            and signs_between(after, (1 - v["c"]) / 2, v["c"], 1) == [-1, 1]
        )

    first = true_for(
        at.where,
        strict,
        "A's bet wins as much as a check from c to that line, and more above; B's bet wins more from c on",
    )
    return together([first.part("first bets"), strict_lines(n, ALPHA)])
