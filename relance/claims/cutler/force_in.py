"""Checks on Cutler's force-in, in which player 0 must bet, and on limited raises (Sections 2 and 4)."""

from __future__ import annotations

from relance.claims.cutler.first_game import ENDLESS, ROOT, rounded
from relance.claims.cutler.opening import opening
from relance.claims.cutler.stages import ALPHA, BETA, answers
from relance.claims.prelude import *
from relance.claims.trace import possible_moves, terminal
from relance.envs.cutler import stages
from relance.model.tree import facing_a_bet

THIRD = Fraction(1, 3)


def every_stage(raises: int, more: Mapping[str, Number], stage: Mapping[str, Number] = ENDLESS) -> dict[str, Number]:
    """Return `more` with alpha1, beta1, ..., up to number `raises` + 1 added: shares of good hands, the same at every raise.

    Each alpha is stage["alpha"], the share of the good hands that raises; each beta is stage["beta"], the share that calls a raise. The
    default `stage` has the shares for unlimited raises.
    """
    return {**more, **{f"{name}{k}": stage[name] for name in ("alpha", "beta") for k in range(1, raises + 2)}}


def is_endless(alpha: Number, beta: Number) -> bool:
    """Return True if with unlimited raises the share `alpha` of good hands can make each raise, and the share `beta` can call each raise.

    Good hands are those that last bet or raised for value. The test is alpha = 1/(4 + 3 alpha), 0 < alpha <= 1/4, beta = (1 - alpha^2)/2.
    """
    own = formula(ALPHA, {"x": alpha}) == alpha and formula(BETA, {"x": alpha, "alpha": alpha}) == beta
    return bool(own and alpha > 0 and 4 * alpha <= 1 and 3 * alpha < 1)


def ratio(n: Numbers) -> Finding:
    """Check that the published strategies bet and raise with the printed `ratio` times as many good hands as bluffs.

    With this ratio alone, a player who faces a bet wins as much by a call as by a fold, with a hand between the bluffs and the good hands.
    """
    where = region("high, bluffs", "0 < high", "0 < bluffs", "high + bluffs < 1")
    high, bluffs = where["high"], where["bluffs"]
    plan: Plan = {
        "": {"bet": [(0, bluffs), (1 - high, 1)]},
        "check": {"bet": 0},
        "check-bet": {"call": 0},
        "bet": {"call": 1},
    }
    gain = advantage(make("pot_limit", raises=0), plan, "bet", "call", "fold")
    between = gain((bluffs + 1 - high) / 2)
    text = f"between them a call wins {show(between)} more than a fold"
    tie = Finding(between == 2 * (n["ratio"] * bluffs - high), text, (where,))
    first, (later, profile, good) = opening(), _any_raise()
    kept = [_keeps(first.game, first.game.profile(first.plan), n["ratio"], first.where).part("first bets")]
    kept.append(_keeps(later, profile, n["ratio"], good).part("raises"))
    simple = make("von_neumann", bet=2)
    games = [[make("pot_limit", raises=0)], *([make(name, raises=k) for name in BOTH] for k in range(1, 5))]
    few = each(
        "raises",
        range(5),
        lambda k: together({game.name: _keeps(game, game.published(), n["ratio"], game) for game in games[k]}),
    )
    text = f"{text}; {kept[0].evidence}"
    found = (
        together([tie.part("calls"), *kept])
        .only_if(_keeps(simple, simple.published(), n["ratio"], simple))
        .only_if(few)
    )
    return found.saying(text)


BOTH = ("force_in", "pot_limit")


def _any_raise() -> tuple[Game, Profile, Region]:
    """Return a game of one raise, published strategies for it and a region, so that the raise stands for any raise, first or later.

    The region has two symbols: `good`, the share of hands that bet for value, and x, how many hands reraise for value per value raise.
    """
    where = region("good, x", "0 < good", "3*good <= 2", "0 <= x", "4*x <= 1")
    alpha = formula(ALPHA, where)
    beta = formula(BETA, {"alpha": alpha, "x": where["x"]})
    line = 1 - where["good"]
    game = make("force_in", raises=1)
    plan = with_numbers(game, {"a": line, "d": line, "alpha1": alpha, "beta1": beta, "alpha2": ZERO})
    return game, game.profile(plan), where


def _keeps(game: Game, profile: Profile, share: Number, where: Scope | Game) -> Finding:
    """Check for each bet or raise: of its hands, `share` times as many lie above the threshold for calling it as below, and some below."""
    wrong = []
    for reply in game.tree.decisions:
        name, _, action = reply.rpartition("-")
        name, action = (name, action) if action else ("", reply)
        if action not in ("bet", "raise"):
            continue
        bets, line = profile.row(name, action), lowest(profile.row(reply, "call"))
        bluffs, good = bets.integral(ZERO, line), bets.integral(line, ONE)
        if not (good == share * bluffs and bool(bluffs > 0)):
            wrong.append(reply)
    text = "the published strategies keep the ratio wherever they bet or raise"
    return Finding(not wrong, f"{game} does not after {', '.join(wrong)}" if wrong else text, scopes(where))


# --- force-in ---------------------------------------------------------------------------------------------------------


@unproved("any number of raises")
def three_times(n: Numbers) -> Finding:
    """Check that a raise in force-in leads to force-in with one raise fewer, players swapped, and payoffs multiplied by n["times"]."""

    def same(fewer: Game, game: Game) -> bool:
        """True if `game` after a raise is `fewer` with the players swapped and all payoffs multiplied, at won and at lost showdowns."""
        before = {
            ("raise-" + name).strip("-"): (1 - player, of) for name, (player, of) in possible_moves(fewer).items()
        }
        after = {name: move for name, move in possible_moves(game).items() if name.startswith("raise")}
        plays = fewer.uniform(), game.uniform()
        return before == after and all(
            terminal(game, plays[1], f"raise-{path}", edge) == -n["times"] * terminal(fewer, plays[0], path, -edge)
            for path in fewer.tree.leaves
            for edge in (ONE, -ONE)
        )

    where = region("ante", "ante > 0")

    def step(raises: int) -> Finding:
        fewer, game = (make("force_in", raises=k, ante=where["ante"]) for k in (raises - 1, raises))
        return true_for(where, lambda: same(fewer, game), "the same tree")

    text = f"after a raise the game is what it was with one raise fewer, with the players swapped and {n['times']} times the chips"
    tried = each("raises", range(1, 7), step, text)
    if not tried.holds:
        return tried
    amounts = induction(
        ["ante > 0"],
        ["stake == ante*power", "size == 2*stake"],
        {"stake": "ante", "size": "2*ante", "power": "1"},
        {"stake": "stake + size", "size": "3*size", "power": f"({n.texts['times']})*power"},
    )
    link = region("a, x, y", "a > 0", "x > 0", "y > 0")
    a, x, y = link.values()
    raised = facing_a_bet(1, a, [x, y]).child("raise")
    assert isinstance(raised, Decision)
    next_bet = same_tree(link, BettingTree(raised), BettingTree(facing_a_bet(0, a + x, [y]))).saying("the next bet")
    return together({"stakes": amounts, "link": next_bet}).only_if(tried, text)


def _force_in(raises: int, v: Mapping[str, Number]) -> tuple[Game, Plan]:
    """Return force-in, and the paper's strategies for it with the same shares, v["alpha"] and v["beta"], at every raise."""
    game = make("force_in", raises=raises)
    return game, with_numbers(game, every_stage(raises, {"a": THIRD, "d": THIRD}, v))


def _at_lines(v: Mapping[str, Number], raises: int = 2) -> dict[str, Number]:
    """Return B's chips in force-in: "call" and "raise" with the worst good hand that raises, "bluff" and "fold" with the best bluff."""
    game, plan = _force_in(raises, v)
    chips = chips_by_action(game, plan, "")
    high, low = 1 - 2 * v["alpha"] / 3, v["alpha"] / 3
    won = {"call": chips["call"](high), "raise": chips["raise"](high)}
    return {**won, "bluff": chips["raise"](low), "fold": chips["fold"](low)}


def force_in_returns(n: Numbers) -> Finding:
    """Check B's printed winnings in force-in with the worst hand that raises for value and the best that bluffs, for any alpha and beta."""
    where = region("alpha, beta", "0 < alpha", "alpha < beta", "beta < 1", "2*alpha < 1")
    won, v = _at_lines(where), n.at(**where)
    reduced = won["raise"] - won["call"] == -4 * v["(6)"] and won["bluff"] - won["fold"] == -4 * v["(7)"]
    return equal(won, {name: v[name] for name in won}, where).only_if(reduced)


@unproved("any number of raises")
def force_in_solution(n: Numbers) -> Finding:
    """Check that the printed formulas of alpha and beta make B indifferent at both raise thresholds, and round to the printed decimals."""
    v = n.at(s=ROOT)
    digits = rounded({k: v[k] for k in ("alpha", "beta")}, {k: v[f"{k} digits"] for k in ("alpha", "beta")})

    def at(raises: int) -> Finding:
        won = _at_lines(v, raises)
        return replace(digits, where=scopes(make("force_in", raises=raises))).only_if(
            won["call"] == won["raise"] and won["bluff"] == won["fold"]
        )

    return each("raises", (2, 3), at, digits.evidence)


@unproved("play without end")
def force_in_unlimited(n: Numbers, alpha: str, beta: str) -> Finding:
    """Check that the formulas `alpha` and `beta`, the same shares of good hands at every raise, solve force-in with unlimited raises.

    If the next raise is made and called with these shares, the published formulas give the same shares for the raise before it; and the
    published answers to all bets and raises are best. In the formulas s is the square root of 7.
    """
    shares = {"alpha": formula(alpha, {"s": ROOT}), "beta": formula(beta, {"s": ROOT})}
    facts = answers("calls", "bluffs", "raises")
    return facts.only_if(is_endless(**shares), f"alpha and beta reproduce themselves; {facts.evidence}")


@unproved("bluffs with any hands")
def any_bluffs(n: Numbers, beta: str) -> Finding:
    """Check that a raise wins as much as a fold with every hand below those that call the raise: the best share `beta` of value bets."""
    facts = answers("calls", "bluffs", "raises", beta=beta)
    tried = every(_bluffing(), "NashConv 0 with the worst, the best, or a random part of the folds")
    return facts.only_if(tried, f"{facts.evidence}; with 1 to 3 raises {tried.evidence}")


def _bluffing() -> Iterator[tuple[str, Finding]]:
    for raises in (1, 2, 3):
        game = make("force_in", raises=raises)
        _, numbers = game.printed_numbers()
        up = 2 * numbers["alpha1"] / 3
        best: list[Any] = [(THIRD - up / 2, THIRD)]
        others: list[list[Any]] = [[(0, THIRD, 3 * up / 2)], [(0, up / 4), (THIRD / 2, THIRD / 2 + up / 4)]]
        for bluffs in [best, *(others if raises < 3 else [])]:
            plan: Plan = {**game.published().plan(), "": {"call": [(THIRD, 1 - up)], "raise": [*bluffs, (1 - up, 1)]}}
            if raises == 3:
                again, line = up * numbers["alpha2"] * numbers["alpha3"], 1 - up * numbers["beta2"]
                rows = {"call": [(line, 1 - again)], "raise": [(THIRD - again / 2, THIRD), (1 - again, 1)]}
                plan = {**plan, "raise-raise": rows}
            yield f"{game}, bluffs {bluffs}", nash(game, plan)


def all_published_optimal(games: Iterable[Game]) -> Finding:
    """Check that the published strategies of all these games are optimal."""
    return every(((game, nash(game, game.published().plan())) for game in games), "NashConv 0")


# --- limited raises ---------------------------------------------------------------------------------------------------


def last_raises(n: Numbers) -> Finding:
    """Check that for the last three raises the printed shares alpha (good hands that raise) and beta (that call a raise) are optimal."""
    numbers = Numbers(stages(3)).at()
    names = {f"{symbol}{k}": numbers[f"{symbol}{4 - k}"] for symbol in ("alpha", "beta") for k in (1, 2, 3)}
    optimal = all_published_optimal(
        make(name, raises=k) for name, k in [("force_in", 1), ("force_in", 2), ("pot_limit", 3)]
    )
    digits = rounded(names, {name: n[name] for name in names})
    facts = answers("calls", "bluffs", "raises")
    return facts.only_if(optimal).only_if(digits.holds and names["alpha1"] == n["best"], digits.evidence)


def rapidly(n: Numbers, rate: str) -> Finding:
    """Check that each extra raise multiplies the gap between alpha, the share of good hands that raise, and its limit by at most `rate`."""
    where = region("x, y", "0 <= x", "4*x <= 1", "0 <= y", "4*y <= 1")
    x, y = where["x"], where["y"]
    first, second = formula(ALPHA, {"x": x}), formula(ALPHA, {"x": y})
    betas = formula(BETA, {"x": x, "alpha": first}) - formula(BETA, {"x": y, "alpha": second})

    def closer() -> bool:
        step = 3 * first * second
        exact = first - second == (y - x) * step and betas == 2 * (first - second) / 3
        return exact and bool(0 < step <= Fraction(rate))

    games = [make("force_in", raises=k) for k in range(1, 6)]
    off = [abs(game.printed_numbers()[1]["alpha1"] - ENDLESS["alpha"]) for game in games]
    good = all(after < Fraction(rate) * before for before, after in pairwise(off))
    seen = Finding(good, "alpha comes closer more slowly", (Cases("raises", dict.fromkeys(range(1, 6), ())),))
    text = f"one raise earlier alpha is off by at most {rate} of what it was, and beta by 2/3 of that; with 1 to 5 raises alpha is off by "
    facts = true_for(where, closer, text + ", ".join(f"{float(gap):.1e}" for gap in off))
    repeated = induction(
        [f"0 < step <= {rate}", "first >= 0"],
        ["off <= first*power", "off >= 0", "power >= 0"],
        {"off": "first", "power": "1"},
        {"off": "off*step", "power": f"power*{rate}"},
    )
    return together({"one raise": facts, "all raises": repeated}).only_if(seen)
