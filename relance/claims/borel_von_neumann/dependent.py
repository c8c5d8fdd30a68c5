"""Checks of claims on dependent hands (Sections 5.2 and 5.4).

Given his own hand, a player faces a conditional law of the other hand. Its probabilities between the thresholds are parameters
here, so that what is proved holds for every joint law.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from operator import ge

import numpy as np

from relance.claims.checks import equal, gained, one_hand, symbolic, together, true_for
from relance.claims.finding import At, Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.model.game import Game
from relance.model.laws import fgm, joint_law, law
from relance.model.numbers import Number, formula, show
from relance.model.piecewise import Piecewise
from relance.model.strategy import Plan
from relance.solvers.exact import value
from relance.solvers.indifference import la_relance_thresholds
from relance.solvers.proof import Region, region

ONE = Fraction(1)


def _masses(names: str) -> Region:
    """The region of a bet and the probabilities of all cells of the other hand except the last."""
    letters = names.split()
    return region(", ".join(["B", *letters]), "B > 0", *(f"{x} >= 0" for x in letters), f"{' + '.join(letters)} <= 1")


ANY_LAW = (
    "Only the masses of these cells enter what an action gains, so it is the same for every joint law of the hands."
)


def printed(n: Numbers, B: Number, at: Mapping[str, Mapping[str, Number]]) -> dict[str, Number]:
    """The printed numbers, each evaluated at its own probabilities."""
    return {name: formula(n.texts[name], {"B": B, **letters}) for name, letters in at.items()}


def _cells(where: Region, game: str, player: int, cells: Sequence[Number], own: int) -> Game:
    """One hand of `player`, just below cell `own` of the other player's; the cells have these masses, and the last the rest of 1."""
    others = {str(i): (mass, 2 * i + 1) for i, mass in enumerate([*cells, 1 - sum(cells, Fraction(0))])}
    return one_hand(make(game, bet=where["B"]), player, others, 2 * own)


def _bet(game: str, where: Region, cells: Sequence[Number], own: int, called: int) -> Number:
    """The gain of betting over a fold or check, if player II calls from cell `called` on."""
    made = _cells(where, game, 0, cells, own)
    calls = [int(i >= called) for i in range(len(cells) + 1)]
    return gained(made, {"": {"bet": 1}, "bet": {"call": calls}}, "", "bet", made.tree.root.actions[0])


def _call(game: str, where: Region, cells: Sequence[Number], own: int, bets: Sequence[int]) -> Number:
    """The gain of calling over folding, if player I bets from the cells marked 1."""
    made = _cells(where, game, 1, cells, own)
    return gained(made, {"": {"bet": list(bets)}, "bet": {"call": 1}}, "bet", "call", "fold")


# --- La Relance -------------------------------------------------------------------------------------------------------


def fgm_within(t: Number, player: int, own: Number, a: Number, b: Number) -> Number:
    """P(the other hand lies in (a, b)) given the player's own, with the Farlie-Gumbel-Morgenstern parameter t."""
    return sum((pair[player](own) * pair[1 - player].integral(a, b) for pair in fgm(t).terms), Fraction(0))


def fgm_law(n: Numbers) -> Finding:
    """The marginal laws and the correlation of the density with any parameter t, integrated exactly."""
    where = region("t", "-1 <= t", "t <= 1")
    deal = fgm(where["t"])
    x = Piecewise((Fraction(0), ONE), ((Fraction(0), ONE),))
    one = Piecewise.constant(1)
    product = sum(((u * x).integral() * (v * x).integral() for u, v in deal.terms), Fraction(0))
    uniform = all(not (deal.prior(player) - one).pieces[0] for player in (0, 1))
    variance = (x * x).integral() - x.integral() ** 2
    correlation = (product - x.integral() ** 2) / variance
    least, most = (symbolic(correlation).at({"t": t}) for t in (-1, 1))
    right = equal({"correlation": correlation, "least": least, "most": most}, n.at(**where), where)
    return right.only_if(uniform, f"uniform marginals, correlation {show(correlation)}, from {least} to {most}")


def dependent_bets(n: Numbers) -> Finding:
    """(21): what betting wins, counting the pot as a bonus. Masses s, t: below c up to the hand and c, above c up to c and the hand."""
    where = _masses("s t")
    B, s, t = where.values()
    up, down = (_bet("la_relance", where, [s, t], own, called) for own, called in ((1, 2), (2, 1)))
    sides = printed(n, B, {"up to c": {"Pc": s + t}, "from c": {"Pc": s, "Px": s + t}})
    return equal({"up to c": up, "from c": down}, sides, where).given(ANY_LAW)


def dependent_calls(n: Numbers) -> Finding:
    """(23) and (24): what calling wins with a hand above l. At y = c the two forms agree."""
    where = _masses("s t")
    B, s, t = where.values()
    gain = _call("la_relance", where, [s, t], 2, [0, 1, 1])
    v = n.at(B=B, between=t, above=1 - s - t, betting=1 - s)
    good = all(gain == v[f"({k}) right"] - v[f"({k}) left"] for k in (23, 24))
    return Finding(good, f"calling gains {show(gain)}", (where,)).given(ANY_LAW)


def theorem_three(n: Numbers) -> Finding:
    """The sign of every gain follows from two monotone probabilities, p = P(Y < c | X = x) and q = P(X > y | Y = y, X > l)."""
    proofs = []
    for condition, text, sign, own, called in (
        ("s + t <= B/(B + 2)", "I below l folds", -1, 1, 2),
        ("s + t >= B/(B + 2)", "I between l and c bets", 1, 1, 2),
        ("s >= B/(B + 2)", "I above c bets", 1, 2, 1),
    ):
        where = region("B, s, t", "B > 0", "s >= 0", "t >= 0", "s + t <= 1", condition)
        gain = _bet("la_relance", where, [where["s"], where["t"]], own, called)
        proofs.append(true_for(where, partial(ge, sign * gain, 0), text))
    for relation, text, sign in ((">=", "II between l and c folds", -1), ("<=", "II above c calls", 1)):
        limits = ("r >= 0", "r <= 1", "q >= 0", "q <= 1", f"q {relation} (B + 2)/(2*B + 2)")
        where = region("B, r, q", "B > 0", *limits)  # r is P(X > l | Y = y)
        gain = _call("la_relance", where, [1 - where["r"], where["r"] * (1 - where["q"])], 2, [0, 1, 1])
        proofs.append(true_for(where, partial(ge, sign * gain, 0), text))
    return together(proofs)


def theorem_value(n: Numbers) -> Finding:
    """The printed value for any probabilities of the 18 cells that l, c and the order of the hands make."""
    names = ["B", *(f"p{i}{j}" for i in range(3) for j in range(6))]
    where = region(", ".join(names), *(f"{name} > 0" for name in names))
    joint = [[where[f"p{i}{j}"] for j in range(6)] for i in range(3)]
    mine, theirs = [1, 5, 9], [0, 2, 4, 6, 8, 10]  # l is at 3, c at 7
    edge = [[Fraction(1 if x > y else -1) for y in theirs] for x in mine]
    deal = joint_law([str(x) for x in mine], [str(y) for y in theirs], joint, edge)
    game = replace(make("la_relance", bet=where["B"]), deal=deal)
    plan: Plan = {"": {"bet": [int(x > 3) for x in mine]}, "bet": {"call": [int(y > 7) for y in theirs]}}

    def chance(*chain: str) -> Number:
        """The probability that the letters stand in each of these orders, smallest first."""
        cells = [
            (joint[i][j], {"x": x, "y": y, "l": 3, "c": 7}) for i, x in enumerate(mine) for j, y in enumerate(theirs)
        ]
        met = (p for p, at in cells if all(at[a] < at[b] for order in chain for a, b in pairwise(order.split())))
        return sum(met, Fraction(0))

    parts = {
        "win": chance("y x"),
        "lose": chance("x y"),
        "won": chance("c y x"),
        "lost": chance("l x y", "c y"),
        "stolen": chance("x y c", "l x"),
        "given": chance("y x l"),
    }
    return equal({"V": value(game, game.profile(plan))}, n.at(B=where["B"], **parts), where).given(ANY_LAW)


def fgm_conditions(n: Numbers) -> Finding:
    """Negative dependence in the family: both probabilities of Theorem 3, and their slopes."""
    where = region("t, x, y, l, c", "-1 <= t", "t < 0", "0 < x", "x < 1", "0 < l", "l < y", "y < 1", "0 < c", "c < 1")
    t, x, y, low, c = where.values()
    below = fgm_within(t, 0, x, Fraction(0), c)
    above = fgm_within(t, 1, y, y, ONE) / fgm_within(t, 1, y, low, ONE)
    slopes = symbolic(below).derivative("x"), symbolic(above).derivative("y")
    text = f"P(Y < c | X = x) = {show(below)} rises with x, P(X > y | Y = y, X > l) = {show(above)} falls with y"
    return true_for(where, lambda: slopes[0] >= 0 and slopes[1] <= 0, text)


GRID = np.linspace(-3, 3, 121)
"""Standard normal hands at which a statement about the bivariate normal law is tested."""


def normal_conditions(n: Numbers) -> Finding:
    """Both probabilities of Theorem 3 for normal hands, at every pair of grid points and five correlations."""
    from scipy.special import log_ndtr

    for rho in (-0.1, -0.3, -0.5, -0.7, -0.9):
        scale = (1 - rho * rho) ** 0.5
        y, low = np.meshgrid(GRID, GRID, indexing="ij")
        # P(X > y | Y = y, X > l), as a logarithm
        above = log_ndtr((rho * y - y) / scale) - log_ndtr((rho * y - low) / scale)
        pairs = low[1:] < y[:-1]
        if np.any(np.diff(above, axis=0)[pairs] > 0) or np.any(np.diff(log_ndtr((low - rho * y) / scale), axis=0) < 0):
            return Finding(False, f"not for the correlation {rho}", tolerance="in floats")
    text = "by the hazard rate of the normal law, which rises; tested from -3 to 3 in steps of 1/20"
    return Finding(True, text, (At("correlations -0.1, -0.3, -0.5, -0.7, -0.9"),), tolerance="in floats")


def normal_example(n: Numbers) -> Finding:
    """c and l as standard normal hands, from (22) and (24), printed to five digits (four for correlation 0)."""
    from scipy.special import ndtri

    out: dict[str, float] = {}
    for deal, zero in (("normal:-3/5", ""), ("uniform", "0")):
        lines = la_relance_thresholds(law(deal), 2.0)
        out |= {letter + zero: float(ndtri(lines[letter])) for letter in "lc"}
    digits = {"l": 5, "c": 5, "l0": 4, "c0": 4}
    good = all(abs(out[name] - float(n[name])) < 0.5 * 10.0 ** -digits[name] for name in out)
    ratio = abs(out["c"] + 0.6 * out["l"]) < 1e-9
    text = ", ".join(f"{name} = {value:.6f}" for name, value in out.items())
    return Finding(
        good and ratio, f"{text}; c = rho l", (At("B = 2"),), tolerance="half a unit of the last printed digit"
    )


def normal_equation(n: Numbers) -> Finding:
    """(24) for B = 2 has the printed factors."""
    bet = Fraction(2)
    below = law("normal:-3/5").conditional(1)
    lines = la_relance_thresholds(law("normal:-3/5"), 2.0)
    left, right = (1 - below(lines[letter], lines["c"]) for letter in "cl")
    gap = float(n["left"]) * left - float(n["right"]) * right
    good = equal({"left": 2 * bet + 2, "right": bet + 2}, dict(n)).holds and abs(gap) < 1e-9
    return Finding(
        good, f"the sides differ by {gap:.0e} at the solution for rho = -0.6", (At("B = 2"),), tolerance="1e-9"
    )


# --- von Neumann ------------------------------------------------------------------------------------------------------


def neumann_dependent_bets(n: Numbers) -> Finding:
    """What betting and checking win with a hand below c and above it; s, t are the masses up to the lower and the upper of the two."""
    where = _masses("s t")
    B, s, t = where.values()
    up, down = (_bet("von_neumann", where, [s, t], own, called) for own, called in ((1, 2), (2, 1)))
    low = n.at(B=B, Pc=s + t, Px=s, xc=t, cx=0)
    high = n.at(B=B, Pc=s, Px=s + t, xc=0, cx=t)
    sides = {name: v[f"bet {name}"] - v["check"] for name, v in (("up to c", low), ("from c", high))}
    # the rewritten forms have the sign of the gain
    signs = low["sign up to c"] == up + B and B * (high["sign from c"] - 1) == down
    return equal({"up to c": up, "from c": down}, sides, where).only_if(signs).given(ANY_LAW)


def neumann_dependent_equations(n: Numbers) -> Finding:
    """The indifference equations at a, b and c, as the gains of betting or calling there."""
    where = _masses("s t u")
    B, s, t, u = where.values()
    gains = {
        "at a": _bet("von_neumann", where, [s, t], 1, 2),
        "at b": _bet("von_neumann", where, [s, t], 2, 1),
        "at c": _call("von_neumann", where, [s, t, u], 2, [1, 0, 0, 1]),
    }
    at = {"at a": {"Pc": s + t, "Pa": s}, "at b": {"Pc": s, "Pb": s + t}, "at c": {"Pa": s, "above": 1 - s - t - u}}
    v = printed(n, B, at)
    return equal(gains, {**v, "at b": B * v["at b"]}, where).given(ANY_LAW)


def neumann_dependent_calls(n: Numbers) -> Finding:
    """What calling wins below a, between a and b, and above b. The masses are those up to each threshold and up to the hand."""
    where = _masses("s t u")
    B, s, t, u = where.values()
    last = 1 - s - t - u
    bets = {"below a": [1, 1, 0, 1], "between": [1, 0, 0, 1], "above b": [1, 0, 1, 1]}
    calls = (_call("von_neumann", where, [s, t, u], own, cells) for own, cells in enumerate(bets.values(), 1))
    gains = dict(zip(bets, calls, strict=True))
    at = {
        "below a": {"Py": s, "Pa": s + t, "Pb": last},
        "between": {"Py": s + t, "Pa": s, "Pb": last},
        "above b": {"Py": last, "Pa": s, "Pb": u + last},
    }
    return equal(gains, printed(n, B, at), where).given(ANY_LAW)


def neumann_low_calls(n: Numbers) -> Finding:
    """Player II folds below a if the printed inequality holds. The masses s, t, u are those up to y, a and b."""
    where = _masses("s t u")
    B, s, t, u = where.values()
    gain = _call("von_neumann", where, [s, t, u], 1, [1, 1, 0, 1])
    slack = n.at(B=B, Py=s, Pa=s + t, above_y=1 - s, above_b=1 - s - t - u)["slack"]
    if slack == -gain:
        return Finding(True, f"calling gains {show(gain)}", (where,)).given(ANY_LAW)
    point = {"B": Fraction(2), "s": Fraction(1, 4), "t": Fraction(1, 4), "u": Fraction(1, 2)}
    holds, gains = (show(symbolic(number).at(point)) for number in (slack, gain))
    text = "B = 2, P(X < y) = P(y < X < a) = 1/4, P(a < X < b) = 1/2: the printed inequality holds by"
    chances = {"Py": "1/4", "Pa": "1/2", "above_y": "3/4", "above_b": "0"}
    return Finding(False, f"{text} {holds}, yet calling gains {gains}", (At("B = 2"),), point={"B": "2", **chances})


def neumann_middle_calls(n: Numbers) -> Finding:
    """(B + 2) P(X < a | y) - B P(X > b | y) in the Farlie-Gumbel-Morgenstern family: rises with y, or falls, by the sign of t."""
    slopes, wheres = [], []
    limits = ("B > 0", "-1 <= t", "t <= 1", "0 < a", "a < b", "b < 1", "0 < y", "y < 1")
    for condition in ("t < 0", "t > 0"):
        wheres.append(region("B, t, y, a, b", *limits, condition))
        B, t, y, a, b = wheres[-1].values()
        gain = (B + 2) * fgm_within(t, 1, y, Fraction(0), a) - B * fgm_within(t, 1, y, b, ONE)
        slopes.append(symbolic(gain).derivative("y"))
    good = bool(slopes[0] > 0) and bool(slopes[1] < 0)
    return Finding(good, f"the slope in y is {show(slopes[0])}", tuple(wheres))
