"""Every game as a PettingZoo environment: an AEC one, `relance/<name>-v0`, and a native parallel one with the same id.

Observations are {"observation": float32 vector, "action_mask": int8}; see `relance.play.rules` for the vector. Rewards are
chips, zero-sum, and both agents get them at the last step; with another `reward`, the agent who acted is paid at once. The mask
of an agent who is not to move is all zeros; at the end both masks are all ones. An illegal action forfeits: the offender pays the
most chips they can lose in this game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Discrete

from relance.envs.catalogue import BLUEPRINTS
from relance.model.arguments import checked
from relance.model.game import Game
from relance.play.coach import coaches
from relance.play.frame import frame
from relance.play.opponents import Player
from relance.play.rewards import Rewards
from relance.play.rules import Rules, Vector, check_whole, game_of, rules
from relance.play.table import AtTable, Table
from relance.registration.gymnasium import RENDER_MODES, VERSION, gymnasium_id, observation_space

AGENTS = ["player_0", "player_1"]
Observation: TypeAlias = Any
Info: TypeAlias = dict[str, Any]


class _TwoSeats(AtTable):
    """A table with an agent at each seat; both environments share it."""

    metadata: dict[str, Any]
    waits = False
    """True if an agent who is not to move has exactly one legal action, the last id: to wait."""

    @checked
    def __init__(
        self,
        game: str | Game,
        mask_in: Literal["both", "obs", "info"] = "both",
        illegal: Literal["forfeit", "raise"] = "forfeit",
        extra_info: bool = False,
        render_mode: Literal["ansi", "human", "rgb_array"] | None = None,
        teach: Player = False,
        reward: str = "chips",
        **parameters: object,
    ) -> None:
        self.game = game_of(game, parameters)
        self.rules: Rules = rules(self.game)
        self.mask_in, self.illegal, self.extra_info, self.render_mode = mask_in, illegal, extra_info, render_mode
        self.metadata = {"name": f"{self.game.name}_{VERSION}", "render_modes": RENDER_MODES, "render_fps": 1}
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.table = Table(self.rules, self.waits)
        self._rng: np.random.Generator | None = None
        self._coaches, self._loss = coaches(self.game, teach), [0.0, 0.0]
        self.scheme, self._paid = Rewards(self.game, reward), [0.0, 0.0]
        width = len(self.rules.actions) + self.waits
        self._observation_spaces = {a: observation_space(self.rules.size, width, mask_in != "info") for a in AGENTS}
        self._action_spaces = {agent: Discrete(width) for agent in AGENTS}
        self.state_space = Box(0.0, 1.0, (2 * self.rules.size,), np.float32)

    def observation_space(self, agent: str) -> Box | Dict:
        """The space of observations: the same object on every call, and the same space for both agents."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """`Discrete`, with an action id for each name of `game.actions`."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """Return what `agent` sees now, in fresh arrays.

        Raises:
            ValueError: `agent` is not "player_0" or "player_1".
        """
        if agent not in AGENTS:
            raise ValueError(f"agent {agent!r} must be one of {', '.join(AGENTS)}")
        player = 0 if agent == "player_0" else 1  # quicker than `AGENTS.index`
        vector = self.table.observe(player)
        return vector if self.mask_in == "info" else {"observation": vector, "action_mask": self.table.mask(player)}

    def _info(self, player: int) -> Info:
        out: Info = {} if self.mask_in == "obs" else {"action_mask": self.table.mask(player)}
        if self._coaches:
            out["loss"] = self._loss[player]
        return out | self.table.facts(player) if self.extra_info else out

    def _deal(self, seed: int | None) -> None:
        if seed is not None:
            check_whole("seed", seed, 0)
        if seed is not None or self._rng is None:
            self._rng = np.random.default_rng(seed)
        self.table.deal(self._rng)
        self._loss, self.agents = [0.0, 0.0], list(AGENTS)

    def refresh(self, policy: Player) -> None:
        """Take the learner's current policy, for a reward that follows it; see `relance.play.rewards.Rewards.refresh`."""
        self.scheme.refresh(policy)

    def _pay(self) -> dict[str, float]:
        """The rewards of the last action."""
        paid = self._paid
        if not self.scheme.by_decision:
            chips = self.table.chips if self.table.over else 0.0
            paid = [chips, -chips]
        return dict(zip(AGENTS, paid, strict=True))

    def _act(self, player: int, action: int) -> None:
        """Play an action of `player`; an illegal one forfeits or raises ValueError, as the option `illegal` says."""
        table, node, mover = self.table, self.table.node, self.table.player
        if player == table.player:
            table.act(action, self.illegal)
        elif self.illegal == "forfeit":
            table.forfeit(player)
        else:
            only = f"{AGENTS[player]} waits; legal: {len(self.rules.actions)} (wait)"
            raise ValueError(f"action {action} ({self.rules.actions[action]}) is illegal: {only}")
        if self.scheme.by_decision:  # out of turn there is nothing to score: it costs what is paid for it
            self._paid = [0.0, 0.0]
            paid = self.scheme.paid(node, table.hands[player], action) if player == mover else -self.rules.worst[player]
            self._paid[player] = paid
        if self._coaches:
            self._loss = [0.0, 0.0]
            self._loss[player] = self._coaches[player].loss(node, table.hands[player], action)

    def state(self) -> Vector:
        """Return what both players see, player 0 first, as one vector."""
        return np.concatenate([self.table.observe(0), self.table.observe(1)])

    def render(self) -> Any:
        """The game as text, returned in mode "ansi" and printed in mode "human", or as an array in mode "rgb_array".

        Only the hand of the player to move is shown; at the end both.
        """
        mover = self.rules.player[self.table.node]
        if self.render_mode == "rgb_array":
            return frame(self.table, (mover,))
        text = self.table.text(mover) if self.render_mode else None
        if self.render_mode == "human":
            print(text)
        return text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no window or file is open."""


class AECEnv(_TwoSeats, pettingzoo.AECEnv[str, Observation, int]):
    """A game as a PettingZoo AEC environment. Agents act in turn. The game's player 0 is `player_0`.

    Args:
        game: a name of `relance.games()`, or a Game.
        mask_in: "both", "obs" or "info": where the action mask is found. With "info" the observation is the vector alone.
        illegal, extra_info, render_mode: as for `relance.registration.gymnasium.SeatEnv`; the infos do not contain the seat.
        teach: as for `SeatEnv`, for both players: `loss` is 0 for the player who did not act last, and NaN for an action out of turn.
        reward: as for `SeatEnv`; both agents are the learner. With "exploitability_descent" each decision is scored against a best response
            to the learner, though the other agent plays the other seat.
        **parameters: the game's parameters, as for `SeatEnv`.
    """

    def __init__(self, game: str | Game, **options: Any) -> None:
        _TwoSeats.__init__(self, game, **options)
        self.metadata |= {"is_parallelizable": False}
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, Info] = {}
        self.agent_selection = AGENTS[0]

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Deal new hands. The same `seed` deals the same hands; without one, the random stream continues."""
        self._deal(seed)
        self.rewards = {"player_0": 0.0, "player_1": 0.0}
        self._cumulative_rewards = {"player_0": 0.0, "player_1": 0.0}
        self.terminations = {"player_0": False, "player_1": False}
        self.truncations = {"player_0": False, "player_1": False}
        self._next()

    def _next(self) -> None:
        self.infos = {"player_0": self._info(0), "player_1": self._info(1)}
        self.agent_selection = AGENTS[max(self.table.player, 0)]

    def step(self, action: int | None) -> None:
        """Play `action` for `agent_selection`; for an agent whose game is over the only action is None."""
        if not self.agents:
            raise self.table.not_running()
        agent, table = self.agent_selection, self.table
        if self.terminations[agent]:
            if action is not None:
                raise ValueError(f"the game is over: only None is allowed as {agent}'s action, not {action!r}")
            self._was_dead_step(action)
            return
        self._act(table.player, self.rules.action_id(action))
        self._cumulative_rewards[agent] = 0.0
        if table.over or self.scheme.by_decision:
            self.rewards = self._pay()
            self._cumulative_rewards["player_0"] += self.rewards["player_0"]
            self._cumulative_rewards["player_1"] += self.rewards["player_1"]
        if table.over:
            self.terminations = {"player_0": True, "player_1": True}
        self._next()


class ParallelEnv(_TwoSeats, pettingzoo.ParallelEnv[str, Observation, int]):
    """A game as a PettingZoo parallel environment: both agents act at every step; the one who is not to move has one action, the last id.

    Arguments as for `AECEnv`. An illegal action of the player to move forfeits; else an illegal action of the waiting player does.
    """

    waits = True

    def __init__(self, game: str | Game, **options: Any) -> None:
        _TwoSeats.__init__(self, game, **options)
        self.wait = len(self.rules.actions)

    def reset(
        self, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Deal new hands as `AECEnv.reset`; return observations and infos, each by agent."""
        self._deal(seed)
        return self._both()

    def _both(self) -> tuple[dict[str, Observation], dict[str, Info]]:
        return {agent: self.observe(agent) for agent in AGENTS}, {"player_0": self._info(0), "player_1": self._info(1)}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Play {agent: action} of both agents; return observations, rewards, terminations, truncations, infos, each by agent."""
        if not self.agents:
            raise self.table.not_running()
        if set(actions) != set(AGENTS):
            raise ValueError(f"`step` needs an action for each of {', '.join(AGENTS)}, not for {sorted(actions)}")
        table, mover = self.table, self.table.player
        mine, theirs = (self.rules.action_id(actions[AGENTS[player]], wait=True) for player in (mover, 1 - mover))
        if theirs != self.wait and mine in self.rules.legal[table.node]:
            self._act(1 - mover, theirs)
        else:
            self._act(mover, mine)
        observations, infos = self._both()
        rewards, over = self._pay(), table.over
        if over:
            self.agents = []
        ended, truncated = {"player_0": over, "player_1": over}, {"player_0": False, "player_1": False}
        return observations, rewards, ended, truncated, infos


@checked
def env(game: str | Game, **options: Any) -> AECEnv:
    """Return the AEC environment of a game; options and parameters as in `AECEnv`.

    Examples:
        >>> relance.env("von_neumann", bet=2).possible_agents
        ['player_0', 'player_1']
    """
    return AECEnv(game, **options)


@checked
def parallel_env(game: str | Game, **options: Any) -> ParallelEnv:
    """Return the parallel environment of a game, in which both agents act at every step; options and parameters as in `AECEnv`."""
    return ParallelEnv(game, **options)


@checked
def pettingzoo_id(name: str) -> str:
    """The PettingZoo id of a game: von_neumann is "relance/von_neumann-v0". Gymnasium's "relance/VonNeumann-v0" is registered too."""
    return f"relance/{name}-{VERSION}"


def register() -> None:
    """Register every game with PettingZoo, once per process."""
    for name in BLUEPRINTS:
        for id in {pettingzoo_id(name), gymnasium_id(name)} - set(pettingzoo.aec_registry):
            for kind, entry in (("aec", "AECEnv"), ("parallel", "ParallelEnv")):
                pettingzoo.register(kind, id, f"{__name__}:{entry}", kwargs={"game": name})


register()
