"""Matches of two agents of any kind: each deal is played from both seats, and luck is taken out where a strategy is known.

If an opponent's strategy is known, a player expects against it the value of a best response minus the loss of each of the player's
decisions (`relance.play.coach`). This difference replaces the player's chips: it has the same mean, but not the luck of the deal and of
both players' draws, so it varies far less (as in AIVAT, Burch et al. 2018). If both strategies are known, the mean of both adjusted
results counts. If neither is known, only the luck of the deal is reduced, because each deal is played from both seats.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from relance.model.arguments import Count, NaturalNumber, PathName, Positive, checked
from relance.model.arrays import Floats
from relance.model.files import check_folder
from relance.model.game import Game, as_game
from relance.model.numbers import Number
from relance.play.coach import ROUNDING, Coach, coaches, quick_deal
from relance.play.opponents import Player
from relance.play.rules import check_whole, rules
from relance.solvers.exact import value
from relance.words.confidence_sequence import LEVEL, mean_interval
from relance.words.duel import DRAWS, Duel, Seated, seated
from relance.words.kept_files import LogWriter
from relance.words.log_rows import visible
from relance.words.spent import BudgetReached, Spent
from relance.words.text_agent import TextAgent

FIRST = 10
"""The interval is first computed after this many deals, and then again whenever there are a fifth more."""

MOST_DEALS = 2**15
"""The most deals that are played at once."""

OnGames = Callable[[int, int], None]
"""Called with the number of hands played and the most that may be played."""


@dataclass(frozen=True)
class Match:
    """The result of a match of `names[0]` against `names[1]`. All chips are those of the first, per hand, averaged over both seats.

    Attributes:
        game, names: what was played, and who played it.
        hands: how many hands were played, two for each deal.
        mean: the luck-adjusted mean.
        low, high, level: the ends of an interval, valid whenever the match stops, that covers the true mean with probability `level`.
        chips: the mean of the chips that were paid.
        exact: the true mean, computed from both strategies, in floats if hands are very many; None if a strategy is not known.
        raw_hands: about how many hands, dealt and paid as usual, would give as narrow an interval; None if that is unknown.
        adjusted: for both agents, whether luck was taken out of their chips.
        answers, illegal: for both agents, how many answers they gave, and how many of them were illegal.
        faults: for both agents, {reason: how many answers were illegal for it}.
        spent: the questions sent to agents in words and to functions that draw their actions, and whether the budget ended the match.
    """

    game: Game
    names: tuple[str, str]
    hands: int
    mean: float
    low: float
    high: float
    chips: float
    exact: Number | None
    raw_hands: int | None
    adjusted: tuple[bool, bool]
    answers: tuple[int, int]
    illegal: tuple[int, int]
    faults: tuple[Mapping[str, int], Mapping[str, int]] = ({}, {})
    spent: Spent = field(default_factory=Spent, compare=False)
    level: float = LEVEL

    def as_dict(self) -> dict[str, Any]:
        """The figures as numbers and text, for JSON."""
        out = {name: value for name, value in vars(self).items() if name not in ("game", "exact", "spent")}
        out["faults"] = list(map(dict, self.faults))
        exact = None if self.exact is None else float(self.exact)
        return {"game": str(self.game), **out, "exact": exact, "winner": self.winner} | self.spent.as_dict()

    @property
    def winner(self) -> str | None:
        """The name of the agent that wins on average; None while the interval contains 0."""
        return self.names[0] if self.low > ROUNDING else self.names[1] if self.high < -ROUNDING else None

    def __str__(self) -> str:
        first, second = self.names
        who = [name for name, is_adjusted in zip(self.names, self.adjusted, strict=True) if is_adjusted]
        how = f"chips of {' and '.join(dict.fromkeys(who))} adjusted by the losses of decisions"
        raw = "" if self.raw_hands is None else f"; about {self.raw_hands} hands would be needed for such an interval"
        lines = [
            f"{first} against {second} in {self.game}: {self.hands} hands, each deal from both seats",
            f"  {first} gets  {self.mean:z.4f} chips a hand, {self.level:.0%} interval {self.low:z.4f} to {self.high:z.4f}; "
            + (how if who else "chips as paid"),
            f"  decided     {f'{self.winner} wins' if self.winner else 'no: the interval holds 0'}",
            f"  raw chips   {self.chips:z.4f} a hand{raw}",
        ]
        if self.exact is not None:
            lines.append(f"  exactly     {float(self.exact):z.4f} chips a hand, as both are strategies")
        for name, answers, faults in zip(self.names, self.answers, self.faults, strict=True):
            if faults:
                why = ", ".join(f"{number} {fault}" for fault, number in faults.items())
                lines.append(f"  illegal     {sum(faults.values())} of {answers} answers of {name}: {why}")
        return "\n".join([*lines, *self.spent.lines(12)])


@checked
def match(
    game: Game | str,
    a: Player,
    b: Player,
    hands: int = 10_000,
    *,
    seed: NaturalNumber = 0,
    within: Positive | None = None,
    log: PathName | None = None,
    names: tuple[str, str] | None = None,
    budget: Count | None = None,
    tick: OnGames = lambda played, most: None,
) -> Match:
    """Let `a` and `b` play until it is clear who wins on average, or for `hands` hands.

    Args:
        game: the game.
        a: a `relance.words.text_agent.TextAgent`, or anything that `relance.score` takes; a function may also draw its actions.
        b: the second agent, of the same kinds as `a`.
        hands: the most hands; an odd number is made even, as each deal is played twice.
        seed: the seed of the deals and of all random choices. The same seed deals the same hands to all.
        within: play on until the half-width of the interval is at most this, in chips, whoever wins.
        log: write each answer and each terminal node into this file; see `relance.words.LogRow`. A match that was stopped continues from
            it. None: a temporary file, if an agent draws its actions, which stays only if an error or the budget ends the match.
        names: the names of both agents in the result and the log; by default the text given as an agent, else "a" and "b". A log is
            continued only if `names` are given, or both agents are texts, since a log tells agents apart by their names.
        budget: the most questions to agents that answer in words or draw actions, also repeated ones. Only deals that it covers are played.
        tick: called after each part of the match, with the hands played and the most that may be played.

    Returns:
        A `relance.words.Match`: the mean of what `a` wins in a hand, with its interval.

    Examples:
        >>> found = relance.match("kuhn", "published", "uniform", hands=2000)
        >>> found.winner, found.exact
        ('published', Fraction(5, 36))

    Raises:
        ValueError: an argument is not allowed, the log is of another match, or the budget is reached before any deal counts.
        TypeError: `a` or `b` is not an agent.
    """
    game = as_game(game)
    check_whole("hands", hands, 2, 2 * DRAWS)  # each deal has a random stream of its own
    check_whole("seed", seed, 0)
    first, second = names or (a if isinstance(a, str) else "a", b if isinstance(b, str) else "b")
    called = visible(first), visible(second)
    if names is not None and called[0] == called[1]:
        raise ValueError(f"names={names!r}: the two must differ, so that the winner can be told")
    players = [[seated(game, player, seat) for seat in (0, 1)] for player in (a, b)]
    known = [tuple(one.strategy for one in player) for player in players]
    # By seat, a coach that knows what decisions against the other lose; none unless that is a strategy in both seats.
    scorers = [{} if None in other else coaches(game, other) for other in reversed(known)]
    bounds = _bounds(game, players, scorers)
    adjusted, paid = np.zeros(0), np.zeros((0, 2))
    most = -(-hands // 2)
    if budget is not None and (each := _questions(game, players)):
        if budget < each:
            raise ValueError(
                f"budget={budget} must be at least {each}, the most questions that one deal, played from both seats, can need"
            )
        most = min(most, budget // each)
    drawn = any(one.strategy is None for player in players for one in player)
    spent = Spent(int(budget or sys.maxsize))
    with LogWriter(log, game, spent) if drawn or log is not None else nullcontext() as writer:
        if writer and writer.rows and names is None and not (isinstance(a, str) and isinstance(b, str)):
            say = f"to continue it, name both agents as in the log, such as names={called!r}; or give another file"
            raise ValueError(f"{log} holds a match already; {say}")
        duel = Duel(game, players, scorers, seed, called, writer, spent)
        while True:
            size = min(most - len(adjusted), max(FIRST, len(adjusted) // 5), MOST_DEALS)
            try:
                chips, lost = duel.play(len(adjusted), size)
            except BudgetReached as error:  # of this part only short hands have ended, so none of it counts
                if not len(adjusted):
                    raise ValueError(f"{error}, but not all of the first {size} deals were played") from None
                break
            adjusted = np.concatenate([adjusted, _adjusted(chips, lost, scorers)])
            paid = np.concatenate([paid, chips])
            low, high = mean_interval(adjusted, *bounds)
            tick(2 * len(adjusted), 2 * most)
            enough = (low > ROUNDING or high < -ROUNDING) if within is None else high - low <= 2 * within
            if enough or len(adjusted) >= most:
                break
    return Match(
        game, called, 2 * len(adjusted), float(adjusted.mean()), low, high, float(paid.mean()),
        _exact(game, players), _raw_hands(adjusted, paid), (bool(scorers[0]), bool(scorers[1])),
        (duel.answers[0], duel.answers[1]), (duel.illegal[0].total(), duel.illegal[1].total()), duel.illegal, spent,
    )  # fmt: skip


@checked
def match_questions(game: Game | str, a: Player, b: Player, hands: int = 10_000) -> int:
    """Return the most questions that this `match` would put to agents whose strategy is not known; none is asked now."""
    game = as_game(game)
    players = [[seated(game, player, seat) for seat in (0, 1)] for player in (a, b)]
    return -(-hands // 2) * _questions(game, players)


def _questions(game: Game, players: list[list[Seated]]) -> int:
    """The most questions in a deal that is played from both seats."""
    turns = [rules(game).turns(seat) for seat in (0, 1)]
    asked = [(seat, one.asked) for player in players for seat, one in enumerate(player) if one.strategy is None]
    return sum(turns[seat] * (1 + (one.retries if isinstance(one, TextAgent) else 0)) for seat, one in asked)


@checked
def matches(
    game: Game | str,
    agents: Mapping[str, Player],
    hands: int = 10_000,
    *,
    seed: NaturalNumber = 0,
    within: Positive | None = None,
    log: PathName | None = None,
    budget: Count | None = None,
    tick: OnGames = lambda played, most: None,
) -> list[Match]:
    """Return the results of matches between all pairs of these agents, {name: agent}, on the same deals.

    Arguments are those of `match`, with `budget` for each match. `log` is a folder; its 1-2.jsonl logs the first against the second agent.

    Raises:
        ValueError: there are fewer than two agents, or `match` raises it.
    """
    game = as_game(game)
    if len(agents) < 2:
        raise ValueError(f"agents has {len(agents)} entries; matches need at least two agents")
    if log is not None:
        check_folder(Path(log))
    options: dict[str, Any] = {"seed": seed, "within": within, "budget": budget, "tick": tick}
    found = []
    for (i, x), (j, y) in combinations(enumerate(agents, 1), 2):
        path = None if log is None else Path(log) / f"{i}-{j}.jsonl"
        found.append(match(game, agents[x], agents[y], hands, names=(x, y), log=path, **options))
    return found


def _bounds(game: Game, players: list[list[Seated]], scorers: list[dict[int, Coach]]) -> tuple[float, float]:
    """The bounds between which the adjusted result of one deal always lies."""
    if not any(scorers):
        worst = sum(rules(game).worst) / 2
        return -worst, worst
    most = [
        sum(coach.max_loss(own[seat].strategy is None) for seat, coach in reference_opponent.items())
        for own, reference_opponent in zip(players, scorers, strict=True)
    ]
    # The least is where the first loses most and the second nothing.
    least, greatest = _adjusted(np.zeros((2, 2)), np.diag(most), scorers).tolist()
    return least, greatest


def _adjusted(chips: Floats, lost: Floats, scorers: list[dict[int, Coach]]) -> Floats:
    """(deals,) chips of the first agent per hand: `chips` (deals, 2 seats) as paid, `lost` (2 agents, deals) by their decisions."""
    best = [sum(float(coach.value) for coach in reference_opponent.values()) for reference_opponent in scorers]
    sides = [(1 - 2 * who) * (best[who] - lost[who]) / 2 for who in (0, 1) if scorers[who]]
    adjusted: Floats = np.mean(sides, axis=0) if sides else chips.mean(axis=1)
    return adjusted


def _exact(game: Game, players: list[list[Seated]]) -> Number | None:
    """The mean of what the first agent earns in both seats, if both are strategies; in floats with very many hands."""
    (first, third), (second, fourth) = ((one.strategy for one in player) for player in players)
    if first is None or second is None or third is None or fourth is None:
        return None
    profiles = [game.together(first, fourth), game.together(second, third)]
    if quick_deal(game) is not game.deal:
        profiles = [profile.as_float() for profile in profiles]
    at_first, at_second = (value(game, profile) for profile in profiles)
    return (at_first - at_second) / 2


def _raw_hands(adjusted: Floats, paid: Floats) -> int | None:
    """Return the number of independent hands, equally in both seats, at which the mean of raw chips has the variance of `adjusted`."""
    if len(adjusted) < 2 or not adjusted.std() > ROUNDING:
        return None
    return round(len(adjusted) * float(paid.var(ddof=1) / adjusted.var(ddof=1)))
