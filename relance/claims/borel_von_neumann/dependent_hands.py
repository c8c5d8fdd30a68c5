"""Checks of claims on dependent hands: in La Relance (Section 5.2) and in von Neumann's poker (Section 5.4)."""

from __future__ import annotations

from relance.claims.borel_von_neumann.hands import bet_gain, call_gain, masses
from relance.claims.borel_von_neumann.models import linear_solution
from relance.claims.prelude import *
from relance.claims.symbolic import Symbolic
from relance.model.distributions import joint_distribution

# --- the Farlie-Gumbel-Morgenstern family -------------------------------------------------------------------------------


def fgm_within(t: Number, player: int, own: Number, a: Number, b: Number) -> Number:
    """Return P(the other player's hand is in (a, b)) given the hand `own` of `player`, for the Farlie-Gumbel-Morgenstern parameter t."""
    game = replace(make("la_relance"), deal=fgm(t))
    met, _ = hand_values(game, game.uniform(), player, Piecewise.steps([(a, b, ONE)]))[""]
    chance: Number = met(own)
    return chance


def fgm_distribution(n: Numbers, reach: str = "1") -> Finding:
    """Check the printed Farlie-Gumbel-Morgenstern density, its uniform marginals and correlation, integrated exactly.

    With the parameter t = 0 hands are independent. Every bilinear density with uniform marginals has this form, with t from -`reach` to
    `reach`.
    """
    where = region("t, x, y", "-1 <= t <= 1", "0 <= x <= 1", "0 < y < 1")
    t, x, y = where.values()
    zero = 0 * t
    density = symbolic(fgm_within(t, 0, x, zero, y)).derivative("y")
    both = density.derivative("x").derivative("y")  # the density is bilinear: its parts with x y, x, y and neither
    first, second = (density.derivative(own) - both * other for own, other in (("x", y), ("y", x)))
    neither = density - both * x * y - first * x - second * y
    product_mean = neither / 4 + (first + second) / 6 + both / 9  # of x y
    correlation = symbolic((product_mean - ONE / 4) * 12)
    least, most = (correlation.at({**where, "t": zero + end}) for end in (-1, 1))
    found = {"density": density, "correlation": correlation, "least": least, "most": most}
    apart = density.at({**where, "t": zero})

    def good() -> bool:
        bilinear = all(density.derivative(symbol).derivative(symbol) == 0 for symbol in "xy")
        uniform = all(fgm_within(t, player, x, zero, zero + 1) == 1 for player in (0, 1))
        return bilinear and uniform and apart == 1 and bool(density >= 0)

    same = equal(found, n.at(**where), where)
    text = f"uniform marginals, correlation {show(correlation)}, from {least} to {most}; no other bilinear density has them"
    marginals = true_for(where, good, "a density with uniform marginals")
    shown = same.only_if(marginals.holds, text if same.holds else "")
    return together([shown.part("density"), *_no_other(n, reach)])


def _no_other(n: Numbers, reach: str) -> list[Finding]:
    """Check that a bilinear function with uniform marginals has the printed form, and is below 0 somewhere exactly if |t| > `reach`."""
    where = region("k, u, v, w, x, y")
    k, u, v, w, x, y = where.values()
    mine, theirs = ((k + other / 2, own + w / 2) for own, other in ((u, v), (v, u)))  # level and slope of each marginal
    only = linear_solution(where, {"u": mine[1], "v": theirs[1], "k": mine[0] - 1})
    solved = {symbol: formula(text, where) for symbol, text in only.items()}
    bilinear = symbolic(k + u * x + v * y + w * x * y).at({**where, **solved})
    printed = n.number("density", {"t": w / 4, "x": x, "y": y})
    form = true_for(where, lambda: bilinear == printed and symbolic(theirs[0]).at({**where, **solved}) == 1, "")
    parts = [form.part("no other form")]
    for condition, corner in ((f"t > {reach}", 0), (f"t < -({reach})", 1)):
        beyond = region("t", condition)
        at = n.number("density", {"t": beyond["t"], "x": ONE, "y": Fraction(corner)})
        parts.append(true_for(beyond, partial(lt, at, 0), "").part("below 0"))
    within = region("t, x, y", f"-({reach}) <= t", f"t <= {reach}", "0 <= x <= 1", "0 <= y <= 1")
    density = n.number("density", within)
    return [*parts, true_for(within, lambda: bool(density >= 0), "").part("within reach")]


def fgm_conditions(n: Numbers, association: str) -> Finding:
    """Check Theorem 3's conditions for Farlie-Gumbel-Morgenstern hands X and Y of players I and II, by derivatives.

    For thresholds l of I and c of II, P(Y < c | X = x) rises with x, and P(X > y | Y = y, X > l) falls with y, if the parameter t of the
    family has the sign `association`, "negative" or "positive".
    """
    sign = {"negative": "t <= 0", "positive": "t > 0"}[association]
    limits = ("-1 <= t <= 1", sign, "0 <= x <= 1", "0 < l < y", "y < 1", "0 < c < 1")
    where = region("t, x, y, l, c", *limits)
    t, x, y, low, c = where.values()
    below = fgm_within(t, 0, x, Fraction(0), c)
    above = fgm_within(t, 1, y, y, ONE) / fgm_within(t, 1, y, low, ONE)
    slopes = symbolic(below).derivative("x"), symbolic(above).derivative("y")
    text = f"P(Y < c | X = x) = {show(below)} rises with x, P(X > y | Y = y, X > l) = {show(above)} falls with y"
    return true_for(where, lambda: slopes[0] >= 0 and slopes[1] <= 0, text)


# --- any distribution ------------------------------------------------------------------------------------------------------------


def theorem_three(n: Numbers) -> Finding:
    """Check Theorem 3 on La Relance: it is optimal that player I bets with hands X above l, and that II calls with hands Y above c.

    It holds for any joint distribution of X and Y for which l < c solve (22) and (24), P(Y < c | X = x) never falls with x, and
    P(X > y | Y = y, X > l) never rises with y.
    """
    proofs = []
    for mass, relation, text, sign, own in (
        ("s + t", "<=", "I up to l folds", -1, 1),
        ("s + t", ">=", "I from l to c bets", 1, 1),
        ("s", ">=", "I above c bets", 1, 2),
        ("s", "<=", "I just above c would fold", -1, 2),  # so the bound is needed, there where t is 0
    ):
        where = masses("s t", f"{mass} {relation} {n.texts['(22)']}")
        t = Fraction(0) if (own, sign) == (2, -1) else where["t"]
        calls = [0, 0, 1] if own == 1 else [0, 1, 1]
        gain = bet_gain("la_relance", where["B"], [where["s"], t], own, calls)
        proofs.append(true_for(where, partial(ge, sign * gain, 0), text).part(text))
    where = masses("s t")
    gain = call_gain("la_relance", where["B"], [where["s"], where["t"]], 1, [0, 0, 1])
    proofs.append(true_for(where, partial(ge, -gain, 0), "II up to l folds").part("II up to l folds"))
    for relation, text, sign in ((">=", "II from l to c folds", -1), ("<=", "II above c calls", 1)):
        limits = ("0 <= r <= 1", "0 <= q <= 1", f"q {relation} {n.texts['(24)']}")
        where = region("B, r, q", "B > 0", *limits)  # r is P(X > l | Y = y)
        B, r, q = where.values()
        gain = call_gain("la_relance", B, [1 - r, r * (1 - q)], 2, [0, 1, 1])
        proofs.append(true_for(where, partial(ge, sign * gain, 0), text).part(text))
    return together(proofs)


def theorem_value(n: Numbers) -> Finding:
    """Check La Relance's printed value if player I bets above a threshold l and player II calls above a threshold c > l.

    Player I has one hand in each of the three intervals that l and c make, and II one in each of the six that l, c and I's hands make. The
    18 pairs of hands may have any probabilities above 0.
    """
    names = ["B", *(f"p{i}{j}" for i in range(3) for j in range(6))]
    where = region(", ".join(names), *(f"{name} > 0" for name in names))
    joint = [[where[f"p{i}{j}"] for j in range(6)] for i in range(3)]
    mine, theirs = [1, 5, 9], [0, 2, 4, 6, 8, 10]  # l is at 3, c at 7
    edge = [[Fraction(1 if x > y else -1) for y in theirs] for x in mine]
    deal = joint_distribution([str(x) for x in mine], [str(y) for y in theirs], joint, edge)
    game = replace(make("la_relance", bet=where["B"]), deal=deal)
    plan: Plan = {"": {"bet": [int(x > 3) for x in mine]}, "bet": {"call": [int(y > 7) for y in theirs]}}

    def chance(*chain: str) -> Number:
        """The probability that the symbols stand in each of these orders, smallest first."""
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
    return equal({"V": play_value(game, plan)}, n.at(B=where["B"], **parts), where)


# --- negative dependence --------------------------------------------------------------------------------------------------

FALLS = {
    "likelihood": ("b*(d2 + e2) <= b2*(d + e)",),
    "stochastic": ("e2 <= e", "d2 + e2 <= d + e", "b2 + d2 + e2 <= b + d + e"),
}
"""{sense of "falls": conditions under which player I's hand falls in this sense as player II's hand rises from y to z}. Given y, player I's
hand is from l to y, from y to z or above z with masses b, d and e; given z, with masses b2, d2 and e2.
"""


@unproved("from masses to densities")
def ratio_falls(n: Numbers, distribution: str) -> Finding:
    """Check that P(X > y | Y = y, X > l) falls with y if X given Y = y falls in the sense `distribution`, "likelihood" or "stochastic"."""
    names = ("b", "d", "e", "b2", "d2", "e2")
    where = region(
        ", ".join(names), *(f"{x} >= 0" for x in names), "b + d + e > 0", "b2 + d2 + e2 > 0", *FALLS[distribution]
    )
    b, d, e, b2, d2, e2 = where.values()
    first, second = (d + e) / (b + d + e), e2 / (b2 + d2 + e2)
    return true_for(where, lambda: bool(second <= first), f"{show(second)} <= {show(first)}")


COUNTEREXAMPLE = ((3, 1, 2), (2, 1, 1), (7, 2, 3))
"""22 times the probabilities of nine pairs of hands. The rows are player I's hands, the columns player II's, both from the worst up."""


def negative_dependence(n: Numbers) -> Finding:
    """Test, by an example with B = 2, the claim that P(X > y | Y = y, X > l) falls with y if the hands X and Y depend negatively.

    Six equal cells of [0, 1] are, from the worst up, X1, Y1, X2, Y2, Y3, X3. Player I's hand X is in X1, X2 or X3, player II's hand Y in
    Y1, Y2 or Y3. The higher one of the two hands is, the lower the other is stochastically. Theorem 3's equations hold if I bets above
    l = 1/6 and II calls above c = 1/2, yet II loses by calling with the hands in Y3.
    """
    joint = [[Fraction(p, 22) for p in row] for row in COUNTEREXAMPLE]
    columns = [list(column) for column in zip(*joint, strict=True)]
    falling = all(_stochastically_falling(distributions) for distributions in (joint, columns))

    def step(cell: int) -> Piecewise:
        return Piecewise.steps([(Fraction(cell, 6), Fraction(cell + 1, 6), 6)])

    mine, theirs = (0, 2, 5), (1, 3, 4)
    terms = [(step(x) * joint[i][j], step(y)) for i, x in enumerate(mine) for j, y in enumerate(theirs)]
    game = replace(make("la_relance", bet=2), deal=DensityDeal(terms))
    plan: Plan = {"": {"bet": [(Fraction(1, 6), 1)]}, "bet": {"call": [(Fraction(1, 2), 1)]}}
    bet, call = advantage(game, plan, "", "bet", "fold"), advantage(game, plan, "bet", "call", "fold")
    even = bet(Fraction(1, 12)) == 0 and call(Fraction(7, 12)) == 0  # (22) at l and (24) at c
    gain, lost = nash_conv(game, game.profile(plan)), call(Fraction(3, 4)) / 6
    chances = [columns[j][2] / (columns[j][1] + columns[j][2]) for j in (1, 2)]
    table = "; ".join(" ".join(map(str, row)) for row in COUNTEREXAMPLE)
    text = (
        f"22 P(X, Y) = ({table}), rows X: P(X > y | Y = y, X > l) rises from {chances[0]} to {chances[1]}; "
        f"with player II's best hands calling gains {show(lost)}, so the NashConv is {show(gain)}"
    )
    refuted = falling and even and chances[1] > chances[0] and gain > 0
    point = {"B": "2"} | {
        f"22 P(X{i}, Y{j})": str(p) for i, row in enumerate(COUNTEREXAMPLE, 1) for j, p in enumerate(row, 1)
    }
    return Finding(not refuted, text, scopes(game), searched=True, point=point if refuted else {})


def _stochastically_falling(distributions: Sequence[Sequence[Fraction]]) -> bool:
    """True if each distribution, scaled to 1, is stochastically below the one before."""
    tails = [
        [sum(distribution[k:], Fraction(0)) / sum(distribution) for k in range(len(distribution))]
        for distribution in distributions
    ]
    return all(b <= a for first, second in pairwise(tails) for a, b in zip(first, second, strict=True))


# --- von Neumann's poker ------------------------------------------------------------------------------------------------


def neumann_low_calls(n: Numbers) -> Finding:
    """Check that the printed inequality for a hand y <= a of player II in von Neumann's poker says that a call does not gain over a fold.

    Player I bets with hands below a and above b. The inequality's right side minus its left must equal the chips that a call loses, for
    any probabilities that player I's hand is below y, from y to a, from a to b, and above b.
    """
    where = masses("s t u")
    B, s, t, u = where.values()
    gain = call_gain("von_neumann", B, [s, t, u], 1, [1, 1, 0, 1])
    slack = n.at(B=B, Py=s, Pa=s + t, above_y=1 - s, above_b=1 - s - t - u)["slack"]
    if slack == -gain:
        return Finding(True, f"calling gains {show(gain)}", (where,))
    point = {"B": TWO, "s": Fraction(1, 4), "t": Fraction(1, 4), "u": Fraction(1, 2)}
    holds, gains = (show(symbolic(number).at(point)) for number in (slack, gain))
    text = "the printed inequality holds by"
    chances = {"P(X < y)": "1/4", "P(X < a)": "1/2", "P(X > y)": "3/4", "P(X > b)": "0"}
    return tried_at({"B": TWO, **chances}, False, f"{text} {holds}, yet calling gains {gains}")


def neumann_outer_calls(n: Numbers, chances: Sequence[str]) -> Finding:
    """Check by an example that II's call in von Neumann's poker may gain below a and from c to b, and lose from a to c and above b.

    Player I bets below a and above b. In the example B = 2, and I's hand X is below all hands of II or above all of them. `chances` has the
    probability that X is below, if II's hand is below a, from a to c, from c to b, or above b. Also check for any distribution of X given
    II's hand: a call below a does not gain if (B + 2)P(X < a) <= B P(X > b), and a call above b does not lose if the left side is >=.
    """
    gains = [call_gain("von_neumann", TWO, [Fraction(p), Fraction(0)], 1, [1, 0, 1]) for p in chances]
    text = f"calling gains {', '.join(map(show, gains))} below a, up to c, up to b and above b; where it rises on [0, 1], they follow"
    low, middle, upper, high = gains
    example = Finding(middle < 0 < upper and low > 0 > high, text, (spot({"B": TWO}),)).part("example")
    below = masses("s t u", "(B + 2)*(s + t) <= B*(1 - s - t - u)")
    above = masses("s t u", "(B + 2)*s >= B*(1 - s - t)")
    parts = [example]
    sides = {"below a": (below, 1, [1, 1, 0, 1], -1), "above b": (above, 3, [1, 0, 1, 1], 1)}
    for name, (where, own, bets, sign) in sides.items():
        B, *cells = where.values()
        gain = call_gain("von_neumann", B, cells, own, bets)
        parts.append(true_for(where, partial(ge, sign * gain, 0), "").part(name))
    return together(parts)


@unproved("the c that solves the equations")
def neumann_association(n: Numbers, weak: str, strong: str) -> Finding:
    """Check that the sign of the hands' association does not decide whether I's gain by a bet over a check falls up to c, then rises.

    In von Neumann's poker with B = 2, player II calls with hands above a number c, which may be any. For Farlie-Gumbel-Morgenstern hands
    with parameter t from -`weak` to `weak`, the gain falls up to c, then rises. With t = `strong` < 0, the gain rises at the worst hands.
    With positive association the gain may fall above c: for c < x < y, let II's hand be from c to x if I's is x, and above y if I's is y.
    """
    rises = [bet_gain("von_neumann", TWO, cells, own, [0, 1, 1, 1]) for cells, own in (([0, 1, 0], 2), ([0, 0, 0], 3))]
    sample = Finding(rises[0] > rises[1], "two hands that rise together", (spot({"B": TWO}),)).part("two hands")
    parts = []
    for name, sign, order in (("up to c", -1, "0 < x < c"), ("from c on", 1, "c < x < 1")):
        where = region("t, c, x", "0 < c < 1", f"-({weak}) <= t <= {weak}", order)
        parts.append(true_for(where, partial(ge, sign * _slope(where, where["t"]), 0), f"t up to {weak}").part(name))
    one = region("c, x", "0 < c < 1", "0 < x < c")
    # A polynomial in the hand, so if it is above 0 at the worst one it is near that.
    slope = as_formula(_slope(one, Fraction(strong)), "slope")
    at_worst = formula(slope, {"c": one["c"], "x": ZERO})
    parts.append(positive(one, at_worst, f"t = {strong}").part("strong"))
    text = (
        f"for any c, betting gains less up to c and more from there for t from -{weak} to {weak}; for t = {strong} it gains more "
        "near the worst hand, and with two hands that rise together less from c on"
    )
    found = together([*parts, sample])
    return found.saying(text)


def _slope(where: Region, t: Number) -> Symbolic:
    """Return the slope in x of a bet's gain over a check, for Farlie-Gumbel-Morgenstern hands with parameter t; B = 2, II calls above c."""
    game = replace(make("von_neumann", bet=TWO), deal=fgm(t))
    return symbolic(bet_advantage(game, [(where["c"], 1)])(where["x"])).derivative("x")
