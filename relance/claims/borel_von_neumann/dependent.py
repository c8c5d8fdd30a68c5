"""Checks of claims on dependent hands (Sections 5.2 and 5.4).

Given his own hand a player faces some law of the other's hand. Its probabilities between the thresholds are the parameters
here, so that what is proved holds for every joint law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from operator import ge

import numpy as np

from relance.claims.checks import equal, gained, one_hand, symbolic, true_for
from relance.claims.ledger import Finding, Numbers
from relance.envs import make
from relance.envs.borel_general import conditional, la_relance_thresholds
from relance.model.game import Game
from relance.model.laws import fgm, joint_law, law
from relance.model.numbers import Number, formula, show
from relance.model.piecewise import Piecewise
from relance.model.strategy import Plan
from relance.solvers.exact import value
from relance.solvers.proof import Region, region

ONE = Fraction(1)


def _masses(names: str) -> Region:
    """A bet, and the probabilities of all cells of the other's hand but the last."""
    letters = names.split()
    return region(", ".join(["B", *letters]), "B > 0", *(f"{x} >= 0" for x in letters), f"{' + '.join(letters)} <= 1")


def _cells(where: Region, game: str, player: int, cells: Sequence[Number], own: int) -> Game:
    """One hand of `player`, just below cell `own` of the other's, whose masses are these and what is left of 1."""
    others = {str(i): (mass, 2 * i + 1) for i, mass in enumerate([*cells, 1 - sum(cells, Fraction(0))])}
    return one_hand(make(game, bet=where["B"]), player, others, 2 * own)


def _bet(game: str, where: Region, cells: Sequence[Number], own: int, called: int, over: str) -> Number:
    """What betting gains over `over`; player II calls from cell `called` on."""
    made = _cells(where, game, 0, cells, own)
    calls = [int(i >= called) for i in range(len(cells) + 1)]
    return gained(made, {"": {"bet": 1}, "bet": {"call": calls}}, "", "bet", over)


def _call(game: str, where: Region, cells: Sequence[Number], own: int, bets: Sequence[int]) -> Number:
    """What calling gains over folding; player I bets from the cells marked 1."""
    made = _cells(where, game, 1, cells, own)
    return gained(made, {"": {"bet": list(bets)}, "bet": {"call": 1}}, "bet", "call", "fold")


# --- La Relance -------------------------------------------------------------------------------------------------------


def fgm_law(n: Numbers) -> Finding:
    """The marginal laws and the correlation of the density with any parameter t, integrated exactly."""
    where = region("t", "-1 <= t", "t <= 1")
    deal = fgm(where["t"])
    x = Piecewise((Fraction(0), ONE), ((Fraction(0), ONE),))
    one = Piecewise.constant(1)
    product = sum(((u * x).integral() * (v * x).integral() for u, v in deal.terms), Fraction(0))
    uniform = all(not (deal.prior(player) - one).pieces[0] for player in (0, 1))
    variance = (x * x).integral() - x.integral() ** 2
    found = (product - x.integral() ** 2) / variance
    ends = [found.at({"t": t}) for t in (-1, 1)]
    v = n.at(**where)
    good = uniform and found == v["correlation"] and ends == [v["least"], v["most"]]
    return Finding(
        good, f"uniform marginals, correlation {show(found)}, from {ends[0]} to {ends[1]}", "proved", str(where)
    )


def dependent_bets(n: Numbers) -> Finding:
    """(21): what betting wins, with the pot as a bonus, with a hand below c (s, t: up to it, up to c) and above (up to c, to it)."""
    where = _masses("s t")
    s, t = where["s"], where["t"]
    up, down = (_bet("la_relance", where, [s, t], own, called, "fold") for own, called in ((1, 2), (2, 1)))
    sides = {"up to c": {"Pc": s + t}, "from c": {"Pc": s, "Px": s + t}}
    v = {name: formula(n.texts[name], {"B": where["B"], **letters}) for name, letters in sides.items()}
    return equal({"up to c": up, "from c": down}, v, where, f"{where}; every joint law")


def dependent_calls(n: Numbers) -> Finding:
    """(23) and (24): what calling wins with a hand above l; at y = c the two forms agree."""
    where = _masses("s t")
    s, t = where["s"], where["t"]
    found = _call("la_relance", where, [s, t], 2, [0, 1, 1])
    v = n.at(B=where["B"], between=t, above=1 - s - t, betting=1 - s)
    good = all(found == v[f"({k}) right"] - v[f"({k}) left"] for k in (23, 24))
    return Finding(good, f"calling gains {show(found)}", "proved", f"{where}; every joint law")


def theorem_three(n: Numbers) -> Finding:
    """The two monotone probabilities give the sign of every gain: p = P(Y < c | X = x), q = P(X > y | Y = y, X > l)."""
    half, out = "(B + 2)/(2*B + 2)", []
    cases = [
        ("s, t", "s + t <= B/(B + 2)", "I below l folds", -1),
        ("s, t", "s + t >= B/(B + 2)", "I between l and c bets", 1),
        ("s, t", "s >= B/(B + 2)", "I above c bets", 1),
        ("r, q", f"q >= {half}", "II between l and c folds", -1),
        ("r, q", f"q <= {half}", "II above c calls", 1),
    ]
    for names, condition, text, sign in cases:
        limits = ["s >= 0", "t >= 0", "s + t <= 1"] if "s" in names else ["r >= 0", "r <= 1", "q >= 0", "q <= 1"]
        where = region(f"B, {names}", "B > 0", *limits, condition)
        if "s" in names:
            above = "above" in text
            gain = _bet("la_relance", where, [where["s"], where["t"]], 2 if above else 1, 1 if above else 2, "fold")
        else:  # r is P(X > l | Y = y)
            cells = [1 - where["r"], where["r"] * (1 - where["q"])]
            gain = _call("la_relance", where, cells, 2, [0, 1, 1])
        out.append(true_for(where, partial(ge, sign * gain, 0), text))
    bad = [found for found in out if not found.holds]
    evidence = "; ".join(found.evidence for found in bad or out)
    return Finding(not bad, evidence, "proved", "; ".join(found.domain for found in out))


def theorem_value(n: Numbers) -> Finding:
    """The printed value for any probabilities of the 18 cells that l, c and the order of the hands make."""
    names = [f"p{i}{j}" for i in range(3) for j in range(6)]
    where = region(", ".join(["B", *names]), "B > 0", *(f"{name} > 0" for name in names))
    joint = [[where[f"p{i}{j}"] for j in range(6)] for i in range(3)]
    mine, theirs = [1, 5, 9], [0, 2, 4, 6, 8, 10]  # l lies at 3, c at 7
    edge = [[Fraction(1 if x > y else -1) for y in theirs] for x in mine]
    deal = joint_law([str(x) for x in mine], [str(y) for y in theirs], joint, edge)
    game = replace(make("la_relance", bet=where["B"]), deal=deal)
    plan: Plan = {"": {"bet": [int(x > 3) for x in mine]}, "bet": {"call": [int(y > 7) for y in theirs]}}

    def chance(*chain: str) -> Number:
        total: Number = Fraction(0)
        for i, x in enumerate(mine):
            for j, y in enumerate(theirs):
                if all(_in_order(order, {"x": x, "y": y, "l": 3, "c": 7}) for order in chain):
                    total = total + joint[i][j]
        return total

    parts = {
        "win": chance("y x"),
        "lose": chance("x y"),
        "won": chance("c y x"),
        "lost": chance("l x y", "c y"),
        "stolen": chance("x y c", "l x"),
        "given": chance("y x l"),
    }
    printed = n.at(B=where["B"], **parts)["V"]
    return equal({"V": value(game, game.profile(plan))}, {"V": printed}, where, "every joint law")


def _in_order(order: str, at: dict[str, int]) -> bool:
    """Whether the letters stand in this order, smallest first."""
    values = [at[letter] for letter in order.split()]
    return all(a < b for a, b in pairwise(values))


def fgm_conditions(n: Numbers) -> Finding:
    """Negative dependence in the family: both probabilities of Theorem 3, and their slopes."""
    where = region("t, x, y, l, c", "-1 <= t", "t < 0", "0 < x", "x < 1", "0 < l", "l < y", "y < 1", "0 < c", "c < 1")
    t, x, y, low, c = where.values()
    deal = fgm(t)

    def inside(player: int, own: Number, a: Number, b: Number) -> Number:
        """P(the other's hand lies in (a, b)), given the own hand."""
        return sum((pair[player](own) * pair[1 - player].integral(a, b) for pair in deal.terms), Fraction(0))

    below = inside(0, x, Fraction(0), c)
    above = inside(1, y, y, ONE) / inside(1, y, low, ONE)
    return true_for(
        where,
        lambda: symbolic(below).derivative("x") >= 0 and symbolic(above).derivative("y") <= 0,
        f"P(Y < c | X = x) = {show(below)} rises with x, P(X > y | Y = y, X > l) = {show(above)} falls with y",
    )


GRID = np.linspace(-3, 3, 121)
"""Standard normal hands at which a statement on the bivariate normal law is looked at."""


def normal_conditions(n: Numbers) -> Finding:
    """Both probabilities of Theorem 3 for normal hands, at every pair of points of a grid and five correlations."""
    from scipy.special import log_ndtr

    for rho in (-0.1, -0.3, -0.5, -0.7, -0.9):
        scale = (1 - rho * rho) ** 0.5
        y, low = np.meshgrid(GRID, GRID, indexing="ij")
        # P(X > y | Y = y, X > l), as a logarithm
        above = log_ndtr((rho * y - y) / scale) - log_ndtr((rho * y - low) / scale)
        pairs = low[1:] < y[:-1]
        if np.any(np.diff(above, axis=0)[pairs] > 0) or np.any(np.diff(log_ndtr((low - rho * y) / scale), axis=0) < 0):
            return Finding(False, f"not for the correlation {rho}", "numeric")
    text = "by the hazard rate of the normal law, which rises; looked at from -3 to 3 in steps of 1/20"
    return Finding(True, text, "numeric", "correlations -0.1, -0.3, -0.5, -0.7, -0.9")


def normal_example(n: Numbers) -> Finding:
    """c and l as standard normal hands, from (22) and (24); printed to five digits, and four for correlation 0."""
    from scipy.special import ndtri

    out: dict[str, float] = {}
    for rho, names in (("-3/5", ("l", "c")), ("0", ("l0", "c0"))):
        found = la_relance_thresholds(law(f"normal:{rho}" if rho != "0" else "uniform"), 2.0)
        assert found is not None
        out |= {name: float(ndtri(found[letter])) for name, letter in zip(names, "lc", strict=True)}
    digits = {"l": 5, "c": 5, "l0": 4, "c0": 4}
    good = all(abs(out[name] - float(n[name])) < 0.5 * 10.0 ** -digits[name] for name in out)
    ratio = abs(out["c"] + 0.6 * out["l"]) < 1e-9
    text = ", ".join(f"{name} = {value:.6f}" for name, value in out.items())
    return Finding(good and ratio, f"{text}; c = rho l", "numeric", "B = 2, half a unit of the last printed digit")


def normal_equation(n: Numbers) -> Finding:
    """(24) for B = 2 has the printed factors."""
    bet = Fraction(2)
    below = conditional(law("normal:-3/5"), 1)
    found = la_relance_thresholds(law("normal:-3/5"), 2.0)
    assert found is not None
    gap = float(n["left"]) * (1 - below(found["c"], found["c"])) - float(n["right"]) * (
        1 - below(found["l"], found["c"])
    )
    good = equal({"left": 2 * bet + 2, "right": bet + 2}, dict(n)).holds and abs(gap) < 1e-9
    return Finding(good, f"the sides differ by {gap:.0e} at the solution for rho = -0.6", "numeric", "B = 2, to 1e-9")


# --- von Neumann ------------------------------------------------------------------------------------------------------


def neumann_dependent_bets(n: Numbers) -> Finding:
    """What betting and checking win with a hand below c and above it; s, t are the masses up to the nearer and the farther."""
    where = _masses("s t")
    s, t = where["s"], where["t"]
    bets = {
        "up to c": _bet("von_neumann", where, [s, t], 1, 2, "check"),
        "from c": _bet("von_neumann", where, [s, t], 2, 1, "check"),
    }
    low = {"B": where["B"], "Pc": s + t, "Px": s, "xc": t, "cx": Fraction(0)}
    high = {"B": where["B"], "Pc": s, "Px": s + t, "xc": Fraction(0), "cx": t}
    sides = {"up to c": low, "from c": high}
    texts = n.texts
    printed = {name: formula(texts[f"bet {name}"], at) - formula(texts["check"], at) for name, at in sides.items()}
    found = equal(bets, printed, where, f"{where}; every joint law")
    # the rewritten forms have the sign of the gain
    short = formula(texts["sign up to c"], low) == bets["up to c"] + where["B"]
    long = where["B"] * (formula(texts["sign from c"], high) - 1) == bets["from c"]
    return Finding(found.holds and short and long, found.evidence, "proved", found.domain)


def neumann_dependent_equations(n: Numbers) -> Finding:
    """The indifference equations at a, b and c, as what betting or calling gains there."""
    where = _masses("s t u")
    s, t, u = (where[name] for name in "stu")
    found = {
        "at a": _bet("von_neumann", where, [s, t], 1, 2, "check"),
        "at b": _bet("von_neumann", where, [s, t], 2, 1, "check"),
        "at c": _call("von_neumann", where, [s, t, u], 2, [1, 0, 0, 1]),
    }
    v = {
        "at a": formula(n.texts["at a"], {"B": where["B"], "Pc": s + t, "Pa": s}),
        "at b": formula(n.texts["at b"], {"B": where["B"], "Pc": s, "Pb": s + t}) * where["B"],
        "at c": formula(n.texts["at c"], {"B": where["B"], "Pa": s, "above": 1 - s - t - u}),
    }
    return equal(found, v, where, f"{where}; every joint law")


def neumann_dependent_calls(n: Numbers) -> Finding:
    """What calling wins below a, between a and b, and above b; the other's masses run up to each threshold and to the hand."""
    where = _masses("s t u")
    s, t, u = (where[name] for name in "stu")
    last = 1 - s - t - u
    found = {
        "below a": _call("von_neumann", where, [s, t, u], 1, [1, 1, 0, 1]),
        "between": _call("von_neumann", where, [s, t, u], 2, [1, 0, 0, 1]),
        "above b": _call("von_neumann", where, [s, t, u], 3, [1, 0, 1, 1]),
    }
    at = {
        "below a": {"Py": s, "Pa": s + t, "Pb": last},
        "between": {"Py": s + t, "Pa": s, "Pb": last},
        "above b": {"Py": last, "Pa": s, "Pb": u + last},
    }
    v = {name: formula(n.texts[name], {"B": where["B"], **letters}) for name, letters in at.items()}
    return equal(found, v, where, f"{where}; every joint law")


def neumann_low_calls(n: Numbers) -> Finding:
    """Player II folds below a if the printed inequality holds; s, t, u: up to y, up to a, up to b."""
    where = _masses("s t u")
    s, t, u = (where[name] for name in "stu")
    letters = {"Py": s, "Pa": s + t, "above y": 1 - s, "above b": 1 - s - t - u}
    gain = _call("von_neumann", where, [s, t, u], 1, [1, 1, 0, 1])
    v = formula(n.texts["slack"], {"B": where["B"], **{k.replace(" ", "_"): x for k, x in letters.items()}})
    if v == -gain:
        return Finding(True, f"calling gains {show(gain)}", "proved", f"{where}; every joint law")
    point = {"B": Fraction(2), "s": Fraction(1, 4), "t": Fraction(1, 4), "u": Fraction(1, 2)}
    text = (
        f"B = 2, P(X < y) = P(y < X < a) = 1/4, P(a < X < b) = 1/2: the printed inequality holds by {show(symbolic(v).at(point))}, "
        f"yet calling gains {show(symbolic(gain).at(point))}"
    )
    chances = {"Py": "1/4", "Pa": "1/2", "above_y": "3/4", "above_b": "0"}
    return Finding(False, text, "exact", "B = 2", {"B": "2", **chances})


def neumann_middle_calls(n: Numbers) -> Finding:
    """(B + 2) P(X < a | y) - B P(X > b | y) in the Farlie-Gumbel-Morgenstern family: rises with y, or falls, by the sign of t."""
    slopes = []
    limits = ("B > 0", "-1 <= t", "t <= 1", "0 < a", "a < b", "b < 1", "0 < y", "y < 1")
    for condition in ("t < 0", "t > 0"):
        where = region("B, t, y, a, b", *limits, condition)
        t, y, a, b = (where[name] for name in "tyab")
        deal = fgm(t)
        below = sum((v(y) * u.integral(Fraction(0), a) for u, v in deal.terms), Fraction(0))
        above = sum((v(y) * u.integral(b, ONE) for u, v in deal.terms), Fraction(0))
        gain = (where["B"] + 2) * below - where["B"] * above
        slopes.append(symbolic(gain).derivative("y"))
    good = bool(slopes[0] > 0) and bool(slopes[1] < 0)
    domain = "Farlie-Gumbel-Morgenstern hands: every B, a < b and t of one sign"
    return Finding(good, f"the slope in y is {show(slopes[0])}", "proved", domain)
