"""Checks of claims on the game without end, other strategies, and the discrete game (Sections 3, 5, 6)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

from relance.claims.checks import advantage, equal, sign_inside, tried_at
from relance.claims.cutler.simple import ONE, every_stage, falling, rounded, unlimited, value_without_end
from relance.claims.ledger import Finding, Numbers
from relance.envs import make
from relance.envs.cutler import after_a_bet
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.quadratic import square_root
from relance.model.strategy import Plan
from relance.solvers.exact import action_values, nash_conv, value
from relance.solvers.proof import region


def endless_lines() -> dict[str, Number]:
    """The lines a, b, c, d of the game without end, exactly."""
    root = square_root(7)
    b = Fraction(5, 9) - root / 63
    return {"a": 1 - root / 21, "b": b, "c": Fraction(7, 9) - 2 * root / 63, "d": b}


def endless_plan(game: Game, numbers: Mapping[str, Number]) -> dict[str, dict[str, Any]]:
    """The paper's strategies with these lines and, at raise k, alpha_k and beta_k."""
    a, b, c = (numbers[letter] for letter in "abc")
    plan: dict[str, dict[str, Any]] = {
        "": {"bet": [(0, (1 - a) / 2), (a, 1)]},
        "check": {"bet": [(0, (1 - c) / 2), (c, 1)]},
        "check-bet": {"call": [(b, 1)]},
    }
    for name, row in after_a_bet(game.tree.decisions["bet"], "bet", numbers).items():
        plan[name] = dict(row)
    return plan


def _endless(raises: int) -> tuple[Game, dict[str, dict[str, Any]]]:
    """The strategies of the game without end, cut off after so many raises."""
    game = make("pot_limit", raises=raises)
    return game, endless_plan(game, every_stage(raises, endless_lines()))


def equations(n: Numbers) -> Finding:
    """(8) to (11), and what A wins with a on either side of (8), for any lines and any alpha and beta."""
    found = [_equations(n, order) for order in ("b < d", "d < b")]
    return next((part for part in found if not part.holds), found[0])


def _equations(n: Numbers, order: str) -> Finding:
    rows = ("0 < c", "c < a", "a < 1", "b < c", "1 - c < 2*b", "d < c", "1 - c < 2*d", "d < 1 - alpha*(1 - a)")
    where = region("a, b, c, d, alpha, beta", "0 < alpha", "alpha < beta", "beta < 1", *rows, order)
    game = make("pot_limit", raises=1)
    numbers = {**where, "alpha1": where["alpha"], "alpha2": Fraction(0), "beta1": where["beta"]}
    profile = game.profile(endless_plan(game, numbers))
    check, bet = action_values(game, profile, 0)[""][1]
    reply = advantage(game, profile, "check", "bet", "check")
    worst = (1 - where["a"]) / 2
    found = {
        "check at a": check(where["a"]),
        "bet at a": bet(where["a"]),
        "(8)": bet(where["a"]) - check(where["a"]),
        "(9)": (bet(worst) - check(worst)) / 2,
        "(10)": reply(where["c"]) / -2,
        "(11)": reply((1 - where["c"]) / 2) / -1,
    }
    return equal(found, n.at(**where), where)


def lines(n: Numbers) -> Finding:
    """The printed lines solve (8) to (11) with the alpha of Section 2, in Q(sqrt 7), and have the printed digits."""
    v = n.at(s=square_root(7))
    at = {**{letter: v[letter] for letter in "abcd"}, **unlimited()}
    left = {name: formula(text, at) for name, text in EQUATIONS.items()}
    wrong = [f"{name} leaves {show(number)}" for name, number in left.items() if number != 0]
    digits = rounded({x: v[x] for x in "abcd"}, {x: v[f"{x} digits"] for x in "abcd"})
    return Finding(not wrong and digits.holds, "; ".join(wrong) or digits.evidence, domain="in Q(sqrt 7)")


EQUATIONS = {
    "(8)": "2*alpha*a + 3*c - 2*d - 1 - 2*alpha",
    "(9)": "alpha*a + 2*d - 1 - alpha",
    "(10)": "a + b - 2*c",
    "(11)": "2*a - 4*b - c + 1",
}
"""What must vanish; claim equations derives it from the game."""


def endless(n: Numbers) -> Finding:
    """NashConv of the strategies of the game without end, cut off after k raises."""
    left = []
    for raises in (2, 4, 6, 8):
        game, plan = _endless(raises)
        left.append(nash_conv(game, game.profile(plan)))
    return falling(left, Fraction(1, 1000))


def cutoffs(n: Numbers, start: str, factor: str, names: str) -> Finding:
    """A list that starts with `start` and goes on with powers of alpha, to three digits."""
    at = {**endless_lines(), **unlimited()}
    first = formula(start, at)
    found = {name: formula(factor, {"x": first * at["alpha"] ** k}) for k, name in enumerate(names.split())}
    return rounded(found, n, "in Q(sqrt 7)")


def worth(n: Numbers) -> Finding:
    """The value with k raises, exactly, and its limit, from which it differs by less each time; rounded as printed."""
    limit = value_without_end()
    parts = []
    for raises in range(5):
        game = make("pot_limit", raises=raises)
        alpha = formula(stages_first(raises), {})
        found = value(game, game.published())
        if found != -(1 + 2 * alpha) / (12 + 18 * alpha):
            return Finding(False, f"{game}: {found}")
        parts.append(found)
    good = abs(limit - n["V"]) <= Fraction(1, 2000) and abs(parts[-1] - limit) < Fraction(1, 10**5)
    text = f"{', '.join(map(str, parts))} with 0 to 4 raises; without end {show(limit)} = {float(limit):.5f}"
    return Finding(good, text, domain="exact with 0 to 4 raises and without end")


def stages_first(raises: int) -> str:
    """alpha of the first of so many raises, as text."""
    out = "0"
    for _ in range(raises):
        out = f"1/(4 + 3*({out}))"
    return out


def conservative(n: Numbers) -> Finding:
    """B calls a bet above d and does nothing else; A plays the paper's strategy."""
    game, plan = _endless(2)
    d = endless_lines()["d"]
    tame: Plan = {name: {"fold": 1} for name in game.tree.decisions if name.startswith("bet-raise-raise")}
    other = {**plan, **tame, "check": {"bet": 0}, "bet": {"call": [(d, 1)], "raise": 0}}
    found = value(game, game.profile(other))
    close = abs(found - n["return"]) <= Fraction(1, 2000)
    return Finding(close, f"{show(found)} = {float(found):.5f}", domain="in Q(sqrt 7)")


def bluffer(n: Numbers) -> Finding:
    """B bets and raises with every hand; A plays the paper's strategy. With k raises he calls the last one."""
    found = []
    for raises in (1, 8, 10, 12):
        game, plan = _endless(raises)
        wild: dict[str, dict[str, Any]] = {}
        for name, node in game.tree.decisions.items():
            if node.player == 1:
                most = next(action for action in ("raise", "bet", "call") if action in node.actions)
                wild[name] = {action: int(action == most) for action in node.actions}
        found.append(value(game, game.profile({**plan, **wild})))
    settled = abs(found[-1] - found[-2]) < Fraction(1, 10**6)
    close = abs(found[-1] - n["return"]) <= Fraction(1, 2000)
    text = f"{float(found[-1]):.5f} with 12 raises, the same to 1e-6 with 10; {float(found[0]):.5f} with one"
    return Finding(settled and close, text, "numeric", "12 raises instead of no end; half a unit of the third digit")


def indifferent(n: Numbers) -> Finding:
    """Against A's bet B's raise, call and fold are worth the same where he beats bluffs only; fold and raise below them."""
    for raises in (1, 2, 3):
        game = make("pot_limit", raises=raises)
        profile = game.published()
        _, v = game.printed_numbers()
        low = (1 - v["a"]) / 2
        pairs = [("call", "fold", low, v["a"]), ("raise", "fold", low, v["a"]), ("raise", "fold", Fraction(0), low)]
        for action, over, left, right in pairs:
            if sign_inside(advantage(game, profile, "bet", action, over), left, right) != 0:
                return Finding(False, f"{game}: {action} over {over} from {left} to {right}")
    return Finding(True, "no action gains over another there", domain="1 to 3 raises")


def _moves(game: Game) -> list[tuple[str, str, str, Number, Number]]:
    """B's bet and all raises: node, action, what it replaces, its line, and how far below that the other is better."""
    _, v = game.printed_numbers()
    moves: list[tuple[str, str, str, Number, Number]] = [("check", "bet", "check", v["c"], (1 - v["c"]) / 2)]
    high, node = 1 - v["a"], "bet"
    for k in range(1, game.parameters["raises"] + 1):
        moves.append((node, "raise", "call", 1 - high * v[f"alpha{k}"], 1 - high))
        high, node = high * v[f"alpha{k}"], f"{node}-raise"
    return moves


def strict_lines(n: Numbers) -> Finding:
    """B's bets above c and every raise: strictly right above the line and strictly wrong below it."""
    for raises in (1, 2, 3):
        game = make("pot_limit", raises=raises)
        for name, action, over, line, below in _moves(game):
            gain = advantage(game, game.published(), name, action, over)
            if sign_inside(gain, line, ONE) != 1 or sign_inside(gain, below, line) != -1:
                return Finding(False, f"{game}, {name}: {action} over {over} at {show(line)}")
    return Finding(True, "every move of such a line loses", domain="1 to 3 raises")


def bet_line(n: Numbers) -> Finding:
    """What A loses with one raise allowed if he bets from 9/10 instead of 29/33, and B does not change."""
    game = make("pot_limit", raises=1)
    base = game.published()
    line = Fraction(9, 10)
    lost = value(game, base) - value(game, game.profile({**base.plan(), "": {"bet": [(0, (1 - line) / 2), (line, 1)]}}))
    return tried_at({"raises": 1}, lost > 0, f"A bets from 9/10 instead of 29/33 and loses {show(lost)}", str(game))


def bet_line_where(n: Numbers) -> Finding:
    """A's bet: worth nothing more than a check from c to the printed line, and more above; below c it loses, but with the worst hands."""
    for raises in (1, 2, 3):
        game = make("pot_limit", raises=raises)
        _, v = game.printed_numbers()
        gain = advantage(game, game.published(), "", "bet", "check")
        line = formula(n.texts["line"], {"a": v["a"], "alpha": v["alpha1"]})
        spans = [((1 - v["c"]) / 2, v["c"], -1), (v["c"], line, 0), (line, ONE, 1)]
        if any(sign_inside(gain, left, right) != sign for left, right, sign in spans):
            return Finding(False, f"{game}: not from c = {v['c']} to {line}")
    others = strict_lines(n)
    return Finding(
        others.holds, f"{others.evidence}; A's bet gains 0 over a check from c to that line", domain="1 to 3 raises"
    )


# --- cards ------------------------------------------------------------------------------------------------------------


def straight_flushes(n: Numbers) -> Finding:
    """All hands of five cards, and the straight flushes that are left beside a given hand, counted one by one."""
    runs = [frozenset({12, 0, 1, 2, 3}), *(frozenset(range(k, k + 5)) for k in range(9))]
    flushes = [(top, {(rank, suit) for rank in run}) for top, run in enumerate(runs) for suit in range(4)]

    def beating(hand: set[tuple[int, int]], own: int) -> tuple[int, int]:
        left = [top for top, cards in flushes if not cards & hand]
        return sum(top > own for top in left), sum(top == own for top in left)

    low = {(rank, 0) for rank in runs[0]}
    aces = {(12, suit) for suit in range(4)} | {(4, 0)}
    higher, equals = beating(low, 0)
    found = {
        "hands": Fraction(comb(52, 5)),
        "higher": Fraction(higher),
        "equal": Fraction(equals),
        "beating four aces": Fraction(sum(beating(aces, -1))),
    }
    return equal(found, n)


def half_folded(n: Numbers) -> Finding:
    """Good hands folded to a reraise: 1 - beta. Exactly as printed for the last raise, nearly for those before."""
    beta = unlimited()["beta"]
    game = make("pot_limit", raises=1)
    _, v = game.printed_numbers()
    text = f"1 - beta = {float(1 - beta):.3f} without end, {1 - v['beta1']} for the last raise"
    good = 1 - v["beta1"] == n["folded"] and abs(1 - beta - n["folded"]) < Fraction(1, 40)
    return Finding(good, text, "numeric", "the last raise exactly, without end within 1/40")


def straights(n: Numbers) -> Finding:
    """A raise of 1 into a pot of the printed odds, which counts it or not: the share of bluffs, and of calls against them.

    As in Basic Endgame. Without the raise in the pot the calls are as printed, with it the bluffs; the others are one time more
    or fewer of so many.
    """
    found: dict[str, Number] = {}
    for name, pot in (("before", n["odds"]), ("after", n["odds"] - 1)):
        where = region("P", "0 < P", f"P*({pot} + 2) < {pot} + 1")
        game = make("endgame", p=where["P"], ante=pot / 2, bets=[1])
        profile = game.published()
        bet = profile.row("", "bet")[0]
        bluffs = (1 - where["P"]) * bet / ((1 - where["P"]) * bet + where["P"])
        call = profile.row("bet", "call")[0]
        found |= {f"bluffs, {name}": bluffs, f"calls, {name}": call}
    exact = found["calls, before"] == n["calls"] and found["bluffs, after"] == n["bluffs"]
    close = 1 / found["bluffs, before"] - 1 / n["bluffs"] == 1 / (1 - n["calls"]) - 1 / (1 - found["calls, after"]) == 1
    text = ", ".join(f"{name} = {show(number)}" for name, number in found.items())
    return Finding(
        exact and close,
        text,
        "numeric",
        "any chance of a good hand that leaves room for bluffs; each number exactly in one reading, one time off in the other",
    )
