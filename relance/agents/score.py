"""What an agent is worth, exactly: NashConv, chips against the published strategies, regrets, and where its thresholds lie."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from relance.agents import opponents
from relance.agents.earned import Earned, earnable, earned
from relance.agents.floats import averaged
from relance.agents.mixing import together
from relance.agents.reading import Illegal, in_cells, reader_of
from relance.agents.thresholds import Threshold, differences, thresholds
from relance.model.deal import HandFunction
from relance.model.game import Game
from relance.model.numbers import Number, show
from relance.model.piecewise import Piecewise
from relance.model.strategy import Profile
from relance.solvers.exact import best_response, nash_conv, regrets, value

__all__ = ["Earned", "Score", "earnable", "earned", "score"]

COARSEST, FINEST = 500, 2**17
"""How many cells a policy on [0, 1] is sampled on at first, and at most."""

TOLERANCE = 1e-3
"""How much a score on [0, 1] may still move when the grid is made twice as fine, in chips."""


@dataclass(frozen=True)
class Score:
    """What a profile is worth. Chips; values are to player 0 unless said otherwise. What is not asked for is not computed.

    Everything is exact for the profile scored: Fractions if it is, else the exact operators of the deal in float64. With hands on
    [0, 1] a Profile is scored on [0, 1]; other agents are sampled at the middles of equal cells and scored as the policies
    constant on cells that they then are, against best responses constant on cells.

    Attributes:
        game: the game scored on: the one given, or its grid.
        profile: what the agent plays there.
        tolerance: what was asked for, and `reached`, by how much value and NashConv moved with the last refinement; both None
            where nothing was refined.
        published: the printed strategies that it is compared with, or None; `why_not` then says why.
        family: why there is no one set of thresholds to compare with, or "".
    """

    game: Game
    profile: Profile
    published: Profile | None = None
    why_not: str = ""
    family: str = ""
    tolerance: float | None = None
    reached: float | None = None

    @cached_property
    def nash_conv(self) -> Number:
        """The sum of what each player can gain by a best response; 0 if and only if this is an equilibrium."""
        return nash_conv(self.game, self.profile) if "best" not in self.__dict__ else sum(self.best)

    @property
    def exploitability(self) -> Number:
        """NashConv / 2."""
        return self.nash_conv / 2

    @cached_property
    def value(self) -> Number:
        """The expected chips of player 0 when both seats are played by the agent."""
        return value(self.game, self.profile)

    @cached_property
    def best(self) -> tuple[Number, Number]:
        """For each player the most that he can earn against the agent in the other seat (chips to that player)."""
        return best_response(self.game, self.profile, 0).value, best_response(self.game, self.profile, 1).value

    @cached_property
    def equilibrium(self) -> Number | None:
        """The value of the published profile; None without one."""
        return None if self.published is None else value(self.game, self.published)

    @cached_property
    def against_published(self) -> tuple[Number, Number] | None:
        """For each player what the agent earns in his seat against the published strategy (chips to that player).

        To be held against `equilibrium` and its negative. None without published strategies.
        """
        if self.published is None:
            return None
        mine = [value(self.game, self.published.replace(self.profile.strategies[p])) for p in (0, 1)]
        return mine[0], -mine[1]

    @cached_property
    def regrets(self) -> dict[str, tuple[HandFunction, list[HandFunction]]]:
        """For each node (reach, regret of each action) of the player to move there, hand by hand; see `relance.regrets`."""
        return {name: entry for p in (0, 1) for name, entry in regrets(self.game, self.profile, p).items()}

    @cached_property
    def differences(self) -> dict[str, float] | None:
        """For each node how far the agent's probabilities are from the published ones.

        Half the sum of the absolute differences over actions, from 0 to 1; the mean over hands as they get there when both
        play as published. None without published strategies or for a family of them.
        """
        if self.published is None or self.family:
            return None
        return differences(self.game, self.profile, self.published)

    @cached_property
    def thresholds(self) -> dict[str, dict[str, Threshold]] | None:
        """For each node and action the hands where its probability crosses 1/2, beside the published ones.

        None without published strategies, for a family of them, and for hands that are no numbers.
        """
        if self.published is None or self.family or not self.game.deal.on_interval:
            return None
        return thresholds(self.game, self.profile, self.published)

    @property
    def hands(self) -> int | None:
        """How many cells hands on [0, 1] were cut into; None for others."""
        return self.game.hands

    def __str__(self) -> str:
        lines = [
            f"score on {self.game}",
            f"  NashConv           {_text(self.nash_conv)}",
            f"  exploitability     {_text(self.exploitability)}",
            f"  value to player 0  {_text(self.value)}"
            + (f", equilibrium {_text(self.equilibrium)}" if self.published else ""),
            f"  best responses     {_text(self.best[0])} to player 0, {_text(self.best[1])} to player 1",
        ]
        if self.reached is not None:
            lines.append(
                f"  refined            moved {self.reached:.2g} at the last refinement, {self.tolerance:g} allowed"
            )
        if self.against_published is None:
            return "\n".join([*lines, f"  no comparison: {self.why_not}"])
        first, second = map(_text, self.against_published)
        lines.append(f"  against published  {first} as player 0, {second} as player 1")
        if self.differences is None:
            return "\n".join([*lines, f"  no thresholds: {self.family}"])
        for name, off in self.differences.items():
            lines.append(f"  at {name!r}: {off:.4f} from the published probabilities")
            for action, cut in (self.thresholds or {}).get(name, {}).items():
                lines.append(f"    {action}: {cut}")
        return "\n".join(lines)


def score(
    game: Game,
    agent: Any,
    tolerance: float = TOLERANCE,
    *,
    hands: int | None = None,
    published: Mapping[str, object] | Profile | None = None,
    mode: opponents.Mode = "sample",
    illegal: Illegal = "error",
) -> Score:
    """Score an agent that plays both seats, or a pair (agent of seat 0, agent of seat 1).

    Args:
        game: a Game. OpenSpiel's policies need finite hands, such as `game.grid(n)`.
        agent: a torch module from observations (N, K) to logits (N, A), or to something with `logits` or with the logits first; a
            Stable-Baselines3 or sb3-contrib model; a policy of OpenSpiel, or an agent of its `rl_environment`; a callable
            (observations (N, K), masks (N, A)) -> probabilities (N, A) or action ids (N,); a Profile; a name of
            `relance.agents.opponents`; a tuple of two of these is a pair, a list a mixture. Observations are those of
            `relance.rules.rules`.
        tolerance: with hands on [0, 1], the grid is made twice as fine until value and NashConv move by no more, in chips.
        hands: with hands on [0, 1], a grid of just so many cells instead.
        published: the member of a published family to compare with, such as {"alpha": "1/3"}, or any profile.
        mode: "argmax" scores the most probable action of each information set instead of the distribution.
        illegal: "error" refuses an agent that gives illegal actions any probability, as unmasked PPO of Stable-Baselines3 does;
            "renormalise" scores it without. Logits of a torch module are always masked.

    Raises ValueError, naming node and hand, for NaN, wrong shapes, probabilities off 1, illegal actions, and agents or profiles of
    another game; TypeError for what is no agent.
    """
    if not isinstance(game, Game):
        raise TypeError(f"a score needs a relance Game, such as relance.make(...), not {type(game).__name__}")
    if not tolerance > 0:
        raise ValueError(f"tolerance={tolerance!r} must be positive")
    options = (agent, published, mode, illegal)
    interval = not game.deal.is_finite
    readers = map(reader_of, agent if isinstance(agent, tuple) else (agent,))
    if interval and hands is None and any(reader is not None and reader.finite_hands for reader in readers):
        raise ValueError(
            f"OpenSpiel's policies play finitely many hands: score them on a grid, such as {game.name}'s with hands=9"
        )
    if hands is not None:
        return _on(in_cells(game, hands), *options)
    if not interval or _exact(game, agent):
        return _on(game, *options)
    cells = game.aligned().hands or 1 if game.is_published else 1
    cells *= -(-COARSEST // cells)
    last = _on(in_cells(game, cells), *options)
    while True:
        cells *= 2
        found = _on(in_cells(game, cells), *options)
        moved = max(abs(found.nash_conv - last.nash_conv), abs(found.value - last.value))
        if moved <= tolerance or 2 * cells > FINEST:
            if moved > tolerance:
                warnings.warn(
                    f"on {cells} cells the score still moved by {moved:.2g} chips, more than {tolerance:g}: take it for a rough one",
                    stacklevel=2,
                )
            rest = (found.published, found.why_not, found.family)
            return Score(found.game, found.profile, *rest, tolerance=tolerance, reached=float(moved))
        last = found


def _exact(game: Game, agent: Any) -> bool:
    """Whether the agent is known on all of [0, 1]."""
    parts = agent if isinstance(agent, tuple) else (agent,)
    return game.deal.is_exact and all(isinstance(part, (str, Profile)) for part in parts)


def _on(
    game: Game, agent: Any, published: Mapping[str, object] | Profile | None, mode: opponents.Mode, illegal: Illegal
) -> Score:
    """The score on this game as it is."""
    first, second = (opponents.strategy(game, agent, seat, mode, illegal) for seat in (0, 1))
    profile = together(game, first, second)
    return Score(game, profile, *_reference(game, published, profile))


def _reference(
    game: Game, given: Mapping[str, object] | Profile | None, profile: Profile
) -> tuple[Profile | None, str, str]:
    """The profile to compare with, why there is none, and why it is no one profile."""
    if given is not None and not isinstance(given, (Profile, Mapping)):
        raise TypeError(
            f"published={given!r} must be the parameters of a member, such as {{'alpha': '1/3'}}, or a Profile"
        )
    if isinstance(given, Profile):
        return together(game, opponents.strategy(game, given, 0), opponents.strategy(game, given, 1)), "", ""
    try:
        printed, _ = game.printed_numbers()
    except ValueError as error:
        return None, str(error), ""
    family = ""
    if printed.family and not given:
        choice = f"published={{{next(iter(printed.family))!r}: ...}}"
        family = f"the published strategies are a family; choose one, such as {choice}"
    rows = (row for node in profile.nodes() for row in profile[node])
    exact = all(isinstance(row, Piecewise) or row.dtype == object for row in rows)
    return _published(game, tuple((given or {}).items()), exact), "", family


@lru_cache(maxsize=32)
def _published(game: Game, given: tuple[tuple[str, Any], ...], exact: bool) -> Profile:
    """The published profile, exact or in floats."""
    if exact or game.cuts is None:
        found = game.published(**dict(given))
        return found if exact else found.as_float()
    first, second = game.whole.published(**dict(given)).strategies
    return together(game, averaged(game, first), averaged(game, second))


def _text(number: Number) -> str:
    return f"{float(number):.6f}" + (f" ({show(number)})" if not isinstance(number, (float, np.floating)) else "")
