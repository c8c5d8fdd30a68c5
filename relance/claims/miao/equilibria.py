"""Checks of optimal strategies and values in Kuhn's poker without and with a raise, as Miao states or quotes them."""

from __future__ import annotations

from relance.claims.miao.family import (
    ALL,
    CARDS,
    DEALER,
    KUHN,
    MIAO,
    OPENER,
    VALUE,
    VARIANTS,
    changed,
    in_equilibrium,
    lp_solution,
)
from relance.claims.prelude import *
from relance.claims.symbolic import Symbolic
from relance.claims.trace import decided, possible_moves, taken, terminal
from relance.solvers.exact import gains
from relance.solvers.optimal_set import optimal_set
from relance.solvers.tree_values import counterfactual, realization_weights


@kept
def _ranges(raises: int, player: int) -> Mapping[tuple[str, str], list[tuple[Fraction, Fraction]]]:
    return optimal_set(make("one_card_poker", raises=raises), player).ranges_by_hand()


def most_by_game(n: Numbers, turns: int, bets: int) -> Finding:
    """Check the most chips that can be won or lost in Kuhn's poker: n["Kuhn"] without a raise, and n["one raise"] with one.

    Also check that the longest play with a raise has `turns` actions, and that the most bets in a play without a raise are `bets`.
    """
    found = []
    for name, game in (("Kuhn", KUHN), ("one raise", MIAO)):
        possible_moves(game)
        won = [terminal(game, game.uniform(), path, edge) for path in game.tree.leaves for edge in (ONE, -ONE)]
        most = max(*won, *(-chips for chips in won))
        for chips in won:
            decided("at least", n[name] - chips, asked=n[name] >= chips)
            decided("at least", n[name] + chips, asked=n[name] >= -chips)
        found.append(equal({name: most}, {name: n[name]}, game))
    longest = (
        max(len(path.split("-")) for path in MIAO.tree.leaves),
        max(path.count("bet") for path in KUHN.tree.leaves),
    )
    return together(found).only_if(longest == (turns, bets))


def actions_at_nodes(n: Numbers, raises: int, at: Mapping[str, Sequence[str]]) -> Finding:
    """Check that Kuhn's poker with this many raises has the nodes and actions `at`, {node: actions}, and that the players alternate."""
    game = make("one_card_poker", raises=raises)
    may = possible_moves(game)
    found = {name: actions for name, (_, actions) in may.items()}
    wrong = sorted({name for name in {*found, *at} if found.get(name) != list(at.get(name, ()))})
    in_turn = all(player == (name.count("-") + bool(name)) % 2 for name, (player, _) in may.items())
    text = "; ".join(f"{name or 'first'}: {', '.join(found.get(name, ['no node']))}" for name in wrong or found)
    return Finding(not wrong and in_turn, text, (At(game),))


def kuhn_family(n: Numbers) -> Finding:
    """Check that two forms of Kuhn's family are optimal for all gamma: the printed one, and `KUHN.published(alpha=gamma/3)`."""
    where = region("gamma", "0 <= gamma <= 1")
    known = KUHN.published(alpha=where["gamma"] / 3).plan()
    plan = with_numbers(KUHN, {"king_bet": 0, **where, **n.at(**where)})
    return together([nash(KUHN, each_of, where, VALUE) for each_of in (plan, known)])


def _relations(n: Numbers) -> Finding:
    """With one raise, every optimal strategy obeys the printed relations: over all of these the two sides of a relation never differ."""
    game = make("one_card_poker", raises=1)
    optimal, dealer = optimal_set(game, OPENER), _ranges(1, DEALER)
    alpha, gamma, beta = (
        (game.information_set(node, hand), action)
        for node, hand, action in (("", 0, "bet"), ("", 2, "bet"), ("check-bet", 1, "call"))
    )
    first = optimal.range_of_sum({alpha: 1, gamma: -n["alpha over gamma"]})
    second = optimal.range_of_sum({beta: 1, alpha: -1})
    gaps = [abs(end) for end in first] + [abs(end - n["beta less alpha"]) for end in second]
    same = dealer["check", "bet"][0] == (n["xi"],) * 2 and dealer["bet", "call"][1] == (n["eta"],) * 2
    text = f"over all optimal strategies both relations are off by at most {max(gaps)}"
    return Finding(not any(gaps) and same, text, (At(game),))


def same_as_kuhn(n: Numbers, steps: Sequence[str]) -> Finding:
    """Check that a raise changes neither Kuhn's value, nor the printed relations, nor how often optimal strategies take some actions.

    These actions are `steps`, each written as the path that ends with it: "bet-fold" is a fold to a bet. The least and the greatest
    probability of the action over all optimal strategies must be the same with a raise as without, with each card.
    """
    small, large = ({**_ranges(raises, OPENER), **_ranges(raises, DEALER)} for raises in (0, 1))
    paths = {"-".join(filter(None, step)): step for step in small}
    bad = [
        f"{path}: {small[paths[path]]} and {large[paths[path]]}"
        for path in steps
        if small[paths[path]] != large[paths[path]]
    ]
    worth = {"value": lp_solution(0)[0], "value with a raise": lp_solution(1)[0]}
    text = "; ".join(bad) or f"the ranges of {', '.join(steps)} are the same over all optimal strategies"
    alike = Finding(not bad, text, (At(KUHN), At(MIAO)))
    return together([equal(worth, dict.fromkeys(worth, n["value"]), KUHN), _relations(n), alike])


def bilinear(n: Numbers, complete: bool) -> Finding:
    """Check that the value is linear in the probabilities of each player's complete plans, but not in those of actions at single nodes.

    If not `complete`, plans and nodes are swapped, and the claim is false. The opener's probabilities are, with the queen, a to betfold
    and b to checkraise; with the king, c to betcall, d to betfold, e to checkcall; with the ace, f to checkraise. The dealer's are u to
    betfold and v to raise with the queen; w to betcall, x to betfold, y to call with the king. One more undominated plan has the rest.
    """
    sums = ("a + b <= 1", "c + d + e <= 1", "f <= 1", "u <= 1", "v <= 1", "w + x <= 1", "y <= 1")
    reached = ("a < 1", "0 < c + d", "c + d < 1", "0 < w + x")
    symbols = "abcdefuvwxy"
    where = region(", ".join(symbols), *(f"{symbol} >= 0" for symbol in symbols), *sums, *reached)
    a, b, c, d, e, f, u, v, w, x, y = where.values()
    in_plans = (c + d, b / (1 - a), e / (1 - c - d), c / (c + d), w + x, w / (w + x))
    in_actions = (c, b, e, d, w, x)

    def worth(bet: Number, up: Number, call: Number, after_bet: Number, reply: Number, after_reply: Number) -> Symbolic:
        plan: Plan = {
            "": {"bet": [a, bet, 1 - f]},
            "check-bet": {"call": [0, call, 0], "raise": [up, 0, 1]},
            "bet-raise": {"call": [0, after_bet, 1]},
            "check": {"bet": [u, reply, 1]},
            "check-bet-raise": {"call": [0, after_reply, 1]},
            "bet": {"call": [0, y, 0], "raise": [v, 0, 1]},
        }
        return symbolic(play_value(MIAO, plan))

    first, second = (worth(*ways) for ways in ((in_plans, in_actions) if complete else (in_actions, in_plans)))
    bent, other = (
        [p + q for own in ("abcdef", "uvwxy") for p, q in product(own, own) if won.derivative(p).derivative(q) != 0]
        for won in (first, second)
    )
    text = f"the value is {first}" + (f", not linear in {', '.join(bent)}" if bent else "")
    nodes = "actions at nodes" if complete else "complete plans"
    return Finding(
        not bent and bool(other), f"{text}; in those of {nodes} it is not linear in {', '.join(other)}", (where,)
    )


def variant(n: Numbers, name: str) -> Finding:
    """Check that Miao's family of strategies, changed as the entry `name` of `VARIANTS` says, is in equilibrium for all alpha."""
    return in_equilibrium(change=VARIANTS[name])


def folding_share(n: Numbers, player: int, name: str) -> Finding:
    """Check the largest share of bet aces that a player of Miao's family may fold to a raise in equilibrium.

    With this share the family is an equilibrium for all alpha. With a share that is larger by 1/1000, or if the player always folds the
    ace to the raise (the entry `name` of `VARIANTS`), it is not. A linear program must find the same largest share.
    """
    node = "bet-raise" if player == OPENER else "check-bet-raise"

    def at(share: Fraction) -> Finding:
        return in_equilibrium(change=lambda _: {node: {"fold": [1, 1, share]}})

    share, more, always = at(n["share"]), at(n["share"] + Fraction(1, 1000)), variant(n, name)
    most = _ranges(1, player)[node, "fold"][2][1]
    text = f"always: {always.evidence}; at {n['share']}: {share.evidence}; 1/1000 more: {more.evidence}; by LP at most {most}"
    return share.only_if(not more.holds and not always.holds and most == n["share"], text)


def not_all(n: Numbers, card: str) -> Finding:
    """Check that Miao's family never calls a bet with this card, though calling with any probability above 0 is part of an equilibrium."""
    where, i, found = region("alpha, s", ALL, "0 < s <= 1"), CARDS.index(card), {}
    for name, node, other in (("opener", "check-bet", "king_call"), ("dealer", "bet", "dealer_call")):

        def change(v: Mapping[str, Number], node: str = node, other: str = other) -> Plan:
            calls = [where["s"] if k == i else v[other] if k == 1 else 0 for k in range(len(CARDS))]
            return {node: {"call": calls, "raise": [0, 0, 1 - where["s"] if card == "A" else 1]}}

        optimal = in_equilibrium(change=change, where=where)
        if not optimal.holds:
            return optimal
        often = [taken(MIAO, MIAO.profile(play), node, "call", i) for play in (changed(where, change), changed(where))]
        found[name] = optimal.only_if(
            equal({"s": often[0], "family": often[1]}, {"s": where["s"], "family": ZERO}, where)
        )
    return together(found).saying("with any s a call by the ace is part of an equilibrium, and never of the family")


def every_optimal(n: Numbers, other: Sequence[str]) -> Finding:
    """Check that optimal strategies guarantee the value, and earn more if the opponent always takes the first legal action in `other`."""
    findings = []
    for player, name in enumerate(("opener", "dealer")):
        optimal = optimal_set(MIAO, player)
        tree = optimal.tree
        play = {
            s.name: {a: int(a == next(filter(s.actions.__contains__, other))) for a in s.actions} for s in tree.infosets
        }
        unit, chips = counterfactual(tree, player, [realization_weights(tree, play, seat) for seat in (0, 1)])
        each_of = {
            (s.name, a): chips[j, 0] for s in tree.infosets_of(player) for a, j in zip(s.actions, s.after, strict=True)
        }
        least = optimal.range_of_sum(each_of)[0] / unit
        text = f"an optimal {name} guarantees {optimal.value}, and then earns {least} or more"
        findings.append(equal({name: optimal.value}, {name: n[name]}, MIAO).only_if(least > optimal.value, text))
    return together(findings)


def worth_leaving(n: Numbers, to: Sequence[str], not_to: Sequence[str] = ()) -> Finding:
    """Check that a best response to Miao's family with each of these mistakes, keys of `VARIANTS`, earns more than the value.

    Against a mistake in `to`, a best response earns more than the family; against a mistake in `not_to`, the family is a best response.
    """
    where = region("alpha", ALL)
    findings = []
    for name in (*to, *not_to):
        mistaken = OPENER if name.startswith("opener") else DEALER
        profile = MIAO.profile(changed(where, VARIANTS[name]))
        gain = gains(MIAO, profile)[1 - mistaken]
        lost = gain + (1 - 2 * mistaken) * (VALUE - play_value(MIAO, profile))
        holds = lost > 0 and (gain > 0 if name in to else gain == 0)
        text = f"{name}: costs up to {show(lost)}, of which {show(gain)} only if the other leaves the family"
        findings.append(Finding(holds, text, (where,)))
    return together(findings)
