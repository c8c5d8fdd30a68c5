"""What one seat earns against an opponent, beside the most that can be earned there."""

from __future__ import annotations

from typing import Any, NamedTuple

from relance.agents.mixing import together
from relance.agents.opponents import Mode, strategy
from relance.agents.reading import Illegal
from relance.model.game import Game
from relance.model.numbers import Number
from relance.solvers.exact import best_response, value


def earnable(game: Game, opponent: Any, seat: int) -> Number:
    """The most chips that `seat` can earn against `opponent`: exact for exact opponents, in floats for trained agents."""
    return best_response(game, game.uniform().replace(strategy(game, opponent, 1 - _seat(seat))), seat).value


class Earned(NamedTuple):
    """What an agent earns in one seat against an opponent, what can be earned at best, both in chips, and the first's share.

    The share is None where the best is not above 0; it is negative where the agent loses though chips can be won.
    """

    value: Number
    best: Number
    share: float | None


def earned(
    game: Game, agent: Any, seat: int, opponent: Any, mode: Mode = "sample", illegal: Illegal = "error"
) -> Earned:
    """What `agent` earns in `seat` against `opponent`, without sampling; arguments as for `relance.score`.

    With hands on [0, 1] an agent is asked at the middles of `agents.CELLS` equal cells, and plays each as its middle; what can be
    earned is not restricted to cells. Raises as `relance.score` does.
    """
    mine, theirs = strategy(game, agent, _seat(seat), mode, illegal), strategy(game, opponent, 1 - seat)
    profile = together(game, mine, theirs)
    chips, best = value(game, profile) * (1 - 2 * seat), best_response(game, profile, seat).value
    return Earned(chips, best, float(chips / best) if best > 0 else None)


def _seat(seat: int) -> int:
    if seat not in (0, 1):
        raise ValueError(f"seat={seat!r} must be 0 or 1")
    return seat
