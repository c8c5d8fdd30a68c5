"""Checks of claims on check-raises in Cutler's pot limit (end of Section 3), and its solution with them."""

from __future__ import annotations

from itertools import accumulate
from operator import mul

from relance.claims.cutler.endless_game import LINES, cut_off
from relance.claims.cutler.first_game import ENDLESS, ROOT
from relance.claims.cutler.force_in import all_published_optimal, every_stage
from relance.claims.cutler.opening import opening
from relance.claims.cutler.stages import ALPHA, answers, prize, settled
from relance.claims.prelude import *
from relance.envs.cutler import after_a_bet, check_raise_plan, pot_limit_plan, stages

RAISES = range(1, 5)


@unproved("any number of raises")
def check_raise(n: Numbers, x: str) -> Finding:
    """Check that with hand `x` A wins more by check-raising and folding to a reraise than by betting and calling a raise.

    Without check-raises, A's published play with x is to bet and call. After a check B bets for value from the threshold c on, and answers
    a raise as in force-in, the game without a check, after a bet. No play of x leads to a third raise, so a higher limit changes nothing.
    """
    return each("raises", (3, 4), partial(_check_raise, Fraction(x)))


def _check_raise(x: Fraction, raises: int) -> Finding:
    check, bet = two_lines(x, raises)
    text = (
        f"x = {x}: checking, raising and folding wins {show(check)}, betting {show(bet)}; "
        f"the difference is {show(check - bet)} = {float(check - bet):.4f}"
    )
    game, plan = cut_off(raises)
    profile = game.profile(plan)
    bets_and_calls = profile.row("", "bet")(x) == profile.row("bet-raise", "call")(x) == 1
    return Finding(check > bet and bets_and_calls, text, scopes(make("pot_limit", raises=raises, check_raise=True)))


def two_lines(x: Number, raises: int, answer: str = "") -> tuple[Number, Number]:
    """Return A's chips in pot limit with the hand x, first by checking, raising and folding to a reraise, then by betting.

    The game allows `raises` raises. Otherwise both play as published for unlimited raises, cut off at this limit. B answers the check-raise
    as a player who has bet answers a raise in force-in, the game without a check; but if `answer` is given, always with this action.
    """
    game = make("pot_limit", raises=raises, check_raise=True)
    numbers = every_stage(raises, LINES)
    facing = game.tree.decisions["check-bet"]
    plan = {
        **after_a_bet(facing, "check-bet", {**numbers, "a": numbers["c"], "d": numbers["b"]}),
        **pot_limit_plan(numbers, game.tree),
        "check-bet": {"raise": 1, "call": 0},
        "check-bet-raise-raise": {"call": 0, "raise": 0},
    }
    if answer:
        plan["check-bet-raise"] = surely(game.tree.decisions["check-bet-raise"], answer)
    check, bet = chips_by_action(game, plan, "").values()
    return check(x), bet(x)


@unproved("any number of raises")
def check_raises_used(n: Numbers, player: int) -> Finding:
    """Check that pot limit is worth more to A with check-raises than without (to B, if `player` is 1)."""
    without, sign = opening(), 1 - 2 * player
    lines = make("pot_limit", raises=1, check_raise=True).blueprint.printed[1].formulas({"raises": 1})
    symbols = {name: without.lines[name] for name in ("alpha1", "alpha2", "beta1")}
    for symbol in "hadq":
        symbols[symbol] = formula(lines[symbol], symbols)
    pairs = [[make("pot_limit", raises=k, check_raise=flag) for flag in (False, True)] for k in RAISES]

    def published(raises: int) -> Finding:
        named = zip(("without", "with check-raises"), pairs[raises - 1], strict=True)
        return together({name: all_published_optimal([game]) for name, game in named})

    optimal = each("raises", RAISES, published)
    few = [play_value(pair[1], pair[1].published()) - play_value(pair[0], pair[0].published()) for pair in pairs]
    text = f"they win A {', '.join(map(show, few))} with 1 to 4 raises"
    more = true_for(without.where, lambda: bool(sign * (_worth(symbols, without.x) - without.worth) > 0), text)
    more = more.part("first bets")
    return more.only_if(optimal).only_if(all(sign * gain > 0 for gain in few))


def force_in_fails(n: Numbers) -> Finding:
    """Test the claim that the solution of force-in, the game in which A must bet, cannot be used in pot limit with check-raises.

    The profile tested is Relance's own, for one raise; each bet is answered as in force-in. If its NashConv is 0, the claim is false.
    """
    game = make("pot_limit", raises=1, check_raise=True)
    gap = nash_conv(game, game.published())
    return tried_at({"raises": 1}, gap != 0, f"every bet answered as in force-in, and NashConv {show(gap)}", game)


@unproved("any number of raises, and play without end")
def force_in_applies(n: Numbers) -> Finding:
    """Check that our solution of pot limit with check-raises, in which bets are answered as in force-in, is optimal and has our value."""
    more = region("x", "0 < x", "4*x <= 1")
    facts = together([_first_bets(n, more).part("first bets"), answers("calls", "bluffs", "raises")])
    last = _first_bets(n, None)
    few = each("raises", RAISES, partial(_pure, n), "NashConv 0, mixed and pure")
    limit = n.at(alpha=ENDLESS["alpha"])["V"]
    every = facts.only_if(last.holds and limit == (2 - ROOT) / 8)
    return together([every, few]).saying(f"{facts.evidence}; without end the value is {show(limit)}; {few.evidence}")


def _pure(n: Numbers, raises: int) -> Finding:
    """Check with this many raises that the mixed solution and the pure one have NashConv 0 and the stated value."""
    game = make("pot_limit", raises=raises, check_raise=True)
    numbers = Numbers(stages(raises)).at()
    numbers |= n.at(alpha=numbers["alpha1"])
    mixed, pure = (
        nash(game, plan, worth=numbers["V"])
        for plan in (check_raise_plan(numbers, game.tree), without_lots(game, numbers))
    )
    return mixed if pure.holds else pure


def _first_bets(n: Numbers, where: Region | None) -> Finding:
    """Check the value of our solution, and that its first bets are optimal.

    x, the symbol of `where`, is how many hands make the second value raise per first one; if `where` is None, only one raise is allowed.
    """
    x: Number = where["x"] if where else ZERO
    alpha = formula(ALPHA, {"x": x})
    v: dict[str, Number] = {**n.at(alpha=alpha), "alpha1": alpha, "alpha2": x, "alpha3": ZERO}
    v |= {"beta1": (1 - alpha * x) / 2, "beta2": ONE / 2}
    game = make("pot_limit", raises=2 if where else 1, check_raise=True)
    plan = check_raise_plan(v, game.tree)
    bluff, line, top, again = v["h"] / 2, v["a"], 1 - alpha * v["h"], 1 - alpha * x * v["h"]

    def bet(node: str, answers: Plan) -> Piecewise:
        return advantage(game, {**plan, **answers}, node, "bet", "check")

    def right() -> bool:
        low: Plan = {"check-bet": {"call": [(v["d"], ONE)], "raise": 0}, "bet-raise": _only(game, "bet-raise", "fold")}
        good: dict[str, Any] = {"check-bet": {"raise": 1, "call": 0}, "bet-raise": _only(game, "bet-raise", "call")}
        if where:
            good["check-bet-raise-raise"] = {"fold": 1}
        reply, called = (
            bet("check", {"check-bet-raise": _only(game, "check-bet-raise", answer)}) for answer in ("fold", "call")
        )
        return (
            signs_between(bet("", low), 0, bluff, line, top) == [0, -1, 0]
            and signs_between(bet("", good), top, again) == [0]
            and signs_between(reply, 0, bluff, line, top) == [1, -1, 1]
            and signs_between(called, top, 1) == [1]
            and bool(bluff < v["d"] < line)
            and _worth(v, x) == v["V"]
        )

    text = "bets and checks win the same with A's bluffs and good hands, and are right elsewhere"
    return true_for(where, right, text) if where else Finding(right(), text)


def _only(game: Game, node: str, action: str) -> dict[str, int]:
    return surely(game.tree.decisions[node], action)


def _worth(v: Mapping[str, Number], x: Number) -> Number:
    """The value to A, if the game ends at the first raise and the raiser wins the chips of `prize`."""
    won = prize(v["alpha1"], x)
    ends = {"bet-raise": Leaf(-won), "check-bet-raise": Leaf(won)}
    game = make("pot_limit", raises=1, check_raise=True)
    plan = {name: row for name, row in check_raise_plan(v, game.tree).items() if name not in ends}
    short = settled(game, ends)
    return play_value(short, plan)


def without_lots(game: Game, numbers: Mapping[str, Number]) -> Plan:
    """Return a pure solution of pot limit with check-raises, in which A bets a share q of the good hands and checks the others.

    The good hands are those above 1 - h; `numbers` has h and q. The thresholds for raises divide these hands into blocks, and A bets the
    share q of each block: its best hands in the lowest block, its worst in the next, its best in the third, and so on.
    """
    h, q = numbers["h"], numbers["q"]
    alphas = (numbers[f"alpha{k}"] for k in range(1, game.parameters["raises"] + 1))
    above = list(accumulate(alphas, mul, initial=h))  # how many hands lie above the line for bets, and for each raise
    bets: list[tuple[Number, Number]] = []
    for k, (far, near) in enumerate(pairwise([*above, Fraction(0)])):
        size = q * (far - near)
        bets.append((1 - far, 1 - far + size) if k % 2 else (1 - near - size, 1 - near))
    opened = Piecewise.steps([(left, right, ONE) for left, right in bets])
    checked = Piecewise.steps([(1 - h, ONE, ONE)]) - opened
    bluffs = q * h / 2
    return {
        **check_raise_plan(numbers, game.tree),
        "": {"bet": [(0, bluffs), *bets]},
        **_replies(game, "bet-raise", opened, Fraction(0), above, numbers),
        **_replies(game, "check-bet", checked, bluffs, above, numbers),
    }


def _replies(
    game: Game, name: str, good: Piecewise, bluff: Number, above: Sequence[Number], numbers: Mapping[str, Number]
) -> dict[str, Any]:
    """A's plan at the node `name`, where A faces a bet or raise, and at A's later nodes.

    Args:
        game: pot limit with check-raises.
        name: "check-bet", where A calls with hands above d, or "bet-raise", where A calls with the best share beta1 of A's good hands.
        good: 1 on the good hands with which A reaches the node, 0 on all others.
        bluff: the worst hand with which A bluffs by a raise. A raises with half as many bluffs as good hands.
        above: how many hands lie above the threshold for bets, and above that for each raise.
        numbers: the numbers of the solution, such as d and beta1.
    """
    plan: dict[str, Any] = {}
    share = good.integral() / above[0]
    while name in game.tree.decisions:
        k = name.count("raise")  # raises so far; each is called with the best beta of the previous one
        call = _line_below(good, share * above[k - 1] * numbers[f"beta{k}"]) if k else numbers["d"]
        plan[name] = {"call": [(call, 1)]}
        if "raise" in game.tree.decisions[name].actions:
            line, bluffs = 1 - above[k + 1], share * above[k + 1] / 2
            plan[name] = {"call": [(call, line)], "raise": [(bluff, bluff + bluffs), (line, 1)]}
        name += "-raise-raise"
    return plan


def _line_below(hands: Piecewise, amount: Number) -> Number:
    """The threshold above which there are this many of `hands`, a function that is not 0 just on these hands."""
    spans = [span for span, piece in zip(pairwise(hands.cuts), hands.pieces, strict=True) if piece]
    for left, right in reversed(spans):
        if amount <= right - left:
            return right - amount
        amount = amount - (right - left)
    return Fraction(0)
