"""Checks of expected values, beliefs and figures for Miao's family, in Kuhn's poker with a raise."""

from __future__ import annotations

from relance.claims import trace
from relance.claims.dominance import remaining
from relance.claims.miao.family import ALL, CARDS, DEALER, MIAO, OPENER, members, terminals
from relance.claims.prelude import *
from relance.claims.symbolic import Relation

PLANS: dict[str, tuple[int, str, dict[str, str]]] = {
    "betfold": (OPENER, "", {"": "bet", "bet-raise": "fold"}),
    "betcall": (OPENER, "", {"": "bet", "bet-raise": "call"}),
    "checkfold": (OPENER, "", {"": "check", "check-bet": "fold"}),
    "checkcall": (OPENER, "", {"": "check", "check-bet": "call"}),
    "checkraise": (OPENER, "", {"": "check", "check-bet": "raise"}),
    "checked to, check": (DEALER, "check", {"check": "check"}),
    "checked to, betfold": (DEALER, "check", {"check": "bet", "check-bet-raise": "fold"}),
    "checked to, betcall": (DEALER, "check", {"check": "bet", "check-bet-raise": "call"}),
    "bet to, fold": (DEALER, "bet", {"bet": "fold"}),
    "bet to, call": (DEALER, "bet", {"bet": "call"}),
    "bet to, raise": (DEALER, "bet", {"bet": "raise"}),
}

MET = {"": ALL, "check": ALL, "bet": "0 <= alpha < 1"}
"""The nodes where plans begin, each with the alpha for which the family's play can lead there: at alpha = 1 the opener never bets."""

BRANCHES = {"check": "checked to", "bet": "bet to"}
"""The nodes where the dealer first acts, with their names in the claims."""


def _chips(profile: Profile, card: str, plan: str, part: str | None = None) -> Number:
    player, node, actions = PLANS[plan]
    return expected(MIAO, profile, player, card, actions, node, part)


def _plans(player: int, node: str) -> list[str]:
    return [plan for plan, (owner, start, _) in PLANS.items() if (owner, start) == (player, node)]


def _equal(n: Numbers, computed: Callable[[str, Profile], Mapping[str, Number]]) -> list[Finding]:
    """Check `n` against `computed(node, profile)`, {name: number}, at each node of `MET`, for all alpha for which play can lead there."""
    findings, names = [], set(n)
    for node, condition in MET.items():
        where, profile = members(condition)
        found = computed(node, profile)
        numbers = {name: number for name, number in n.at(**where).items() if name in found}
        findings += [equal(found, numbers, where).part(BRANCHES.get(node, ""))] if numbers else []
        names -= set(found)
    if names:
        raise KeyError(f"the paper prints {', '.join(sorted(names))}, which the check does not compute")
    return findings


def _compare(where: Region, better: str, high: Number, worse: str, low: Number, strictly: bool = True) -> Finding:
    """Check that one plan earns more than another, or no less if not `strictly`, for all parameters of the region."""
    short = where.signed_numerator(symbolic(low - high + 0 * where["alpha"]))
    relation: Relation = ">=" if strictly else ">"
    point = where.witness(short, relation) if where.somewhere(short, relation) else None
    text = f"{worse} earns {show(low)}, {better} {show(high)}"
    if point is None:
        trace.decided("above" if strictly else "at least", high - low, where=where)
        return Finding(True, text, (where,))
    alpha = str(point["alpha"])
    kind, said = ("above" if strictly else "at least"), {"alpha": alpha}
    trace.decided("fails", high - low, kind, where=where, point=said, asked=False)
    text += f": not {'less' if strictly else 'at most as much'} at alpha = {alpha}"
    return Finding(False, text, (where,), point={"alpha": alpha})


def chips_won(
    n: Numbers, card: str, worse: Mapping[str, str] = {}, no_better: Mapping[str, str] = {}, alpha: str = ""
) -> Finding:
    """Check the chips that `card` earns against Miao's family: n["betcall"] by a plan of `PLANS`, n["betcall | K"] the part from the king.

    `worse` is {plan: another plan that earns more}, and `no_better` is {plan: another plan that earns no less}. Each comparison must hold
    for all alpha that satisfy the condition `alpha`; by default, for all alpha with which the family's play leads to the plan's first node.
    """

    def computed(node: str, profile: Profile) -> dict[str, Number]:
        return {key: _chips(profile, card, *key.split(" | ")) for key in n if PLANS[key.split(" | ")[0]][1] == node}

    findings = _equal(n, computed)
    for order, strictly in ((worse, True), (no_better, False)):
        for low, high in order.items():
            node = PLANS[low][1]
            where, profile = members(alpha or MET[node])
            compared = _compare(where, high, _chips(profile, card, high), low, _chips(profile, card, low), strictly)
            findings.append(compared.part("strictly" if alpha else BRANCHES.get(node, "")))
    return together(findings)


def beliefs(n: Numbers, card: str) -> Finding:
    """Check the probabilities that the dealer with `card` should give to the opener's actions, and to the opener's cards after each action.

    n["checked to"] and n["bet to"] are the probabilities of a check and a bet; n["K if checked to"] is that of a king after a check.
    """

    def computed(node: str, profile: Profile) -> dict[str, Number]:
        if not node:
            return {name: _branch(profile, card, at)[0] for at, name in BRANCHES.items()}
        distribution = belief(MIAO, profile, DEALER, card, node)[1]
        return {f"{other} if {BRANCHES[node]}": chance for other, chance in distribution.items()}

    return together(_equal(n, computed))


def _branch(profile: Profile, card: str, node: str) -> tuple[Number, Number]:
    """Return the probability that the dealer with this card comes to the node, and the dealer's expected chips there times this one."""
    i, prior = CARDS.index(card), MIAO.deal.prior(DEALER)
    met, won = hand_values(MIAO, profile, DEALER)[node]
    return met[i] / prior[i], won[i] / prior[i]


def branches(n: Numbers, card: str) -> Finding:
    """Check the dealer's expected chips with a card after a check and after a bet, each times its probability, and the sum of both."""
    where, profile = members()
    won = {name: _branch(profile, card, node)[1] for node, name in BRANCHES.items()}
    return equal({**won, "sum": won["checked to"] + won["bet to"]}, n.at(**where), where)


def by_card(n: Numbers, player: int) -> Finding:
    """Check a player's expected chips with each card, a third of these chips, their sums over cards, and the value of the game.

    The printed numbers have names such as "K" (chips with the king), "K/3", "Q + K" and "game" (the value).
    """
    where, profile = members()
    won = {card: expected(MIAO, profile, player, card, {}) for card in CARDS}
    sums = {"Q + K": won["Q"] + won["K"], "Q + K + A": won["Q"] + won["K"] + won["A"]}
    parts = {f"{card}/3": chips / 3 for card, chips in won.items()}
    return equal({**won, **sums, **parts, "game": sums["Q + K + A"] / 3}, n.at(**where), where)


def leaves(n: Numbers, player: int, card: str, from_the_deal: bool = False) -> Finding:
    """Check what a figure says of each way in which play with a card may end, by path and by the other player's card.

    The printed number "bet-call | K" is the chips won there against the king. "bet-call | K, often" is the probability that the other
    player's actions lead there, and "bet-call | K, part" is chips times "often". "K" is the probability that the other player holds the
    king, and "Q or K" that of either card. For the dealer "often" is conditional on the opener's first action, unless `from_the_deal`.
    """
    where, profile = members()
    given = None if player == OPENER or from_the_deal else ""
    others = [other for other in CARDS if other != card]
    found = {other: trace.dealt(MIAO, profile, CARDS.index(card), CARDS.index(other)) * len(CARDS) for other in others}
    found[" or ".join(others)] = sum(found.values(), ZERO)
    for other in others:
        for path, end in terminals(profile, player, card, other, given).items():
            key = f"{path} | {other}"
            found |= {key: end.chips, f"{key}, often": end.often, f"{key}, part": end.chips * end.often}
    return equal(found, n.at(**where), where)


def _walked(profile: Profile, player: int, card: str, plan: Mapping[str, str], others: Sequence[str] = CARDS) -> Number:
    """Chips of a plan, summed path by path; with `others`, the part from these cards of the other player."""
    paths = (end for other in others if other != card for end in terminals(profile, player, card, other).values())
    return sum((end.part for end in paths if end.own.items() <= plan.items()), Fraction(0)) / (len(CARDS) - 1)


def who_earns(n: Numbers, player: int) -> Finding:
    """Check what this player gets when the opener check-folds the king against the dealer's queen."""
    where, profile = members()
    won = _walked(profile, OPENER, "K", PLANS["checkfold"][2], "Q")
    return equal({"chips": won if player == OPENER else -won}, n, where)


def secure(n: Numbers) -> Finding:
    """Check that Miao's family guarantees each player the printed value against any opponent, and earns more against some opponents.

    The opponent of a player of the family earns, with each card, no more by any pure plan than by the family's strategy for the opponent,
    and less by some pure plan.
    """
    where, profile = members()
    findings = []
    for player, name in enumerate(("opener", "dealer")):
        other = 1 - player
        most = {card: expected(MIAO, profile, other, card, {}) for card in CARDS}
        findings.append(equal({name: -sum(most.values(), Fraction(0)) / 3}, {name: n[name]}, where))
        for card, chips in most.items():
            won = [_walked(profile, other, card, plan) for plan in plans(MIAO, other)]
            findings += [_compare(where, "the best", chips, f"a plan with the {card}", w, strictly=False) for w in won]
            less = [_compare(where, "the best", chips, f"a plan with the {card}", w) for w in won]
            findings.append(next((finding for finding in less if finding.holds), less[0]))
    text = "no pure plan of the other player earns more than the equilibrium with that card, and with each card one earns less"
    return together(findings).saying(text)


def king_sticks_with(n: Numbers, plan: str) -> Finding:
    """Check that with the king this plan earns the opener as much as check-folding."""
    where, profile = members()
    return equal({plan: _chips(profile, "K", plan)}, {plan: _chips(profile, "K", "checkfold")}, where)


def only_best(n: Numbers, card: str, plan: str, best: bool = True) -> Finding:
    """Check that against Miao's family `plan` earns more with `card` than all other plans at its node or, if not `best`, less than one."""
    if plan not in PLANS:
        others = [known for known in PLANS if known.startswith(plan.split(", ")[0])]
        remaining(MIAO, DEALER, card, [])
        trace.shows_wrong()
        return Finding(False, f"there is no plan {plan!r}, only {', '.join(others)}", (At(MIAO),))
    player, node, _ = PLANS[plan]
    where, profile = members(MET[node])
    won = {other: _chips(profile, card, other) for other in _plans(player, node)}
    rivals = [other for other in won if other != plan]
    if best:
        return together([_compare(where, plan, won[plan], other, won[other]) for other in rivals])
    findings = [_compare(where, other, won[other], plan, won[plan]) for other in rivals]
    return next((finding for finding in findings if finding.holds), findings[0])


def never_played(n: Numbers, player: int, as_good: Mapping[str, Sequence[str]] = {}, strictly: bool = True) -> Finding:
    """Check that each plan that Miao's family never follows with a card earns less than a plan that the family follows with this card.

    If not `strictly`, such a plan may also earn the same. `as_good` is {card: plans that the family never follows}: these are
    exceptions, which must earn exactly as much as a plan that the family follows, and exactly n[card], the printed chips of the card.
    """
    findings = []
    for node, condition in MET.items():
        where, profile = members(condition)
        for i, card in enumerate(CARDS):
            won = {plan: _chips(profile, card, plan) for plan in _plans(player, node)}
            played = [p for p in won if prod(profile.row(*step)[i] for step in PLANS[p][2].items()) != 0]
            for plan in (plan for plan in won if plan not in played):
                name = f"{plan} with the {card}"
                if plan in as_good.get(card, ()):
                    found = [equal({name: won[plan]}, {name: other}, where) for other in (won[played[0]], n[card])]
                else:
                    found = [_compare(where, played[0], won[played[0]], name, won[plan], strictly)]
                findings += [finding.part(BRANCHES.get(node, "")) for finding in found]
    return together(findings)


def only_when(n: Numbers, gains: Mapping[str, str]) -> Finding:
    """Check that with the ace one plan earns more than another just against the pure plans of the opponent that contain a given action.

    Against the opponent's other pure plans both must earn the same. `gains` is {"plan over other plan": path that ends with the opponent's
    action}, such as {"betcall over betfold": "bet-raise"}.
    """
    found: list[tuple[str, Number, bool]] = []
    for pair, step in gains.items():
        careful, careless = pair.split(" over ")
        player, (node, action) = PLANS[careful][0], step.rsplit("-", 1)
        for plan in plans(MIAO, 1 - player):
            rows = {name: surely(at, plan.get(name, "fold")) for name, at in MIAO.tree.of(1 - player).items()}
            profile = MIAO.profile({**MIAO.uniform().plan(), **rows})
            gain = _walked(profile, player, "A", PLANS[careful][2]) - _walked(profile, player, "A", PLANS[careless][2])
            found.append((pair, gain, plan.get(node) == action))
    wrong = next((pair for pair, gain, told in found if (gain > 0) != told or gain < 0), "")
    wrong = wrong or next((pair for pair in gains if not any(told for name, _, told in found if name == pair)), "")
    most = max(gain for _, gain, _ in found)
    text = f"against {len(found)} pure plans, the first gains up to {most} chips where it should, and 0 elsewhere"
    return Finding(not wrong, f"not so for {wrong}" if wrong else text, (At(MIAO),))
