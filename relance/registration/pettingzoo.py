"""Every game as a PettingZoo environment: AEC `relance/<name>-v0`, and a native parallel one of the same id.

Observations are {"observation": float32 vector, "action_mask": int8}; see `relance.rules.rules` for the vector.
Rewards are chips, zero-sum, and reach both agents at the last step. The mask of the agent who is not on move is all zeros,
and at the end all ones. An illegal action forfeits: the offender pays the most he can lose in this game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Discrete

from relance.agents.coach import coaches
from relance.envs import BLUEPRINTS
from relance.model.game import Game
from relance.rules.options import check_options, game_of
from relance.rules.rules import Rules, Vector, rules

VERSION = "v0"
AGENTS = ["player_0", "player_1"]
Observation: TypeAlias = Any
Info: TypeAlias = dict[str, Any]


class _Table:
    """One running game: hands, node, generator, and what each seat may see of them. Both environments hold one."""

    metadata: dict[str, Any]

    def __init__(
        self,
        game: str | Game,
        mask_in: Literal["both", "obs", "info"] = "both",
        illegal: Literal["forfeit", "raise"] = "forfeit",
        extra_info: bool = False,
        render_mode: Literal["ansi", "human"] | None = None,
        waiting_action: bool = False,
        teach: Any = False,
        **parameters: object,
    ) -> None:
        check_options(
            ("mask_in", mask_in, ("both", "obs", "info")),
            ("illegal", illegal, ("forfeit", "raise")),
            ("render_mode", render_mode, (None, "ansi", "human")),
        )
        self.game = game_of(game, parameters)
        self.rules: Rules = rules(self.game)
        self.mask_in, self.illegal, self.extra_info, self.render_mode = mask_in, illegal, extra_info, render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.hands: tuple[Any, Any] | None = None
        self.cards: tuple[str, str] | None = None
        self.node = 0
        self.offender: int | None = None
        self._rng: np.random.Generator | None = None
        self._coaches, self._loss = coaches(self.game, teach), [0.0, 0.0]
        width = len(self.rules.actions) + waiting_action
        self._masks = np.zeros((2, len(self.rules.names), width), np.int8)
        for node, legal in enumerate(self.rules.legal):
            for player in (0, 1):
                if not legal:
                    self._masks[player, node] = 1
                elif self.rules.player[node] == player:
                    self._masks[player, node, legal] = 1
                elif waiting_action:
                    self._masks[player, node, -1] = 1
        vector = Box(0.0, 1.0, (self.rules.size,), np.float32)
        mask = Box(0, 1, (width,), np.int8)
        self._observation_spaces = {
            agent: Box(0.0, 1.0, (self.rules.size,), np.float32)
            if mask_in == "info"
            else Dict({"observation": vector, "action_mask": mask})
            for agent in AGENTS
        }
        self._action_spaces = {agent: Discrete(width) for agent in AGENTS}
        self.state_space = Box(0.0, 1.0, (2 * self.rules.size,), np.float32)

    def observation_space(self, agent: str) -> Any:
        """The same space object on every call; identical for both seats."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """`Discrete`, with an action id for each name of `game.actions`."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What `agent` sees now, in fresh arrays. Raises ValueError for an agent that there is not."""
        if agent not in AGENTS:
            raise ValueError(f"agent {agent!r} must be one of {', '.join(AGENTS)}")
        player = 0 if agent == "player_0" else 1
        vector = self._see(player)
        return vector if self.mask_in == "info" else {"observation": vector, "action_mask": self._mask(player)}

    def _see(self, player: int) -> Vector:
        if self.hands is None:
            raise RuntimeError("call reset() first")
        return self.rules.observe(player, self.hands[player], self.node)

    def _mask(self, player: int) -> np.ndarray[Any, np.dtype[np.int8]]:
        if self.offender is not None:
            return np.ones_like(self._masks[player, 0])
        out: np.ndarray[Any, np.dtype[np.int8]] = self._masks[player, self.node].copy()
        return out

    def _info(self, player: int) -> Info:
        out: Info = {} if self.mask_in == "obs" else {"action_mask": self._mask(player)}
        out |= {"loss": self._loss[player]} if self._coaches else {}
        if self.extra_info and self.hands is not None:
            out |= {
                "node": self.rules.names[self.node],
                "hand": self.rules.hand_label(player, self.hands[player]),
                "forfeit": self.offender == player,
            }
            out |= {"cards": self.cards[player]} if self.cards else {}
        return out

    def _deal(self, seed: int | None) -> None:
        if seed is not None or self._rng is None:
            self._rng = np.random.default_rng(seed)
        self.hands = self.rules.deal.sample(self._rng)
        self.cards = self.rules.show(self.hands, self._rng)
        self.node, self.offender, self._loss = 0, None, [0.0, 0.0]
        self.agents = list(AGENTS)

    def _forfeit(self, player: int, action: int) -> tuple[float, float]:
        if self.illegal == "raise":
            if player == self.rules.player[self.node]:
                raise ValueError(self.rules.illegal(action, self.node))
            only = f"{AGENTS[player]} waits; legal: {len(self.rules.actions)} (wait)"
            raise ValueError(f"action {action} ({self.rules.actions[action]}) is illegal: {only}")
        self._teach(player, action)
        self.offender = player
        loss = self.rules.worst[player]
        return (-loss, loss) if player == 0 else (loss, -loss)

    def _teach(self, player: int, action: int) -> None:
        assert self.hands is not None
        loss = self._coaches[player].loss(self.node, self.hands[player], action) if self._coaches else 0.0
        self._loss[player], self._loss[1 - player] = loss, 0.0

    def _take(self, player: int, action: Any) -> tuple[float, float] | None:
        """Play `action`; the chips to both at the end, else None."""
        number = self.rules.action_id(action)
        child: int = self.rules.child[self.node][number]
        if child < 0:
            return self._forfeit(player, number)
        self._teach(player, number)
        self.node = child
        if self.rules.player[child] >= 0:
            return None
        assert self.hands is not None
        chips = self.rules.payoff(self.hands[0], self.hands[1], child)
        return chips, -chips

    def state(self) -> Vector:
        """What both players see, player 0 first, as one vector."""
        return np.concatenate([self._see(0), self._see(1)])

    def render(self) -> str | None:
        """The deal as text: returned in mode "ansi", printed in mode "human". Only the player to move shows his hand."""
        if self.render_mode is None:
            return None
        if self.hands is None:
            raise RuntimeError("call reset() first")
        mover = self.rules.player[self.node]
        text = self.rules.picture(self.hands, self.node, (0, 1) if mover < 0 else (mover,), self.cards)
        if self.offender is not None:
            text += f"\n  player {self.offender} took an illegal action and forfeits {self.rules.worst[self.offender]:g} chips"
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""


class AECEnv(_Table, pettingzoo.AECEnv[str, Observation, int]):
    """A game of Relance for agents who act in turn. Player 0 of the paper is `player_0`.

    Args:
        game: a name of `relance.games()`, or a Game.
        mask_in: "both", "obs" or "info": where the action mask is found. With "info" the observation is the vector alone.
        illegal: "forfeit" ends the game, zero-sum; "raise" raises ValueError and changes nothing.
        extra_info: add `node`, `hand` and `forfeit` to the infos, and `cards` where real cards are dealt.
        render_mode: "ansi" or "human", both text.
        teach: add `loss` to the infos, as `SeatEnv` does, of both players; 0 for whose action the last was not, NaN out of turn.
        **parameters: of the game, such as `bet=2`; `hands=n` for a grid.
    """

    def __init__(self, game: str | Game, **options: Any) -> None:
        _Table.__init__(self, game, **options)
        self.metadata = {
            "name": f"{self.game.name}_{VERSION}",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, Info] = {}
        self.agent_selection = AGENTS[0]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal new hands. The same `seed` deals the same hands; without one the stream goes on."""
        self._deal(seed)
        self.rewards = {"player_0": 0.0, "player_1": 0.0}
        self._cumulative_rewards = {"player_0": 0.0, "player_1": 0.0}
        self.terminations = {"player_0": False, "player_1": False}
        self.truncations = {"player_0": False, "player_1": False}
        self._next()

    def _next(self) -> None:
        self.infos = {"player_0": self._info(0), "player_1": self._info(1)}
        self.agent_selection = AGENTS[max(self.rules.player[self.node], 0)]

    def step(self, action: int | None) -> None:
        """Play `action` for `agent_selection`; for an agent whose game is over the only action is None."""
        if not self.agents:
            raise RuntimeError("the game is over; call reset() to deal again" if self.hands else "call reset() first")
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise ValueError(
                    f"action {action!r} of {agent} after the end of the game; only None is allowed, or reset()"
                )
            self._was_dead_step(action)
            return
        ending = self._take(AGENTS.index(agent), action)
        self._cumulative_rewards[agent] = 0.0
        if ending is not None:
            self.rewards = {"player_0": ending[0], "player_1": ending[1]}
            self.terminations = {"player_0": True, "player_1": True}
            self._cumulative_rewards["player_0"] += ending[0]
            self._cumulative_rewards["player_1"] += ending[1]
        self._next()
        if ending is not None:
            self.agent_selection = AGENTS[0]


class ParallelEnv(_Table, pettingzoo.ParallelEnv[str, Observation, int]):
    """The same game for agents who all act at every step: whoever waits has one extra action, the last, and only that.

    Arguments as for `AECEnv`. An illegal action of the player to move forfeits; if his is legal, one of the waiting player does.
    """

    def __init__(self, game: str | Game, **options: Any) -> None:
        _Table.__init__(self, game, waiting_action=True, **options)
        self.metadata = {"name": f"{self.game.name}_{VERSION}", "render_modes": ["ansi", "human"]}
        self.wait = len(self.rules.actions)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Deal new hands; see `AECEnv.reset`."""
        self._deal(seed)
        return self._both()

    def _both(self) -> tuple[dict[str, Observation], dict[str, Info]]:
        return {agent: self.observe(agent) for agent in AGENTS}, {"player_0": self._info(0), "player_1": self._info(1)}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Play one action of each agent."""
        if not self.agents:
            raise RuntimeError("the game is over; call reset() to deal again" if self.hands else "call reset() first")
        if set(actions) != set(AGENTS):
            raise ValueError(f"actions of {sorted(actions)}; one of each of {', '.join(AGENTS)} is needed")
        mover: int = self.rules.player[self.node]
        mine, theirs = (self._number(actions[AGENTS[player]]) for player in (mover, 1 - mover))
        if mine == self.wait:
            ending: tuple[float, float] | None = self._forfeit(mover, mine)
        elif theirs != self.wait and self.rules.child[self.node][mine] >= 0:
            ending = self._forfeit(1 - mover, theirs)
        else:
            ending = self._take(mover, mine)
        over, rewards = ending is not None, ending or (0.0, 0.0)
        if over:
            self.agents = []
        observations, infos = self._both()
        chips, ended = {"player_0": rewards[0], "player_1": rewards[1]}, {"player_0": over, "player_1": over}
        return observations, chips, ended, {"player_0": False, "player_1": False}, infos

    def _number(self, action: Any) -> int:
        return self.wait if action == self.wait else self.rules.action_id(action)


def env(game: str | Game, **options: Any) -> AECEnv:
    """Return the AEC environment of a game; options and parameters as in `AECEnv`."""
    return AECEnv(game, **options)


def parallel_env(game: str | Game, **options: Any) -> ParallelEnv:
    """Return the native parallel environment of a game; options and parameters as in `AECEnv`."""
    return ParallelEnv(game, **options)


def env_id(name: str) -> str:
    """The PettingZoo id of a game: von_neumann is "relance/von_neumann-v0"."""
    return f"relance/{name}-{VERSION}"


def register() -> None:
    """Register every game with PettingZoo, once per process."""
    for name in BLUEPRINTS:
        if env_id(name) not in pettingzoo.aec_registry:
            pettingzoo.register("aec", env_id(name), "relance.registration.pettingzoo:AECEnv", kwargs={"game": name})
            pettingzoo.register(
                "parallel", env_id(name), "relance.registration.pettingzoo:ParallelEnv", kwargs={"game": name}
            )


register()
