"""A game: a betting tree times a deal, with its exact parameters, its citation and its printed strategies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from relance.model.arguments import checked
from relance.model.arrays import Array
from relance.model.blueprint import Blueprint, Printed, Source
from relance.model.cells import averaged, on_interval
from relance.model.deal import Deal, FiniteDeal
from relance.model.grid import EqualCuts
from relance.model.interval import DensityDeal
from relance.model.numbers import Number, did_you_mean, exact, formula, fraction, short, whole
from relance.model.piecewise import check_cuts
from relance.model.renamed import HasOldNames
from relance.model.sequences import SequenceForm, sides
from relance.model.strategy import (
    Plan,
    Profile,
    Rows,
    Strategy,
    are_arrays,
    are_probabilities,
    check_probabilities,
    check_rows,
)
from relance.model.texts import READ
from relance.model.tree import BettingTree, Leaf


@checked
def build(blueprint: Blueprint, hands: object = None, **values: object) -> Game:
    """Return the game of a blueprint with these parameters; `hands` cuts hands on [0, 1] into that many equal cells.

    Raises:
        ValueError: a parameter is unknown or outside what is allowed.
        TypeError: a parameter is of the wrong kind.
    """
    for name, value in values.items():
        if name == "cells":
            raise ValueError(
                f"cells={value} cannot be set: this number does not say where unequal cells begin; set hands=n for n equal cells, or call "
                "game.cells(profile) for cells between the thresholds of a profile"
            )
        if name not in blueprint.parameters:
            raise ValueError(
                f"{blueprint.name} has no parameter {short(name)}"
                + did_you_mean(name, [*blueprint.parameters, "hands"])
            )
    parameters = {name: spec.read(name, values.get(name, spec.default)) for name, spec in blueprint.parameters.items()}
    game = Game(blueprint, parameters, *blueprint.build(**parameters))
    return game if hands is None else game.grid(hands)


def as_game(game: Game | str) -> Game:
    """Return a game as it is, or make it from text, as `relance.make` does."""
    made: Game = READ["game"](game) if isinstance(game, str) else game
    return made


def as_profile(game: Game, profile: object) -> Profile:
    """Return a `Profile` as it is, or make one from text or a table; see `relance.play.agents.profile_of`."""
    found: Profile = profile if isinstance(profile, Profile) else READ["profile"](game, profile)
    return found


def as_played(game: Game | str, profile: object) -> tuple[Game, Profile]:
    """Return a game, given itself or as text, and a profile of it, given in any form that `as_profile` takes."""
    made = as_game(game)
    return made, as_profile(made, profile)


def check_game(game: object, needs: str) -> None:
    """Raise TypeError unless `game` is a `Game`; the message begins with `needs`, such as "a value"."""
    if not isinstance(game, Game):
        raise TypeError(f"{needs} needs a relance Game, such as relance.make('von_neumann'), not {short(game)}")


@dataclass(frozen=True, eq=False)
class Game(HasOldNames):
    """A game with fixed parameters. Immutable; games of one blueprint with the same parameters and hands are equal.

    Attributes:
        blueprint: the description that it was built from.
        parameters: exact values by name.
        tree, deal: the betting tree, which is public, and the deal of the private hands.
        cuts: the borders of the cells if hands on [0, 1] were cut into cells, else None.
    """

    blueprint: Blueprint
    parameters: Mapping[str, Any]
    tree: BettingTree
    deal: Deal
    cuts: tuple[Number, ...] | EqualCuts | None = None
    num_players, utility_sum = 2, 0

    @property
    def name(self) -> str:
        """The registered name, such as "von_neumann"."""
        return self.blueprint.name

    @property
    def source(self) -> Source:
        """The publication that states the game."""
        return self.blueprint.source

    @property
    def actions(self) -> tuple[str, ...]:
        """All action names; an index into it is an action id."""
        return self.tree.actions

    def finite_deal(self) -> FiniteDeal:
        """Return the deal of a game with finitely many hands.

        Raises:
            ValueError: the hands are on [0, 1].
        """
        if not isinstance(self.deal, FiniteDeal):
            raise ValueError(
                f"{self} has infinitely many hands; cut them into cells, such as '{self.name}(hands=9)', "
                "or in Python by game.grid(9), or at the thresholds by game.cells(profile)"
            )
        return self.deal

    payoff_operator = finite_deal
    """The deal under the name that `GameTree` uses for its payoff operator, so that solvers take both."""

    def information_set(self, node: str, hand: int) -> str:
        """The name of the information set of a hand at a decision node, in files and trees of histories."""
        return f"{self.finite_deal().names[self.tree.decisions[node].player][hand]} {node}".strip()

    @property
    def forms(self) -> tuple[SequenceForm, SequenceForm]:
        """Each player's sequence form."""
        return sides(self.tree)

    identity = property(str)
    """The game's text with all parameters, which tells it from other games."""

    @cached_property
    def max_chips(self) -> float:
        """The most chips that a terminal node pays; 1 if no terminal node pays any."""
        paid = (leaf.in_floats for leaf in self.tree.kinds.nodes if isinstance(leaf, Leaf))
        return max(abs(constant) + abs(stake) for constant, stake in paid) or 1.0

    def profile_from_arrays(self, probabilities: Sequence[Array]) -> Profile:
        """Return the profile with these probabilities, (slots, hands) for each player; a slot is an action at a node, as in `forms`."""
        return self.together(*(Strategy.of_array(self.tree, p, rows) for p, rows in enumerate(probabilities)))

    @cached_property
    def whole(self) -> Game:
        """The game before its hands on [0, 1] were cut into cells; the game itself if they were not."""
        return self if self.cuts is None else build(self.blueprint, **self.parameters)

    @cached_property
    def hands(self) -> int | None:
        """The number of cells if [0, 1] is cut into equal cells; else None."""
        return self.cuts.parts if isinstance(self.cuts, EqualCuts) else None

    def __str__(self) -> str:
        kinds = self.blueprint.parameters
        parts = [f"{name}={kinds[name].text(value)}" for name, value in self.parameters.items()]
        if self.cuts:
            parts.append(f"hands={self.hands}" if self.hands else f"cells={len(self.cuts) - 1}")
        return f"{self.name}({', '.join(parts)})"

    def __repr__(self) -> str:
        return f"<relance game {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        mine, theirs = ((dict(game.parameters), game.cuts) for game in (self, other))
        return self.blueprint is other.blueprint and mine == theirs

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.parameters.items()), self.cuts))

    def __reduce__(self) -> tuple[Any, ...]:
        if self.cuts is None:
            return partial(build, self.blueprint, **self.parameters), ()
        return Game.cut, (self.whole, self.cuts)

    def profile(self, plan: Plan) -> Profile:
        """Build and check a profile from {node: {action: probabilities}}; see `Profile.of`."""
        return Profile.of(self.name, self.tree, self.deal, plan)

    def together(self, first: Strategy, second: Strategy) -> Profile:
        """The profile of two strategies, one per seat in any order. Over finite hands it is in floats if either strategy is."""
        profile = Profile(self.name, self.tree, (first, second) if first.player == 0 else (second, first))
        return profile.as_float() if profile.in_floats else profile

    def pot_share(self, value: Number) -> Number:
        """Player 0's share of the antes if player 0 earns `value` chips: (player 0's ante + value) / (both antes)."""
        paid = self.tree.root.paid
        return (paid[0] + value) / (paid[0] + paid[1])

    def action_id(self, action: str) -> int:
        """Return the index of an action name in `actions`.

        Raises:
            ValueError: there is no such action.
        """
        return self.tree.action_id(action)

    def uniform(self) -> Profile:
        """The profile in which both players choose each legal action with the same probability; in floats if the tree is large."""
        if self.deal.is_finite and self.tree.is_large:
            shares = (
                np.repeat(1 / form.actions[np.argsort(form.starts)], np.sort(form.actions)) for form in self.forms
            )
            rows = [np.repeat(s[:, None], self.deal.size(p), axis=1) for p, s in enumerate(shares)]
            return self.profile_from_arrays(rows)
        nodes = self.tree.decisions.items()
        return self.profile({name: dict.fromkeys(node.actions, Fraction(1, len(node.actions))) for name, node in nodes})

    def check(self, profile: Profile) -> None:
        """Check that `profile` has probabilities for each decision node and hand of this game.

        Raises:
            ValueError: probabilities are missing or wrong, or the profile is of another game.
            TypeError: `profile` is not a `Profile`, or its probabilities are not real arrays or `Piecewise`.
        """
        self.check_shape(profile)
        if self.tree.is_large and all(
            isinstance(strategy.at, Rows) and are_probabilities(form, strategy.at.array)
            for form, strategy in zip(self.forms, profile.strategies, strict=True)
        ):
            return  # a quick check; the slow one below names what is wrong
        for name, node in self.tree.decisions.items():
            rows = profile.strategies[node.player].at[name]
            check_probabilities(f"{self.name}, node {name!r}", node.actions, self.deal, node.player, rows)

    def check_shape(self, profile: Profile) -> None:
        """Check everything that `check` does except the probabilities themselves; raises the same errors."""
        if not isinstance(profile, Profile):
            raise TypeError(f"{self.name} needs a relance Profile, not {type(profile).__name__}")
        if profile.game != self.name:
            raise ValueError(f"this is a profile of {profile.game!r}, not of {self.name!r}")
        shapes = [(self.deal.size(player),) for player in (0, 1)]
        if self.tree.is_large and isinstance(profile.strategies[0].at, Rows):
            return self._check_arrays(profile)
        for name, node in self.tree.decisions.items():
            rows = profile.strategies[node.player].at.get(name)
            if not (self.deal.is_finite and are_arrays(rows, len(node.actions), shapes[node.player])):
                check_rows(self, f"{self.name}, node {name!r}", node.actions, self.deal, node.player, rows)

    def _check_arrays(self, profile: Profile) -> None:
        """Do as `check_shape` does for a profile of a large tree."""
        for player, strategy in enumerate(profile.strategies):
            found, needed = strategy.at, (self.forms[player].size, self.deal.size(player))
            if (
                not isinstance(found, Rows)
                or found.array.shape != needed
                or found.tree.table.size != self.tree.table.size
            ):
                raise ValueError(
                    f"the strategy of player {player} does not fit {self}, where this player has {needed[0]:,} actions "
                    f"over all decision nodes, and {needed[1]} hands; was it made for other parameters?"
                )

    @checked
    def published(self, as_printed: bool = False, **values: object) -> Profile:
        """Return the equilibrium that the paper prints for these parameters; on cells of [0, 1], probabilities are averaged over each cell.

        Args:
            as_printed: where the paper has a misprint, return it uncorrected.
            **values: values of the free parameters, such as `alpha`, if the paper prints a family of equilibria.

        Raises:
            ValueError: nothing is printed for these parameters, or a family parameter is unknown or outside its range.
        """
        printed, numbers = self.printed_numbers(as_printed, **values)
        return self.fit_plan(printed.plan(numbers, self.tree))

    def printed_numbers(self, as_printed: bool = False, **values: object) -> tuple[Printed, dict[str, Number]]:
        """The published profile and the exact values of its numbers, {symbol: value}; arguments as in `published`."""
        printed = self._printed()
        for name in values:
            if name not in printed.family:
                raise ValueError(
                    f"the published strategies of {self} have no parameter {name!r}"
                    + did_you_mean(name, printed.family)
                )
        symbols = self.blueprint.values(self.parameters)
        for name, family in printed.family.items():
            symbols[name] = value = exact(values.get(name, family.default), name)
            if not family.least <= value <= family.most:
                raise ValueError(
                    f"{name}={short(value)} must be between {family.least} and {family.most}: {family.doc}"
                )
        for symbol, text in printed.formulas(self.parameters, as_printed).items():
            symbols[symbol] = formula(text, symbols) if isinstance(text, str) else text
        return printed, symbols

    def _printed(self) -> Printed:
        index = self.blueprint.printed_index(self.parameters)
        if index is None:
            raise ValueError(f"no strategy is published for {self}: {self.blueprint.refusal(self.parameters)}")
        return self.blueprint.printed[index]

    @property
    def is_published(self) -> bool:
        """True if a strategy is published for these parameters."""
        return self.blueprint.printed_index(self.parameters) is not None

    @property
    def rounding(self) -> Fraction:
        """The largest NashConv, in antes, that rounding of the published numbers causes; 0 if they are exact."""
        return self._printed().precision

    @checked
    def aligned(self, max_cells: int = 60) -> Game:
        """Return the coarsest grid on which every threshold of the published strategy is a cell border.

        If that takes more than `max_cells` cells, the game is cut at the thresholds instead. A finite game is returned unchanged.
        """
        if self.deal.is_finite:
            return self
        profile = self.published()
        hands = math.lcm(*(fraction(cut).denominator for cut in profile.cuts()))
        return self.grid(max(2, hands)) if hands <= max_cells else self.cells(profile)

    def fit_plan(self, plan: Plan) -> Profile:
        """Build a profile from {node: {action: probabilities}} on [0, 1], averaged over cells if this game has any."""
        if self.cuts is None:
            return self.profile(plan)
        return self.fit(self.whole.profile(plan))

    def fit(self, profile: Profile, floats: bool = False) -> Profile:
        """Return the average of a profile on [0, 1] over each cell; a profile whose thresholds are cell borders is played unchanged.

        At each node, a hand is weighted by the probability that the player's own actions lead there. So each sequence of the player's
        actions stays as frequent in a cell as it was. Hands are also weighted by their marginal distribution.

        Args:
            profile: a profile of this game before [0, 1] was cut, `self.whole`.
            floats: return float64 instead of exact numbers, which is quicker on many cells.

        Raises:
            ValueError: this game has no cells.
        """
        self.whole.check(profile)
        first, second = (self.fit_strategy(strategy, floats) for strategy in profile.strategies)
        return self.profile(self.together(first, second).plan())

    def fit_strategy(self, strategy: Strategy, floats: bool = False) -> Strategy:
        """Return one player's strategy on [0, 1] averaged over the cells of this game; see `fit`."""
        if self.cuts is None:
            raise ValueError(f"{self} has no cells; use game.grid(n) or game.cells(profile) first")
        return averaged(self.tree, strategy, self.whole.deal.prior(strategy.player), self.cuts, floats)

    def on_interval(self, profile: Profile) -> Profile:
        """Return a profile over this game's cells as one on [0, 1], constant on each cell; `fit` goes the other way.

        Each hand is played as its cell was. On [0, 1] opponents may gain more against the profile, because they are not bound to cells.

        Raises:
            ValueError: this game has no cells, or the profile is of another game.
        """
        self.check(profile)
        return self.whole.together(*map(self.strategy_on_interval, profile.strategies))

    def strategy_on_interval(self, strategy: Strategy) -> Strategy:
        """Turn one player's strategy over this game's cells into one on [0, 1]; see `on_interval`."""
        places = self.deal.places
        if self.cuts is None or places is None:
            raise ValueError(
                f"{self} has no cells; only a profile of game.grid(n) or game.cells(profile) can be put on [0, 1]"
            )
        return on_interval(strategy, self.cuts, list(places[strategy.player]))

    def grid(self, hands: object) -> Game:
        """Return the same game with [0, 1] cut into `hands` equal cells: players know only which cell their hand is in.

        The new game equals the game on [0, 1] in which both players must use strategies that are constant on each cell.

        Raises:
            ValueError: there are fewer than 2 cells, or the hands are not on [0, 1].
        """
        count = whole(hands, "hands")
        if count < 2:
            raise ValueError(f"hands={count} must be at least 2")
        return self.cut(EqualCuts(count))

    def cells(self, profile: Profile) -> Game:
        """The same game with [0, 1] cut at the thresholds of `profile`, into cells of unequal width."""
        self.check(profile)
        return self.cut(tuple(profile.cuts()))

    def cut(self, cuts: tuple[Number, ...] | EqualCuts) -> Game:
        """Return the same game with [0, 1] cut at these borders, which include 0 and 1.

        Raises:
            ValueError: the hands are not on [0, 1], or the borders do not increase from 0 to 1.
        """
        if not isinstance(self.deal, DensityDeal):
            raise ValueError(f"{self} has finitely many hands already; only hands on [0, 1] are cut into cells")
        if not isinstance(cuts, EqualCuts):
            check_cuts(cuts)
            equal = EqualCuts(len(cuts) - 1)
            cuts = equal if cuts == tuple(equal) else cuts
        return replace(self, deal=self.deal.cells(cuts), cuts=cuts)
