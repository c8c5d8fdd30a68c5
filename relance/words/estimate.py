"""Estimate NashConv, value, best responses and regrets of an agent from its drawn answers, each with an interval.

See `relance.words.nash_conv_interval` for what the intervals are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from relance.model.arguments import NaturalNumber, checked
from relance.model.arrays import Floats, Ints
from relance.model.game import Game, as_game
from relance.model.numbers import Number, did_you_mean
from relance.model.strategy import Profile
from relance.model.tree import BettingTree, Decision, Leaf, Node, Reveal
from relance.play.coach import ROUNDING
from relance.words.confidence_sequence import LEVEL
from relance.words.nash_conv_interval import Figure, Figures, Many, Sample, Z, split
from relance.words.prompts import worsts
from relance.words.spent import Spent

Counts: TypeAlias = Mapping[str, Any]
"""{node name: an array (hands, legal actions)}: how often each legal action was answered with each hand."""

FORFEIT = "illegal answer"
"""The action that stands for all illegal answers: it forfeits."""


class Regret(NamedTuple):
    """The estimated counterfactual regret at one node, for each hand: what the agent would gain by always taking the best action there.

    Attributes:
        action: (hands,) the index of the legal action that would gain the most, by the frequencies of answers.
        figures: estimates of the gain in chips, as arrays (hands,), weighted by reach as in `relance.solvers.exact.regrets`.
    """

    action: Ints
    figures: Figures


@dataclass(frozen=True, eq=False)
class Estimate:
    """The score of an agent, estimated from its answers; values are chips to player 0 unless stated otherwise.

    Attributes:
        game: the game, with finitely many hands.
        profile: the frequencies of legal actions; all actions equally likely where nothing legal was answered.
        answers, illegal: how many answers were counted, and how many were illegal (not whole if answers are probabilities).
        nash_conv, value: estimates of `relance.nash_conv` and `relance.value`. An illegal answer counts as a forfeit.
        best: for each seat, the chips that a best response in this seat earns against the agent in the other seat.
        faults: {reason: how many answers were illegal for it}.
        note: a sentence on what the figures mean, if the agent was not asked about every hand.
        spent: the questions and tokens sent for this estimate, and whether the budget ended it early.
    """

    game: Game
    profile: Profile
    answers: int
    illegal: float
    nash_conv: Figure
    value: Figure
    best: tuple[Figure, Figure]
    _sample: Sample = field(repr=False)
    faults: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    spent: Spent = field(default_factory=Spent)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as numbers and text, for JSON."""
        names = "game", "answers", "illegal", "nash_conv", "value", "best", "faults", "note"
        return {name: as_json(getattr(self, name)) for name in names} | {"level": LEVEL} | self.spent.as_dict()

    @property
    def exploitability(self) -> Figure:
        """NashConv / 2, with its interval."""
        return Figure(*(end / 2 for end in self.nash_conv))

    @property
    def illegal_rate(self) -> Figure:
        """The share of illegal answers with a 95% interval (Wilson)."""
        share, extra = self.illegal / self.answers, Z**2 / self.answers
        middle = (share + extra / 2) / (1 + extra)
        off = Z * (share * (1 - share) / self.answers + extra / (4 * self.answers)) ** 0.5 / (1 + extra)
        return Figure(share, max(0.0, middle - off), min(1.0, middle + off), share)

    @cached_property
    def regrets(self) -> dict[str, Regret]:
        """{node: what the agent would gain by always taking the best action there, for each hand}; computed on first access."""
        by_slot = [self._sample.regrets(seat) for seat in (0, 1)]
        most = [float(sum(worsts(self.game))) * self._sample.many.deal.prior(seat) for seat in (0, 1)]
        out = {}
        for name, node in self.game.tree.decisions.items():
            slots = self._sample.many.sides[node.player].slots[name]
            gains, figures = by_slot[node.player]
            bounded = Figures(*(np.minimum(rows[slots.start], most[node.player]) for rows in figures))
            out[name] = Regret(gains[slots].argmax(axis=0), bounded)
        return out

    def __str__(self) -> str:
        rate = self.illegal_rate
        faults = "".join(f"; {number:,} {fault}" for fault, number in self.faults.items())
        lines = [
            f"estimate on {self.game} from {self.answers:,} answers, with 95% intervals",
            f"  NashConv           {self.nash_conv}; that of the frequencies, {self.nash_conv.plug_in:.4f}, is biased upward",
            f"  value to player 0  {self.value}",
            f"  best responses     {self.best[0]} as player 0, {self.best[1]} as player 1",
            f"  illegal answers    {rate.point:.2%} [{rate.low:.2%}, {rate.high:.2%}], each a forfeit{faults}",
            *([f"  hands              {self.note}"] if self.note else []),
            *self.spent.lines(19),
        ]
        rows = [("at", "hand", "answers", "more", "regret"), *self._worst()]
        if len(rows) == 1:
            return "\n".join([*lines, "  no other action would gain anything"])
        return "\n".join([*lines, "  where another action would gain most, in chips per game", *in_columns(rows)])

    def _worst(self) -> list[tuple[str, ...]]:
        """The five information sets with the most regret, as rows of text."""
        found = []
        for name, (best, figures) in self.regrets.items():
            node = self.game.tree.decisions[name]
            answered = self._sample.share[node.player][self._sample.many.sides[node.player].slots[name]]
            for hand in range(len(best)):
                named = zip((*node.actions, FORFEIT), answered, strict=False)
                shares = " ".join(f"{action} {share[hand]:.2f}" for action, share in named)
                label, more = self.game.finite_deal().label(node.player, hand), node.actions[best[hand]]
                found.append((figures.at(hand), (repr(name), label, shares, more, str(figures.at(hand)))))
        found.sort(key=lambda entry: -entry[0].point)
        return [row for figure, row in found[:5] if figure.point > ROUNDING]


@checked
def estimate(
    game: Game | str,
    counts: Counts,
    illegal: Counts | None = None,
    spread: Counts | None = None,
    seed: NaturalNumber = 0,
) -> Estimate:
    """Return an estimate of the score of an agent that plays both seats, from the counts of its answers.

    Args:
        game: a game with finitely many hands.
        counts: for each node an array (hands, legal actions); or (parts, hands, legal actions) if the answers are already divided into
            random parts, such as by the order in which they were given. Information sets may have different numbers of answers.
        illegal: for each node an array (hands,) or (parts, hands): the number of illegal answers; each counts as a forfeit of the most
            chips that the player can lose. By default there were none.
        spread: if answers are probabilities, for each node an array (hands,): the variance of an answer divided by that of an action
            drawn from it; 0 if all answers are equal. By default 1, for drawn actions.
        seed: of the random division of `counts` into parts.

    Raises:
        ValueError: a node is unknown or missing, a shape is wrong, a count is negative, NaN or not whole, or there are no answers.
    """
    game = as_game(game)
    game.finite_deal()
    rows, spreads = _read(game, counts, "counts", 2), _read(game, spread, "spread", 1)
    lost = {name: row[..., None] for name, row in _read(game, illegal, "illegal", 1).items()}
    if len(parts := {row.shape[:-2] for row in (*rows.values(), *lost.values())}) > 1:
        said = " or ".join(f"{part[0]} parts" if part else "no such axis" for part in sorted(parts))
        raise ValueError(
            "arrays of counts and illegal may have a first axis for parts, which are random groups of answers. All arrays must have the "
            f"same number of parts, or none may have this axis; the given arrays have {said}"
        )
    summed = {name: row.sum(axis=0) if row.ndim == 3 else row for name, row in rows.items()}
    played = frequencies(game, summed)
    forfeits = sum(float(row.sum()) for row in lost.values())
    total = sum(float(row.sum()) for row in rows.values()) + forfeits
    if not total:
        raise ValueError(f"counts and illegal are all 0; an estimate on {game} needs at least one answer")
    if lost and forfeits:
        rows = {name: np.concatenate((row, lost[name]), axis=-1) for name, row in rows.items()}
    many = Many(with_forfeits(game) if forfeits else game)
    at = _by_slot(many, rows)
    if at[0].ndim == 2:
        if any((count != np.rint(count)).any() for count in at):
            raise ValueError(
                "counts that are not whole cannot be divided at random into parts; give divided counts in arrays (parts, hands, actions)"
            )
        at = split(many, at, np.random.default_rng(seed))
    wide = {name: np.repeat(row[:, None], rows[name].shape[-1], axis=1) for name, row in spreads.items()}
    legal = {name: np.ones((1, rows[name].shape[-1])) for name in rows}
    for name, row in legal.items():
        row[:, len(game.tree.decisions[name].actions) :] = 0
    sample = Sample(many, at, _by_slot(many, wide) if spreads else None, _by_slot(many, legal))
    first, second = map(float, worsts(game))
    found = [(sample.nash_conv, 0.0, first + second), (sample.value, -first, second)]
    found += [(sample.best(0), -first, second), (sample.best(1), -second, first)]
    # Without what the game cannot pay.
    conv, value, *best = (Figure(*np.clip(one.at(0), least, most).tolist()) for one, least, most in found)
    return Estimate(game, played, round(total), forfeits, conv, value, (best[0], best[1]), sample)


def with_forfeits(game: Game) -> Game:
    """Add to every decision a last action, an illegal answer, which loses the most chips that the player can lose."""
    worst = worsts(game)
    return with_action(game, FORFEIT, (-worst[0], worst[1]))


def with_action(game: Game, action: str, ends: Sequence[Number | None]) -> Game:
    """Add to each decision of a player one more action, listed last, which ends the game.

    `ends` has for each player the chips that player 0 gets after this action, or None to add no action to this player's decisions.
    """

    def extended(node: Node) -> Node:
        if isinstance(node, Leaf):
            return node
        children = tuple(map(extended, node.children))
        if isinstance(node, Reveal) or (end := ends[node.player]) is None:
            return replace(node, children=children)
        return Decision(node.player, (*node.actions, action), (*children, Leaf(end)))

    root = extended(game.tree.root)
    assert isinstance(root, Decision)
    return replace(game, tree=BettingTree(root))


def _read(game: Game, given: Counts | None, what: str, axes: int) -> dict[str, Floats]:
    """The arrays of all decision nodes; none if nothing is given."""
    nodes, out = game.tree.decisions, dict[str, Floats]()
    if given is None:
        return out
    if unknown := [name for name in given if name not in nodes]:
        raise ValueError(f"{what}: {game} has no decision node {unknown[0]!r}" + did_you_mean(unknown[0], nodes))
    if missing := [name for name in nodes if name not in given]:
        raise ValueError(f"{what}: nothing is given at {', '.join(map(repr, missing))}; every decision node is needed")
    for name, node in nodes.items():
        values = np.asarray(given[name], float)
        shape = (game.finite_deal().size(node.player), len(node.actions))[:axes]
        if values.shape not in (shape, (*values.shape[:1], *shape)) or values.ndim - len(shape) not in (0, 1):
            needed = f"an array of shape {shape} or (parts, {', '.join(map(str, shape))}), not {values.shape}"
            raise ValueError(f"{what}: node {name!r} of {game.name} needs {needed}")
        if not (values >= 0).all() or not np.isfinite(values).all():
            raise ValueError(f"{what} at {name!r} must be finite and at least 0, not {values.min()} to {values.max()}")
        out[name] = values
    return out


def _by_slot(many: Many, rows: Mapping[str, Floats]) -> list[Floats]:
    """For each seat (slots, hands) or (parts, slots, hands), from arrays by node."""
    parts = next(iter(rows.values())).shape[:-2]
    none = (np.zeros((*parts, 0, size)) for size in map(many.deal.size, (0, 1)))  # of a player who never acts
    by_seat = ([np.swapaxes(rows[name], -1, -2) for name in side.slots] for side in many.sides)
    return [np.concatenate(found, axis=-2) if found else empty for found, empty in zip(by_seat, none, strict=True)]


def frequencies(game: Game, counts: Mapping[str, Floats]) -> Profile:
    """Return the frequency of each legal action, from counts by node (hands, actions); uniform where all counts are 0."""
    plan: dict[str, dict[str, Floats]] = {}
    for name, node in game.tree.decisions.items():
        total = counts[name].sum(axis=1, keepdims=True)
        shared = np.where(total > 0, counts[name] / np.where(total > 0, total, 1), 1 / len(node.actions))
        plan[name] = node.by_action(np.ascontiguousarray(shared.T))
    return game.profile(plan)


def as_json(value: Any) -> Any:
    """Convert a result, or a part of one, to numbers, text, lists and dicts, for JSON."""
    if isinstance(value, Mapping) or hasattr(value, "_asdict"):
        return {key: as_json(one) for key, one in (value if isinstance(value, Mapping) else value._asdict()).items()}
    if isinstance(value, (tuple, list)):
        return list(map(as_json, value))
    return value.tolist() if isinstance(value, np.ndarray) else str(value) if isinstance(value, Game) else value


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Format rows of text as indented lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["    " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
