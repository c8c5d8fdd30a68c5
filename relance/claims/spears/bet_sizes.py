"""Checks of our claims on von Neumann's poker with a finite set of bet sizes."""

from __future__ import annotations

from relance.claims.prelude import *
from relance.envs.many_bet_sizes import best_sizes, sizes_plan
from relance.model.conditions import conditions_of


def solution_by_sizes(n: Numbers) -> Finding:
    """Check our solution of von Neumann's poker with one, two or three bet sizes: its NashConv is 0, and its value the printed one.

    The proof treats each case of `BET_SIZES`; together these cases contain every set of one, two or three bet sizes. First the solution is
    tried with one set of three sizes: if it fails there, no proof is needed.
    """
    tried = _solved(n, ONE, [ONE * 4 / 3, ONE * 2, ONE * 4])
    if not tried.holds:
        return tried
    found = together([_case(n, part, pots) for part, cases in BET_SIZES.items() for pots in cases])
    return found.saying("NashConv 0, and the value is w antes")


FIRST = ("x > 0", "1", "")
BET_SIZES: dict[str, list[dict[str, tuple[str, str, str]]]] = {
    "one size": [{"p1": FIRST}],
    "two sizes": [
        {"p1": FIRST, "p2": ("y >= 0", "p1", "2*p1")},
        {"p1": FIRST, "p2": ("y > 0", "2*p1", "")},
    ],
    "three sizes": [
        {"p1": FIRST, "p3": ("z >= 0", "p1", "2*p1"), "p2": ("y > 0", "p1", "p3")},
        {"p1": FIRST, "p2": ("y >= 0", "p1", "2*p1"), "p3": ("z >= 0", "2*p1", "2*p1*p2")},
        {"p1": FIRST, "p2": ("y >= 0", "p1", "2*p1"), "p3": ("z > 0", "2*p1*p2", "")},
        {"p1": FIRST, "p2": ("y > 0", "2*p1", ""), "p3": ("z >= 0", "p2", "2*p1*p2")},
        {"p1": FIRST, "p2": ("y > 0", "2*p1", ""), "p3": ("z > 0", "2*p1*p2", "")},
    ],
}
"""{number of sizes: cases}, a case being {pot: (condition on its symbol, lower bound, upper bound)}; p1, p2 and p3 are the pots after the
bets, divided by the pot before.

In each case the thresholds have another order: player II's for a size is above or below player I's for smaller sizes. A pot is written with
a symbol: as low + (high - low)/(1 + symbol), or as low + symbol if the upper bound is "" (none).
"""


def _pot(low: Number, high: Number | None, symbol: Number) -> Number:
    return low + symbol if high is None else low + (high - low) / (1 + symbol)


def _case(n: Numbers, part: str, case: Mapping[str, tuple[str, str, str]]) -> Finding:
    """Check one case of `BET_SIZES`. The proof uses the symbols x, y and z; the finding gives the same region in terms of the pots."""
    where = region(", ".join(["a", *"xyz"[: len(case)]]), "a > 0", *(condition for condition, _, _ in case.values()))
    conditions = ["a > 0"]
    for pot, (condition, low, high) in case.items():
        or_equal = "=" * (">=" in condition)
        conditions += [f"{low} < {pot}", f"{pot} <{or_equal} {high}"] if high else [f"{low} <{or_equal} {pot}"]
    told = region(", ".join(["a", *sorted(case)]), *conditions)
    pots, back, symbols = dict[str, Number](), dict[str, Number](), dict[str, Number]()
    for pot, (condition, low, high) in case.items():
        symbol = condition[0]
        bottom, top = formula(low, told), formula(high, told) if high else None
        symbols[symbol] = told[pot] - bottom if top is None else (top - told[pot]) / (told[pot] - bottom)
        back[pot] = _pot(bottom, top, symbols[symbol])
        pots[pot] = _pot(formula(low, pots), formula(high, pots) if high else None, where[symbol])
    inside = all(bool(holds) for condition, _, _ in case.values() for holds in conditions_of(condition, symbols))
    same = inside and all(back[pot] == told[pot] for pot in case)
    found = _solved(n, where["a"], [pots[pot] for pot in sorted(pots)], where)
    return found.only_if(same, "" if same else "the symbols do not give these pots").part(part, told)


def _solved(n: Numbers, a: Number, pots: list[Number], where: Region | None = None) -> Finding:
    """Check the printed equilibrium for the ante `a` and the bet sizes after which the pot is `pots` times the pot before the bet."""
    sizes = [2 * a * (pot - 1) for pot in pots]
    before: list[Number] = [ONE]  # u_(i - 1), by i
    S = 0 * a
    for size in sizes:
        v = n.at(a=a, s=size, p=before[-1], S=S, up=ONE, above=ONE)
        before, S = [*before, v["u"]], S + v["term"]
    numbers: dict[str, Number] = {}
    up, above, worth = 1 + 0 * a, 0 * a, a
    for i in range(len(sizes), 0, -1):
        v = n.at(a=a, s=sizes[i - 1], p=before[i - 1], S=S, up=up, above=above)
        numbers |= {f"{symbol}{i}": v[symbol] for symbol in "cvd"}
        up, above, worth = v["v"], v["d"], v["V"]
    game = make("sized_von_neumann", ante=a, sizes=sizes)
    return nash(game, sizes_plan(numbers, game.tree), where, worth)


@unproved("from pairs of sizes to a set of any number")
def any_bet_sizes(n: Numbers) -> Finding:
    """Check the steps from which our solution follows for any number of bet sizes.

    With two sizes, each hand of player I bets the size that wins more; with three, the larger size has the higher threshold. Player II's
    calls of each size are a best response. An induction on the number of sizes gives the share of bluffs and the value.
    """
    where = region("x, y, z", "x > 0", "y > 0", "z > 0")
    p, w = 1 / (1 + where["x"]), 1 / (1 + where["z"])
    u = p / (1 + where["y"])
    total = region("S", "S > 0")
    S = total["S"]
    share = _at(n, S=S)["w"]
    both = {"all bluffs": (1 - share) * S / 2, "value": share**2 + (1 - share) ** 2 * S / 2}
    return together(
        {
            "two sizes": together([_first_size(n, where, p, w), _next_size(n, where, p, u, w)]),
            "three sizes": _in_order(n),
            "calls": _called(n),
            "sums": _sums(n),
            "shares": equal(both, dict.fromkeys(both, share), total),
        }
    )


def _sums(n: Numbers) -> Finding:
    """Check by induction on sizes, from the smallest, that all bluffs are z S/2 and value bets gain z^2 S/2 over checks; z is 1 - w."""

    def added(where: Region) -> dict[str, Number]:
        z, p, u = (where[symbol] for symbol in "zpu")
        line = 1 - _at(n, p=p, u=u, share=1 - z)["v"]  # the hands above the line of u
        gain = 2 * (1 / u - 1 / p) * line**2  # in antes: the pots are two
        return {"term": _at(n, p=p, u=u)["term"], "more": line * ((1 - u) - (1 - p)), "gain": gain}

    return induction(
        ["0 < z < 1", "0 < u < p", "p <= 1"],
        ["bluffs == z*S/2", "worth == z**2*S/2"],
        {"S": "0", "bluffs": "0", "worth": "0"},
        {"S": "S + term", "bluffs": "bluffs + more", "worth": "worth + gain"},
        added,
    )


def _in_order(n: Numbers) -> Finding:
    """Check that the hand from which the larger of two sizes wins more rises with both, so each size is best between two such hands."""
    where = region("z, p, q, u", "0 < z < 1", "0 < p <= 1", "0 < u < q", "q <= 1")
    z, p, q, u = where.values()
    low, high = (_at(n, p=p, u=other, share=1 - z)["v"] for other in (q, u))
    return true_for(
        where, lambda: bool(low < high) and _at(n, p=u, u=p, share=1 - z)["v"] == high, "lines rise with the size"
    )


def _at(n: Numbers, **symbols: Number) -> dict[str, Number]:
    return n.at(**{**dict.fromkeys(("above", "line", "up", "p", "u", "S"), ONE), "share": ONE, **symbols})


def _first_size(n: Numbers, where: Region, u: Number, w: Number) -> Finding:
    """Check that the smallest size gains over a check only with the hands below w, which bluff, and with those above its threshold v."""
    v = _at(n, u=u, share=w)
    game = make("sized_von_neumann", sizes=[2 / u - 2])
    gain = bet_advantage(game, [(v["c"], 1)])
    text = "the smallest bet gains below w and above its line"
    return true_for(where, lambda: signs_between(gain, 0, w, v["v"], 1) == [1, -1, 1], text)


def _next_size(n: Numbers, where: Region, p: Number, u: Number, w: Number) -> Finding:
    """Check that a size gains over the next smaller one only with hands above its threshold v; bluffs win the same with both."""
    low, high = _at(n, u=p, share=w), _at(n, p=p, u=u, share=w)
    game = make("sized_von_neumann", sizes=[2 / p - 2, 2 / u - 2])
    small, large = game.tree.root.actions[1:]
    plan: Plan = {"": {small: 1, large: 0}, small: {"call": [(low["c"], 1)]}, large: {"call": [(high["c"], 1)]}}
    gain = advantage(game, plan, "", large, small)
    text = "the larger of two sizes gains just above its line"
    return true_for(where, lambda: signs_between(gain, 0, low["c"], high["v"], 1) == [0, -1, 1], text)


def _called(n: Numbers) -> Finding:
    """Check that calling from d on is best against bluffs from `above` to d and value bets from `line` to `up`, symbols of d's formula."""
    where = region("e, f, g, h, u", "e > 0", "f > 0", "g > 0", "h > 0", "0 < u", "u < 1")
    e, f, g, h, u = where.values()
    scale = e + f * (1 - u) + g + f + h  # the hands below the bluffs, the bluffs, between, the value bets, above
    above, line, up = e / scale, 1 - (f + h) / scale, 1 - h / scale
    d = _at(n, above=above, line=line, up=up, u=u)["d"]
    game = make("sized_von_neumann", sizes=[2 / u - 2])
    gain = call_advantage(game, [(above, d), (line, up)])
    text = "a call loses below the best bluff, gains above the line, and changes nothing between"
    signs = [-1, -1, 0, 1, 1]
    return true_for(where, lambda: signs_between(gain, 0, above, d, line, up, 1) == signs, text)


def best_bet_sizes(n: Numbers) -> Finding:
    """Check that of all sets of k bet sizes the one with equal gaps is worth the most, and check its value.

    The numbers u, the pot before a bet divided by the pot after it, cut [0, 1] into m = k + 1 gaps. The value falls as the sum of the gaps'
    cubes rises. The cube g^3 of a gap g is above its tangent at g = 1/m, unless g = 1/m, so this sum is least if all gaps are equal.
    """
    steps = []
    for unequal in ("g*m > 1", "g*m < 1"):
        where = region("g, m", "g >= 0", "m > 1", unequal)
        over = where["g"] ** 3 - n.at(k=1, i=1, a=1, **where)["tangent"]
        steps.append(
            positive(where, over, "the cube of any other gap is above the tangent at equal gaps").part(unequal)
        )
    where = region("a, k, i", "a > 0", "i >= 1", "k >= i")
    a, k, i = where.values()
    equal_gap = 1 / (k + 1)
    v = n.at(**where, g=equal_gap, m=k + 1)
    S = (1 - (k + 1) * equal_gap**3) / 3
    worth = a * S / (2 + S)
    computed = {
        "tangent": equal_gap**3,
        "size": 2 * a / (1 - i * equal_gap) - 2 * a,
        "V": worth,
        "short": a / 7 - worth,
    }
    steps.append(equal(computed, {name: v[name] for name in computed}, where).part("equal gaps"))
    steps.append(_cubes(n))
    return together(steps).only_if(_first_ones(n))


def _cubes(n: Numbers) -> Finding:
    """Check that the cubes of m gaps with sum 1 add up to at least 1/m^2, as equal gaps do, and that the value falls as this sum rises."""
    summed = induction(
        ["g >= 0", "m > 1"],
        ["cubes >= below", "below == (3*gaps*m - 2*count)/m**3"],
        {"cubes": "0", "below": "0", "gaps": "0", "count": "0"},
        {"cubes": "cubes + g**3", "below": "below + tangent", "gaps": "gaps + g", "count": "count + 1"},
        lambda where: {"tangent": n.at(k=1, i=1, a=1, g=where["g"], m=where["m"])["tangent"]},
    )
    where = region("m, cubes", "m > 1", "0 <= cubes <= 1")
    m, S = where["m"], (1 - where["cubes"]) / 3
    falls = true_for(where, partial(lt, symbolic(S / (2 + S)).derivative("cubes"), 0), "the value falls with the cubes")
    at_end = equal({"all m gaps": (3 * m - 2 * m) / m**3}, {"all m gaps": 1 / m**2}, where)
    return together([summed.part("any gaps"), falls.part("cubes"), at_end.part("cubes")])


def _first_ones(n: Numbers) -> Finding:
    """Check the printed value of the best sets of one to five bet sizes by an equilibrium of the game itself."""
    found = []
    for count in range(1, 6):
        game = make("sized_von_neumann", sizes=best_sizes(count))
        worth = n.at(a=1, k=count, i=1, g=1, m=1)["V"]
        found.append(nash(game, with_numbers(game, game.printed_numbers()[1]), worth=worth))
    return together(found)
