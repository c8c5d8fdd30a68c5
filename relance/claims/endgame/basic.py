"""Checks of claims on the endgame in poker with one round, Basic Endgame (Section 1), and with two (Section 2)."""

from __future__ import annotations

from relance.claims.dominance import DominatedAction, is_dominated
from relance.claims.endgame.induction import indifferent_bluff, indifferent_fold, one_round, pays
from relance.claims.prelude import *
from relance.claims.trace import terminal
from relance.envs.ferguson_endgame import ratios


def basic(*more: str, names: str = "P, a, b") -> Region:
    """The region of any probability P of a winner, ante a and bet b, with the further conditions `more`."""
    return region(names, "a > 0", "b > 0", *more)


def one_bet(where: Region) -> Game:
    """Basic Endgame, the endgame with one round, with the probability P of a winner, the ante a and the bet b."""
    return make("endgame", p=where["P"], ante=where["a"], bets=[where["b"]])


def playing(game: Game, bets: int, calls: int) -> Plan:
    """The plan of an endgame: winners always bet, losers in `bets` rounds; player II calls the first `calls` bets."""
    rounds = range(1, len(game.parameters["bets"]) + 1)
    numbers = {f"p{k}": Fraction(k <= bets) for k in rounds} | {f"f{k}": Fraction(k > calls) for k in rounds}
    return with_numbers(game, numbers)


def earned_while_active(game: Game) -> Number:
    """Return the most player I earns in an endgame if player II folds as in (4), each time with probability bet/(pot with the bet)."""
    bets = game.parameters["bets"]
    numbers = {f"f{k}": fold for k, fold in enumerate(ratios(game.parameters["ante"], bets), 1)}
    return best_value(game, with_numbers(game, {**numbers, **{f"p{k}": ONE for k in range(1, len(bets) + 1)}}), 0)


def tree_terminals(n: Numbers, rounds: int) -> Finding:
    """Check the printed chips at the ends of the endgame with one or two rounds, by player I's card and actions."""
    bets = [f"b{k}" for k in range(1, rounds + 1)] if rounds > 1 else ["b"]
    where = region(", ".join(["a", *bets]), "a > 0", *(f"{bet} > 0" for bet in bets))
    game = make("endgame", p="1/2", ante=where["a"], bets=[where[bet] for bet in bets])
    deal = game.finite_deal()
    edges = {hand: deal.joint_edge()[i, 0] / deal.joint()[i, 0] for i, hand in enumerate(deal.labels[0])}
    terminals = {
        f"{hand}, {actions}": terminal(game, game.uniform(), actions, edge)
        for hand, edge in edges.items()
        for actions in game.tree.leaves
        if hand == "loser" or "check" not in actions  # with a winner the figure has no check
    }
    return equal(terminals, n.at(**where), where).only_if(set(terminals) == set(n))


def matrix(n: Numbers) -> Finding:
    where = basic("P >= 0", "P <= 1")
    return equal(payoff_matrix(one_bet(where), ("honest", "bluff"), ("fold", "call")), n.at(**where), where)


def payoff_matrix(game: Game, rows: Sequence[str], columns: Sequence[str]) -> dict[str, Number]:
    """Return {"row, column": value}. In the `rows` losers bluff in the first 0, 1, ... rounds, in `columns` II calls 0, 1, ... bets."""
    return {
        f"{row}, {column}": play_value(game, playing(game, bets, calls))
        for bets, row in enumerate(rows)
        for calls, column in enumerate(columns)
    }


def indifferent_mixtures(n: Numbers) -> Finding:
    """Check both players' earnings in Basic Endgame against any mixture, and the mixtures that make them indifferent."""
    where = region("P, a, b, phi, pi", "0 < P", "P < 1", "a > 0", "b > 0", "0 <= phi", "phi <= 1", "0 <= pi", "pi <= 1")
    game = one_bet(where)
    plan = with_numbers(game, {"p1": where["pi"], "f1": where["phi"]})
    bet = chips_by_action(game, plan, "")
    found = {f"{action} of a loser": bet[action][0] / (1 - where["P"]) for action in ("bet", "check")}
    for answer in ("call", "fold"):
        found[answer] = play_value(game, {**plan, "bet": {answer: 1}})
    found |= {"I bluffs": indifferent_bluff(game, {}), "II folds": indifferent_fold(game, {})}
    return equal(found, n.at(**where), where)


@unproved("whatever follows a call")
def winner_bets(n: Numbers, hand: str = "winner") -> Finding:
    """Check in the endgame that with the hand `hand` a bet earns what a check does if player II folds, and more if player II calls.

    After a bet of b and a call, half the pot is a + b, where a is the ante. If player I then checks in the next round, or there is a
    showdown, I gets a + b with a winner and -(a + b) with a loser. The symbol `more` >= 0 is what later bets add to this amount.
    """
    where = basic("0 < P", "P < 1", "more >= 0", names="P, a, b, more")
    P, a, b, more = where.values()
    game = one_round(P, a, b, pays(a + b + more, -(a + b) + more))
    i = ("loser", "winner").index(hand)
    gains = []
    for answer in ("fold", "call"):
        chips = chips_by_action(game, {"": {"bet": 1}, "bet": {answer: 1}}, "")
        gains.append((chips["bet"] - chips["check"])[i] / game.deal.prior(0)[i])
    text = f"a bet gains {show(gains[0])} if folded to and {show(gains[1])} if called"
    found = true_for(where, lambda: gains[0] == 0 and bool(gains[1] > 0), text).part("bet")
    last = make("endgame", p=P, ante=a, bets=[b])
    next_round, after_it = chips_by_action(last, {"": {"bet": 1}, "bet": {"call": 1}}, "")["check"], a
    least = {"check in the next round": next_round[i] / last.deal.prior(0)[i]}
    secured = equal(least, {"check in the next round": after_it}, where)
    shown = last.tree.leaves["bet-call"] == showdown(a + b)
    secured = secured.only_if(shown).part("half the pot")
    sample = make("endgame", bets=[2, 6])
    dominated = is_dominated(sample, DominatedAction(0, hand, ("", "bet-call"), "check"))
    direct = Finding(dominated, f"to check always with a {hand} is not dominated", scopes(sample))
    return together([found, secured]).only_if(direct, found.evidence)


# --- two rounds -------------------------------------------------------------------------------------------------------


def _two(*more: str, names: str = "P, a, b1, b2") -> Region:
    """The region of the probability P of a winner, an ante a and two bets b1 and b2, with the further conditions `more`."""
    return region(names, "a > 0", "b1 > 0", "b2 > 0", *more)


def _two_bets(where: Mapping[str, Number]) -> Game:
    return make("endgame", p=where["P"], ante=where["a"], bets=[where["b1"], where["b2"]])


def two_matrix(n: Numbers) -> Finding:
    where = _two("P >= 0", "P <= 1")
    rows, columns = ("pass", "bet-pass", "bet-bet"), ("fold", "call-fold", "call-call")
    game = _two_bets(where)
    just = [len(plans(game, player)) for player in (0, 1)] == [len(rows), len(columns)]
    return equal(payoff_matrix(game, rows, columns), n.at(**where), where).only_if(just)


def growing_bets(n: Numbers) -> Finding:
    """Test if the two-round endgame is worth more with a first bet of 5 than of 4. The second bet is 5, the ante 1, and P(winner) 1/4."""
    games = [make("endgame", p="1/4", ante=1, bets=[b1, 5]) for b1 in (4, 5)]
    less, more = (play_value(game, game.published()) for game in games)
    return tried_at({"a": 1, "P": "1/4"}, more > less, f"V = {less} at b1 = 4, b2 = 5, V = {more} at b1 = 5, b2 = 5")


def growing_bets_where(n: Numbers) -> Finding:
    """Check that the value of the two-round endgame rises with the second bet b2, and with the first bet b1 exactly where `slope` > 0.

    `slope`, `both` and `limit` are given by the correction of the claim; `both` is `slope` at b1 = b2 = B. If no bet may exceed B, two bets
    of B are best exactly where `both` >= 0. That is so up to B = `limit` times the ante, and the check allows `limit` an error of 1/2000.
    """
    where = _two("0 < P", "P < 1")
    worth = symbolic(earned_while_active(_two_bets(where)))
    v = n.at(**where, B=where["b2"])
    a, b1, b2 = where["a"], where["b1"], where["b2"]
    slope = 8 * a * where["P"] * v["slope"] / ((2 * a + b1) * (2 * a + 2 * b1 + b2)) ** 2
    rising = equal({"slope": worth.derivative("b1")}, {"slope": slope}, where)
    rising = rising.only_if(bool(worth.derivative("b2") > 0))
    same = equal({"both": n.number("slope", {**where, "b1": b2})}, {"both": v["both"]}, where)
    digits = n.texts["limit"]
    ends = []
    for name, sign, side in (
        ("up to the limit", 1, f"0 < B <= ({digits} - 1/2000)*a"),
        ("beyond", -1, f"B >= ({digits} + 1/2000)*a"),
    ):
        part = region("a, B", "a > 0", side)
        ends.append(positive(part, sign * n.number("both", part), f"{side}").part(name))
    part = region("P, a, B, z", "0 < P < 1", "a > 0", "B > 0", "z > 0")
    P, a, B, x = part["P"], part["a"], part["B"], part["B"] / (1 + part["z"])
    full, less = (earned_while_active(make("endgame", p=P, ante=a, bets=[b1, B])) for b1 in (B, x))
    share = 8 * a * P * (B - x) * x / (B * (2 * a + B) * (2 * a + 3 * B) * (2 * a + x) * (2 * a + 2 * x + B))
    text = "the limit B gains on any smaller first bet more than a positive multiple of `both`"
    best = true_for(part, lambda: bool(share > 0) and bool(full - less > share * n.number("both", part)), text)
    found = together([rising.part("slopes"), same.part("slopes"), best.part("both bets"), *ends])
    text = f"V rises with b2, and with b1 where {show(v['slope'])} > 0; at b1 = b2 = B that is so up to B = {digits} a"
    return found.saying(text)
