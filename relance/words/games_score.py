"""The score of an agent from logged games: its policy, and its NashConv, or which answers the log lacks to estimate it.

See `relance.words.LogRow` for what a log holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from relance.model.arguments import Count, checked
from relance.model.arrays import Floats
from relance.model.deal import HandFunction
from relance.model.game import Game, as_game, as_profile
from relance.model.numbers import short
from relance.model.strategy import Profile, Strategy
from relance.play.opponents import Player
from relance.play.rules import rules
from relance.solvers.deviations import Deviation, deviations
from relance.solvers.exact import action_values, best_response, nash_conv
from relance.words.confidence_sequence import LEVEL
from relance.words.deal_checks import disagreements, place_of, unlikely_hands
from relance.words.episodes import Against, Episode, episodes, scored_against
from relance.words.estimate import Estimate, as_json, estimate, frequencies, in_columns, with_action
from relance.words.log_rows import Fault, Log, LogRow, hand_index, written_game
from relance.words.nash_conv_interval import Figure

ENOUGH = 20
"""The answers wanted at the missing information set that is reached least often; the number of hands to collect follows from it."""

SURELY = 1000.0
"""Where the log has no answer, an action is assumed, and counts as this many equal answers."""

SHOWN, LEAST = 10, 5e-5
"""The most deviations that are printed, and the chips that each must exceed."""

UNKNOWN = "no data"
"""The action that stands for the agent's play where the log has no answer."""

CELLS, FEW = 10, 24
"""The number of cells into which hands on [0, 1] are cut for the policy, unless the published thresholds cut them into `FEW` or fewer."""


class Missing(NamedTuple):
    """An information set that the agent's own play reaches, and of which the log has no answer: node, seat, and the hand's name."""

    node: str
    seat: int
    hand: str


@dataclass(frozen=True, eq=False)
class GamesScore:
    """The score of an agent from a log.

    Attributes:
        game: the game; if hands are on [0, 1], the game with cells of hands, in which a best response too knows only its cell.
        agent: the name of the agent.
        against: the agent's games by opponent and seat.
        answers, why_illegal: how many answers the agent gave, and {reason: how many were illegal for it}.
        unfinished: how many games have no terminal node in the log; their answers count all the same.
        faults: the parts of the log that could not be used.
        counts: {node: (hands, legal actions)}, how often each action was answered.
        refused: {node: (hands,)}, how often an answer was illegal and the agent was not asked again.
        published: the strategies that the agent is compared with, or None; `why_not` then says why.
    """

    game: Game
    agent: str
    against: tuple[Against, ...]
    answers: int
    why_illegal: Counter[str]
    unfinished: int
    faults: tuple[Fault, ...]
    counts: dict[str, Floats]
    refused: dict[str, Floats]
    published: Profile | None
    why_not: str

    @property
    def illegal(self) -> int:
        """How many answers were illegal."""
        return self.why_illegal.total()

    @cached_property
    def profile(self) -> Profile:
        """The frequency of each legal action; where nothing legal was answered, all are equally likely."""
        return frequencies(self.game, self.counts)

    @property
    def frequencies(self) -> dict[str, list[Floats]]:
        """{node: the frequency of each legal action, arrays (hands,)}, for pictures; NaN where nothing legal was answered."""
        seen = {name: row.sum(axis=1) > 0 for name, row in self.counts.items()}
        return {name: [np.where(seen[name], row, np.nan) for row in self.profile[name]] for name in seen}

    @cached_property
    def _unseen(self) -> dict[str, Floats]:
        """By node, (hands,) the probability that the agent's own play brings a dealt hand to a set without an answer; 0 elsewhere."""
        out = {}
        led: dict[tuple[str, int], Floats] = {}
        for name, node in self.game.tree.decisions.items():
            last = self.game.tree.last_choice(name, node.player)
            share = np.ones(len(self._prior(name))) if last is None else led[last]
            asked = self.counts[name].sum(axis=1) + self.refused[name] > 0
            out[name] = np.where(asked, 0.0, share * self._prior(name))
            for i, row in enumerate(self.profile[name]):
                led[name, i] = np.where(asked & (self.counts[name].sum(axis=1) > 0), share * row, 0.0)
        return out

    def _prior(self, name: str) -> Floats:
        """(hands,) the probability of each hand of the player who moves at a node, together with the events before it."""
        tree, distribution = self.game.tree, self.game.finite_deal().floats
        prior: Floats = distribution.in_case(tree.cases[name]).prior(tree.decisions[name].player)
        return prior

    @cached_property
    def missing(self) -> tuple[Missing, ...]:
        """The information sets without answers that the agent's own play reaches; without them NashConv has only bounds."""
        deal, nodes = self.game.finite_deal(), self.game.tree.decisions
        return tuple(
            Missing(name, nodes[name].player, deal.label(nodes[name].player, hand))
            for name, come in self._unseen.items()
            for hand in np.flatnonzero(come > 0).tolist()
        )

    @cached_property
    def _estimate(self) -> Estimate:
        return estimate(self.game, self.counts, self.refused)

    @property
    def nash_conv(self) -> Figure | None:
        """NashConv with its interval; None if answers are `missing`: then see `nash_conv_bounds`."""
        return None if self.missing else self._estimate.nash_conv

    @property
    def nash_conv_bounds(self) -> tuple[float, float]:
        """Bounds (low, high) of NashConv with 95% probability, whatever the agent does where the log has no answer."""
        if not self.missing:
            return self._estimate.nash_conv.low, self._estimate.nash_conv.high
        (first, second), (third, fourth) = self.best
        return max(first + third, 0.0), max(second + fourth, 0.0)

    @cached_property
    def best(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """For each seat, 95% bounds (low, high) of the chips that a best response in this seat earns against the agent."""
        return self._best(0), self._best(1)

    def _best(self, player: int) -> tuple[float, float]:
        if all(one.seat == player for one in self.missing):
            found = self._estimate.best[player]
            return found.low, found.high
        counts, spread = dict(self.counts), {name: np.ones(len(row)) for name, row in self.counts.items()}
        for name in self.game.tree.of(1 - player):
            unseen = (self._unseen[name] > 0).astype(float)
            counts[name] = np.concatenate([counts[name], SURELY * unseen[:, None]], axis=1)
            spread[name] = 1 - unseen
        games = [_with_unknown(self.game, 1 - player, best) for best in (True, False)]
        good, bad = (estimate(game, counts, self.refused, spread).best[player] for game in games)
        return good.low, bad.high

    @cached_property
    def hands_needed(self) -> int | None:
        """Return how many hands per seat against uniform play give about `ENOUGH` answers at each `missing` set; None without such sets."""
        rare = 1.0
        uniform = self.game.uniform().as_float()
        for seat in (0, 1):
            met = action_values(self.game, uniform.replace(self.profile.strategies[seat]), seat)
            for name, (come, _) in met.items():
                here = self._unseen[name] > 0
                chance = self._unseen[name][here] * come[here] / self._prior(name)[here]
                rare = min([rare, *chance[chance > 0].tolist()])
        return round(ENOUGH / rare) if self.missing else None

    @cached_property
    def deviations(self) -> list[Deviation]:
        """The differences from the published strategies and what each costs, costliest first; see `relance.solvers.deviations`.

        Only information sets with answers count. At missing ones the agent is assumed to play in the way that is best for it.
        """
        if self.published is None:
            return []
        found = deviations(self.game, self._known(self.profile), self._known(self.published), self._exploited)
        return [one for one in found if self.counts[one.node][one.hand].sum() > 0]

    def _known(self, profile: Profile) -> Profile:
        """The profile, but the published one at information sets that the agent's own play reaches without an answer."""
        assert self.published is not None
        at: list[dict[str, tuple[HandFunction, ...]]] = [{}, {}]
        for name, node in self.game.tree.decisions.items():
            unknown, pairs = self._unseen[name] > 0, zip(self.published[name], profile[name], strict=True)
            at[node.player][name] = tuple(np.where(unknown, known, own).astype(float) for known, own in pairs)
        return self.game.together(Strategy(0, at[0]), Strategy(1, at[1]))

    def _exploited(self, profile: Profile) -> float:
        """NashConv if the agent played this, and in the best way where nothing is known."""
        if not self.missing:
            return float(nash_conv(self.game, profile))
        total = 0.0
        for seat in (0, 1):
            game, at = _with_unknown(self.game, seat, best=True), dict(profile.strategies[seat].at)
            for name, rows in at.items():
                seen = (self._unseen[name] == 0).astype(float)
                at[name] = (*(row * seen for row in rows), 1 - seen)
            played = profile.replace(Strategy(seat, at))
            total += float(best_response(game, Profile(game.name, game.tree, played.strategies), 1 - seat).value)
        return total

    def __str__(self) -> str:
        hands = sum(one.hands for one in self.against)
        share = f" ({self.illegal / self.answers:.2%})" if self.answers else ""
        counted = f"{hands} hands, {self.answers} answers, {self.illegal} of them illegal{share}"
        lines = [f"{self.agent or 'the agent'} in {self.game}: {counted}"]
        why = ", ".join(f"{number} {why}" for why, number in self.why_illegal.items())
        lines += [f"  {'illegal answers':<23}{why}"] * bool(self.illegal)
        lines += [f"  {'not finished':<23}{self.unfinished}, of which the answers count"] * bool(self.unfinished)
        for one in self.against:
            lines.append(f"  against {one.opponent or 'nobody known'}, as player {one.seat}")
            lines += [f"    {label:<21}{value}" for label, value in one.facts().items()]
        lines += [f"  {label:<23}{value}" for label, value in self.exploited().items()]
        shown = [one for one in self.deviations if one.cost > LEAST][:SHOWN]
        if shown:
            lines.append("  what differs from the published strategies, and how much less NashConv would be without it")
            rows = [("", "hand", "action", "plays", "published", "answers", "costs"), *map(self.columns, shown)]
            lines += in_columns(rows)
        elif self.why_not:
            lines.append(f"  no comparison: {self.why_not}")
        return "\n".join([*lines, *(f"  left out: {line}" for line in self.left_out())])

    def exploited(self) -> dict[str, str]:
        """Return {label: text} of NashConv, best responses, and, if answers are missing, which hands to collect."""
        found, (low, high) = self.nash_conv, self.nash_conv_bounds
        best = "; ".join(f"{low:z.4f} to {high:z.4f} as player {p}" for p, (low, high) in enumerate(self.best))
        if found is not None:
            said = f"{found} with 95%; the frequencies alone give {found.plug_in:.4f}, which is biased upward"
            return {"NashConv": said, "best responses": best}
        sets, first = len(self.missing), self.missing[0]
        collect = (
            f"{2 * (self.hands_needed or 0):,} hands against uniform, half in each seat, give about {ENOUGH} answers at the rarest; "
            f"one of them is that of {_place(first.seat, first.node)}, hand {first.hand}"
        )
        said = f"{low:z.4f} to {high:z.4f}, since the log has no answers at {sets} information sets"
        return {"NashConv": said, "best responses": best, "to collect": collect}

    def columns(self, one: Deviation) -> tuple[str, ...]:
        """A deviation as a row of text: place, hand, action, both probabilities, answers, cost."""
        action = f"{one.action} ({one.kind})" if one.kind else one.action
        place, hand = _place(one.player, one.node), self.game.finite_deal().label(one.player, one.hand)
        answers = f"{self.counts[one.node][one.hand].sum():.0f}"
        return place, hand, action, f"{one.played:.2f}", f"{one.reference:.2f}", answers, f"{one.cost:z.4f}"

    def left_out(self) -> list[str]:
        """A line for each kind of fault: how many there are, and the first of them."""
        log = Log((), self.faults)
        return [f"{kind}: {count}, the first in {log.firsts[kind]}" for kind, count in log.counts.items()]

    def as_dict(self) -> dict[str, Any]:
        """The score as numbers and text, for JSON."""
        first = ("game", "agent", "against", "answers", "illegal", "why_illegal", "unfinished", "nash_conv")
        more = ("nash_conv_bounds", "missing", "hands_needed", "policy", "counts", "deviations", "why_not", "faults")
        return {
            name: as_json(self.profile.plan() if name == "policy" else getattr(self, name)) for name in first + more
        } | {"level": LEVEL}


# From a log


@checked
def score_games(
    game: Game | str,
    log: Log | Sequence[LogRow],
    agent: str | None = None,
    *,
    opponent: Player | None = None,
    hands: Count | None = None,
    published: Mapping[str, object] | Profile | str | None = None,
) -> GamesScore:
    """Return the score of an agent from logged games.

    Games that cannot have happened are left out, and listed as faults. Faults are also listed for hands whose frequencies
    in the log have a probability below one in a million in this game; see `relance.words.deal_checks`.

    Args:
        game: the game; rows of other games are left out and counted.
        log: the result of `read_games`, or its rows.
        agent: the name of the agent to score, if the log has several.
        opponent: who played the other seat, where the log does not name a known opponent.
        hands: into how many cells hands on [0, 1] are cut for the policy and NashConv, not for chips and losses; about ten by default.
        published: the strategies to compare with, as for `relance.score`.

    Raises:
        ValueError: there is no answer of this agent in this game, or the log has several agents and none is named.
        TypeError: `log` is neither a log nor rows.
    """
    game = as_game(game)
    rows, faults = (log.rows, log.faults) if isinstance(log, Log) else (log, ())
    if not isinstance(rows, Sequence) or not all(isinstance(row, LogRow) for row in rows):
        raise TypeError(f"a log is what relance.words.read_games returns, or a sequence of its rows, not {short(log)}")
    mine, others = [row for row in rows if written_game(row.game) == game], {row.game for row in rows}
    if not mine:
        raise ValueError(f"the log has no games of {game}; its games are: {'; '.join(sorted(others)) or 'none'}")
    names = list(dict.fromkeys(row.agent for row in mine))
    if agent is None and len(names) > 1:
        raise ValueError(f"the log has several agents; name one of them: {', '.join(map(repr, names))}")
    if agent is not None and agent not in names:
        raise ValueError(f"the log has no agent {agent!r}; it has {', '.join(map(repr, names))}")
    if left := len(rows) - len(mine):
        why = f"{left} rows of {'; '.join(sorted(others - {str(game)}))}"
        faults = (*faults, Fault("the log", "rows of other games", why))
    false = disagreements(game, mine)
    faults = (*faults, *false.values(), *unlikely_hands(game, mine))
    mine = [row for row in mine if row.agent == (names[0] if agent is None else agent)]
    played, wrong = episodes(game, [row for row in mine if place_of(row) not in false])
    cells = game if game.deal.is_finite else _cells(game, hands)
    counts, refused = _counts(game, cells, played)
    reference, why_not = _published(cells, published)
    said = [row for row in mine if not row.is_terminal]
    return GamesScore(
        game=cells,
        agent=mine[0].agent,
        against=scored_against(game, played, opponent),
        answers=len(said),
        why_illegal=Counter(row.why_illegal for row in said if row.is_illegal),
        unfinished=sum(episode.terminal is None for episode in played),
        faults=(*faults, *wrong),
        counts=counts,
        refused=refused,
        published=reference,
        why_not=why_not,
    )


def _cells(game: Game, hands: int | None) -> Game:
    if hands is None and game.is_published and (game.aligned().hands or FEW) < FEW:
        return game.aligned()
    return game.grid(CELLS if hands is None else hands)


def _counts(game: Game, cells: Game, played: Sequence[Episode]) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """By node, how often each action was answered, (hands, legal actions), and how often the answer was illegal, (hands,)."""
    deal, nodes = cells.finite_deal(), cells.tree.decisions
    found = {name: np.zeros((deal.size(node.player), len(node.actions) + 1)) for name, node in nodes.items()}
    for row in (row for episode in played for row in episode.answers):
        hand = hand_index(game, row.seat, row.hand)
        if cells is not game:
            assert deal.places is not None
            hand = int(np.abs(deal.places[row.seat] - hand).argmin())
        found[row.node][hand, -1 if row.is_illegal else nodes[row.node].index(str(row.action))] += 1
    return {name: rows[:, :-1] for name, rows in found.items()}, {name: rows[:, -1] for name, rows in found.items()}


def _published(game: Game, published: Mapping[str, object] | Profile | str | None) -> tuple[Profile | None, str]:
    """The strategies that the agent is compared with, in floats; or None and the reason."""
    if isinstance(published, (Profile, str)):
        chosen = as_profile(game, published)
        game.check(chosen)
        return chosen.as_float(), ""
    if not published and not game.is_published:
        return None, f"no strategy is published for {game}"
    member: dict[str, Any] = dict(published or {})
    return game.published(**member).as_float(), ""


def _place(seat: int, node: str) -> str:
    return f"player {seat}, " + (f"after {node}" if node else "at the start")


def _with_unknown(game: Game, seat: int, best: bool) -> Game:
    """The game in which each decision of `seat` has one more action, the last, which wins, or loses, as much as the game allows."""
    end = rules(game).forfeits[best == (seat == 0)]
    return with_action(game, UNKNOWN, (None, end) if seat else (end, None))
