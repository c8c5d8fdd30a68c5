"""Where two strategies differ: the hands at which an action's probability crosses 1/2, and the mean difference at each node."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from relance.model.deal import Deal, FiniteDeal
from relance.model.game import Game
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile
from relance.solve.exact import action_values, reach


class Threshold(NamedTuple):
    """The hands in [0, 1] at which an action starts or stops being the likelier choice, ascending.

    Attributes:
        learned, published: the crossings of probability 1/2.
        distance: the largest distance between crossings of the same order; None where their numbers or directions differ.
    """

    learned: tuple[float, ...]
    published: tuple[float, ...]
    distance: float | None

    def __str__(self) -> str:
        mine, theirs = (", ".join(f"{cut:.4f}" for cut in cuts) or "never" for cuts in (self.learned, self.published))
        off = "not the same number of changes" if self.distance is None else f"{self.distance:.4f} off"
        return f"changes at {mine}; published {theirs}; {off}"


def crossings(hands: Any, chance: Any) -> tuple[tuple[float, ...], bool]:
    """Where a function given at ascending `hands` crosses 1/2, on straight lines in between; and whether it starts above."""
    above = np.asarray(chance, float) > 0.5
    at = np.flatnonzero(above[1:] != above[:-1])
    left, right = np.asarray(chance, float)[at], np.asarray(chance, float)[at + 1]
    share = (0.5 - left) / (right - left)
    return tuple((hands[at] + share * (hands[at + 1] - hands[at])).tolist()), bool(above[0])


def _steps(row: Piecewise) -> tuple[tuple[float, ...], bool]:
    """The same of a strategy on [0, 1], which jumps."""
    above = [value > 0.5 for value in row.values()]
    jumps = zip(row.cuts[1:-1], pairwise(above), strict=True)
    return tuple(float(cut) for cut, (left, right) in jumps if left != right), above[0]


def thresholds(game: Game, profile: Profile, published: Profile) -> dict[str, dict[str, Threshold]]:
    """For each node and action where the two change; hands are cells or points of [0, 1]."""
    out: dict[str, dict[str, Threshold]] = {}
    for name, node in game.tree.decisions.items():
        out[name] = {}
        for action, mine, theirs in zip(node.actions, profile[name], published[name], strict=True):
            if isinstance(game.deal, FiniteDeal):
                assert game.deal.places is not None
                found = [crossings(game.deal.places[node.player], row) for row in (mine, theirs)]
            else:
                found = [_steps(row) for row in (mine, theirs)]
            (learned, starts), (printed, printed_starts) = found
            alike = len(learned) == len(printed) and starts == printed_starts
            gaps = [abs(a - b) for a, b in zip(learned, printed, strict=True)] if alike else []
            out[name][action] = Threshold(learned, printed, max(gaps, default=0.0) if alike else None)
    return out


def differences(game: Game, profile: Profile, published: Profile) -> dict[str, float]:
    """For each node the mean over hands of half the absolute differences of probabilities, as published play gets there.

    Nodes that published play never gets to are weighted with the other player's part of the way, or with the deal, alone.
    """
    out = {}
    deal: Deal = game.deal
    if isinstance(deal, FiniteDeal):
        game, deal = replace(game, deal=deal.floats), deal.floats
        profile, published = profile.as_float(), published.as_float()
    met = {name: entry[0] for p in (0, 1) for name, entry in action_values(game, published, p).items()}
    for name, node in game.tree.decisions.items():
        gaps = [_absolute(p - q) for p, q in zip(profile[name], published[name], strict=True)]
        gap = sum(gaps[1:], gaps[0])
        prior = deal.prior(node.player)
        for weight in (met[name] * reach(game, published, node.player, name), met[name], prior):
            total = deal.total(weight)
            if total > 0:
                out[name] = float(deal.total(gap * weight) / total) / 2
                break
    return out


def _absolute(f: Any) -> Any:
    return f * (f.where_nonnegative() * 2 - 1) if isinstance(f, Piecewise) else abs(f)
