"""Where a profile differs from another one, such as an equilibrium, and what each difference costs in NashConv."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from relance.model.arguments import checked
from relance.model.arrays import Floats, Ints
from relance.model.game import Game
from relance.model.strategy import Profile, Strategy
from relance.model.tree import Decision, Leaf, steps_from
from relance.solvers.exact import nash_conv, reach_probs

BetKind: TypeAlias = Literal["bluff", "value bet", ""]

MOST = 60
"""By default, costs are computed for this many information sets: those where reach times difference in probability is largest."""

SAME = 1e-9
"""Probabilities that differ by no more than this count as equal."""


class Deviation(NamedTuple):
    """An information set where a profile differs from a reference profile.

    Attributes:
        node, player, hand: the information set; `hand` is an index of the deal.
        action: the action whose probability differs the most.
        kind: "bluff" for a bet that loses on average when it is called, "value bet" for one that wins; "" for anything else.
        played, reference: the probability of the action in the profile, and in the reference profile.
        cost: how much smaller NashConv would be if the reference were played at this information set alone, in chips. Costs of
            several sets do not add up; a negative cost means that other sets must change too.
    """

    node: str
    player: int
    hand: int
    action: str
    kind: BetKind
    played: float
    reference: float
    cost: float


@checked
def deviations(
    game: Game,
    profile: Profile,
    reference: Profile,
    worth: Callable[[Profile], float] | None = None,
    max_deviations: int = MOST,
) -> list[Deviation]:
    """Return the information sets that a profile reaches and where it differs from its reference, the costliest first.

    Args:
        game: a game with finitely many hands.
        profile: a profile of this game.
        reference: the profile to compare with.
        worth: a function of a profile, by default NashConv; `cost` is how far it falls if `reference` is played at the information set.
        max_deviations: the most deviations that are returned.
    """
    deal = game.finite_deal().floats
    game, profile, reference = replace(game, deal=deal), profile.as_float(), reference.as_float()
    worth = worth or (lambda played: float(nash_conv(game, played)))
    found: list[tuple[float, str, int]] = []
    for name, node in game.tree.decisions.items():
        rows = zip(profile[name], reference[name], strict=True)
        gap = sum(abs(a - b) for a, b in rows) / 2
        weight = reach_probs(game, profile, node.player, name) * deal.in_case(game.tree.cases[name]).prior(node.player)
        off = np.where(gap > SAME, gap * weight, 0.0)
        found += [(off[hand], name, hand) for hand in np.flatnonzero(off > 0).tolist()]
    now = worth(profile)
    out = []
    for _, name, hand in sorted(found, key=lambda item: -item[0])[:max_deviations]:
        node = game.tree.decisions[name]
        gaps = [float(abs(a[hand] - b[hand])) for a, b in zip(profile[name], reference[name], strict=True)]
        index = max(range(len(gaps)), key=lambda i: (round(gaps[i], 9), i))
        action = node.actions[index]
        kind: BetKind = ("", "value bet", "bluff")[int(bets(game, reference, name, action)[hand])]
        played, wanted = float(profile[name][index][hand]), float(reference[name][index][hand])
        cost = now - worth(_changed(profile, reference, node.player, name, hand))
        out.append(Deviation(name, node.player, hand, action, kind, played, wanted, cost))
    return sorted(out, key=lambda one: -one.cost)


def bets(game: Game, reference: Profile, name: str, action: str) -> Ints:
    """Return what `action` at the node `name` is with each hand: -1 for a bluff, 1 for a value bet, 0 for neither.

    A bet is an action to which the other player may fold. With a bluff, the hand loses on average to those that call in `reference`.
    """
    node = game.tree.decisions[name]
    player, child, below = node.player, node.child(action), f"{name}-{action}" if name else action
    net: Floats = np.zeros(game.deal.size(player))
    if isinstance(child, Decision) and child.player != player and any(_gives_up(end) for end in child.children):
        met = reach_probs(game, reference, 1 - player, below)
        for (answer, end), row in zip(steps_from(child), reference[below], strict=True):
            if isinstance(end, Leaf) and end.stake:
                distribution = game.deal.in_case(game.tree.cases[f"{below}-{answer}"])
                net = net + distribution.edge(player, met * row)
    return np.where(np.abs(net) > SAME, np.sign(net), 0).astype(np.int64)


def _gives_up(child: object) -> bool:
    return isinstance(child, Leaf) and child.stake == 0


def _changed(profile: Profile, reference: Profile, player: int, name: str, hand: int) -> Profile:
    """The profile with the reference's probabilities at one information set."""
    rows = []
    for mine, theirs in zip(profile[name], reference[name], strict=True):
        row = mine.copy()
        row[hand] = theirs[hand]
        rows.append(row)
    return profile.replace(Strategy(player, {**profile.strategies[player].at, name: tuple(rows)}))
