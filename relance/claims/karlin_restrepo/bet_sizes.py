"""Checks of claims on La Relance with several bet sizes, written as u, the pot before the bet over that after it."""

from __future__ import annotations

from relance.claims.prelude import *
from relance.envs.karlin_restrepo import la_relance_sizes_plan


@unproved("from pairs of sizes to a set of any number")
def bet_sizes(n: Numbers) -> Finding:
    """Check the printed equilibrium of La Relance with any number of bet sizes, each at least the ante; all sizes are symbols.

    With up to three sizes the NashConv is computed. For more sizes, the check decides when player 0 gains by one size over another and by
    a size over a fold, which answers of player 1 to a size are best, and how much each size adds to the value.
    """
    return every(_parts(n), "NashConv 0 with up to three sizes, and the steps to any number")


def _parts(n: Numbers) -> Iterator[tuple[str, Finding]]:
    for name, fact in {"two sizes": _two_sizes, "three sizes": _in_order, "one size": _one_size}.items():
        yield name, fact(n).part(name)
    names = ["u1", "u2", "u3"]
    for count in (1, 2):
        yield f"{count} sizes", _bet_sizes(n, names[:count]).part(f"sizes = {count}")
    # The line from which player 1 calls the third size may be on either side of the value bets of the second, or between.
    for order in ("2*u3 > u1*u2", "2*u3 < u1*u2"):
        yield order, _bet_sizes(n, names, order).part("sizes = 3")
    between = region("a, u1, u2, u3", "a > 0", "3*u1 <= 2", "u1 > u2", "u2 > u3", "u3 > 0", "2*u3 == u1*u2")
    yield "between", _bet_sizes(n, names[:2], last="u1*u2/2").part("sizes = 3", between)


def _two_sizes(n: Numbers) -> Finding:
    """Of any two sizes the larger gains just above the line between their value bets, and so much over all these hands as it adds."""
    where = region("a, l, u", "a > 0", "3*l <= 2", "u < l", "u > 0")
    a, small, large = where.values()
    game = make("sized_la_relance", ante=a, sizes=[2 * a / each_of - 2 * a for each_of in (small, large)])
    low, v = n.at(u=small, before=small, a=a)["call"], n.at(u=large, before=small, a=a)
    first, second = game.tree.root.actions[1:]
    calls: Plan = {first: {"call": [(low, 1)]}, second: {"call": [(v["call"], 1)]}}
    more = advantage(game, {"": {first: 1, second: 0}, **calls}, "", second, first)
    text = "of two sizes the larger gains just above the line, and over all hands as much as it adds"

    def shape() -> bool:
        adds = more.integral(v["line"], Fraction(1)) == v["more"]
        return adds and signs_between(more, 0, low, v["line"], 1) == [0, -1, 1]

    return true_for(where, shape, text)


def _in_order(n: Numbers) -> Finding:
    """The line between two sizes rises with both, so a hand between the lines of a size and its neighbours likes it best of all."""
    where = region("a, l, m, h", "a > 0", "3*l <= 2", "l > m", "m > h", "h > 0")
    a, *sizes = where.values()
    lines = [n.at(a=a, u=sizes[larger], before=sizes[smaller])["line"] for smaller, larger in ((0, 1), (0, 2), (1, 2))]
    first, last = n.at(a=a, u=sizes[0], before=sizes[0])["first"], lines[0]
    text = "the lines rise with the sizes"
    return true_for(where, lambda: all(bool(x < y) for x, y in pairwise(lines)) and bool(first < last), text)


def _one_size(n: Numbers) -> Finding:
    """A bet gains just above player 1's line, a fold being all the same below; player 1 gains nothing by calling or folding between."""
    where = region("a, u", "a > 0", "3*u <= 2", "u > 0")
    a, u = where.values()
    v = n.at(u=u, before=u, a=a)
    game = make("sized_la_relance", ante=a, sizes=[2 * a / u - 2 * a])
    bet = game.tree.root.actions[1]
    gain = bet_advantage(game, [(v["call"], 1)])
    shares = {"bluff": (v["share"] / (1 + v["share"]), 1), "value bet": (1 / (1 + v["share"]), 3)}
    calls = [
        gained(one_hand(game, 1, shares, place), {"": {bet: 1}, bet: {"call": 1}}, bet, "call", "fold")
        for place in (0, 2, 4)
    ]
    text = "a bet gains just above the line, and a call between bluffs and value bets wins what a fold wins"
    return true_for(
        where,
        lambda: signs_between(gain, 0, v["call"], 1) == [0, 1] and calls[1] == 0 and bool(calls[0] < 0 < calls[2]),
        text,
    )


def _bet_sizes(n: Numbers, names: list[str], *conditions: str, last: str = "") -> Finding:
    """Check the equilibrium for sizes u that are these symbols, the smallest bet first, and if given the formula `last` as one more."""
    order = [f"{small} > {large}" for small, large in pairwise(names)]
    where = region(", ".join(["a", *names]), "a > 0", "3*u1 <= 2", *order, f"{names[-1]} > 0", *conditions)
    a, u = where["a"], [formula(text, where) for text in (*names, last) if text]
    game = make("sized_la_relance", ante=a, sizes=[2 * a / each_of - 2 * a for each_of in u])
    numbers: dict[str, Number] = {}
    for i, own in enumerate(u, 1):
        v = n.at(u=own, before=u[i - 2] if i > 1 else own, a=a)
        numbers |= {f"c{i}": v["call"], f"b{i}": v["line"] if i > 1 else v["first"], f"share{i}": v["share"]}
    lines = [*(numbers[f"b{i}"] for i in range(1, len(u) + 1)), Fraction(1)]
    worth = n.at(u=u[0], before=u[0], a=a)["one"]
    for small, large in pairwise(u):
        worth = worth + n.at(u=large, before=small, a=a)["more"]
    end: Number = lines[0]
    for i in range(1, len(u) + 1):
        end = end - (lines[i] - lines[i - 1]) * numbers[f"share{i}"]
        numbers[f"e{i}"] = end
    return nash(game, la_relance_sizes_plan(numbers, game.tree), where, worth)


def more_sizes(n: Numbers) -> Finding:
    """Check that a bet size added above the smallest raises La Relance's value, and that the value tends to the printed limit."""
    where = region("l, m, h", "l > m", "m > h", "h >= 0")
    l, m, h = where.values()  # noqa: E741
    v = [n.at(u=small, before=large)["more"] for large, small in ((l, m), (m, h), (l, h))]
    gains = true_for(where, lambda: v[0] + v[1] - v[2] > 0, "a size between adds to the value")
    limit = [n.at(u=each_of, before=each_of)["limit"] for each_of in (l, h)]
    rest = equal({"what is missing": limit[0] - limit[1] - v[2]}, {"what is missing": (l - h) ** 3 / 6}, where)
    finest = n.at(u=Fraction(2, 3), before=1)
    at_ante = equal({"finest": finest["limit"] - Fraction(1, 9)}, {"finest": n["finest"]})
    summed = induction(  # the size after h is h - g; what all of them add
        ["0 < u", "3*u <= 2", "g >= 0"],
        ["h == u - count*g", "worth == (u**3 - h**3 - count*g**3)/6"],
        {"h": "u", "count": "0", "worth": "0"},
        {"h": "h - g", "count": "count + 1", "worth": "worth + more"},
        lambda where: {
            "more": n.at(
                u=where["u"] - (where["count"] + 1) * where["g"], before=where["u"] - where["count"] * where["g"]
            )["more"]
        },
    )
    fine = region("u, k, e", "0 < u", "3*u <= 2", "k >= 0", "e > 0", "6*e*(k + 1)**2 >= u**3")
    u, k, least = fine.values()
    gap = u / (k + 1)  # k gaps, and the last size a gap above 0
    near = true_for(
        fine,
        lambda: n.at(u=u, before=u)["limit"] - (u**3 - gap**3 - k * gap**3) / 6 <= least,
        "with enough sizes as little as one likes is missing",
    )
    return together({"any sizes": together([gains, rest]), "equal gaps": summed, "enough": near}).only_if(at_ante)


def as_told(n: Numbers, sizes: list[list[str]]) -> Finding:
    """Check the value of La Relance with bet sizes: for two it is that of Bellman and Blackwell's game, for one that of La Relance.

    Each entry of `sizes` has the bets of one game, such as ["1", "2"] or ["4"].
    """
    found, told = dict[str, Number](), dict[str, Number]()
    for pair in sizes:
        low, high = pair[0], pair[-1]
        game = make("sized_la_relance", sizes=pair)
        found[";".join(pair)] = play_value(game, game.published())
        known = make("bellman_blackwell", low=low, high=high) if low != high else make("la_relance", bet=low)
        told[";".join(pair)] = play_value(known, known.published()) + n["apart"]
    return equal(found, told, *(make("sized_la_relance", sizes=pair) for pair in sizes))
