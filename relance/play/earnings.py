"""What an agent earns in one seat against a known opponent, exactly."""

from __future__ import annotations

from typing import NamedTuple

from relance.model.arguments import Seat, checked
from relance.model.game import Game, as_game
from relance.model.numbers import Number
from relance.play.agents import Illegal, Mode, strategy
from relance.play.opponents import Player
from relance.solvers.exact import best_response, value


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
    """Compute what `agent` earns in `seat` against `opponent`, without sampling; arguments and errors as for `score`.

    With hands on [0, 1] an agent is asked at the middles of `refinement.CELLS` equal cells and plays constant on each; the best response
    is not restricted to cells.
    """
    game = as_game(game)
    profile = game.together(strategy(game, agent, seat, mode, illegal), strategy(game, opponent, 1 - seat))
    chips, best = value(game, profile) * (1 - 2 * seat), best_response(game, profile, seat).value
    return Earned(chips, best, float(chips / best) if best > 0 else None)
