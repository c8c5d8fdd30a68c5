"""Checks of claims on La Relance with bivariate normal hands (Section 5.2): means 0, variances 1 and a correlation rho.

The density of the standard normal distribution at u is P, and its mass above u is Q. Both are symbols here: as u changes, P changes at
the rate -u P and Q at the rate -P. P/Q is the hazard rate.
"""

from __future__ import annotations

from relance.claims.borel_von_neumann.hands import bet_gain, call_gain
from relance.claims.prelude import *
from relance.model.distributions import distribution
from relance.solvers.indifference import la_relance_thresholds


@unproved("that this exponent makes a distribution normal")
def normal_given(n: Numbers) -> Finding:
    """Check the printed mean and variance of y given x: the exponents of the densities of x and of y given x add up to the joint one."""
    where = region("rho, x, y", "-1 < rho < 1")
    rho, x, y = where.values()
    v = n.at(**where)
    joint = (x * x - 2 * rho * x * y + y * y) / (1 - rho * rho)
    given = (y - v["mean"]) * (y - v["mean"]) / v["variance"]
    text = f"the exponents differ by {show(joint - x * x - given)}"
    return true_for(where, lambda: joint == x * x + given and bool(v["variance"] > 0), text)


def _hazard_rises() -> Finding:
    """Check that the hazard rate h = P/Q rises, at the rate h (h - u). h > u because, for u > 0, P/u - Q falls to 0 and so is positive."""
    where = region("u, P, Q", "P > 0", "Q > 0", "P > u*Q")
    u, P, Q = where.values()
    h = symbolic(P / Q)
    rate = h.derivative("u") - u * P * h.derivative("P") - P * h.derivative("Q")
    above = region("u, P, Q", "u > 0", "P > 0", "Q > 0")
    gap = symbolic(above["P"] / above["u"] - above["Q"])
    fall = gap.derivative("u") - above["u"] * above["P"] * gap.derivative("P") - above["P"] * gap.derivative("Q")
    parts = (
        true_for(
            where, lambda: rate == h * (h - u) and bool(rate > 0), f"the hazard rate h rises at the rate {show(rate)}"
        ).part("hazard rate"),
        true_for(above, lambda: bool(fall < 0), f"P/u - Q changes at the rate {show(fall)}").part("P/u - Q"),
    )
    return together(parts)


@unproved("what is known of the normal distribution")
def normal_conditions(n: Numbers, association: str) -> Finding:
    """Check that both probabilities of Theorem 3 are monotone for normal hands, by the signs of derivatives.

    r is -rho, and s the standard deviation of a hand given the other. Under a standard normal distribution, P(Y < c | X = x) is the mass
    below w = (c + r x)/s; P(X > y | Y = y, X > l) is Q(u)/Q(v) with u = (y + r y)/s and v = (l + r y)/s, where Q is the mass above.
    `association` is the sign of rho, "negative" or "positive".
    """
    sign = {"negative": "0 < r < 1", "positive": "-1 < r < 0"}[association]
    names = "r, s, x, y, l, c, P, Pu, Qu, Pv, Qv"
    positive = (f"{name} > 0" for name in ("s", "P", "Pu", "Qu", "Pv", "Qv"))
    where = region(names, sign, "l < y", *positive, "Pv*Qu <= Pu*Qv")
    r, s, x, y, low, c, P, Pu, Qu, Pv, Qv = where.values()
    w, u, v = (symbolic(place / s) for place in (c + r * x, y + r * y, low + r * y))
    below = P * w.derivative("x")
    ratio = symbolic(Qu / Qv)
    change = -Pu * u.derivative("y") * ratio.derivative("Qu") - Pv * v.derivative("y") * ratio.derivative("Qv")
    text = f"P(Y < c | X = x) changes with x at the rate {show(below)}, and P(X > y | Y = y, X > l) with y at the rate {show(change)}"
    signs = true_for(where, lambda: bool(u > v) and bool(below >= 0) and bool(change <= 0), text)
    return together([_hazard_rises(), signs.part("conditions")])


@unproved("what is known of the normal distribution")
def normal_equation(n: Numbers) -> Finding:
    """Check for La Relance with B = 2: a bet with x < c gains 0 iff P(Y < c | X = x) = 1/2, and a call with c gains 0 iff (24) holds."""
    where = region("s, t", "s >= 0", "t >= 0", "s + t <= 1")
    s, t = where.values()
    two = Fraction(2)
    bet = bet_gain("la_relance", two, [s], 0, [0, 1])
    call = call_gain("la_relance", two, [s, t], 2, [0, 1, 1])
    gap = n["right"] * (1 - s) - n["left"] * (1 - s - t)
    text = f"betting gains {show(bet)} if P(Y < c) = s; calling gains {show(call)}"
    return Finding(call == gap and bet == 4 * (s - n["median"]), text, (where,))


def normal_example(n: Numbers) -> Finding:
    """Check, in floats, La Relance's printed l and c (B = 2) for normal hands of correlation -3/5 and 0."""
    from scipy.special import ndtr, ndtri

    out: dict[str, float] = {}
    bet, deals = 2, {"normal:-3/5": "", "uniform": "0"}
    for deal, zero in deals.items():
        lines = la_relance_thresholds(distribution(deal), float(bet))
        out |= {symbol + zero: float(ndtri(lines[symbol])) for symbol in "lc"}
    digits = {"l": 5, "c": 5, "l0": 4, "c0": 4}
    good = all(abs(out[name] - float(n[name])) < 0.5 * 10.0 ** -digits[name] for name in out)
    quartile = float(ndtr(out["l0"]))
    ratio = abs(out["c"] + 0.6 * out["l"]) < 1e-9 and abs(quartile - float(n["quartile"])) < 1e-9
    text = ", ".join(f"{name} = {value:.6f}" for name, value in out.items())
    return Finding(
        good and ratio,
        f"{text}; c = rho l, and l0 is the quantile of {quartile:.6f}",
        tuple(spot({"B": bet, "deal": deal}) for deal in deals),
        tolerance="half a unit of the last printed digit",
    )
