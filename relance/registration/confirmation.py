"""Checks the published strategies with OpenSpiel: its NashConv, its best responses, and its CFR+ from scratch."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import pyspiel

from relance.envs.catalogue import BLUEPRINTS
from relance.model.arguments import checked
from relance.model.game import Game, build
from relance.model.numbers import show
from relance.registration.efg import to_efg
from relance.registration.openspiel import chip_scale
from relance.registration.openspiel_policies import efg_policy, policy
from relance.solvers.exact import nash_conv, value


class Confirmation(NamedTuple):
    """OpenSpiel's results for a published profile. All amounts are in chips of the game.

    Attributes:
        game: the game, on a grid whose cell borders include its thresholds.
        value, ours: the published profile's exact value and NashConv, computed by Relance.
        theirs: NashConv computed by OpenSpiel on the game registered with it; None for cells of unequal width and for fine grids.
        native: NashConv computed by OpenSpiel on the exported .efg file.
        responses: what each player gains by OpenSpiel's best response on that file.
        iterations, cfr_value, cfr_nash_conv: the iterations of OpenSpiel's CFR+ from scratch, and the results of its average policy.
        agrees: True if all results agree within `NASH_TOLERANCE` and `CFR_TOLERANCE`.
    """

    game: str
    value: str
    ours: str
    theirs: float | None
    native: float
    responses: tuple[float, ...]
    iterations: int
    cfr_value: float
    cfr_nash_conv: float
    agrees: bool


PYTHON_CELLS = 24
"""Grids of more cells than this are checked only as .efg files, because OpenSpiel is a thousand times slower on Python games."""

NASH_TOLERANCE = 1e-12
"""OpenSpiel's NashConv and gains at a published profile may differ from 0 by this much, in antes; it allows only for rounding."""

CFR_TOLERANCE = 2e-3
"""The NashConv that CFR+ must reach, as a share of the most chips that can be lost."""


def samples() -> list[Game]:
    """Return every game with a published strategy, at its sample parameters, on a grid aligned with its thresholds."""
    games = [build(spec, **parameters) for spec in BLUEPRINTS.values() for parameters in spec.samples]
    return [game.aligned() for game in games if game.is_published]


@checked
def confirm(game: Game, max_iterations: int = 3000) -> Confirmation:
    """Return what OpenSpiel finds about a finite game's published profile: its NashConv, best responses, and CFR+ from scratch.

    CFR+ runs in steps of 100 iterations until its NashConv is within `CFR_TOLERANCE`, for at most `max_iterations` iterations.
    """
    profile, theirs = game.published(), None
    if not game.cuts or (game.hands and game.hands <= PYTHON_CELLS):
        published = policy(game, profile)
        theirs = pyspiel.nash_conv(published.game, published.to_tabular()) / chip_scale(game)

    native = pyspiel.load_efg_game(to_efg(game))
    table = efg_policy(game, profile)
    start = native.new_initial_state()
    on_policy = pyspiel.expected_returns(start, table, -1, True)
    responses = [pyspiel.TabularBestResponse(native, player, table).value_from_state(start) for player in (0, 1)]
    gains = tuple(best - earned for best, earned in zip(responses, on_policy, strict=True))

    solver = pyspiel.CFRPlusSolver(native)
    iterations, remaining, average = 0, float("inf"), None
    while remaining > CFR_TOLERANCE * native.max_utility() and iterations < max_iterations:
        for _ in range(100):
            solver.evaluate_and_update_policy()
        iterations, average = iterations + 100, solver.tabular_average_policy()
        remaining = pyspiel.nash_conv(native, average)
    reached = pyspiel.expected_returns(start, average, -1, True)[0]

    ours, worth, ante = nash_conv(game, profile), value(game, profile), float(game.parameters.get("ante", 1))
    checked, rounding = pyspiel.nash_conv(native, table), game.rounding
    tolerance = (NASH_TOLERANCE + float(rounding)) * ante
    agrees = (
        abs(ours) <= rounding * Fraction(ante)
        and all(abs(x) <= tolerance for x in (theirs or 0.0, checked, *gains))
        and abs(reached - float(worth)) <= remaining + tolerance
        and remaining <= CFR_TOLERANCE * native.max_utility()
    )
    shown = show(float(worth) if rounding else worth), show(ours if ours == 0 else float(ours))
    return Confirmation(str(game), *shown, theirs, checked, gains, iterations, reached, remaining, agrees)
