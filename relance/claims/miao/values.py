"""Checks of expected values and beliefs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod

from relance.claims.checks import belief, equal, expected, surely
from relance.claims.finding import At, Finding
from relance.claims.ledger import Numbers
from relance.claims.miao.equilibria import CARDS, DEALER, MIAO, OPENER
from relance.model.numbers import Number
from relance.model.strategy import Profile
from relance.solvers.dominance import plans
from relance.solvers.proof import Region, region

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


BRANCHES = {"check": "checked to", "bet": "bet to"}
"""The nodes where the dealer first acts, with their names in the claims."""

ALL, INNER = "0 <= alpha <= 1", "0 < alpha < 1"
"""With an inner alpha the opener both bets and checks, so that the dealer's beliefs are defined after either."""


def _family(alpha: str) -> tuple[Region, Profile]:
    """The published strategies, for all alpha that satisfy this condition."""
    where = region("alpha", alpha)
    return where, MIAO.published(alpha=where["alpha"])


def _chips(profile: Profile, card: str, plan: str, part: str | None = None) -> Number:
    player, node, actions = PLANS[plan]
    return expected(MIAO, profile, player, card, actions, node, part)


def chips(n: Numbers, card: str, worse: Mapping[str, str] = {}) -> Finding:
    """Chips won with a card, by plan, or the part that comes from one card of the opponent: "plan | card".

    `worse` maps a plan to one that is strictly better.
    """
    where, profile = _family(INNER)
    won = {key: _chips(profile, card, *key.split(" | ")) for key in n}
    bad = [plan for plan, better in worse.items() if not _chips(profile, card, plan) < _chips(profile, card, better)]
    same = equal(won, n.at(**where), where)
    return same.only_if(not bad, f"{same.evidence}; not worse: {', '.join(bad)}" if bad else "")


def beliefs(n: Numbers, card: str) -> Finding:
    """How likely the dealer with a card is to be "checked to" or "bet to", and then the opener's card, such as "K if checked to"."""
    where, profile = _family(INNER)
    chances: dict[str, Number] = {}
    for node, name in BRANCHES.items():
        chances[name], law = belief(MIAO, profile, DEALER, card, node)
        chances |= {f"{other} if {name}": chance for other, chance in law.items()}
    return equal(chances, n.at(**where), where)


def by_card(n: Numbers, player: int) -> Finding:
    """Chips of a player with each card, and over all cards."""
    where, profile = _family(ALL)
    won = {card: expected(MIAO, profile, player, card, {}) for card in CARDS}
    return equal({**won, "game": sum(won.values(), Fraction(0)) / 3}, n.at(**where), where)


def branches(n: Numbers, card: str) -> Finding:
    """The dealer's chips from being checked to and from being bet to, times how often that happens."""
    where, profile = _family(INNER)
    won = {
        name: belief(MIAO, profile, DEALER, card, node)[0] * expected(MIAO, profile, DEALER, card, {}, node)
        for node, name in BRANCHES.items()
    }
    return equal({**won, "sum": won["checked to"] + won["bet to"]}, n.at(**where), where)


def king_calls(n: Numbers) -> Finding:
    where, profile = _family(ALL)
    fold, call, _ = profile["check-bet"]
    return equal({"call": call[1], "fold": fold[1]}, n.at(**where), where)


def ending(n: Numbers) -> Finding:
    """What the opener wins when he check-raises and the dealer folds."""
    return equal({"chips": MIAO.tree.leaves["check-bet-raise-fold"].constant}, n)


def king_sticks_with(n: Numbers, plan: str) -> Finding:
    """With the king this plan earns the opener as much as check-folding."""
    where, profile = _family(INNER)
    here, fold = (_chips(profile, "K", p) for p in (plan, "checkfold"))
    return Finding(here == fold, f"{plan} with the king earns {here}, checkfold {fold}", (where,))


def never_raises(n: Numbers, card: str) -> Finding:
    """Facing a bet, the dealer never raises with this card, and would lose by it."""
    where, profile = _family(INNER)
    share = profile["bet"][2][CARDS.index(card)]
    fold, up = (_chips(profile, card, f"bet to, {action}") for action in ("fold", "raise"))
    text = f"bet to, the {card} is raised with probability {share}; raising earns {up}, folding {fold}"
    return Finding(share == 0 and up < fold, text, (where,))


def bet_to(n: Numbers, card: str, action: str) -> Finding:
    """Facing a bet with this card, the dealer always takes this action."""
    where, profile = _family(ALL)
    actions = MIAO.tree.decisions["bet"].actions
    if action not in actions:
        return Finding(False, f"facing a bet the dealer may {', '.join(actions)}", (At(MIAO),))
    share = profile.row("bet", action)[CARDS.index(card)]
    return Finding(share == 1, f"bet to, the {card} takes {action} with probability {share}", (where,))


def never_played(n: Numbers, but: Sequence[str] = ()) -> Finding:
    """Each plan of the opener that the family never follows earns less than the best with that card, except for `but` with the ace."""
    where, profile = _family(INNER)
    as_good = []
    for i, card in enumerate(CARDS):
        earned = {plan: _chips(profile, card, plan) for plan, (player, _, _) in PLANS.items() if player == OPENER}
        played = {plan for plan in earned if prod(profile.row(*step)[i] for step in PLANS[plan][2].items()) > 0}
        best = earned[next(iter(played))]
        as_good += [f"{plan} with the {card}" for plan in earned if plan not in played and not earned[plan] < best]
    text = f"as good as what he plays: {', '.join(as_good) or 'nothing'}"
    right = sorted(as_good) == sorted(f"{plan} with the A" for plan in but)
    wrong = [f"{plan} earns {earned[plan]}" for plan in but if earned[plan] != n["ace"]]
    return Finding(right and not wrong, "; ".join([text, *wrong]), (where,))


def printed_sum(n: Numbers) -> Finding:
    where = region("alpha", ALL)
    at = n.at(**where)
    return equal({"sum": at["sum"]}, {"sum": at["result"]}, where)


def only_when_called(n: Numbers) -> Finding:
    """Against each pure plan of the dealer, check-raising the ace beats check-calling it exactly if the raise is called."""
    gains = []
    for plan in plans(MIAO, DEALER):
        dealer = {name: surely(node, plan.get(name, "fold")) for name, node in MIAO.tree.of(DEALER).items()}
        profile = MIAO.profile({**MIAO.uniform().plan(), **dealer})
        gain = _chips(profile, "A", "checkraise") - _chips(profile, "A", "checkcall")
        gains.append((gain, plan.get("check-bet-raise") == "call"))
    holds = all((gain > 0) == called and gain >= 0 for gain, called in gains)
    most = max(gain for gain, _ in gains)
    text = f"against {len(gains)} pure plans of the dealer the gain is {most} where a raise is called and 0 elsewhere"
    return Finding(holds, text)
