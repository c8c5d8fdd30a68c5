"""Values and best responses on a game tree, exact, for any number of players and any payoffs.

The realization weight of a sequence is the product of its actions' probabilities. The counterfactual value of a terminal node is its payoff
times the other players' weights. A best response maximises the sum of these values, from the last information sets to the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from relance.model.arguments import checked
from relance.model.arrays import Array
from relance.model.game import Game
from relance.model.game_tree import GameTree, TreePayoffs, TreeProfile
from relance.model.limits import collector_paused
from relance.model.profile_file import read_file, strategy_path
from relance.model.sequences import Group
from relance.model.strategy_tables import solution_of
from relance.model.texts import READ
from relance.solvers.sequence_form import back_up, best, sequence_probs

TreePolicy: TypeAlias = Mapping[str, Mapping[str, Any]]
"""{information set: {action: probability}}."""

LONGEST = 4000
"""Realization weights are held as whole numbers if their common denominator has at most this many bits."""


class RealizationWeights(NamedTuple):
    """Realization weights or counterfactual values of a player's sequences, over a common denominator: sequence j has `at[j, 0] / unit`."""

    unit: int
    at: Array

    @staticmethod
    def of(numbers: Sequence[Any]) -> RealizationWeights:
        """Return the object for a list with one number for each sequence, in any arithmetic; its common denominator `unit` is 1."""
        at = np.empty((len(numbers), 1), object)
        at[:, 0] = numbers
        return RealizationWeights(1, at)


class TreeResponse(NamedTuple):
    """A best response of `player`: its expected payoff against the others' strategies, and {information set of the player: action}."""

    player: int
    value: Fraction
    actions: Mapping[str, str]


class TreeMistake(NamedTuple):
    """The chips (`loss`) that a player's strategy gives up at an information set by not playing `best` there, with best play after it."""

    player: int
    information_set: str
    best: str
    loss: Fraction


class Evaluation(NamedTuple):
    """The exact scores of a profile.

    Attributes:
        values: the expected payoff of each player.
        best: for each player, the expected payoff of a best response to the other players' strategies.
    """

    values: tuple[Fraction, ...]
    best: tuple[Fraction, ...]

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """Each player's gain from a best response."""
        return tuple(most - earned for most, earned in zip(self.best, self.values, strict=True))

    @property
    def nash_conv(self) -> Fraction:
        """The sum of the gains; 0 if and only if the profile is a Nash equilibrium."""
        return sum(self.gains, Fraction(0))


@checked
def as_tree_profile(tree: GameTree, profile: object) -> TreeProfile:
    """Return `profile` as a profile of a game tree: from a table, a file, "uniform", "solved", or another form that `tree.reader` reads.

    Raises:
        TypeError: `profile` is none of these.
        ValueError: `profile` does not fit the tree.
    """
    profile = solution_of(profile)
    path = strategy_path(profile)
    if path is not None and not isinstance(tree.source, Game):  # a game's own reader checks that the file is of it
        file = read_file(path)
        try:
            rows = file.plan if file.table is None else file.table
            return tree.profile(READ["dump"](tree, file.facts) if rows is None else rows)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path} is no strategy of {tree}: {error}") from None
    if isinstance(profile, str) and profile == "uniform":
        return tree.uniform()
    if isinstance(profile, str) and profile == "solved":
        solved: TreeProfile = READ["solved"](tree)
        return solved
    if isinstance(profile, Mapping):
        return tree.profile(profile)
    if tree.reader is not None and not isinstance(profile, (int, float)):
        return tree.reader(tree, profile)
    raise TypeError(
        f"profile={profile!r:.60} must be {{information set: {{action: probability}}}}, a strategy file, 'uniform' or 'solved', for {tree}"
    )


def rows_of(tree: GameTree, profile: TreePolicy, player: int) -> Array:
    """Return a player's probabilities in `profile`, (actions, 1); `tree.forms[player].slots` gives each information set its rows."""
    return RealizationWeights.of([p for name in tree.forms[player].slots for p in profile[name].values()]).at


def realization_weights(tree: GameTree, profile: TreePolicy, player: int) -> RealizationWeights:
    """Return a player's realization weights, as whole numbers over a common denominator; as fractions if that has over `LONGEST` bits."""
    form, rows = tree.forms[player], rows_of(tree, profile, player)
    whole, units = rows.copy(), np.ones((form.size + 1, 1), object)
    for group in form.groups:
        part, unit = group.of(whole), 1
        for p in part.flat:
            unit = lcm(unit, p.denominator)
            if unit.bit_length() > LONGEST:
                return RealizationWeights(1, sequence_probs(form, rows))
        part.flat[:] = [p.numerator * (unit // p.denominator) for p in part.flat]
        group.of(units[1:])[:] = unit * units[group.before][:, None]
    unit = lcm(*units.flat)
    if unit.bit_length() > LONGEST:
        return RealizationWeights(1, sequence_probs(form, rows))
    return RealizationWeights(unit, sequence_probs(form, whole) * (unit // units))


def counterfactual(
    tree: GameTree, player: int, others: Sequence[RealizationWeights | None], payoffs: TreePayoffs | None = None
) -> RealizationWeights:
    """Return, for each sequence of a player, the sum of the counterfactual values of the terminal nodes right after it.

    `others` has the realization weights of each player; those of `player` are not used. Payoffs are the tree's by default.
    """
    payoffs = payoffs or tree.payoffs
    rest = [w for q, w in enumerate(others) if q != player and w is not None]
    values = np.zeros((tree.num_sequences[player], 1), object)
    payoffs.written(tree.forms[player], player).pay([w.at for w in rest], values)
    return RealizationWeights(payoffs.unit * prod(w.unit for w in rest), values)


def respond(tree: GameTree, player: int, values: RealizationWeights) -> TreeResponse:
    """Return a best response of `player` by backward induction; `values` are the `counterfactual` values of the player's sequences."""
    first: dict[int, int] = {}  # the slot of the best action by the first slot of the information set

    def best_action(group: Group, chips: Array) -> Array:
        picked = chips[:, :, 0].argmax(1)
        first.update(zip(range(group.slots.start, group.slots.stop, group.shape[1]), picked.tolist(), strict=True))
        return best(group, chips)

    most = back_up(tree.forms[player], values.at.copy(), best_action)[0]
    actions = {s.name: s.actions[first[s.first - 1]] for s in tree.infosets_of(player)}
    return TreeResponse(player, Fraction(most) / values.unit, actions)


class TreeScores:
    """The scores of a profile of a game tree, in fractions; see `relance.solvers.exact.ProfileScores`.

    Args:
        tree: the game.
        profile: {information set: {action: probability}} for all players, or another form that `as_tree_profile` reads.
    """

    rounds = False

    @collector_paused()
    def __init__(self, tree: GameTree, profile: Any) -> None:
        played = as_tree_profile(tree, profile)
        self.tree, self.num_players = tree, tree.num_players
        self.plans = [realization_weights(tree, played, player) for player in range(tree.num_players)]

    @property
    def utility_sum(self) -> Fraction:
        """The sum of all players' expected payoffs."""
        constant = self.tree.utility_sum
        return sum(map(self.value, range(self.num_players)), Fraction(0)) if constant is None else constant

    @collector_paused()
    def value(self, player: int = 0) -> Fraction:
        """Return the expected payoff of a player."""
        own, chips = self.plans[player], counterfactual(self.tree, player, self.plans)
        return Fraction((own.at * chips.at).sum()) / (own.unit * chips.unit)

    @collector_paused()
    def best_value(self, player: int) -> Fraction:
        """Return the expected payoff of a player's best response to the others' strategies."""
        chips = counterfactual(self.tree, player, self.plans)
        return Fraction(back_up(self.tree.forms[player], chips.at, best)[0]) / chips.unit


@checked
def evaluate(tree: GameTree, profile: Any) -> Evaluation:
    """Return each player's expected payoff under a profile, and that of a best response to it, in fractions.

    Args:
        tree: the game.
        profile: {information set: {action: probability}} for all players, or "uniform".

    Raises:
        ValueError: the profile does not fit the game.
    """
    found, seats = TreeScores(tree, profile), range(tree.num_players)
    return Evaluation(tuple(map(found.value, seats)), tuple(map(found.best_value, seats)))


@checked
def response(tree: GameTree, profile: Any, player: int) -> TreeResponse:
    """Return a best response of `player` to the other players' strategies in `profile`; of equally good actions it takes the first."""
    if player not in range(tree.num_players):
        raise ValueError(f"player={player} must be one of 0 to {tree.num_players - 1} in {tree}")
    played = as_tree_profile(tree, profile)
    plans = [None if q == player else realization_weights(tree, played, q) for q in range(tree.num_players)]
    return respond(tree, player, counterfactual(tree, player, plans))


@checked
def tree_mistakes(tree: GameTree, profile: Any) -> list[TreeMistake]:
    """Return the mistakes in `profile`, the largest loss first: chips lost at one information set, if the player plays best afterwards."""
    played, out = as_tree_profile(tree, profile), []
    plans = [realization_weights(tree, played, player) for player in range(tree.num_players)]
    for player, plan in enumerate(plans):
        form, chips = tree.forms[player], counterfactual(tree, player, plans)
        rows = rows_of(tree, played, player)
        back_up(form, chips.at, best)  # now each sequence has the chips of best play after it
        for s in tree.infosets_of(player):
            after = chips.at[s.first : s.after.stop, 0]
            most, mean = after.max(), (rows[s.first - 1 : s.after.stop - 1, 0] * after).sum()
            if mean != most and (reach := plan.at[s.before, 0]):
                loss = Fraction(reach * (most - mean)) / (plan.unit * chips.unit)
                out.append(TreeMistake(player, s.name, s.actions[after.argmax()], loss))
    return sorted(out, key=lambda mistake: -mistake.loss)
