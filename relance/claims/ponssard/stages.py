"""Ponssard's value stage by stage: Cav and Vex, hulls on the rectangles of the square, against the restricted games."""

from __future__ import annotations

from itertools import chain, combinations

from relance.claims.ponssard.square import (
    ANYHOW,
    BLUFF,
    BORDER,
    CALL,
    CALL_ALWAYS,
    DROP,
    KEPT,
    RERAISE,
    game_at,
    only,
    plan_of,
    restricted,
    solves,
    somewhere,
    worth,
)
from relance.claims.prelude import *
from relance.model.numbers import DependsOnParametersError

PayoffTable = list[list[Number]]
"""A function of p and q, bilinear on rectangles, as its values at their corners: a row for each border of p, a column for each of q."""


class NoHullError(ArithmeticError):
    """No hull was found that is bilinear on each rectangle of a `PayoffTable`; for instance, two functions cross inside a rectangle."""


def cav(options: Mapping[str, PayoffTable], places: Sequence[Number]) -> tuple[PayoffTable, list[set[tuple[int, str]]]]:
    """Compute the least function that is concave in p and nowhere below any of the functions `options`; `places` has the p of each row.

    Returns:
        The table of this function, the concave hull; and for each two neighbouring columns, which are two values of q, a set {(row, name of
        an option)}. In both columns the hull equals the named option at each of these rows, and is linear in p between them.

    Raises:
        NoHullError: for some two neighbouring columns, no such set gives the hull in both of them for all parameters.
    """
    rows, count = range(len(places)), len(next(iter(options.values()))[0])
    out: PayoffTable = [[ZERO] * count for _ in rows]
    touched = []
    for strip in pairwise(range(count)):
        names = {row: _greatest(options, row, strip) for row in rows}
        known = [row for row in rows if names[row]]
        for kept in chain.from_iterable(combinations(known, size) for size in range(2, len(known) + 1)):
            if kept[0] > 0 or kept[-1] < rows[-1]:
                continue
            lines = {side: _lines(places, {row: options[names[row]][row][side] for row in kept}) for side in strip}
            hull = {(row, side): lines[side][0][row] for row, side in product(rows, strip)}
            above = (hull[row, side] - table[row][side] for table in options.values() for row, side in hull)
            if all(concave for _, concave in lines.values()) and all(map(_sure, above)):
                break
        else:
            raise NoHullError(
                f"the hull of the functions {', '.join(options)} is not bilinear on each rectangle between columns {strip[0]} and "
                f"{strip[1]} of their `PayoffTable`s (between these rows, if the hull is convex), counted from 0"
            )
        for row, side in hull:
            out[row][side] = hull[row, side]
        touched.append({(row, names[row]) for row in kept})
    return out, touched


def vex(options: Mapping[str, PayoffTable], places: Sequence[Number]) -> tuple[PayoffTable, list[set[tuple[int, str]]]]:
    """Return the table of the greatest function convex in q and nowhere above any of the `options`; `places` has the q of each column.

    For each two neighbouring rows also return {(column, name of the option that both equal there)}; both are linear between them.
    """
    mirrored = {name: [[-x for x in column] for column in zip(*table, strict=True)] for name, table in options.items()}
    table, touched = cav(mirrored, places)
    return [[-x for x in column] for column in zip(*table, strict=True)], touched


def _sure(number: Number) -> bool:
    """True if a number is at least 0 for all parameters."""
    try:
        return bool(number >= 0)
    except DependsOnParametersError:
        return False


def _greatest(options: Mapping[str, PayoffTable], row: int, strip: Sequence[int]) -> str:
    """The name of the option that is the greatest in this row, in both of the columns `strip`; "" if none is."""
    for name, table in options.items():
        if all(_sure(table[row][side] - other[row][side]) for other in options.values() for side in strip):
            return name
    return ""


def _lines(places: Sequence[Number], kept: Mapping[int, Number]) -> tuple[list[Number], bool]:
    """Interpolate linearly between `kept`, {row: height}; return the heights of all rows, and whether they are concave in `places`."""
    heights: list[Number] = []
    slopes: list[Number] = []
    for (left, low), (right, high) in pairwise(kept.items()):
        slope = (high - low) / (places[right] - places[left])
        slopes.append(slope)
        heights += [low + slope * (places[row] - places[left]) for row in range(left, right)]
    return [*heights, high], all(_sure(first - second) for first, second in pairwise(slopes))


@unproved("the inside of each rectangle")
def cav_vex_cav(n: Numbers, mixes: Sequence[str] = ("D", "C")) -> Finding:
    """Check the three printed stages of Ponssard's value: V^RR is a concave hull in p, V^R a convex hull in q, V a concave hull in p.

    V is a function of p and q, the chances that players I and II have a high card. Superscripts name forced actions: a raise (R), then a
    reraise (R). For q up to the printed qR, V^RR must be linear in p: at p = 0 player I answers the reraise by mixes[0], at p = 1 by
    mixes[1], with "D" for drop and "C" for call. On each of `RECTANGLES`, the function named there must be the forced game's value.
    """
    where = somewhere(names="n, m")
    v = n.at(**where)
    across: list[Number] = [ZERO, v["pR"], ONE]
    up: list[Number] = [ZERO, v["border"], v["qR"], ONE]
    tables = {
        name: [[worth(restricted(game_at({**where, "p": p, "q": q}), **moves), ANYHOW) for q in up] for p in across]
        for name, moves in KEPT.items()
    }
    try:
        tables["RR"], last = cav({"D": tables["RRD"], "C": tables["RRC"]}, across)
        tables["R"], answers = vex({"D": tables["RD"], "R": tables["RR"], "C": tables["RC"]}, up)
        tables[""], first = cav({"D": tables["D"], "R": tables["R"]}, across)
    except NoHullError as error:
        return Finding(False, f"the rectangles are not those of the print: {error}", (where,))
    labels = (
        last == [{(0, mixes[0]), (2, mixes[1])}] * 2 + [{(0, "D"), (2, "D")}]
        and answers == [{(0, "C"), (2, "R"), (3, "R")}, {(0, "D"), (2, "R"), (3, "R")}]
        and first == [{(0, "D"), (1, "R"), (2, "R")}, {(0, "D"), (2, "D")}, {(0, "D"), (2, "D")}]
    )
    found = {_corner(name, at): tables[name][i][j] for (name, at), (i, j) in CORNERS.items()}
    same = equal(found, {key: v[key] for key in found}, where).only_if(labels, "" if labels else "other moves count")
    parts = [("vertices", same.part("vertices")), *_on_rectangles(n)]
    return every(parts, f"{same.evidence}") if same.holds else same


CORNERS = {
    ("RR", "(0, 0)"): (0, 0),
    ("RR", "(1, 0)"): (2, 0),
    ("RR", "(1, qR)"): (2, 2),
    ("R", "(0, 0)"): (0, 0),
    ("R", "(pR, 0)"): (1, 0),
    ("R", "(1, 0)"): (2, 0),
    ("R", "(1, qR)"): (2, 2),
    ("", "(0, 0)"): (0, 0),
    ("", "(pR, 0)"): (1, 0),
    ("", "(1, 0)"): (2, 0),
    ("", "(1, border)"): (2, 1),
}
"""Vertices (p, q) of the three functions that are computed, by row and column; the paper's figures show them."""

RECTANGLES: tuple[tuple[str, str, str, tuple[str, str, str], tuple[str, str, str, str]], ...] = (
    ("RR", "0 <= p, p <= 1", "0 <= q, q <= {qR}", ("0", "1", "qR"), ("1", "1", "1", "1")),
    ("RR", "0 <= p, p <= 1", "q >= {qR}, q <= 1", ("", "", ""), ("1", "1", "1", "0")),
    ("R", "0 <= p, p <= {pR}", "0 <= q, q <= {qR}", ("0", "pR", "qR"), ("1", RERAISE, "0", CALL)),
    ("R", "p >= {pR}, p <= 1", "0 <= q, q <= {qR}", ("pR", "1", "qR"), ("1", RERAISE, "1", CALL_ALWAYS)),
    ("R", "0 <= p, p <= {pR}", "q >= {qR}, q <= 1", ("", "", ""), ("1", "1", "1", "0")),
    ("R", "p >= {pR}, p <= 1", "q >= {qR}, q <= 1", ("", "", ""), ("1", "1", "1", "0")),
    ("", "0 <= p, p <= {pR}", "0 <= q, q <= {border}", ("0", "pR", "border"), (BLUFF, RERAISE, DROP, CALL)),
    ("", "p >= {pR}, p <= 1", "0 <= q, q <= {border}", ("pR", "1", "border"), ("1", RERAISE, "1", CALL_ALWAYS)),
)
"""Each rectangle: its function, its conditions, its sides in p and its upper side in q, and the plan that is optimal there."""


def _corner(name: str, at: str) -> str:
    """The printed value of a function at a vertex."""
    return f"V^{name} at {at}" if name else f"V at {at}"


def _on_rectangles(n: Numbers) -> list[tuple[str, Finding]]:
    """Check that the printed numbers at the corners of each rectangle, continued bilinearly, are the values of restricted games there."""
    out = []
    for name, in_p, in_q, (left, right, upper), moves in RECTANGLES:
        conditions = [text.format(**n.texts) for text in f"{in_p}, {in_q}".split(", ")]
        where = somewhere(*conditions)
        v: dict[str, Number] = {**n.at(**where), "0": ZERO, "1": ONE}
        low, lost = v[_corner(name, "(0, 0)")], v.get(_corner(name, "(1, qR)"), ZERO)
        paid = lost
        if upper:
            ends = [low if side == "0" else v[_corner(name, f"({side}, 0)")] for side in (left, right)]
            at_zero = ends[0] + (ends[1] - ends[0]) * (where["p"] - v[left]) / (v[right] - v[left])
            paid = at_zero + (lost - at_zero) * where["q"] / v[upper]
        game = restricted(
            game_at(where), **({"first": "raise"} if name else {}), **({"answer": "reraise"} if name == "RR" else {})
        )
        out.append((f"V^{name}, {where}", solves(game, plan_of(where, *moves), where, paid).part(f"V^{name}")))
    return out


def splits(n: Numbers) -> Finding:
    """Check that V is the printed average of V^R and 0, and V^R the printed average of V^RR and V^RD, and also of V^RR and V^RC.

    V is the game's value. Superscripts name forced actions in turn: raise or reraise (R), drop (D), call (C). Player I has a high card with
    chance p in V, and pR in the other values. Player II has a high card with chance q in V and V^R, qR in V^RR, and 0 in V^RD and V^RC. The
    weights of V's average must also make p the average of pR and 0; the weights of V^R's averages must make q the average of qR and 0.
    """
    where = somewhere("0 <= p", f"p <= {n.texts['pR']}", "0 <= q", f"q <= {BORDER}")
    v, q = n.at(**where), where["q"]
    raised, reraised = {**where, "p": v["pR"]}, {**where, "p": v["pR"], "q": v["qR"]}
    solved = {
        "V": (game_at(where), plan_of(where, BLUFF, RERAISE, DROP, CALL)),
        "V^R": (restricted(game_at(raised), first="raise"), plan_of(raised, "1", RERAISE, "1", CALL)),
        "V^RR": (restricted(game_at(reraised), first="raise", answer="reraise"), ANYHOW),
    }
    optimal = [(name, nash(game, only(game, plan), where)) for name, (game, plan) in solved.items()]
    paid = {name: worth(game, plan) for name, (game, plan) in solved.items()}
    drop, call = (
        worth(restricted(game_at({**raised, "q": ZERO}), first="raise", answer=answer), ANYHOW)
        for answer in ("drop", "call")
    )
    rest = {"D": (1 - v["betaR"]) * drop, "C": (1 - v["betaR"]) * call}
    same = equal(
        {"p": where["p"], "V": paid["V"], "q": q, "V^R by D": paid["V^R"], "V^R by C": paid["V^R"]},
        {
            "p": v["alphaR"] * v["pR"],
            "V": v["alphaR"] * paid["V^R"],
            "q": v["betaR"] * v["qR"],
            "V^R by D": rest["D"] + v["betaR"] * paid["V^RR"],
            "V^R by C": rest["C"] + v["betaR"] * paid["V^RR"],
        },
        where,
    )
    return every([*optimal, ("the mixtures", same)], same.evidence)
