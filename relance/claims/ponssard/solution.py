"""Checks of the value and of both players' optimal strategies in Ponssard's poker variant."""

from __future__ import annotations

from relance.claims.ponssard.square import (
    ANYHOW,
    BLUFF,
    BORDER,
    CALL,
    CALL_ALWAYS,
    DROP,
    KEPT,
    PR,
    QR,
    REGIONS,
    RERAISE,
    game_at,
    half_the_pot,
    only,
    plan_of,
    restricted,
    solves,
    somewhere,
    worth,
)
from relance.claims.prelude import *
from relance.claims.trace import dealt


def rules_of_play(n: Numbers, last: Sequence[str] = ("drop", "call")) -> Finding:
    """Check the rules of Ponssard's variant: the players' actions, the pot, the chips of a raise and a reraise, and the deal.

    `last` are the actions at the last node, at which player I answers a reraise.
    """
    where = somewhere("0 <= p", "p <= 1", "0 <= q", "q <= 1")
    game = game_at(where)
    found = [(name, node.player, *node.actions) for name, node in game.tree.decisions.items()]
    told = [("", 0, "drop", "raise"), ("raise", 1, "drop", "call", "reraise"), ("raise-reraise", 0, *last)]
    lowest = {name: game_at({**where, "p": 0, "q": 1}) for name in KEPT}
    lost = {name: -worth(restricted(at, **KEPT[name]), ANYHOW) for name, at in lowest.items()}
    distribution = [[dealt(game, game.uniform(), i, j) for j in (0, 1)] for i in (0, 1)]
    numbers = {
        "pot": worth(restricted(game, **KEPT["RD"]), ANYHOW),
        "raise": lost["RC"] - lost["D"],
        "reraise": lost["RRC"] - lost["RC"],
        "p": sum(distribution[1], ZERO),
        "q": distribution[0][1] + distribution[1][1],
    }
    same = equal(numbers, n.at(**where), where)
    return same.only_if(found == told and distribution[1][1] == where["p"] * where["q"])


def tables_without_choices(n: Numbers) -> Finding:
    """Check the five printed payoff tables of games in which each action is prescribed, with an entry for each pair of hidden cards.

    A hidden card is low or high. For any chances p and q of a high card, the value of the game must be the average of the entries.
    """
    where = somewhere("0 <= p", "p <= 1", "0 <= q", "q <= 1")
    v, entries, printed = n.at(**where), {}, {}
    for name, kept in KEPT.items():
        between: Number = ZERO
        for p, q in product((0, 1), (0, 1)):
            entry = f"V^{name} at ({'LH'[p]}, {'LH'[q]})"
            entries[entry] = worth(restricted(game_at({**where, "p": p, "q": q}), **kept), ANYHOW)
            printed[entry] = v[f"{name}, I wins" if p > q and f"{name}, I wins" in v else name]
            between += printed[entry] * (where["p"] if p else 1 - where["p"]) * (where["q"] if q else 1 - where["q"])
        entries[f"V^{name}"], printed[f"V^{name}"] = worth(restricted(game_at(where), **kept), ANYHOW), between
    same = equal(entries, printed, where)
    return same.saying(f"all {len(entries) - len(KEPT)} entries; bilinear in between")


def drops(n: Numbers) -> Finding:
    """Check that the value is 0, and that it is optimal for player I to drop with both cards, if q is at least the printed number `border`.

    q is player II's chance of a high card, and p that of player I. If q is above `border`, a raise with a high card earns less than a drop.
    If q is below `border` and p above 0, the value is above 0.
    """
    border, parts = n.texts["border"], []
    for high, reply in ((f"q < {QR}", RERAISE), (f"q >= {QR}", "1")):
        for side, answer in ((("0 <= p", f"p <= {PR}"), CALL), ((f"p >= {PR}", "p <= 1"), CALL_ALWAYS)):
            where = somewhere(f"q >= {border}", "q <= 1", high, *side)
            plan = plan_of(where, ZERO, reply, ONE, answer, ZERO)
            parts.append(nash(game_at(where), plan, where, n["V"] - where["n"] / 2).part("drops"))
        where = somewhere("0 < p", "p <= 1", f"q > {border}", "q <= 1", high)
        for call in (ZERO, ONE):
            chips = chips_by_action(game_at(where), plan_of(where, ZERO, reply, ONE, call, ZERO), "")
            lost = (chips["drop"] - chips["raise"])[1]
            parts.append(positive(where, lost, f"a raise with a high card loses {show(lost)}").part("a raise loses"))
    for part in REGIONS:
        where = somewhere(*REGIONS[part], "0 < p", f"q < {border}")
        game = game_at(where)
        least = half_the_pot(game) - best_value(game, _optimal(where, part), 1)
        parts.append(positive(where, least, f"below the border I wins at least {show(least)}").part("he wins"))
    text = "NashConv 0 and value 0 from the border on, more than 0 below"
    return every(((finding.domain, finding) for finding in parts), text)


def hyperplanes(n: Numbers, supporting: str = "gamma") -> Finding:
    """Check what player I earns by a raise against two strategies of player II, y1 and y2, and against a mixture of both.

    In y1 and y2 player II reraises with every high card and some low cards. With the other low cards player II drops in y1 and calls in y2.
    p and q are the chances of a high card of players I and II. After a raise, y1 is optimal for p from the printed `border` on, and y2 for
    p up to `border`. Against just one mixture player I is indifferent between a raise and a drop with a low card. Against this mixture a
    raise earns gamma, a function of p and q, which is the value for p up to `border`. The function `supporting`, by default gamma, is
    nowhere below the value.
    """
    parts = []
    border = n.texts["border"]
    above, below = (f"p >= {border}", "p <= 1"), ("0 <= p", f"p <= {border}")
    for name, mu, side, answer in (("gamma1", ONE, above, CALL_ALWAYS), ("gamma2", ZERO, below, CALL)):
        where = somewhere(*side, "0 <= q", f"q <= {BORDER}")
        plan = plan_of(where, ONE, RERAISE, mu, answer)
        solved = solves(restricted(game_at(where), first="raise"), plan, where, n.at(**where)[name])
        parts.append(solved.part(name))
    for part in REGIONS:
        where = somewhere(*REGIONS[part])
        v, game = n.at(**where), game_at(where)
        against = [_earned(game, plan_of(where, ONE, RERAISE, mu, ONE)) for mu in (ONE, ZERO)]
        found = {"gamma1": against[0], "gamma2": against[1]}
        found["gamma"] = v["mu1"] * against[0] + (1 - v["mu1"]) * against[1]
        paid = worth(game, _optimal(where, part))
        facts = [equal(found, {key: v[key] for key in found}, where), nash(game, _optimal(where, part), where)]
        facts.append(true_for(where, partial(ge, v[supporting], paid), "V is nowhere above the hyperplane"))
        if part == "A":
            facts.append(equal({"V": paid}, {"V": v["gamma"]}, where))
        parts.append(together(facts).part("V"))
    where = somewhere(*REGIONS["A"], "0 <= mu", "mu <= 1", names="n, m, p, q, mu")
    chips = chips_by_action(game_at(where), plan_of(where, ZERO, RERAISE, where["mu"], ONE), "")
    bluff, slope = (chips["raise"] - chips["drop"])[0], formula("(1 - p)*(n + 1)*(1 - q*(2*m + n)/(m + n + 1))", where)
    last = equal({"a bluff gains": bluff}, {"a bluff gains": slope * (where["mu"] - n.at(**where)["mu1"])}, where)
    rising = positive(where, slope, "the more often II drops, the more a bluff gains")
    parts.append(together([rising, last]).part("mu1"))
    return every(((finding.domain, finding) for finding in parts), last.evidence)


def _earned(game: Game, plan: Plan) -> Number:
    """Return the most that player I can earn by a raise against II's strategy in `plan`, with payoffs as the paper counts them."""
    raised = restricted(game, first="raise")
    return best_value(raised, only(raised, plan), 0) + half_the_pot(game)


def _optimal(where: Region, part: str) -> Plan:
    """The optimal strategies in the region `part`: in "A" player I bluffs with some low cards, in "B" I always raises."""
    moves = (BLUFF, RERAISE, DROP, CALL) if part == "A" else ("1", RERAISE, "1", CALL_ALWAYS)
    return plan_of(where, *moves)


def replies(n: Numbers, side: str, high: str = "reraise", fixed: str = "") -> Finding:
    """Check player II's optimal answers to a raise that player I makes with any card.

    `side` says whether p, player I's chance of a high card, is "above", "at" or "below" the border (n + 1)/(n + 2), where n is the pot.
    With a low card the strategy y1 drops or reraises, and y2 calls or reraises. Above the border only y1 is optimal. At the border y1, y2
    and their mixtures are optimal. For "below", one point is tried, at which y1 is not optimal. With a high card player II always takes the
    action `high`. Only if II reraises with low cards at the printed frequency, or at `fixed`, is player I indifferent between a call and a
    drop with a high card.
    """
    if side == "below":
        point = {"n": ONE, "m": Fraction(4), "p": ONE / 2, "q": ONE / 5}
        game = game_at(point)
        profile = game.profile(plan_of(point, ONE, RERAISE, ONE, ONE))
        gain = best_value(game, profile, 1) + play_value(game, profile)
        return tried_at(point, gain <= 0, f"if I always raises, II can gain {show(gain)} over y1")
    conditions = (f"p {'>' if side == 'above' else '>='} {PR}", "p <= 1", "0 <= q", f"q <= {BORDER}")
    where, at = _with_p(side, *conditions)
    reraise_low, call = n.at(**at)["reraise low"], formula(CALL_ALWAYS, at)
    game, first = game_at(at), plan_of(at, ONE, reraise_low, ONE, call)
    raised, paid = restricted(game, first="raise"), worth(restricted(game, first="raise"), first)
    low = {action: chips[0] for action, chips in chips_by_action(game, first, "raise").items()}
    parts = [solves(raised, first, where, paid), equal({"reraise": low["reraise"]}, {"reraise": low["drop"]}, where)]
    if side == "at":
        parts.append(solves(raised, plan_of(at, ONE, reraise_low, ZERO, call), where, paid))
        words = "II's optimal answers are y1, y2 and their mixtures"
    else:
        parts.append(nash(game, first, where))
        parts.append(positive(where, low["drop"] - low["call"], "with a low card a call is worse than a drop"))
        words = "II's only optimal answer is y1"
    parts.append(true_for(where, lambda: bool(call > 0) and bool(call < 1), "I calls and drops with a high card"))
    parts = [together(parts).part("answers"), _high_card(side, high, *conditions).part("high card")]
    parts.append(_fixed_by_calls(n, fixed, side, *conditions).part("low card"))
    return every(((finding.domain, finding) for finding in parts), words)


def _with_p(side: str, *conditions: str, names: str = "n, m, p, q") -> tuple[Region, dict[str, Number]]:
    """Return the region of `conditions` and its symbols; if `side` is "at", p is no symbol but equals the formula of its border."""
    if side != "at":
        where = somewhere(*conditions, names=names)
        return where, dict(where)
    where = somewhere(*(text for text in conditions if not text.startswith("p ")), names=names.replace("p, ", ""))
    return where, {**where, "p": formula(PR, where)}


def _high_card(side: str, best: str, *conditions: str) -> Finding:
    """Check that with a high card player II earns more by the action `best` than by any other, against player I's optimal calls."""
    where, at = _with_p(side, "0 < q", *(text for text in conditions if text != "0 <= q"))
    plan = plan_of(at, ONE, RERAISE, ONE, CALL_ALWAYS)
    chips = {name: number[1] for name, number in chips_by_action(game_at(at), plan, "raise").items()}
    worse = [chips[best] - number for name, number in chips.items() if name != best]
    return true_for(where, lambda: all(gap > 0 for gap in worse), f"with a high card II must {best}")


def _fixed_by_calls(n: Numbers, fixed: str, side: str, *conditions: str) -> Finding:
    """Check that only one frequency of reraises with a low card makes I indifferent between a call and a drop with a high card.

    This is the printed frequency, or the formula `fixed` if it is given.
    """
    where, at = _with_p(side, *conditions, "0 <= r", "r <= 1", names="n, m, p, q, r")
    chips = chips_by_action(game_at(at), plan_of(at, ONE, where["r"], ONE, ONE), "raise-reraise")
    gain, printed = (
        (chips["call"] - chips["drop"])[1],
        n.at(**{key: at[key] for key in ("n", "m", "p", "q")})["reraise low"],
    )
    if fixed:
        printed = formula(fixed, at)
    slope = at["p"] * (1 - at["q"]) * (at["m"] + at["n"] + 1)
    good = gain == slope * (where["r"] - printed)
    return true_for(where, lambda: good and bool(slope > 0), f"with a high card a call gains {show(gain)}")


def by_programming(n: Numbers) -> Finding:
    """Check the printed value by linear programming at a grid of chances (p, q) of a high card for players I and II, 0 and 1 included."""
    count, tried = 0, []
    for pot, m in ((ONE, Fraction(4)), (Fraction(2), Fraction(2)), (Fraction(3), Fraction(5, 2))):
        pR, qR, border = (formula(text, {"n": pot, "m": m}) for text in (PR, QR, BORDER))
        tried.append(At(f"n = {pot}, m = {m}"))
        for p, q in product((ZERO, ONE / 3, pR, 9 * ONE / 10, ONE), (ZERO, ONE / 5, border, qR, ONE)):
            at = {"n": pot, "m": m, "p": p, "q": q}
            wanted = n.at(**at)["A" if p <= pR else "B"] if q <= border else 0
            game = game_at(at)
            _, profile = solve_lp(game)
            paid = play_value(game, profile) + pot / 2
            if nash_conv(game, profile) or paid != wanted:
                return tried_at(at, False, f"the value is {paid}, not {wanted}")
            count += 1
    text = f"the same value at {count} points (p, q), corners and borders among them"
    return Finding(count == n["points"], text, tuple(tried))
