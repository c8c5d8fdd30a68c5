"""The mistakes of a profile: where it plays an action although another would earn more. Their costs add up to its NashConv."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from relance.model.arguments import checked
from relance.model.arrays import Floats
from relance.model.game import Game, as_played
from relance.solvers.best_response import counterfactual_values
from relance.solvers.deviations import BetKind, bets
from relance.solvers.exact import reach_probs

KINDS: Mapping[int, BetKind] = {-1: "bluff", 1: "value bet", 0: ""}


class Mistake(NamedTuple):
    """A mistake: the hands with which a profile takes an action at a node although another action is best.

    Attributes:
        node, player: the decision node, and the player who acts there.
        action, better: the action played, and the action that would earn most against the other player's half of the profile.
        kind: "bluff" if a bet loses on average when called, "value bet" if it wins; else "". The bet is `action`, or otherwise `better`.
        cost: the chips that the mistake loses; all costs of a profile add up to its NashConv.
    """

    node: str
    player: int
    action: str
    better: str
    kind: BetKind
    cost: float

    def __str__(self) -> str:
        return f"{self.action}, not {self.better}" + (f" ({self.kind})" if self.kind else "")


@checked
def mistakes(game: Game | str, profile: object) -> list[Mistake]:
    """Return the mistakes of both players against each other in a profile, the costliest first; costs, in chips, add up to its NashConv.

    An action loses the difference between its chips and those of the best action, if a best response follows, times the probability
    that both players' choices and chance lead to the action. A player's costs add up to what a best response would gain.

    Args:
        game: a game with finitely many hands, or its name.
        profile: a profile of this game, or its name; it is scored in floats.
    """
    game, profile = as_played(game, profile)
    deal, profile = game.finite_deal().floats, profile.as_float()
    found: dict[tuple[str, int, str, str, BetKind], float] = {}
    for player in (0, 1):
        values: dict[str, list[Floats]] = {}

        def best(name: str, chips: list[Floats], values: dict[str, list[Floats]] = values) -> Floats:
            values[name] = chips
            most: Floats = np.max(chips, axis=0)
            return most

        counterfactual_values(game.tree, deal, player, profile.strategies[1 - player].at, best)
        for name, chips in values.items():
            actions, own = game.tree.decisions[name].actions, reach_probs(game, profile, player, name)
            top, most = np.argmax(chips, axis=0), np.max(chips, axis=0)
            kinds = {action: bets(game, profile, name, action) for action in actions}
            for index, action in enumerate(actions):
                lost = own * profile[name][index] * (most - chips[index])
                for other, better in enumerate(actions):
                    of = kinds[action] if np.any(kinds[action]) else kinds[better]
                    for sign, kind in KINDS.items():
                        cost = float(lost[(top == other) & (of == sign)].sum())
                        if cost > 0:
                            found[name, player, action, better, kind] = cost
    return sorted((Mistake(*key, cost) for key, cost in found.items()), key=lambda one: -one.cost)
