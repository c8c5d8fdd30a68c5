"""Scores an agent exactly: NashConv, chips against the published strategies, regrets, thresholds, and mistakes on game trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from relance.model.arguments import Count, Positive, Seat, checked
from relance.model.deal import HandFunction
from relance.model.game import Game, as_game, as_profile
from relance.model.game_tree import GameTree
from relance.model.numbers import Number, for_json, show
from relance.model.strategy import Profile, Strategy
from relance.play.agents import Illegal, Mode, in_seat, no_agent, reader_of, strategy
from relance.play.call_syntax import Call
from relance.play.opponents import Player
from relance.play.refinement import grid_sizes, in_cells, refined_grid
from relance.play.thresholds import Threshold, differences, thresholds
from relance.solvers.exact import ProfileScores, best_response, regrets, scored, value
from relance.solvers.tree_values import TreeMistake, as_tree_profile, tree_mistakes

TOLERANCE = 1e-3
"""How much a score on [0, 1] may still change when the grid is made twice as fine, in chips."""

SHOWN = 5
"""The most mistakes that a printed score lists."""

COLUMNS = ("action", "learned", "published", "off", "by frequency", "off")
"""The column headings of a printed score with hands on [0, 1]; see `Threshold`."""


class Reference(NamedTuple):
    """The profile with which a score is compared; `why_not` says why there is none, or that a whole family of profiles is published."""

    profile: Profile | None
    why_not: str = ""


@dataclass(frozen=True)
class Score:
    """The score of a profile, in chips; values are to player 0 unless stated otherwise. Each figure is computed on first access.

    Nothing is sampled: figures are Fractions if the profile is exact, else computed in float64. With hands on [0, 1] a Profile is
    scored on [0, 1]; other agents are asked at the middles of equal cells, and scored as strategies that are constant on cells,
    against best responses that are constant on cells. Game trees have no published strategies.

    Attributes:
        game: the Game or the game tree that was scored: the one passed in, or a grid of it.
        profile: the strategies that the agent plays in `game`.
        reference: the strategies with which `profile` is compared, if the caller chose any; by default the published ones.
        tolerance, reached: the tolerance asked for, and by how much value and NashConv changed at the last refinement; both None
            if nothing was refined.
        asked: the number of questions, each of which asks the agent for its probabilities at one information set, on all grids together;
            0 if nothing was refined.
    """

    game: Any
    profile: Any
    reference: Reference | None = None
    tolerance: float | None = None
    reached: float | None = None
    asked: int = 0

    @cached_property
    def _scored(self) -> ProfileScores:
        return scored(self.game, self.profile)

    @cached_property
    def _reference(self) -> Reference:
        return self.reference or _reference(self.game, None, self.profile)

    @property
    def published(self) -> Profile | None:
        """The strategies that the profile is compared with, or None; `why_not` then says why."""
        return self._reference.profile

    @property
    def why_not(self) -> str:
        """Return why no published strategy, or of a family no set of thresholds, is compared; an empty text if nothing is missing."""
        return self._reference.why_not

    @property
    def family(self) -> str:
        """If there are published strategies but no single set of thresholds to compare with, the reason; otherwise an empty text."""
        return self.why_not if self.published else ""

    @property
    def hands(self) -> int | None:
        """The number of cells into which hands on [0, 1] are cut; None for other hands."""
        hands: int | None = getattr(self.game, "hands", None)
        return hands

    @cached_property
    def nash_conv(self) -> Number:
        """The sum of what each player can gain by a best response; 0 if and only if the profile is an equilibrium."""
        return _at_least_0(sum(self.best) - self._scored.utility_sum)

    @property
    def exploitability(self) -> Number:
        """The mean of what each player can gain by a best response: with two players NashConv / 2."""
        return self.nash_conv / self._scored.num_players

    @cached_property
    def value(self) -> Number:
        """The expected chips of player 0 when all seats are played by the agent."""
        return self._scored.value()

    @cached_property
    def values(self) -> tuple[Number, ...]:
        """For each seat, the chips that the agent earns in this seat if the agent plays all seats."""
        return tuple(map(self._scored.value, range(self._scored.num_players)))

    @cached_property
    def best(self) -> tuple[Number, ...]:
        """For each seat, the chips that a best response in this seat earns if the agent plays all other seats."""
        return tuple(map(self._scored.best_value, range(self._scored.num_players)))

    @property
    def gains(self) -> tuple[Number, ...]:
        """For each seat, how many chips more a best response earns in this seat than the agent does: `best` minus `values`."""
        return tuple(_at_least_0(most - earned) for most, earned in zip(self.best, self.values, strict=True))

    @cached_property
    def mistakes(self) -> list[TreeMistake]:
        """Where players of a game tree give up chips, worst first. A player's losses add up to what a best response would gain for them."""
        return tree_mistakes(self.game, self.profile)

    @cached_property
    def equilibrium(self) -> Number | None:
        """The value of the published profile to player 0, or None if there is no such profile."""
        return None if self.published is None else value(self.game, self.published)

    @cached_property
    def against_published(self) -> tuple[Number, Number] | None:
        """For each seat, what the agent earns there against the published strategy (chips to that seat).

        Compare with `equilibrium` for player 0 and its negative for player 1. None without published strategies.
        """
        if self.published is None:
            return None
        mine = [value(self.game, self.published.replace(self.profile.strategies[p])) for p in (0, 1)]
        return mine[0], -mine[1]

    @cached_property
    def regrets(self) -> dict[str, tuple[HandFunction, list[HandFunction]]]:
        """{node: (reach, counterfactual regret of each action)}, all by hand, of the player to move; see `solvers.exact`."""
        return {name: entry for p in (0, 1) for name, entry in regrets(self.game, self.profile, p).items()}

    @cached_property
    def differences(self) -> dict[str, float] | None:
        """Return, for each node, how far the agent's probabilities are from the published ones, from 0 to 1.

        The distance is half the sum over actions of the absolute differences, averaged over hands that published play brings to the node.
        The result is None without published strategies or for a family of published strategies.
        """
        if self.published is None or self.why_not:
            return None
        return differences(self.game, self.profile, self.published)

    @cached_property
    def thresholds(self) -> dict[str, dict[str, Threshold]] | None:
        """For each node and action, the hands where the action's probability crosses 1/2, for the agent and as published.

        None without published strategies, for a family of them, and for hands that are not numbers.
        """
        if self.published is None or self.why_not or not self.game.deal.on_interval:
            return None
        return thresholds(self.game, self.profile, self.published)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as numbers, for JSON; those that are fractions also as text, under "exact"."""
        if isinstance(self.game, GameTree):
            names: tuple[str, ...] = ("nash_conv", "values", "best", "gains")
            rest: dict[str, Any] = {"mistakes": [{**m._asdict(), "loss": float(m.loss)} for m in self.mistakes]}
        else:
            names = "nash_conv", "exploitability", "value", "best", "equilibrium", "against_published"
            rest = {"differences": self.differences}
        return {"game": str(self.game), **for_json({name: getattr(self, name) for name in names}), **rest}

    def __str__(self) -> str:
        return "\n".join(self._tree_lines() if isinstance(self.game, GameTree) else self._lines())

    def _tree_lines(self) -> list[str]:
        lines = [f"{self.game}: NashConv {_brief(self.nash_conv)}"]
        for player, (earned, gain) in enumerate(zip(self.values, self.gains, strict=True)):
            lines.append(f"  player {player} earns {_brief(earned)} and can gain {_brief(gain)}")
        lines += [
            f"  player {m.player} gives up {_brief(m.loss)} at {m.information_set!r}: best is {m.best}"
            for m in self.mistakes[:SHOWN]
        ]
        if len(self.mistakes) > SHOWN:
            lines.append(f"  and less at {len(self.mistakes) - SHOWN} more information sets")
        return lines

    def _lines(self) -> list[str]:
        against, equilibrium = self.against_published, self.equilibrium
        whose = "published" if self.reference is None else "reference"  # the caller may compare with any strategies
        lines = [
            f"score on {self.game}",
            f"  NashConv           {_text(self.nash_conv)}",
            f"  exploitability     {_text(self.exploitability)}",
            f"  value to player 0  {_text(self.value)}"
            + ("" if equilibrium is None else f", {whose} {_text(equilibrium)}"),
            f"  best responses     {_text(self.best[0])} as player 0, {_text(self.best[1])} as player 1",
        ]
        if self.reached is not None:
            moved = f"moved by {self.reached:.2g} chips at the last refinement; {self.tolerance:g} is allowed"
            lines.append(f"  cells              {self.game.hands}, {self.asked:,} questions; {moved}")
        if against is None:
            return [*lines, f"  no comparison: {self.why_not}"]
        lines.append(f"  against {whose}  {_text(against[0])} as player 0, {_text(against[1])} as player 1")
        if self.differences is None:
            return [*lines, f"  no thresholds: {self.why_not}"]
        thresholds = self.thresholds or {}
        rows = [("at", "differs by", *(column.replace("published", whose) for column in COLUMNS if thresholds))]
        for name, off in self.differences.items():
            actions = [(action, *at.columns()) for action, at in thresholds.get(name, {}).items()] or [()]
            rows += [(*((repr(name), f"{off:.4f}") if i == 0 else ("", "")), *row) for i, row in enumerate(actions)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines += [f"  probabilities and thresholds beside the {whose} ones"]
        return [*lines, *("    " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)]


def _at_least_0(gain: Number) -> Number:
    """A gain, which is never negative, without the rounding of floats."""
    return max(gain, gain * 0)


def _text(number: Number) -> str:
    return f"{float(number):z.6f}" + ("" if isinstance(number, float) else f" ({show(number)})")


def _brief(number: Any) -> str:
    text = show(number)
    return f"{float(number):.6g}" + (f" ({text})" if len(text) <= 40 and number.denominator > 1 else "")


@checked(
    elsewhere=dict.fromkeys(
        ("answers", "answers_file", "tick"), "drawn answers are scored by relance.words.score(game, agent, answers=100)"
    )
)
def score(
    game: Game | GameTree | str,
    agent: Player,
    tolerance: Positive = TOLERANCE,
    *,
    hands: Count | None = None,
    published: Mapping[str, object] | Profile | str | None = None,
    mode: Mode = "sample",
    illegal: Illegal = "error",
    budget: Count | None = None,
) -> Score:
    """Score an agent that plays both seats, or a pair (agent of seat 0, agent of seat 1).

    An agent that draws its actions is estimated instead, by `relance.words.score`.

    Args:
        game: a Game, or its text; or a game tree, whose agent is a table {information set: {action: probability}}, or a policy of
            OpenSpiel, for all its players. OpenSpiel's policies need finite hands, such as `game.grid(n)`.
        agent: a torch module from observations (N, K) to logits (N, A), or to something with `logits` or with the logits first; a
            Stable-Baselines3 or sb3-contrib model; a policy of OpenSpiel, or an agent of its `rl_environment`; a callable (observations (N,
            K), masks (N, A)) -> probabilities (N, A) or action ids (N,); a Profile; a name of `relance.play.strategy`; a tuple of two of
            these is a pair, a list a mixture. Observations are those of `relance.play.rules`.
        tolerance: with hands on [0, 1], the grid is made twice as fine until value and NashConv change by no more than this, in chips.
        hands: with hands on [0, 1], the number of cells of a fixed grid instead.
        published: the strategies to compare with: an opponent by name, such as "published(alpha=1/3)", the member of a published family;
            in Python also a profile, or the parameters of a member, such as {"alpha": "1/3"}.
        mode: "sample" scores the probabilities; "argmax" scores the most probable action of each information set.
        illegal: "error" refuses an agent that gives illegal actions any probability, as unmasked PPO of Stable-Baselines3 does;
            "renormalise" drops it and scales up the rest. Logits of a torch module are always masked.
        budget: the most information sets at which the agent may be asked for its probabilities; a score that needs more is refused. With
            hands on [0, 1], all grids count, and the grid is not made finer than the budget allows.

    Returns:
        A `relance.play.Score`, whose figures such as `nash_conv`, `gains` and `value` are in chips.

    Examples:
        >>> print(relance.score("kuhn", "published(alpha=1/3)").nash_conv, relance.score("kuhn", "uniform").gains)
        0 (Fraction(3, 8), Fraction(13, 24))

    Raises:
        ValueError: for NaN, wrong shapes, probabilities that do not sum to 1, illegal actions (naming node and hand), and agents or
            profiles of another game.
        TypeError: for anything that is not an agent.
    """
    if isinstance(game, GameTree):
        if (hands, published, budget, mode, illegal) != (None, None, None, "sample", "error"):
            raise ValueError(
                "hands, published, budget, mode and illegal are options for games of Relance, not for game trees"
            )
        return Score(game, as_tree_profile(game, agent), Reference(None, f"no strategy is published for {game}"))
    game = as_game(game)
    reached, refine, asked = None, False, 0
    players = [in_seat(agent, seat) for seat in (0, 1)]
    if hands is not None:
        game = in_cells(game, hands)
    elif not game.deal.is_finite:
        for reader in filter(None, map(reader_of, players)):
            reader.check_hands(game)
        refine = not all(isinstance(player, (str, Profile)) for player in players)

    def plays(on: Game) -> Profile:
        return on.together(*(strategy(on, agent, seat, mode, illegal) for seat in (0, 1)))

    if refine:
        needed = sum(len(game.tree.of(seat)) for seat, one in enumerate(players) if not isinstance(one, (str, Profile)))
        game, profile, reached, asked = refined_grid(game, plays, tolerance, needed, budget)
    else:
        if budget is not None and (least := most_questions(game, agent)) > budget:
            raise ValueError(
                f"budget={budget}: a score on {game} asks the agent at {least:,} information sets; raise the budget"
            )
        profile = plays(game)
    published = as_profile(game, published) if isinstance(published, str) else published
    reference = None if published is None else _reference(game, published, profile)
    return Score(game, profile, reference, tolerance if refine else None, reached, asked)


class Earned(NamedTuple):
    """What an agent earns in one seat against an opponent, what a best response earns, both in chips, and their ratio `share`.

    The share is None if `best` is not above 0; it is negative if the agent loses where chips could be won.
    """

    value: Number
    best: Number
    share: float | None


@checked
def earned(
    game: Game | str, agent: Player, seat: Seat, opponent: Player, mode: Mode = "sample", illegal: Illegal = "error"
) -> Earned:
    """Return what `agent` earns in `seat` against `opponent`, in chips, without sampling; arguments and errors as for `score`.

    Examples:
        >>> print(relance.play.earned("kuhn", "uniform", 0, "published").value)
        -1/6

    With hands on [0, 1] an agent is asked at the middles of `limits.CELLS` equal cells and plays constant on each; the best response
    is not restricted to cells.
    """
    game = as_game(game)
    profile = game.together(strategy(game, agent, seat, mode, illegal), strategy(game, opponent, 1 - seat))
    chips, best = value(game, profile) * (1 - 2 * seat), best_response(game, profile, seat).value
    return Earned(chips, best, float(chips / best) if best > 0 else None)


@checked
def most_questions(game: Game | str, agent: Player, hands: Count | None = None) -> int:
    """Return the most information sets at which `score` would ask this agent, with the same `hands`; nothing is asked.

    Raises:
        TypeError: for anything that is not an agent.
    """
    game = as_game(game)
    on = game if hands is None else in_cells(game, hands)
    players = [in_seat(agent, seat) for seat in (0, 1)]
    for one in players:
        if not isinstance(one, (str, Profile, Strategy, Call, list, Mapping)) and reader_of(one) is None:
            raise no_agent(one)
    asked = [seat for seat, one in enumerate(players) if not isinstance(one, (str, Profile))]
    sides = [on.deal.size(seat) if on.deal.is_finite else sum(grid_sizes(on)) for seat in asked]
    return sum(len(on.tree.of(seat)) * size for seat, size in zip(asked, sides, strict=True))


def _reference(game: Game, published: Mapping[str, object] | Profile | None, profile: Profile) -> Reference:
    """The profile chosen by `published`, or what the paper prints, in the arithmetic of `profile`."""
    if published is not None and not isinstance(published, (Profile, Mapping)):
        raise TypeError(
            f"published={published!r} must be a Profile, the name of an opponent, or parameters such as {{'alpha': '1/3'}}"
        )
    if isinstance(published, Profile):
        return Reference(game.together(strategy(game, published, 0), strategy(game, published, 1)))
    try:
        printed, _ = game.printed_numbers()
    except ValueError as error:
        return Reference(None, str(error))
    why_not = ""
    if printed.family and not published:
        member = f"published({next(iter(printed.family))}=...)"
        why_not = f"the published strategies are a family; choose its member with `published`, such as {member}"
    return Reference(_published(game, tuple((published or {}).items()), not profile.in_floats), why_not)


@lru_cache(maxsize=32)
def _published(game: Game, member: tuple[tuple[str, Any], ...], exact: bool) -> Profile:
    """The published profile, exact or in floats; cached, since learners are scored again and again."""
    if game.cuts is not None and not exact:
        return game.fit(game.whole.published(**dict(member)), floats=True)
    profile = game.published(**dict(member))
    return profile if exact else profile.as_float()
