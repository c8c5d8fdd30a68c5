"""Checks of claims on the size of the bet in Basic Endgame (Section 1, Choosing the Size of the Bet)."""

from __future__ import annotations

from relance.claims.endgame.basic import basic
from relance.claims.endgame.induction import pays
from relance.claims.prelude import *

BORDER = "P*(2*a + 2*B) <= 2*a + B"


def _sized(*more: str, names: str = "P, a, b, B") -> Region:
    """The region of a bet b smaller than the greatest bet B."""
    return basic("b < B", *more, names=names)


def _play(where: Region, call: Number, bluff: Number | None = None) -> tuple[Game, Plan]:
    """The game with the sizes b and B, and a plan: player I bets B, always with a winner and as often as `bluff` says with a loser.

    By default `bluff` is as in Basic Endgame with bet B. Player II calls b with probability `call`, and B as in Basic Endgame.
    """
    P, a, b, B = (where[name] for name in ("P", "a", "b", "B"))
    game = make("sized_endgame", p=P, ante=a, sizes=[b, B])
    small, large = game.tree.root.actions[1:]
    often = B / (2 * a + B) * P / (1 - P) if bluff is None else bluff
    return game, {"": {large: [often, 1], small: 0}, small: {"call": call}, large: {"call": 2 * a / (2 * a + B)}}


@unproved("from one size to any number")
def other_sizes(n: Numbers) -> Finding:
    """Check that Basic Endgame's strategies with bet B stay optimal if player I may also bet less: by induction, one size b at a time.

    Player II calls a bet of b with a probability c between printed bounds. An action `left` of player I stands for all sizes added before.
    It pays w chips with a winning hand, at most what a bet of B earns, and l chips with a losing hand, at most what a check earns.
    """
    chances = [f"0 <= {symbol} <= 1" for symbol in "cdxyuv"]
    where = basic(
        "b < B", "0 < P", "P < 1", *chances, "x + u <= 1", "y + v <= 1", names="P, a, b, B, c, d, x, y, u, v, w, l"
    )
    c, d, x, y, u, v = (where[symbol] for symbol in "cdxyuv")
    alone, beside = _beside(where)
    small, large = alone.tree.root.actions[1:]
    calls: Plan = {small: {"call": c}, large: {"call": d}}
    plans = [{"": {small: [x, y], large: [u, v], "check": [1 - x - u, 1 - y - v]}, **calls}]
    plans.append({**plans[0], "": {small: [x, y], large: [u, v], "left": [1 - x - u, 1 - y - v], "check": 0}})
    (one, answer), (two, other) = (
        (chips_by_action(game, plan, ""), chips_by_action(game, plan, small))
        for game, plan in zip((alone, beside), plans, strict=True)
    )
    same = {f"{action}, {hand}": one[action][hand] for action in one for hand in (0, 1)}
    same |= {f"{action} a bet of b": answer[action][0] for action in answer}
    still = {f"{action}, {hand}": two[action][hand] for action in one for hand in (0, 1)}
    still |= {f"{action} a bet of b": other[action][0] for action in answer}
    at_most = ("w*(2*a + B) <= a*(2*a + B) + 2*a*B", "l <= -a")
    kept = _within(n, BORDER, *at_most, names="P, a, b, B, c, w, l")
    _, game = _beside(kept)
    optimal = nash(game, {**_play(kept, kept["c"])[1], "": {**_play(kept, kept["c"])[1][""], "left": 0}}, kept)
    joins = _within(n, names="P, a, b, B, c")
    game, plan = _play(joins, joins["c"], 0 * joins["a"])
    won = chips_by_action(game, plan, "")
    text = "a winner gets no more with b than with B, and a loser no more than by a check"
    no_more = true_for(
        joins, lambda: bool(won[small][1] <= won[large][1]) and bool(won[small][0] <= won["check"][0]), text
    )
    found = [equal(still, same, where).part("alone"), optimal.part("kept"), no_more.part("joins")]
    for bound, over, hand in (("least", "check", 0), ("most", "", 1)):
        where = basic("b < B", "0 < P", "P < 1", f"{n.texts[bound]} <= 1", names="P, a, b, B")
        game, plan = _play(where, formula(n.texts[bound], where), 0 * where["a"])
        (small, large), won = game.tree.root.actions[1:], chips_by_action(game, plan, "")
        found.append(equal({bound: won[small][hand]}, {bound: won[over or large][hand]}, where).part(bound))
    return together(found)


def _within(n: Numbers, *more: str, names: str) -> Region:
    """The region in which the probability c of a call of b is between the printed bounds, with the further conditions `more`."""
    return basic(
        "b < B", "0 < P", "P < 1", f"{n.texts['least']} <= c", f"c <= {n.texts['most']}", "c <= 1", *more, names=names
    )


def _beside(where: Region) -> tuple[Game, Game]:
    """Return a game with the sizes b and B, and one with player I's action `left` too, which pays w to a winning and l to a losing hand."""
    P, a, b, B, w, loser = (where[name] for name in ("P", "a", "b", "B", "w", "l"))
    game = make("sized_endgame", p=P, ante=a, sizes=[b, B])
    root = game.tree.root
    more = replace(root, actions=(*root.actions, "left"), children=(*root.children, pays(w, loser)))
    return game, replace(game, tree=BettingTree(more))


def dangerous(n: Numbers, revealing: bool = True) -> Finding:
    """Check that player I gets less than the value of Basic Endgame with bet B if bets with losing and winning hands differ in size.

    Winning hands always bet b and losing hands bet B or check, or b and B change places; b is less than B. Player II answers with a best
    response. The value with bet B is at least the value with bet b (claim size-value). If `revealing` is False, losing hands bet the same
    size as winning hands, and the statement is false.
    """
    names = "P, a, b, B, q"
    below = _sized("0 < P", BORDER, "0 <= q", "q <= 1", names=names)
    above = _sized(BORDER.replace("<=", ">="), "P < 1", "0 <= q", "q <= 1", names=names)
    game, plan = _play(below, 2 * below["a"] / (2 * below["a"] + below["b"]))
    other, start = _play(above, 0 * above["a"], 1 + 0 * above["a"])
    saddle = {**start, **{node: {"call": 0} for node in start if node}}
    cases = ((game, plan, below), (other, saddle, above))
    return together([_dangerous(*case, revealing).part() for case in cases])


def _dangerous(game: Game, plan: Plan, where: Region, revealing: bool) -> Finding:
    worth = play_value(game, plan)
    small, large = game.tree.root.actions[1:]
    q = where["q"]
    gaps = []
    for mine, losers in ((small, large), (large, small)):
        rows = {mine: [0 if revealing else q, 1], losers: [q if revealing else 0, 0]}
        reply = best_value(game, {**plan, "": rows}, 1)
        gaps.append(worth + reply)
    costs = true_for(
        where, lambda: all(bool(gap > 0) for gap in gaps), f"a best reply costs I {' or '.join(map(show, gaps))}"
    )
    return together([nash(game, plan, where), costs])
