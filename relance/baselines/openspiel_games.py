"""Games of OpenSpiel itself, such as Leduc poker, on which OpenSpiel's own algorithms train, so that scores compare with published ones.

A run names such a game with a prefix: "openspiel:leduc_poker". Its agents are `pyspiel.TabularPolicy`, and OpenSpiel computes
their exact NashConv, in the units of that game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import pyspiel

from relance.envs.catalogue import make
from relance.model.game import Game
from relance.play.exact_score import score
from relance.registration.openspiel import load
from relance.registration.openspiel_texts import load_openspiel

PREFIX = "openspiel:"


@dataclass(frozen=True)
class OpenSpielGame:
    """A game of OpenSpiel; `text` is what OpenSpiel reads, such as "leduc_poker"."""

    text: str

    def __str__(self) -> str:
        return PREFIX + self.text

    def load(self) -> Any:
        """Return the game as OpenSpiel's own object."""
        return _loaded(self.text)


AnyGame: TypeAlias = Game | OpenSpielGame
"""A game that a run can be about."""


def any_game(text: str) -> AnyGame:
    """Return the game with this text, such as "kuhn" or "openspiel:leduc_poker", from a plan of training runs or a command line.

    Raises:
        ValueError: there is no such game; or it is OpenSpiel's, and lacks two players, zero sum, sequential moves, chance with known
            probabilities, or an information state tensor.
    """
    if not text.startswith(PREFIX):
        return make(text)
    game = _loaded(text.removeprefix(PREFIX))
    kind = game.get_type()
    needed = {
        "two players": game.num_players() == 2,
        "zero sum": kind.utility == pyspiel.GameType.Utility.ZERO_SUM,
        "turns": kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL,
        "chance with known probabilities": kind.chance_mode != pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        "information state tensor": kind.provides_information_state_tensor,
    }
    if missing := [what for what, there in needed.items() if not there]:
        raise ValueError(f"{text} has no {' and no '.join(missing)}, which learners need")
    return OpenSpielGame(str(game))


@lru_cache(maxsize=8)
def _loaded(text: str) -> Any:
    return load_openspiel(text)


@lru_cache(maxsize=2)
def states(game: AnyGame) -> list[Any]:
    """Return OpenSpiel's states, one for each information set of either player."""
    from open_spiel.python.policy import TabularPolicy

    from relance.registration.openspiel_agents import information_states

    if isinstance(game, OpenSpielGame):
        return list(TabularPolicy(game.load()).states)
    return list(information_states(game))


def games_of(native: Any, player: int | None = None) -> int:
    """Return the number of terminal histories of a game of OpenSpiel.

    If a player is given, count instead the most terminal histories that one traversal of external sampling visits: it tries all actions of
    that player, and one action at each node of the opponent and of chance.
    """

    def ends(state: Any) -> int:
        counts = [ends(state.child(action)) for action in state.legal_actions()]
        return (sum if player in (None, state.current_player()) else max)(counts) if counts else 1

    return ends(native.new_initial_state())


def spiel(game: AnyGame) -> Any:
    """Load the game, one of ours or of OpenSpiel, as a `pyspiel.Game`."""
    return game.load() if isinstance(game, OpenSpielGame) else load(game)


def exact_nash_conv(game: AnyGame, agent: Any) -> float:
    """Return the NashConv of an agent, in chips: `relance.score` computes it, or OpenSpiel if the game is one of OpenSpiel's."""
    if isinstance(game, OpenSpielGame):
        return float(pyspiel.nash_conv(game.load(), agent))
    return float(score(game, agent).nash_conv)


def uniform_nash_conv(game: AnyGame) -> float:
    """Return the NashConv, in chips, of the uniform policy: every legal action is equally likely."""
    return exact_nash_conv(
        game, pyspiel.UniformRandomPolicy(game.load()) if isinstance(game, OpenSpielGame) else "uniform"
    )
