"""Checks of uniqueness, admissibility and mistakes."""

from __future__ import annotations

from relance.claims.borel_von_neumann.models import every_bet
from relance.claims.checks import advantage, nash, rising, signs_between, together, tried_at, true_for, with_numbers
from relance.claims.finding import At, Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.model.numbers import formula
from relance.model.strategy import Plan
from relance.solvers.lp import optimal_face
from relance.solvers.proof import region


def strict(n: Numbers, game: str, player: int) -> Finding:
    """Against the published opponent every deviation of `player` loses, so that his optimal strategy is the only one."""
    where, made, at = every_bet(game)
    if player == 1:
        gain, cuts, signs = advantage(made, made.published(), "bet", "call", "fold"), [0, at["c"], 1], [-1, 1]
    else:
        gain, cuts, signs = advantage(made, made.published(), "", "bet", "check"), [0, at["a"], at["b"], 1], [1, -1, 1]
    text = f"against the other's published strategy the printed action is strictly better at every hand but {len(signs) - 1}"
    return true_for(where, lambda: signs_between(gain, *cuts) == signs, text)


def admissible(n: Numbers, game: str) -> Finding:
    """The gain from acting rises with the hand of the player who has many optimal strategies, whatever the other does.

    The gain is linear in the other's strategy, so it is enough to consider one that acts only between two hands s < t.
    All optimal strategies act equally often between the thresholds (claims borel-all-first and vn-averages), so acting on
    the best hands there is never worse than any other, and sometimes better.
    """
    where = region("B, s, t", "B > 0", "0 < s < t", "t < 1")
    made = make(game, bet=where["B"])
    step = [(where["s"], where["t"])]
    first = game == "la_relance"
    plan: Plan = {"": {"bet": 1 if first else step}, "bet": {"call": step if first else 1}}
    question = ("", "bet", "fold") if first else ("bet", "call", "fold")
    text = "the action's gain never falls with the hand, and rises where the other acts, so the best hands dominate"
    return rising(made, plan, *question, where, text)


def unique_admissible(n: Numbers) -> Finding:
    """Each player of each model: the only optimal strategy, or the only admissible one."""
    models = {"la_relance": 1, "von_neumann": 0}
    parts = [part for game, player in models.items() for part in (strict(n, game, player), admissible(n, game))]
    return together(parts)


def all_of_borel(n: Numbers) -> Finding:
    """Any two-step way to bet the printed proportion of the hands below c is optimal, and no other proportion is.

    Against player II's only optimal strategy, betting is strictly better above c and as good as folding below c. So only the
    amount of bets below c is open, and player II's gain at c depends on nothing else (claim borel-proportion). Her gain
    rises with her hand however I bets, so it need only be 0 at c.
    """
    c = "B/(B + 2)"
    share = n.texts["proportion"].replace("c", f"({c})")
    rest = f"(({share})*{c} - s*x)/({c} - x)"
    where = region("B, x, s", "B > 0", "0 < x", f"x < {c}", "0 <= s <= 1", f"0 <= {rest}", f"{rest} <= 1")
    game, line = make("la_relance", bet=where["B"]), formula(c, where)
    bets = [(0, where["x"], where["s"]), (where["x"], line, formula(rest, where)), (line, 1)]
    plan: Plan = {"": {"bet": bets}, "bet": {"call": [(line, 1)]}}
    optimal = nash(game, plan, where)
    if not optimal.holds:
        return optimal
    signs = signs_between(advantage(game, plan, "", "bet", "fold"), 0, line, 1)
    steps = region("B, s, t", "B > 0", "0 < s < t", "t < 1")
    stepped = make("la_relance", bet=steps["B"])
    some: Plan = {"": {"bet": [(steps["s"], steps["t"])]}, "bet": {"call": 1}}
    monotone = rising(stepped, some, "bet", "call", "fold", steps, "the gain of calling rises with the hand")
    text = f"{optimal.evidence}; betting gains nothing below c and something above; {monotone.evidence}"
    return optimal.only_if(signs == [0, 1] and monotone.holds, text)


def exploits_best(n: Numbers) -> Finding:
    """If player II also calls with hands from s to t below c, player I's gain from betting rises there and falls nowhere."""
    where = region("B, s, t", "B > 0", "0 < s < t", "t < B/(B + 2)")
    c = formula("B/(B + 2)", where)
    game = make("la_relance", bet=where["B"])
    plan: Plan = {"": {"bet": 1}, "bet": {"call": [(where["s"], where["t"]), (c, 1)]}}
    text = "the gain of betting rises from s to t and never falls: bluffs pay most just below c"
    return rising(game, plan, "", "bet", "fold", where, text)


def many_for_second(n: Numbers) -> Finding:
    """Player II's optimal strategies on a grid: her play is free exactly with the hands between a and b."""
    game = make("von_neumann", bet=2, hands=9)
    ranges = optimal_face(game, 1).ranges["bet", "call"]
    free = [i for i, (low, high) in enumerate(ranges) if low != high]
    text = f"on a grid of 9 cells the chance of calling is free in cells {free} and fixed in the others"
    return Finding(free == list(range(1, 7)), text, (At(game),))


def averages(n: Numbers) -> Finding:
    """The printed claim that any way to call between a and b with the right average is optimal. Tried: the lowest hands call."""
    game = make("von_neumann", bet=2)
    _, at = game.printed_numbers()
    calls = n.at(B=2, **{k: at[k] for k in "abc"})["average"] * (at["b"] - at["a"])
    plan = {**game.published().plan(), "bet": {"call": [(at["a"], at["a"] + calls), (at["b"], 1)]}}
    finding = nash(game, plan)
    text = f"II calls with Y from {at['a']} to {at['a'] + calls} and above {at['b']}, on average as printed: {finding.evidence}"
    return tried_at({"B": 2}, finding.holds, text, game)


def averages_bounded(n: Numbers) -> Finding:
    """The right condition: player I's gain from betting at x in (a, b) is a multiple of K(x) - slope (x - a).

    K(x) is the amount that player II calls between a and x. So he never gains if and only if K(x) <= slope (x - a) for all x,
    with equality at b, which is the average.
    """
    printed, _ = make("von_neumann").printed_numbers()
    texts = printed.formulas({})
    a, b, c = (f"({texts[letter]})" for letter in "abc")
    limits = ("0 <= K", f"K <= x - {a}", f"K <= {b} - {c}", f"{b} - {c} - K <= {b} - x")
    where = region("B, x, K", "B > 0", f"{a} < x", f"x < {b}", *limits)
    B, x, K = where.values()
    at = Numbers(texts).at(B=B)
    calling = n.at(B=B, **at)
    rest = calling["average"] * (at["b"] - at["a"]) - K
    game = make("von_neumann", bet=B)
    calls = [(at["a"], x, K / (x - at["a"])), (x, at["b"], rest / (at["b"] - x)), (at["b"], 1)]

    def holds() -> bool:
        gain = advantage(game, {**with_numbers(game, at), "bet": {"call": calls}}, "", "bet", "check")(x)
        return bool(gain == 2 * (B + 1) * (K - calling["slope"] * (x - at["a"])))

    try:
        return true_for(where, holds, "betting over checking at x gains 2 (B + 1) (K(x) - (x - a)/(B + 1))")
    except ValueError as error:
        return Finding(False, str(error), (where,))
