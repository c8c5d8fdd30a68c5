"""Compares two strategies: their thresholds, and the mean difference of their probabilities at each node."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from relance.model.deal import HandFunction
from relance.model.game import Game
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile
from relance.solvers.exact import action_values, reach_probs


class Threshold(NamedTuple):
    """The thresholds of one action: the hands in [0, 1], ascending, at which its probability crosses 1/2.

    Attributes:
        learned, published: the thresholds of the two strategies.
        distance: the largest distance between corresponding thresholds; None if the strategies have different numbers of thresholds, or
            if the probability is above 1/2 at hand 0 in one of them only.
        by_frequency: for each published threshold, the one that would fit the learned strategy: with it, the action has the same mean
            probability as in the learned strategy, over an interval around the published threshold. The interval ends halfway to the
            neighbouring published thresholds, or at 0 or 1. It does not matter which of its hands take the action.
        distance_by_frequency: the largest distance between `by_frequency` and `published`.
    """

    learned: tuple[float, ...]
    published: tuple[float, ...]
    distance: float | None
    by_frequency: tuple[float, ...]
    distance_by_frequency: float

    def columns(self) -> tuple[str, ...]:
        """All five fields as text, in order."""
        off = "not comparable" if self.distance is None else f"{self.distance:.4f}"
        frequency = (_listed(self.by_frequency), f"{self.distance_by_frequency:.4f}") if self.by_frequency else ("", "")
        return _listed(self.learned), _listed(self.published), off, *frequency

    def __str__(self) -> str:
        learned, published, off, frequency, off_by_frequency = self.columns()
        text = f"learned {learned}; published {published}; {off}{' off' * (self.distance is not None)}"
        return text + (f"; by frequency {frequency}, {off_by_frequency} off" if frequency else "")


def _listed(hands: tuple[float, ...], most: int = 8) -> str:
    more = f" and {len(hands) - most} more" if len(hands) > most else ""
    return (", ".join(f"{hand:.4f}" for hand in hands[:most]) or "none") + more


def thresholds_of(row: HandFunction, places: npt.ArrayLike | None = None) -> tuple[tuple[float, ...], bool]:
    """Return the hands at which the probability of an action crosses 1/2, and whether it is above 1/2 at hand 0.

    Args:
        row: a step function on [0, 1], which jumps; or one probability for each cell, with straight lines in between.
        places: the middles of the cells, (cells,), ascending.
    """
    chance = np.asarray(row.values() if isinstance(row, Piecewise) else row, float)
    above = chance > 0.5
    at = np.flatnonzero(above[1:] != above[:-1])
    if isinstance(row, Piecewise):
        crossed = np.array(row.cuts, float)[at + 1]
    else:
        hands = np.asarray(places, float)
        share = (0.5 - chance[at]) / (chance[at + 1] - chance[at])
        crossed = hands[at] + share * (hands[at + 1] - hands[at])
    return tuple(crossed.tolist()), bool(above[0])


def by_frequency(
    row: HandFunction, published: tuple[float, ...], starts_above: bool, places: npt.ArrayLike | None = None
) -> tuple[float, ...]:
    """Return where the published thresholds would be if the action had the frequencies that it has in `row`; see `Threshold`.

    Args:
        row: the learned probability, as for `thresholds_of`.
        published: the published thresholds.
        starts_above: True if the published probability is above 1/2 from hand 0 up to the first threshold, and then below 1/2.
        places: as for `thresholds_of`.
    """
    if isinstance(row, Piecewise):
        borders, chance = np.array(row.cuts, float), np.array(row.values(), float)
    else:
        hands = np.asarray(places, float)
        borders, chance = np.concatenate(([0.0], (hands[1:] + hands[:-1]) / 2, [1.0])), np.asarray(row, float)
    taken = np.concatenate(([0.0], np.cumsum(chance * np.diff(borders))))  # with hands up to each border
    ends = [0.0, *((a + b) / 2 for a, b in pairwise(published)), 1.0]
    out = []
    for i, (left, right) in enumerate(pairwise(ends)):
        frequency = float(np.interp(right, borders, taken) - np.interp(left, borders, taken))
        out.append(left + frequency if starts_above == (i % 2 == 0) else right - frequency)
    return tuple(out)


def thresholds(game: Game, profile: Profile, published: Profile) -> dict[str, dict[str, Threshold]]:
    """Return {node: {action: `Threshold`}}, which compares two profiles, for hands on [0, 1] or cells of [0, 1]."""
    places = game.deal.places
    out: dict[str, dict[str, Threshold]] = {}
    for name, node in game.tree.decisions.items():
        out[name], middles = {}, None if places is None else places[node.player]
        for action, mine, theirs in zip(node.actions, profile[name], published[name], strict=True):
            learned, learned_above = thresholds_of(mine, middles)
            printed, printed_above = thresholds_of(theirs, middles)
            alike = len(learned) == len(printed) and learned_above == printed_above
            frequency = by_frequency(mine, printed, printed_above, middles) if printed else ()
            distance = _largest_gap(learned, printed) if alike else None
            out[name][action] = Threshold(learned, printed, distance, frequency, _largest_gap(frequency, printed))
    return out


def _largest_gap(first: tuple[float, ...], second: tuple[float, ...]) -> float:
    return max((abs(a - b) for a, b in zip(first, second, strict=True)), default=0.0)


def differences(game: Game, profile: Profile, published: Profile) -> dict[str, float]:
    """Return {node: half the sum over actions of the absolute differences of two profiles' probabilities, mean over hands}.

    Hands are weighted by how often published play brings them to the node; if it never does, by the opponent's published play
    alone; and if that never leads there either, by the deal alone.
    """
    out = {}
    deal = game.deal.floats
    game, profile, published = replace(game, deal=deal), profile.as_float(), published.as_float()
    met = {name: entry[0] for p in (0, 1) for name, entry in action_values(game, published, p).items()}
    for name, node in game.tree.decisions.items():
        gaps = [_absolute(p - q) for p, q in zip(profile[name], published[name], strict=True)]
        gap = sum(gaps[1:], gaps[0])
        weights = (met[name] * reach_probs(game, published, node.player, name), met[name], deal.prior(node.player))
        weight = next(weight for weight in weights if deal.total(weight) > 0)
        out[name] = float(deal.total(gap * weight) / deal.total(weight)) / 2
    return out


def _absolute(f: Any) -> Any:
    return f * (f.where_nonnegative() * 2 - 1) if isinstance(f, Piecewise) else abs(f)
