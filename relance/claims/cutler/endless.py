"""Checks of claims on the game without end, other strategies, and the discrete game (Sections 3, 5, 6)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb

from relance.claims.checks import advantage, chips_by_action, equal, signs_between, surely, tried_at, with_numbers
from relance.claims.cutler.simple import ENDLESS, HALF_UNIT, ROOT, every_stage, falling, pot_limit_value, rounded
from relance.claims.finding import At, Finding
from relance.claims.ledger import Numbers
from relance.envs import make
from relance.envs.cutler import stages
from relance.model.game import Game
from relance.model.numbers import Number, formula, show
from relance.model.strategy import Plan
from relance.solvers.exact import value
from relance.solvers.proof import region

_B = Fraction(5, 9) - ROOT / 63
LINES: Mapping[str, Number] = {"a": 1 - ROOT / 21, "b": _B, "c": Fraction(7, 9) - 2 * ROOT / 63, "d": _B}
"""The thresholds a, b, c, d of the game without end, exactly."""


def cut_off(raises: int) -> tuple[Game, Plan]:
    """The strategies of the game without end, cut off after this many raises."""
    game = make("pot_limit", raises=raises)
    return game, with_numbers(game, every_stage(raises, LINES))


def equations(n: Numbers) -> Finding:
    """(8) to (11), and A's winnings with the hand a on either side of (8), for any lines and any alpha and beta."""
    first, second = (_equations(n, order) for order in ("b < d", "d < b"))
    return first if second.holds else second


def _equations(n: Numbers, order: str) -> Finding:
    rows = ("0 < c", "c < a", "a < 1", "b < c", "1 - c < 2*b", "d < c", "1 - c < 2*d", "d < 1 - alpha*(1 - a)")
    where = region("a, b, c, d, alpha, beta", "0 < alpha", "alpha < beta", "beta < 1", *rows, order)
    game = make("pot_limit", raises=1)
    plan = with_numbers(game, {**where, "alpha1": where["alpha"], "alpha2": Fraction(0), "beta1": where["beta"]})
    check, bet = chips_by_action(game, plan, "").values()
    reply = advantage(game, plan, "check", "bet", "check")
    worst = (1 - where["a"]) / 2
    results = {
        "check at a": check(where["a"]),
        "bet at a": bet(where["a"]),
        "(8)": bet(where["a"]) - check(where["a"]),
        "(9)": (bet(worst) - check(worst)) / 2,
        "(10)": reply(where["c"]) / -2,
        "(11)": reply((1 - where["c"]) / 2) / -1,
    }
    return equal(results, n.at(**where), where)


def lines(n: Numbers) -> Finding:
    """The printed lines solve (8) to (11) with the alpha of Section 2, in Q(sqrt 7), and have the printed digits."""
    v = n.at(s=ROOT)
    at = {**{letter: v[letter] for letter in "abcd"}, **ENDLESS}
    left = {name: formula(text, at) for name, text in EQUATIONS.items()}
    solved = equal(left, dict.fromkeys(left, Fraction(0)))
    digits = rounded({x: v[x] for x in "abcd"}, {x: v[f"{x} digits"] for x in "abcd"})
    return digits if solved.holds else solved


EQUATIONS = {
    "(8)": "2*alpha*a + 3*c - 2*d - 1 - 2*alpha",
    "(9)": "alpha*a + 2*d - 1 - alpha",
    "(10)": "a + b - 2*c",
    "(11)": "2*a - 4*b - c + 1",
}
"""Expressions that must equal 0. Claim equations derives them from the game."""


def endless(n: Numbers) -> Finding:
    """NashConv of the strategies of the game without end, cut off after k raises."""
    return falling([cut_off(raises) for raises in (2, 4, 6, 8)], Fraction(1, 1000))


def cutoffs(n: Numbers, start: str, factor: str, names: str) -> Finding:
    """A list that starts with `start` and continues with powers of alpha, to three digits."""
    at = {**LINES, **ENDLESS}
    first = formula(start, at)
    terms = {name: formula(factor, {"x": first * at["alpha"] ** k}) for k, name in enumerate(names.split())}
    return rounded(terms, n)


def worth(n: Numbers) -> Finding:
    """The exact value with k raises, and its limit, which it approaches with each raise; rounded as printed."""
    limit, parts = pot_limit_value(ENDLESS["alpha"]), []
    for raises in range(5):
        game = make("pot_limit", raises=raises)
        parts.append(value(game, game.published()))
        if parts[-1] != pot_limit_value(Numbers(stages(raises)).at()["alpha1"]):
            return Finding(False, f"{game}: {parts[-1]}")
    text = f"{', '.join(map(str, parts))} with 0 to 4 raises; without end {show(limit)} = {float(limit):.5f}"
    digits = rounded({"V": limit}, n, text=text)
    return digits.only_if(abs(parts[-1] - limit) < Fraction(1, 10**5))


def conservative(n: Numbers) -> Finding:
    """B calls a bet above d and does nothing else; A plays the paper's strategy."""
    game, plan = cut_off(2)
    tame: Plan = {name: {"fold": 1} for name in game.tree.decisions if name.startswith("bet-raise-raise")}
    calls = {"call": [(LINES["d"], 1)], "raise": 0}
    won = value(game, game.profile({**plan, **tame, "check": {"bet": 0}, "bet": calls}))
    return rounded({"return": won}, n, text=f"{show(won)} = {float(won):.5f}")


def bluffer(n: Numbers) -> Finding:
    """B bets and raises with every hand; A plays the paper's strategy. With k raises he calls the last one."""
    won = {}
    for raises in (1, 8, 10, 12):
        game, plan = cut_off(raises)
        wild = {name: surely(node, "raise", "bet", "call") for name, node in game.tree.of(1).items()}
        won[raises] = value(game, game.profile({**plan, **wild}))
    settled = abs(won[12] - won[10]) < Fraction(1, 10**6)
    text = f"{float(won[12]):.5f} with 12 raises, the same to 1e-6 with 10; {float(won[1]):.5f} with one"
    close = abs(won[12] - n["return"]) <= HALF_UNIT
    return Finding(settled and close, text, (At("12 raises"),), tolerance="half a unit of the third digit")


def indifferent(n: Numbers) -> Finding:
    """Against A's bet, B's raise, call and fold are equal with hands that beat only bluffs; below them, fold and raise are."""
    for game in UP_TO_THREE:
        _, v = game.printed_numbers()
        low = (1 - v["a"]) / 2
        call, up = (advantage(game, game.published(), "bet", action, "fold") for action in ("call", "raise"))
        if signs_between(call, low, v["a"]) != [0] or signs_between(up, 0, low, v["a"]) != [0, 0]:
            return Finding(False, f"{game}: an action gains over another")
    return Finding(True, "no action gains over another there", (At("1 to 3 raises"),))


UP_TO_THREE = [make("pot_limit", raises=raises) for raises in (1, 2, 3)]


def _moves(game: Game) -> list[tuple[str, str, str, Number, Number]]:
    """B's bet and all raises: node, action, the alternative, its line, and how far below the line the alternative is better."""
    _, v = game.printed_numbers()
    moves: list[tuple[str, str, str, Number, Number]] = [("check", "bet", "check", v["c"], (1 - v["c"]) / 2)]
    high, node = 1 - v["a"], "bet"
    for k in range(1, game.parameters["raises"] + 1):
        moves.append((node, "raise", "call", 1 - high * v[f"alpha{k}"], 1 - high))
        high, node = high * v[f"alpha{k}"], f"{node}-raise"
    return moves


def strict_lines(n: Numbers) -> Finding:
    """B's bets above c and every raise: strictly right above the line and strictly wrong below it."""
    for game in UP_TO_THREE:
        for name, action, over, line, below in _moves(game):
            if signs_between(advantage(game, game.published(), name, action, over), below, line, 1) != [-1, 1]:
                return Finding(False, f"{game}, {name}: {action} over {over} at {show(line)}")
    return Finding(True, "moving any such line loses", (At("1 to 3 raises"),))


def bet_line(n: Numbers) -> Finding:
    """With one raise allowed, what A loses if he bets from 9/10 instead of 29/33 and B does not change."""
    game = make("pot_limit", raises=1)
    base = game.published()
    line = Fraction(9, 10)
    lost = value(game, base) - value(game, game.profile({**base.plan(), "": {"bet": [(0, (1 - line) / 2), (line, 1)]}}))
    return tried_at({"raises": 1}, lost > 0, f"A bets from 9/10 instead of 29/33 and loses {show(lost)}", game)


def bet_line_where(n: Numbers) -> Finding:
    """A's bet gains nothing over a check from c to the printed line, and gains above it. Below c it loses, except with the worst hands."""
    for game in UP_TO_THREE:
        _, v = game.printed_numbers()
        gain = advantage(game, game.published(), "", "bet", "check")
        line = n.at(a=v["a"], alpha=v["alpha1"])["line"]
        if signs_between(gain, (1 - v["c"]) / 2, v["c"], line, 1) != [-1, 0, 1]:
            return Finding(False, f"{game}: not from c = {v['c']} to {line}")
    others = strict_lines(n)
    return others.only_if(True, f"{others.evidence}; A's bet gains 0 over a check from c to that line")


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
    counts = {"hands": comb(52, 5), "higher": higher, "equal": equals, "beating four aces": sum(beating(aces, -1))}
    return equal({name: Fraction(count) for name, count in counts.items()}, n)


def half_folded(n: Numbers) -> Finding:
    """Good hands folded to a reraise: 1 - beta. Exactly as printed for the last raise, nearly for those before."""
    beta = ENDLESS["beta"]
    game = make("pot_limit", raises=1)
    _, v = game.printed_numbers()
    text = f"1 - beta = {float(1 - beta):.3f} without end, {1 - v['beta1']} for the last raise"
    good = 1 - v["beta1"] == n["folded"] and abs(1 - beta - n["folded"]) < Fraction(1, 40)
    return Finding(good, text, (At("the last raise"),), tolerance="1/40")


def straights(n: Numbers) -> Finding:
    """The share of bluffs, and of calls, for a raise of 1 into a pot of the printed odds, which may or may not include the raise.

    As in Basic Endgame. Without the raise in the pot the calls are as printed; with it, the bluffs are. The other figure
    is off by one in its odds.
    """
    shares: dict[str, Number] = {}
    for name, pot in (("before", n["odds"]), ("after", n["odds"] - 1)):
        where = region("P", "0 < P", f"P*({pot} + 2) < {pot} + 1")
        game = make("endgame", p=where["P"], ante=pot / 2, bets=[1])
        profile = game.published()
        bet = profile.row("", "bet")[0]
        bluffs = (1 - where["P"]) * bet / ((1 - where["P"]) * bet + where["P"])
        call = profile.row("bet", "call")[0]
        shares |= {f"bluffs, {name}": bluffs, f"calls, {name}": call}
    exact = shares["calls, before"] == n["calls"] and shares["bluffs, after"] == n["bluffs"]
    close = (
        1 / shares["bluffs, before"] - 1 / n["bluffs"] == 1 / (1 - n["calls"]) - 1 / (1 - shares["calls, after"]) == 1
    )
    text = ", ".join(f"{name} = {show(number)}" for name, number in shares.items())
    return Finding(
        exact and close, text, tolerance="each number is exact in one reading, with odds off by one in the other"
    )
