"""Where two strategies differ: the hands at which an action's probability crosses 1/2, and the mean difference at each node."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from relance.model.game import Game
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile
from relance.solvers.exact import action_values, reach


class Threshold(NamedTuple):
    """The hands in [0, 1] at which an action starts or stops being the likelier choice, ascending.

    Attributes:
        learned, published: the crossings of probability 1/2.
        distance: the largest distance between crossings of the same order; None where their numbers or directions differ.
        by_mass: where the published changes would have to be for the action to be taken as often as learned, each between the
            middles of the published intervals beside it. What equilibria have in common where they mix, and always there.
        distance_by_mass: the largest distance between these and the published ones.
    """

    learned: tuple[float, ...]
    published: tuple[float, ...]
    distance: float | None
    by_mass: tuple[float, ...]
    distance_by_mass: float

    def __str__(self) -> str:
        mine, theirs, mass = map(_listed, (self.learned, self.published, self.by_mass))
        off = "not the same number of changes" if self.distance is None else f"{self.distance:.4f} off"
        told = f"; by mass {mass}, {self.distance_by_mass:.4f} off" if self.by_mass else ""
        return f"changes at {mine}; published {theirs}; {off}{told}"


def _listed(cuts: tuple[float, ...], most: int = 8) -> str:
    more = f" and {len(cuts) - most} more" if len(cuts) > most else ""
    return (", ".join(f"{cut:.4f}" for cut in cuts[:most]) or "never") + more


def crossings(hands: Any, chance: Any) -> tuple[tuple[float, ...], bool]:
    """Where a function given at ascending `hands` crosses 1/2, on straight lines in between; and whether it starts above."""
    above = np.asarray(chance, float) > 0.5
    at = np.flatnonzero(above[1:] != above[:-1])
    left, right = np.asarray(chance, float)[at], np.asarray(chance, float)[at + 1]
    share = (0.5 - left) / (right - left)
    return tuple((hands[at] + share * (hands[at + 1] - hands[at])).tolist()), bool(above[0])


def changes(row: Piecewise) -> tuple[tuple[float, ...], bool]:
    """Where a strategy on [0, 1] crosses 1/2, by jumps; and whether it starts above."""
    above = [value > 0.5 for value in row.values()]
    jumps = zip(row.cuts[1:-1], pairwise(above), strict=True)
    return tuple(float(cut) for cut, (left, right) in jumps if left != right), above[0]


def _mass(row: Any, places: Any) -> tuple[Any, Any]:
    """Points of [0, 1], ascending from 0 to 1, and how often the action is taken with hands up to each of them."""
    if isinstance(row, Piecewise):
        borders, values = np.array(row.cuts, float), np.array(row.values(), float)
    else:
        borders, values = np.concatenate(([0.0], (places[1:] + places[:-1]) / 2, [1.0])), np.asarray(row, float)
    return borders, np.concatenate(([0.0], np.cumsum(values * np.diff(borders))))


def by_mass(row: Any, places: Any, printed: tuple[float, ...], starts: bool) -> tuple[float, ...]:
    """Where the changes `printed`, the first of them down if `starts`, would give the action the mass that it has in `row`."""
    borders, mass = _mass(row, places)
    ends = [0.0, *((a + b) / 2 for a, b in pairwise(printed)), 1.0]
    out = []
    for i, (left, right) in enumerate(pairwise(ends)):
        taken = float(np.interp(right, borders, mass) - np.interp(left, borders, mass))
        out.append(left + taken if starts == (i % 2 == 0) else right - taken)
    return tuple(out)


def thresholds(game: Game, profile: Profile, published: Profile) -> dict[str, dict[str, Threshold]]:
    """For each node and action where the two change; hands are cells or points of [0, 1]."""
    out: dict[str, dict[str, Threshold]] = {}
    for name, node in game.tree.decisions.items():
        out[name] = {}
        for action, mine, theirs in zip(node.actions, profile[name], published[name], strict=True):
            places = None if game.deal.places is None else game.deal.places[node.player]
            found = [changes(row) if places is None else crossings(places, row) for row in (mine, theirs)]
            (learned, starts), (printed, printed_starts) = found
            alike = len(learned) == len(printed) and starts == printed_starts
            gaps = [abs(a - b) for a, b in zip(learned, printed, strict=True)] if alike else []
            mass = by_mass(mine, places, printed, printed_starts) if printed else ()
            off = max((abs(a - b) for a, b in zip(mass, printed, strict=True)), default=0.0)
            out[name][action] = Threshold(learned, printed, max(gaps, default=0.0) if alike else None, mass, off)
    return out


def differences(game: Game, profile: Profile, published: Profile) -> dict[str, float]:
    """For each node the mean over hands of half the absolute differences of probabilities, as published play gets there.

    Nodes that published play never gets to are weighted with the other player's part of the way, or with the deal, alone.
    """
    out = {}
    deal = game.deal.floats
    game, profile, published = replace(game, deal=deal), profile.as_float(), published.as_float()
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
