"""What usual scores make of an agent, beside its NashConv: exactly where its probabilities are known, and from what it says in words.

All are against the published opponent, on average over both seats; NashConv is of the agent in both seats.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from relance.model.game import Game
from relance.model.numbers import Number
from relance.model.strategy import Profile
from relance.model.tree import BettingTree, Decision, Leaf, Node, path_name
from relance.play.equilibria import equilibrium
from relance.play.wording import PLAIN, Wording
from relance.solvers.exact import best_response, nash_conv, value
from relance.words import read_games
from relance.words.estimate import FORFEIT, with_forfeits
from relance.words.log_rows import LogRow, hand_index
from relance.words.match import match
from relance.words.nash_conv_interval import Figure
from relance.words.spoken_hands import SpokenGame
from relance.words.text_agent import TextAgent
from studies.scripted_models import ScriptedBaseline


class Scores(NamedTuple):
    """The scores of an agent.

    Attributes:
        chips: a hand.
        wins: the share of hands won; a tie counts half.
        loss: chips lost by a decision, compared with the best action against the published opponent.
        probability: of the chosen action in the equilibrium, on average over decisions; 0 for an illegal answer.
        nash_conv: in chips; None if it was not measured.
    """

    chips: float
    wins: float
    loss: float
    probability: float
    nash_conv: float | None


TITLES = {
    "chips": "chips a hand",
    "wins": "hands won",
    "loss": "loss a decision",
    "probability": "probability of the action",
}
"""The usual scores, and what they are called."""

MORE_IS_BETTER = {"chips": True, "wins": True, "loss": False, "probability": True}


class Found(NamedTuple):
    """A scripted baseline or a model in a game.

    Attributes:
        game, agent: their names.
        exact: its scores from its known probabilities; None for a model.
        measured: from hands that it played in words.
        nash_conv: from its answers in words, with an interval.
        illegal: the share of its answers that were illegal.
        hands, answers: how many it played in each seat, and gave at each information set.
    """

    game: str
    agent: str
    exact: Scores | None
    measured: Scores
    nash_conv: Figure
    illegal: float
    hands: int
    answers: int

    def row(self) -> dict[str, Any]:
        """The finding as a line of a results file."""
        exact = self.exact._asdict() if self.exact else None
        measured = self.measured._asdict() | {"nash_conv": list(self.nash_conv)}
        return {
            "game": self.game,
            "agent": self.agent,
            "exact": exact,
            "measured": measured,
            "illegal": self.illegal,
            "hands": self.hands,
            "answers": self.answers,
        }


def read(path: Path) -> list[Found]:
    """The findings that a results file holds."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    out = []
    for row in rows:
        exact = Scores(**row["exact"]) if row["exact"] else None
        estimate = Figure(*row["measured"]["nash_conv"])
        measured = Scores(**{**row["measured"], "nash_conv": None})
        out.append(
            Found(row["game"], row["agent"], exact, measured, estimate, *(row[key] for key in Found._fields[5:]))
        )
    return out


# Exactly


def exact_scores(game: Game, one: ScriptedBaseline, wording: Wording = PLAIN) -> Scores:
    """The scores of a scripted baseline from its known probabilities; an illegal answer forfeits."""
    base, extended = equilibrium(game), with_forfeits(game)
    mine = _with_forfeits(extended, one.profile(game, wording), float(one.illegal))
    theirs = _with_forfeits(extended, base, 0.0)
    signs = _mapped(extended, lambda leaf: Leaf(_sign(leaf.constant), _sign(leaf.stake)))
    chips = wins = lost = decisions = chosen = 0.0
    for seat in (0, 1):
        both = theirs.replace(mine.strategies[seat])
        earned = float(value(extended, both)) * (1 - 2 * seat)
        chips += earned / 2
        wins += (1 + float(value(signs, both)) * (1 - 2 * seat)) / 4
        lost += (float(best_response(extended, both, seat).value) - earned) / 2
        for name, weight in reached(extended, both, seat):
            decisions += float(weight.sum()) / 2
            rows = zip(both[name][:-1], theirs[name][:-1], strict=True)
            chosen += float(sum((weight * np.asarray(a, float) * np.asarray(b, float)).sum() for a, b in rows)) / 2
    return Scores(chips, wins, lost / decisions, chosen / decisions, float(nash_conv(extended, mine)))


def probability_by_set(game: Game, one: ScriptedBaseline) -> float:
    """The probability of the action in the equilibrium if every information set counts once, as single questions do."""
    profile, base = one.profile(game), equilibrium(game)
    sums = [
        sum(np.asarray(a, float) * np.asarray(b, float) for a, b in zip(profile[n], base[n], strict=True))
        for n in game.tree.decisions
    ]
    return float(np.concatenate(sums).mean())


def reached(game: Game, profile: Profile, seat: int) -> Iterator[tuple[str, Any]]:
    """For each decision of a seat, how often it is made with each hand, (hands,) floats."""
    deal = game.finite_deal().floats
    start = tuple(np.ones(deal.size(player)) for player in (0, 1))

    def visit(history: tuple[str, ...], node: Node, plays: tuple[Any, Any]) -> Iterator[tuple[str, Any]]:
        if isinstance(node, Leaf):
            return
        assert isinstance(node, Decision)
        name = path_name(history)
        if node.player == seat:
            yield name, plays[seat] * deal.mass(seat, plays[1 - seat])
        for action, child, row in zip(node.actions, node.children, profile[name], strict=True):
            now = plays[node.player] * np.asarray(row, float)
            yield from visit((*history, action), child, (now, plays[1]) if node.player == 0 else (plays[0], now))

    return visit((), game.tree.root, (start[0], start[1]))


def _with_forfeits(game: Game, profile: Profile, illegal: float) -> Profile:
    """The profile in a game with forfeits, which it takes with this probability."""
    plan: dict[str, dict[str, Any]] = {}
    for name, node in game.tree.decisions.items():
        rows = [np.asarray(row, float) * (1 - illegal) for row in profile[name]]
        plan[name] = dict(zip(node.actions, [*rows, rows[0] * 0 + illegal], strict=True))
        assert node.actions[-1] == FORFEIT
    return game.profile(plan)


def _mapped(game: Game, change: Callable[[Leaf], Leaf]) -> Game:
    """The game with other payments."""

    def visit(node: Node) -> Node:
        return change(node) if isinstance(node, Leaf) else replace(node, children=tuple(map(visit, node.children)))

    root = visit(game.tree.root)
    assert isinstance(root, Decision)
    return replace(game, tree=BettingTree(root))


def _sign(chips: Number) -> int:
    return (chips > 0) - (chips < 0)


# In words


def measured_scores(
    game: Game,
    agent: TextAgent,
    hands: int,
    seed: int = 0,
    tick: Callable[[int, int], None] = lambda played, most: None,
    log: str | Path | None = None,
) -> tuple[Scores, float]:
    """The scores from hands that an agent plays in words, half of them in each seat, without NashConv; and the share of illegal answers.

    Args:
        game: the game.
        agent: who plays.
        hands: how many in each seat.
        seed: of the deals.
        tick: called with the number of hands that were played and of all, as they are played.
        log: a file that keeps every answer, and from which hands go on; see `relance match`.
    """
    path = Path(log or tempfile.mkstemp(".jsonl", "relance-hands-")[1])
    base, names = equilibrium(game), (agent.name, "equilibrium")
    match(game, agent, base, 2 * hands, seed=seed, within=ALL_HANDS, log=path, names=names, tick=tick)
    mine = (row for row in read_games(path, game).rows if row.agent == agent.name)
    rows = sorted(mine, key=lambda row: row.episode)  # one game after the other
    if log is None:
        path.unlink()
    answers, chips = [row for row in rows if not row.is_terminal], [row.chips for row in rows if row.chips is not None]
    wins = sum((won > 0) + (won == 0) / 2 for won in chips) / len(chips)
    lost = sum(SpokenGame(game, base, base, agent.retries).losses(rows))
    probability = sum(_probability(game, row) for row in answers) / len(answers)
    illegal = sum(row.is_illegal for row in answers) / len(answers)
    return Scores(sum(chips) / len(chips), wins, lost / len(answers), probability, None), illegal


ALL_HANDS = 1e-9
"""An interval in chips that no match reaches, so that all hands are played."""


def _probability(game: Game, row: LogRow) -> float:
    """Of an answer in the equilibrium."""
    if row.is_illegal or row.action is None:
        return 0.0
    by_action = game.tree.decisions[row.node].by_action(equilibrium(game)[row.node])
    return float(by_action[row.action][hand_index(game, row.seat, row.hand)])


# Orders


class Order(NamedTuple):
    """How a score orders agents, compared with NashConv.

    Attributes:
        tau: Kendall's rank correlation tau-b: 1 for the same order, 0 for none, -1 for the opposite.
        wrong: how many pairs are in the opposite order.
        tied: how many pairs have the same score and different NashConv.
        pairs: how many pairs have different NashConv.
        example: the pair in the opposite order, or tied, that differs most in NashConv: the better one first.
    """

    tau: float
    wrong: int
    tied: int
    pairs: int
    example: tuple[str, str] | None


SAME = 1e-9
"""Scores closer than this are the same."""


def order(scores: Mapping[str, Scores], score: str) -> Order:
    """The order of one of the usual scores."""
    from scipy.stats import kendalltau

    sign = 1 if MORE_IS_BETTER[score] else -1
    goods = {name: round(sign * getattr(found, score) / SAME) * SAME for name, found in scores.items()}
    truth = {name: -round((found.nash_conv or 0.0) / SAME) * SAME for name, found in scores.items()}
    pairs = [pair if truth[pair[0]] > truth[pair[1]] else pair[::-1] for pair in combinations(scores, 2)]
    pairs = [(a, b) for a, b in pairs if truth[a] - truth[b] > SAME]
    wrong = [(a, b) for a, b in pairs if goods[a] < goods[b] - SAME]
    tied = [(a, b) for a, b in pairs if abs(goods[a] - goods[b]) <= SAME]
    widest = max(wrong or tied, key=lambda pair: truth[pair[0]] - truth[pair[1]], default=None)
    tau = kendalltau([goods[name] for name in scores], [truth[name] for name in scores]).statistic
    return Order(float(tau), len(wrong), len(tied), len(pairs), widest)


def ranks(scores: Sequence[float]) -> list[float]:
    """The places of scores, the smallest first; equal ones share the mean of their places, from 1."""
    from scipy.stats import rankdata

    return list(map(float, rankdata(np.round(np.asarray(scores) / SAME))))
