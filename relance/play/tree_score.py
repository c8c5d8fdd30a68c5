"""The exact score of a profile of a game tree: what each player earns and could gain, and where they lose it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from relance.model.game_tree import GameTree, TreeProfile
from relance.model.numbers import for_json, show
from relance.solvers.tree_values import Judgement, TreeMistake, as_tree_profile, judge, tree_mistakes

SHOWN = 5
"""The most mistakes that a printed score lists."""


@dataclass(frozen=True)
class TreeScore:
    """The score of a profile of a game tree, in fractions.

    Attributes:
        tree: the game.
        profile: how all players play it.
        judgement: what they earn, and what best responses would.
    """

    tree: GameTree
    profile: TreeProfile
    judgement: Judgement

    @property
    def values(self) -> tuple[Fraction, ...]:
        """Each player's expected payoff."""
        return self.judgement.values

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """Each player's gain from a best response."""
        return self.judgement.gains

    @property
    def nash_conv(self) -> Fraction:
        """The sum of the gains; 0 if and only if the profile is a Nash equilibrium."""
        return self.judgement.nash_conv

    @cached_property
    def mistakes(self) -> list[TreeMistake]:
        """Where players give up chips, the worst first. A player's losses add up to their gain."""
        return tree_mistakes(self.tree, self.profile)

    def as_dict(self) -> dict[str, Any]:
        """The figures as numbers, for JSON, also as text under "exact"; and the mistakes, with the loss of each as a number."""
        found = self.judgement
        figures = {"nash_conv": found.nash_conv, "values": found.values, "best": found.best, "gains": found.gains}
        mistakes = [{**m._asdict(), "loss": float(m.loss)} for m in self.mistakes]
        return {"game": str(self.tree), **for_json(figures), "mistakes": mistakes}

    def __str__(self) -> str:
        lines = [f"{self.tree}: NashConv {_number(self.nash_conv)}"]
        for player, (earned, gain) in enumerate(zip(self.values, self.gains, strict=True)):
            lines.append(f"  player {player} earns {_number(earned)} and can gain {_number(gain)}")
        lines += [
            f"  player {m.player} gives up {_number(m.loss)} at {m.information_set!r}: best is {m.best}"
            for m in self.mistakes[:SHOWN]
        ]
        if len(self.mistakes) > SHOWN:
            lines.append(f"  and less at {len(self.mistakes) - SHOWN} more information sets")
        return "\n".join(lines)


def _number(number: Fraction) -> str:
    text = show(number)
    return f"{float(number):.6g} ({text})" if len(text) <= 40 and number.denominator > 1 else f"{float(number):.6g}"


def tree_score(tree: GameTree, profile: Any) -> TreeScore:
    """Score a profile of all players: a table, a policy of OpenSpiel, or "uniform"."""
    played = as_tree_profile(tree, profile)
    return TreeScore(tree, played, judge(tree, played))
