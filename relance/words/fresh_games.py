"""Games that nobody has printed: parameters, names and units are drawn at random, and the exact solution is known."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from relance.envs.catalogue import BLUEPRINTS
from relance.model.arguments import NaturalNumber, checked
from relance.model.blueprint import Blueprint
from relance.model.game import Game, build
from relance.model.numbers import Number, show
from relance.model.parameters import Distribution
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile
from relance.play.wording import Wording
from relance.solvers.exact import nash_conv, value
from relance.solvers.method_choice import is_small
from relance.solvers.solve import solve
from relance.words.renamings import renamed_wording

PARTS = (5, 7, 8, 9, 11, 13)
"""Denominators of the fractions from which a parameter is drawn; papers rarely print such fractions."""

MOST_VALUES = 60
"""The most values from which a parameter is drawn."""

MOST_POWER, MOST_CARDS = 4, 20
"""The largest power, and the most cards, of a distribution of hands that is drawn."""


@dataclass(frozen=True)
class Fresh:
    """A drawn game and its exact solution.

    Attributes:
        game: the game.
        wording: other names for the game's players, actions, hands and units, for `relance.words.TextAgent` and the prompts.
        profile: an equilibrium: NashConv is exactly 0.
        value: the equilibrium value, in chips to player 0, exactly.
        nodes: the number of decision nodes, not counted once for each hand.
        mixes: at how many of these nodes the equilibrium mixes actions with some hand; 0 if it is pure.
        uniform: the NashConv of uniform play, in chips.
    """

    game: Game
    wording: Wording
    profile: Profile
    value: Number
    nodes: int
    mixes: int
    uniform: Number

    def __str__(self) -> str:
        return (
            f"{self.game} as {self.wording.name}: value {show(self.value)}, {self.nodes} decisions, {self.mixes} of them mixed, "
            f"uniform play has NashConv {float(self.uniform):.3f}"
        )


@checked
def fresh_game(seed: NaturalNumber) -> Fresh:
    """Return a random game that nobody has printed, with its exact value; the same seed draws the same one.

    A game of the catalogue is drawn, with new amounts, probabilities, bets and distribution of hands around one of its sets of parameters.
    The draw is repeated if the game differs from such a set only by the unit of chips, has chance nodes, or lacks an exact solution: its
    printed strategies are no exact equilibrium, or none are printed and it is too large to solve. The wording is by `renamed_wording`.

    Raises:
        ValueError: `seed` is not a whole number of at least 0.
    """
    rng = np.random.default_rng([seed, 83])
    names = list(BLUEPRINTS)
    while True:  # most draws are taken
        blueprint = BLUEPRINTS[names[rng.integers(len(names))]]
        game = _drawn(blueprint, rng)
        if game is None or not game.tree.is_usual or (profile := _answer(game)) is None:
            continue
        rows = {
            name: [r.values() if isinstance(r, Piecewise) else r for r in profile[name]] for name in profile.nodes()
        }
        mixes = sum(any(0 < p < 1 for row in found for p in row) for found in rows.values())
        wording, nodes = renamed_wording(game, int(rng.integers(2**31))), len(game.tree.decisions)
        return Fresh(game, wording, profile, value(game, profile), nodes, mixes, nash_conv(game, game.uniform()))


def _drawn(blueprint: Blueprint, rng: np.random.Generator) -> Game | None:
    """The game with numbers and a distribution drawn in the neighbourhood of one of its samples.

    None if they do not go together, or if the game is one of the samples in another unit.
    """
    samples = [{}, *blueprint.samples]
    chosen: dict[str, Any] = dict(samples[rng.integers(len(samples))])
    chosen.pop("hands", None)
    for name, parameter in blueprint.parameters.items():
        at = parameter.read(name, chosen.get(name, parameter.default))
        if isinstance(parameter, Distribution):
            chosen[name] = _distribution(rng)
        elif isinstance(at, tuple):
            chosen[name] = _bets(at, rng)
        elif isinstance(at, Fraction):
            fine = [stop for stop in parameter.stops(at, int(rng.choice(PARTS)), MOST_VALUES) if stop]
            chosen[name] = fine[rng.integers(len(fine))] if fine else at
    try:
        game = build(blueprint, **chosen)
    except ValueError:
        return None
    return None if in_its_unit(game) in [in_its_unit(build(blueprint, **sample)) for sample in samples] else game


def in_its_unit(game: Game) -> dict[str, Any]:
    """Return a game's parameters, with all amounts of chips divided by the first positive one, usually the ante."""
    kinds, given = game.blueprint.parameters, game.parameters
    chips = {name: kind.chips(given[name]) for name, kind in kinds.items()}
    unit = next((one for each in chips.values() for one in each if one > 0), Fraction(1))
    return {name: [one / unit for one in chips[name]] if chips[name] else given[name] for name in kinds}


def _distribution(rng: np.random.Generator) -> str:
    """A distribution of hands that is computed with exactly."""
    part = int(rng.choice(PARTS))
    share = Fraction(int(rng.integers(1, part)), part)
    powers = ":".join(str(rng.integers(1, MOST_POWER + 1)) for _ in (0, 1))
    kinds = "uniform", f"power:{powers}", f"atoms:{share}", f"fgm:{share}", f"cards:{rng.integers(3, MOST_CARDS + 1)}"
    return kinds[rng.integers(len(kinds))]


def _bets(at: tuple[Any, ...], rng: np.random.Generator) -> list[Any]:
    """As many bets as there were, up to twice the largest, in parts of a chip or of the pot, in rising order if they rose."""
    numbers = [bet for bet in at if isinstance(bet, Fraction)]
    part = int(rng.choice(PARTS))
    stops = np.arange(1, int(2 * part * max(numbers, default=Fraction(1))) + 1)
    drawn = [Fraction(int(stop), part) for stop in rng.choice(stops, len(numbers), replace=False)]
    return [*(sorted(drawn) if numbers == sorted(numbers) else drawn), *at[len(numbers) :]]


def _answer(game: Game) -> Profile | None:
    """An equilibrium whose NashConv is exactly 0; None if none is known or quickly found."""
    printed = None
    if game.is_published and game.deal.is_exact and not game.deal.showing:
        with suppress(ValueError):  # the print does not apply here
            printed = game.published()
    if printed is not None and not printed.in_floats:
        gained = nash_conv(game, printed)
        return printed if isinstance(gained, Fraction) and gained == 0 else None
    return solve(game) if game.deal.is_finite and is_small(game) else None
