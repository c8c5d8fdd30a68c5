"""Combines several strategies of one seat into a single one that plays the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from relance.model.deal import HandFunction
from relance.model.game import Game
from relance.model.numbers import Number
from relance.model.piecewise import Piecewise, refined
from relance.model.strategy import Strategy
from relance.play.rules import check_per_node
from relance.solvers.exact import reach_probs


def mixed_strategy(game: Game, played: Sequence[Strategy], weights: Sequence[Number]) -> Strategy:
    """Return the behaviour strategy that plays as if one of `played` were drawn for each episode with these weights.

    At each node and hand, its probabilities are the mean of those of `played`, weighted by `weights` times the probability that each
    strategy's own actions lead there (Kuhn 1953); if all these are 0, by `weights` alone.
    """
    check_per_node(game, "mixtures of players")
    seat, at = played[0].player, {}
    whole = sum(weights)
    shares = [weight / whole for weight in weights]
    uniform = game.uniform()
    profiles = [uniform.replace(own) for own in played]
    if any(profile.in_floats for profile in profiles):
        shares, profiles = [float(share) for share in shares], [profile.as_float() for profile in profiles]
    for name in game.tree.of(seat):
        came = [reach_probs(game, profile, seat, name) * share for profile, share in zip(profiles, shares, strict=True)]
        total = _total(came)
        rows = zip(*(profile[name] for profile in profiles), strict=True)
        at[name] = tuple(_ratio(_mean(came, row), total, _mean(shares, row)) for row in rows)
    return Strategy(seat, at)


def _mean(weights: Sequence[Any], row: Sequence[HandFunction]) -> HandFunction:
    return _total([weight * chance for weight, chance in zip(weights, row, strict=True)])


def _total(functions: Sequence[HandFunction]) -> HandFunction:
    """Their sum, by halves: one after the other, each sum of functions on [0, 1] would copy the cuts of all before it."""
    half = len(functions) // 2
    return _total(functions[:half]) + _total(functions[half:]) if half else functions[0]


def _ratio(part: HandFunction, total: HandFunction, otherwise: HandFunction) -> HandFunction:
    """part / total hand by hand, and `otherwise` where total is 0."""
    if isinstance(total, Piecewise):
        functions = refined([part, total, otherwise])
        values = [a / b if b else c for a, b, c in zip(*(f.values() for f in functions), strict=True)]
        return Piecewise(functions[0].cuts, [(v,) if v else () for v in values]).simplified()
    never = total == 0
    return np.where(never, otherwise, part / np.where(never, 1, total))
