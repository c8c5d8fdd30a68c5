"""Checks on Cutler's pot limit: which calls and bluffs are free, and what A wins from weak play by B (Section 5)."""

from __future__ import annotations

from relance.claims.cutler.endless_game import LINES, close_to, cut_off
from relance.claims.cutler.first_game import ENDLESS, rounded
from relance.claims.cutler.opening import Opening, first_bets, opening
from relance.claims.cutler.stages import answers
from relance.claims.prelude import *
from relance.envs.cutler import pot_limit

# --- which bluffs and calls are free ----------------------------------------------------------------------------------


def bluffs_anywhere(n: Numbers) -> Finding:
    """Test whether in pot limit with one raise B loses nothing by bluffing, after a check, with hands that are all higher by 1/100."""
    game = make("pot_limit", raises=1)
    _, v = game.printed_numbers()
    step, line = Fraction(1, 100), (1 - v["c"]) / 2
    plan = {**game.published().plan(), "check": {"bet": [(step, line + step), (v["c"], 1)]}}
    lost = play_value(game, plan) - play_value(game, game.published())
    text = f"B bluffs after a check from {step} to {show(line + step)} instead of 0 to {show(line)}, and loses {show(lost)}"
    return tried_at({"raises": 1}, lost <= 0, text, game)


@unproved("play without end")
def bluffs_where(n: Numbers) -> Finding:
    """Check in pot limit that after A's check B's bet with a hand y gains if y is below the printed `line`, and loses from `line` to c.

    A bets hands below (1 - a)/2 and above a, and calls from b on; B bets for value from c on. From (1 - a)/2 to b, B's gain must be `gain`.
    Also check that A may bluff with the best hands below `line`, and B bluff-raise with the best of the hands that B would otherwise fold.
    """
    at = opening()
    v, up = at.lines, at.lines["alpha1"] * (1 - at.lines["a"])
    line, low = n.number("line", v), (1 - v["a"]) / 2

    def strict() -> bool:
        gain = at.gain("check", "bet", "check")
        spots = [(2 * low + v["b"]) / 3, (low + 2 * v["b"]) / 3]
        same = all(gain(y) == n.number("gain", {**v, "y": y}) for y in spots)
        return same and signs_between(gain, 0, line, v["c"]) == [1, -1]

    raises: Mapping[str, Any] = {"call": [(v["d"], at.raised)], "raise": [(v["d"] - up / 2, v["d"]), (at.raised, ONE)]}
    text = f"B's bet after a check gains {n.texts['gain']}: strictly right below the line, strictly wrong above"
    facts = {
        "after a check": true_for(at.where, strict, text),
        "highest bluffs": first_bets(at, highest=True),
        "highest raises": first_bets(at, reply=raises),
    }
    found = [fact.part(name) for name, fact in facts.items()]
    return together([*found, answers("calls", "bluffs", "raises")])


@unproved("that no other strategy is optimal")
def proper_calls(n: Numbers, amount: str) -> Finding:
    """Check in pot limit that A's bluffs win as much as checks only if B calls or raises for value with the share `amount` of all hands.

    `amount` is a formula in the thresholds a to d and other numbers of `Opening.lines`. A may bluff with hands up to (1 - c)/2. Also check,
    with one raise, that B errs by calling with the hands from (1 - c)/2 to (1 - c)/2 + a - d in place of the published ones from d to a.
    """
    where = region("x, line", "0 <= x", "4*x <= 1", "3*(6*x + 11)*line > 3*x + 5", "(33 + 18*x)*line < 29 + 15*x")
    at = Opening(where, where["x"])
    v, line = at.lines, where["line"]
    low, up = (1 - v["c"]) / 2, v["alpha1"] * (1 - v["a"])
    calls: Mapping[str, Any] = {"call": [(line, at.raised)], "raise": [(0, up / 2), (at.raised, ONE)]}

    # What hands below all of B's calls win does not depend on whether A's and B's better hands bet and call after a check.
    changes: Plan = {"bet": calls, "check": {"bet": [(0, low)]}, "check-bet": {"call": 0}}

    def only() -> bool:
        gain = at.gain("", "bet", "check", changes=changes)
        need = 4 * (line - 1 + formula(amount, v))
        return gain(low / 2) == need and gain(low * Fraction(9, 10)) == need

    ratio = true_for(where, only, f"A's bluffs gain in proportion to what the calls and raises lack of {amount}")
    low_calls = answers("calls")
    game = make("pot_limit", raises=1)
    _, own = game.printed_numbers()
    start, top = (1 - own["c"]) / 2, 1 - (1 - own["a"]) * own["alpha1"]
    plan = game.published().plan()
    rows = {"call": [(start, start + own["a"] - own["d"]), (own["a"], top)], "raise": plan["bet"]["raise"]}
    lowest_calls = nash(game, {**plan, "bet": rows})
    text = (
        f"{ratio.evidence}; {low_calls.evidence}; with as many calls by the lowest such hands {lowest_calls.evidence}"
    )
    return together([ratio.part("amount"), low_calls]).only_if(not lowest_calls.holds, text)


# --- what A may win ---------------------------------------------------------------------------------------------------


@unproved("any number of raises")
def conservative(n: Numbers) -> Finding:
    """Check what A's published pot-limit strategy wins if B never bets or raises, and calls a bet from B's published threshold d up."""

    def at(raises: int) -> Finding:
        game, plan = cut_off(raises)
        calls = {"call": [(LINES["d"], 1)], "raise": 0}
        won = play_value(game, {**plan, "check": {"bet": 0}, "bet": calls})
        return replace(close_to(won, n, "return"), where=scopes(game))

    found = {raises: at(raises) for raises in (1, 2)}
    return each("raises", found, found.__getitem__)


@unproved("any number of raises")
def bluffer(n: Numbers) -> Finding:
    """Check what A wins in pot limit if B bets and raises with every hand, in the limit of many raises.

    B calls if no raise is left. Each two further raises change the winnings of A (player 0) by a sum of two terms: the next of a geometric
    series with ratio 9 alpha^2, and of one with ratio 9 alpha^4. alpha is the share of good hands that raise if raises never end.
    """
    counts = range(1, 10, 2)
    won: list[Number] = []
    games: dict[object, tuple[Scope, ...]] = {}
    for raises in counts:
        game, plan = cut_off(raises)
        games[raises] = scopes(game)
        wild = {name: surely(node, "raise", "bet", "call") for name, node in game.tree.of(1).items()}
        won.append(play_value(game, {**plan, **wild}))
    p, q = (9 * ENDLESS["alpha"] ** k for k in (2, 4))
    steps = [after - before for before, after in pairwise(won)]
    geometric = all(z == (p + q) * y - p * q * x for x, y, z in zip(steps, steps[1:], steps[2:], strict=False))
    first = (steps[1] - q * steps[0]) / (p - q)
    limit = won[0] + first / (1 - p) + (steps[0] - first) / (1 - q)
    text = f"{show(limit)} = {float(limit):.5f} without end, {float(won[0]):.5f} with one raise"
    found = close_to(limit, n, "return", text).only_if(geometric and q < p < 1)
    return found.for_each("raises", games)


@unproved("any number of raises")
def small_returns(n: Numbers) -> Finding:
    """Check the printed number: the most that A's published pot-limit strategy can win. A must win as much against a B who never raises.

    If the claim also prints a number named "folds", A must win that number against a B who never bets and always folds.
    """
    found: list[tuple[Number, Number, bool]] = []
    games: dict[object, tuple[Scope, ...]] = {}
    for raises in (1, 2, 3, 4):
        game, plan = cut_off(raises)
        games[raises] = scopes(game)
        tree, _ = pot_limit(raises, check_raise=False, ante=Fraction(-1))  # with all payoffs negated
        reversed_game = replace(game, tree=tree)
        worst = best_response(reversed_game, reversed_game.profile(plan), 1)
        meek = {name: surely(node, "check", "fold") for name, node in game.tree.of(1).items()}
        raised = any(
            rows[node.index("raise")].integral() != 0
            for name, rows in worst.strategy.at.items()
            if "raise" in (node := game.tree.decisions[name]).actions
        )
        found.append((worst.value, play_value(game, {**plan, **meek}), raised))
    most, folds, raised = found[0]
    text = f"at most {show(most)} = {float(most):.5f}, and {show(folds)} = {float(folds):.5f} if B never bets and always folds"
    digits = close_to(most, n, "return", text).only_if(
        "folds" not in n.texts or rounded({"folds": folds}, {"folds": n["folds"]}).holds
    )
    same = all(case == found[0] for case in found) and not raised
    return digits.for_each("raises", games).only_if(same)
