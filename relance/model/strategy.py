"""Behaviour strategies: at each decision node, action probabilities as functions of the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np

from relance.model.arrays import Array, Ints, Put, host, is_float, run_starts
from relance.model.deal import Deal, HandFunction, as_floats
from relance.model.numbers import Number, did_you_mean, exact, short, show
from relance.model.piecewise import Piecewise, refined
from relance.model.profile_table import profile_table
from relance.model.sequences import SequenceForm, sides
from relance.model.tree import BettingTree, Decision

NUMBERS = "fiuO"
"""The `dtype.kind` of numpy arrays that may hold real numbers, one character each."""

FLOAT_TOLERANCE = 1e-9
"""Float probabilities may sum to 1 with at most this error. Exact probabilities must sum to exactly 1."""

Plan: TypeAlias = Mapping[str, Mapping[str, Any]]
"""A profile as users write it: {node: {action: probabilities}}; see `Profile.of`."""


class NotProbabilitiesError(ValueError):
    """The action probabilities at a decision node are below 0 or do not sum to 1."""


class Rows(Mapping[str, tuple[HandFunction, ...]]):
    """A player's strategy in a large betting tree, as a mapping {node: one row of probabilities per action}.

    Attributes:
        tree, player: the betting tree and the player.
        array: the probabilities: a row for each action at each node, in the order of the player's sequence form; a column for each hand.
    """

    def __init__(self, tree: BettingTree, player: int, array: Array) -> None:
        self.tree, self.player, self.array = tree, player, array

    def __len__(self) -> int:
        return len(self.tree.of(self.player))

    def __iter__(self) -> Iterator[str]:
        return iter(self.tree.of(self.player))

    def __getitem__(self, name: str) -> tuple[HandFunction, ...]:
        return tuple(self.array[sides(self.tree)[self.player].slots[name]])


@dataclass(frozen=True, repr=False)
class Strategy:
    """One player's behaviour strategy: for each of the player's nodes, one function of the hand per action."""

    player: int
    at: Mapping[str, tuple[HandFunction, ...]]

    @staticmethod
    def of_array(tree: BettingTree, player: int, array: Array) -> Strategy:
        """The strategy with the probabilities `array`: a row per action at a node, in the order of the sequence form, a column per hand."""
        if tree.is_large:
            return Strategy(player, Rows(tree, player, array))
        slots = sides(tree)[player].slots
        return Strategy(player, {name: tuple(array[slots[name]]) for name in tree.of(player)})

    def rows(self) -> Iterator[HandFunction]:
        """Yield each action's probability as a function of the hand, node after node; for a large tree, one array, (all actions, hands)."""
        if isinstance(self.at, Rows):
            return iter([self.at.array])
        return (row for rows in self.at.values() for row in rows)

    def __eq__(self, other: object) -> bool:
        """True if the same player takes each action with the same probability, whatever the order of the nodes."""
        if not isinstance(other, Strategy) or self.player != other.player or self.at.keys() != other.at.keys():
            return False
        return all(
            np.array_equal(mine, theirs)
            for name in self.at
            for mine, theirs in zip(self.at[name], other.at[name], strict=True)
        )

    def __repr__(self) -> str:
        return f"<relance strategy of player {self.player} at {len(self.at)} nodes>"

    def map(self, change: Callable[[HandFunction], HandFunction]) -> Strategy:
        """The same strategy, with `change` applied to each function of the hand."""
        if isinstance(self.at, Rows):
            return Strategy(self.player, Rows(self.at.tree, self.player, change(self.at.array)))
        return Strategy(self.player, {name: tuple(map(change, rows)) for name, rows in self.at.items()})


@dataclass(frozen=True, repr=False)
class Profile:
    """A strategy for each player of the game named `game`, with its betting tree; `solved_by` names the method that solved it, if any."""

    game: str
    tree: BettingTree = field(compare=False)
    strategies: tuple[Strategy, Strategy]
    solved_by: str = field(default="", compare=False)

    @classmethod
    def of(cls, game: str, tree: BettingTree, deal: Deal, plan: Plan) -> Profile:
        """Return the checked profile of a plan, {node: {action: probabilities}}.

        Args:
            game: the name of the game, for messages.
            tree: the betting tree.
            deal: the distribution of hands.
            plan: for every decision node the probabilities of its actions; one action may be left out and gets the rest.
                A probability is one number for all hands. For finite hands it may also be a sequence, weakest hand first; if any of
                its numbers is a float, so are all probabilities at the node. For hands on [0, 1] it may be a list of intervals
                (left, right) or (left, right, probability), with 0 elsewhere. A function takes the deal and returns any of these.

        Raises:
            ValueError: a node or action is missing or unknown, the number of hands is wrong, or numbers are no probabilities.
        """
        for name in plan:
            if name not in tree.decisions:
                raise ValueError(f"{game} has no decision node {name!r}" + did_you_mean(name, tree.decisions))
        missing = [repr(name) if name else "'' (the root)" for name in tree.decisions if name not in plan]
        if missing:
            raise ValueError(
                f"the profile of {game} gives no probabilities at {', '.join(missing)}; every decision node of both players is needed"
            )
        first, second = (
            Strategy(p, {name: _probabilities(game, name, node, deal, plan[name]) for name, node in tree.of(p).items()})
            for p in (0, 1)
        )
        return cls(game, tree, (first, second))

    def __getitem__(self, node: str) -> tuple[HandFunction, ...]:
        """The action probabilities at `node`, in the order of its actions."""
        for strategy in self.strategies:
            if node in strategy.at:
                return strategy.at[node]
        raise KeyError(f"the profile has no decision node {node!r}")

    def __repr__(self) -> str:
        return f"<relance profile of {self.game} at {len(self.tree.decisions)} nodes>"

    def __str__(self) -> str:
        """A short table with a line per action: its probabilities by hand (weakest first) or by interval of hands."""
        players = {name: node.player for name, node in self.tree.decisions.items()}
        return profile_table(f"a profile of {self.game}", self.plan(), players)

    def nodes(self) -> Iterator[str]:
        """All node names, player 0's first."""
        for strategy in self.strategies:
            yield from strategy.at

    def replace(self, strategy: Strategy) -> Profile:
        """The same profile with the strategy of `strategy.player` replaced."""
        other = self.strategies[1 - strategy.player]
        return Profile(self.game, self.tree, (strategy, other) if strategy.player == 0 else (other, strategy))

    def _map(self, change: Callable[[HandFunction], HandFunction]) -> Profile:
        first, second = self.strategies
        return Profile(self.game, self.tree, (first.map(change), second.map(change)))

    def row(self, node: str, action: str) -> HandFunction:
        """Return the probability of one action at `node`, as a function of the hand.

        Raises:
            KeyError: there is no such node.
            ValueError: there is no such action.
        """
        return self[node][self.tree.decisions[node].index(action)]

    def plan(self) -> dict[str, dict[str, HandFunction]]:
        """The profile in the form that `Game.profile` accepts: {node: {action: probabilities}}."""
        return {name: node.by_action(self[name]) for name, node in self.tree.decisions.items()}

    @property
    def in_floats(self) -> bool:
        """True if any probability over finite hands is a float; False on [0, 1]."""
        return any(is_float(row) for strategy in self.strategies for row in strategy.rows())

    def as_float(self) -> Profile:
        """The same profile over finite hands as float64 arrays; on [0, 1] nothing changes."""
        return self._map(lambda row: row if isinstance(row, Piecewise) else as_floats(np.asarray(row)))

    def moved(self, put: Put) -> Profile:
        """The same profile over finite hands in floats, its arrays converted by `put`; see `relance.model.arrays.putter`."""
        return self.as_float()._map(put)

    def cuts(self) -> list[Number]:
        """All cuts of a profile on [0, 1], ascending; the profile is constant between neighbouring cuts."""
        return list(refined([probability for node in self.nodes() for probability in self[node]])[0].cuts)


def _probabilities(
    game: str, name: str, node: Decision, deal: Deal, plan: Mapping[str, Any]
) -> tuple[HandFunction, ...]:
    where = f"{game}, node {name!r}"
    if not isinstance(plan, Mapping):
        raise ValueError(f"{where}: probabilities are a mapping from action to probability, not {type(plan).__name__}")
    for action in plan:
        if action not in node.actions:
            raise ValueError(f"{where} has no action {action!r}" + did_you_mean(action, node.actions))
    left_out = [action for action in node.actions if action not in plan]
    if len(left_out) > 1:
        raise ValueError(f"{where}: {', '.join(left_out)} have no probabilities; at most one action may be left out")
    rows = {action: _hand_function(f"{where}, action {action!r}", deal, node.player, plan[action]) for action in plan}
    if any(map(is_float, rows.values())):
        rows = {action: row if is_float(row) else as_floats(row) for action, row in rows.items()}
    if left_out:
        first, *others = rows.values()
        rows[left_out[0]] = (1.0 if is_float(first) else deal.constant(node.player, 1)) - sum(others, first)
    ordered = tuple(rows[action] for action in node.actions)
    check_probabilities(where, node.actions, deal, node.player, ordered)
    return ordered


def _hand_function(where: str, deal: Deal, player: int, values: Any) -> HandFunction:
    if isinstance(values, Piecewise) and not deal.is_finite:
        return values
    if isinstance(values, FunctionType):
        return _hand_function(where, deal, player, values(deal))
    if isinstance(values, str) or not isinstance(values, (Sequence, np.ndarray)):
        return deal.constant(player, exact(values, where))
    if not deal.is_finite:
        if isinstance(values, np.ndarray):
            raise TypeError(f"{where}: a strategy on [0, 1] is a list of {_INTERVAL}, not an array")
        return Piecewise.steps([_interval(where, step) for step in values])
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        row = values.astype(float)
    elif isinstance(values, np.ndarray) and values.dtype == object and values.ndim == 1 and len(values):
        starts = run_starts(values)
        distinct = np.array([exact(value, where) for value in values[starts].tolist()], object)
        row = np.repeat(distinct, np.diff([*starts, len(values)]))
    elif any(isinstance(value, (float, np.floating)) for value in values):
        row = np.array([v if isinstance(v, (float, np.floating)) else exact(v, where) for v in values], float)
    else:
        row = np.array([exact(value, where) for value in values], object)
    if row.shape != (deal.size(player),):
        found = len(row) if row.ndim == 1 else f"an array of shape {row.shape} as"
        raise ValueError(f"{where} has {found} probabilities, but player {player} has {deal.size(player)} hands")
    return row


_INTERVAL = "(left, right) or (left, right, probability)"


def _interval(where: str, step: object) -> tuple[Number, Number, Number]:
    if not isinstance(step, (list, tuple)) or len(step) not in (2, 3):
        raise ValueError(f"{where}: a strategy on [0, 1] is a list of {_INTERVAL}, not of {short(step)}")
    left, right, *height = (exact(value, where) for value in step)
    return left, right, height[0] if height else 1


def are_arrays(rows: Sequence[HandFunction] | None, actions: int, shape: tuple[int]) -> bool:
    """Return True if `rows` has an array of real numbers of `shape` for each action: quick; `check_rows` says what is wrong."""
    if rows is None or len(rows) != actions:
        return False
    return all(type(row) is np.ndarray and row.shape == shape and row.dtype.kind in NUMBERS for row in rows)


def are_probabilities(form: SequenceForm, share: Array) -> bool:
    """Return True if the floats of `share`, a row per action, are >= 0 and sum to 1 per node: quick; `check_probabilities` says more."""
    return all(
        bool(part.min() >= 0.0 and abs(part.sum(1) - 1.0).max() <= FLOAT_TOLERANCE)
        for part in (group.of(share) for group in form.widths)
    )


def check_rows(
    game: object, where: str, actions: Sequence[str], deal: Deal, player: int, rows: Sequence[HandFunction] | None
) -> None:
    """Raise ValueError or TypeError, naming `where`, unless `rows` are functions of the player's hand in `game`, one per action."""
    if rows is None:
        raise ValueError(f"{where}: the profile has no probabilities here; was it made for other parameters?")
    if wrong := [row for row in rows if not is_hand_function(row)]:
        raise TypeError(
            f"{where}: probabilities are arrays of real numbers, or piecewise constant on [0, 1], not {short(wrong[0])}; "
            "`game.profile` makes them from lists"
        )
    if len(rows) != len(actions):
        raise ValueError(
            f"{where}: {len(rows)} rows of probabilities are given, but the {len(actions)} actions {', '.join(actions)} need one each"
        )
    if any(isinstance(row, Piecewise) for row in rows) and deal.is_finite:
        raise ValueError(
            f"{where}: the profile is on [0, 1], but {game} is not; `game.fit(profile)` averages it over the game's cells"
        )
    if not deal.is_finite and not all(isinstance(row, Piecewise) for row in rows):
        raise ValueError(
            f"{where}: the profile is over cells, but {game} is on [0, 1]; `grid.on_interval(profile)` puts it there, if "
            "`grid` is the game with these cells"
        )
    if deal.is_finite and any(row.shape != (deal.size(player),) for row in rows):
        raise ValueError(f"{where}: the profile has {rows[0].shape[0]} hands, but {game} has {deal.size(player)}")


def check_probabilities(
    where: str, actions: Sequence[str], deal: Deal, player: int, rows: Sequence[HandFunction]
) -> None:
    """Raise ValueError, naming `where`, unless `rows` are probabilities of `actions` for every hand of `player`."""
    hands: Ints | None = None
    if all(is_float(row) for row in rows):
        sums: Any = sum(rows[1:], rows[0])
        if abs(sums - 1.0).max() <= FLOAT_TOLERANCE and all(row.min() >= 0.0 for row in rows):
            return  # a quick check for floats; the slow one below names what is wrong
        rows = [host(row) for row in rows]
    elif all(isinstance(row, np.ndarray) and row.dtype == object for row in rows):
        # One check is enough for neighbours that hold the same objects.
        hands = np.array(sorted({start for row in rows for start in run_starts(row).tolist()}), np.int64)
        rows = [row[hands] for row in rows]
    for action, row in zip(actions, rows, strict=True):
        for i, value in _numbered(where, row, 0.0):
            # Two of numpy's True sum to True, which is 1.
            if value is np.True_ or not value >= 0:  # type: ignore[comparison-overlap]
                hand = _hand_name(deal, player, row, i, hands)
                raise NotProbabilitiesError(
                    f"{where}: probability {short(value)} of {action!r} with hand {hand} must be between 0 and 1"
                )
    total = sum(rows[1:], rows[0])
    for i, value in _numbered(where, total, 1 - FLOAT_TOLERANCE):
        if not (abs(value - 1) <= FLOAT_TOLERANCE if isinstance(value, float) else value == 1):
            hand = _hand_name(deal, player, total, i, hands)
            raise NotProbabilitiesError(f"{where}: the probabilities with hand {hand} sum to {short(value)}, not to 1")


def _numbered(where: str, row: HandFunction, least: float) -> Iterator[tuple[int, Number]]:
    """The values by index of hand or piece. For float arrays, only the first value that is not between `least` and 1."""
    if isinstance(row, Piecewise):
        try:
            yield from enumerate(row.values())
        except ValueError:
            raise ValueError(f"{where}: a strategy on [0, 1] must be piecewise constant") from None
    elif row.dtype.kind == "f":
        for i in np.flatnonzero(~((row >= least) & (row <= 1 + FLOAT_TOLERANCE)))[:1]:
            yield i, float(row[i])
    else:
        yield from enumerate(row)


def _hand_name(deal: Deal, player: int, row: HandFunction, i: int, hands: Ints | None) -> str:
    """Name the hand of value `i` of a row. `hands` lists the indices of the row's hands if it does not have all of them."""
    if isinstance(row, Piecewise):
        return f"in [{show(row.cuts[i])}, {show(row.cuts[i + 1])}]"
    return deal.label(player, i if hands is None else int(hands[i]))


def is_hand_function(row: object) -> bool:
    """Return True if `row`, of a profile, is an array of real numbers or a function on [0, 1]."""
    if isinstance(row, np.ndarray):
        return row.dtype.kind in NUMBERS
    return isinstance(row, Piecewise) or is_float(row)
