"""Kuhn's poker as a bare, hand-written PettingZoo environment, the yardstick for generic ones.

It does what the interface asks (observation, mask, infos, rewards, dead steps) and no more: no parameters, no options, no
checks, no rendering.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Discrete

AGENTS = ["player_0", "player_1"]
CHECK, BET, FOLD, CALL = range(4)
# node: player, {action: child}; a child that is a string is an ending
TREE: dict[int, tuple[int, dict[int, int | str]]] = {
    0: (0, {CHECK: 1, BET: 3}),
    1: (1, {CHECK: "show 1", BET: 2}),
    2: (0, {FOLD: "fold 0", CALL: "show 2"}),
    3: (1, {FOLD: "fold 1", CALL: "show 2"}),
}
PAST: dict[int, list[int]] = {0: [], 1: [CHECK], 2: [CHECK, BET], 3: [BET]}
SIZE = 2 + 3 + 3 * 4


class BareKuhn(pettingzoo.AECEnv):  # type: ignore[misc, type-arg, unused-ignore]  # PettingZoo gives no types
    """Kuhn's three cards for two agents who act in turn."""

    metadata = {"name": "bare_kuhn", "render_modes": []}  # noqa: RUF012 - the name and form are PettingZoo's

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = list(AGENTS)
        space = Dict({"observation": Box(0.0, 1.0, (SIZE,), np.float32), "action_mask": Box(0, 1, (4,), np.int8)})
        self.observation_spaces: dict[str, Any] = dict.fromkeys(AGENTS, space)
        self.action_spaces: dict[str, Any] = dict.fromkeys(AGENTS, Discrete(4))
        self.rng = np.random.default_rng(0)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        first = int(self.rng.integers(3))
        second = int(self.rng.integers(2))
        self.cards = (first, second + (second >= first))
        self.agents = list(AGENTS)
        self.node, self.over = 0, False
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, Any] = {agent: {"action_mask": self._mask(i)} for i, agent in enumerate(AGENTS)}

    def _mask(self, player: int) -> Any:
        if self.over:
            return np.ones(4, np.int8)
        out = np.zeros(4, np.int8)
        mover, children = TREE[self.node]
        if mover == player:
            out[list(children)] = 1
        return out

    def observe(self, agent: str) -> Any:
        player = AGENTS.index(agent)
        vector = np.zeros(SIZE, np.float32)
        vector[player] = vector[2 + self.cards[player]] = 1
        for i, action in enumerate(PAST[self.node]):
            vector[5 + 4 * i + action] = 1
        return {"observation": vector, "action_mask": self._mask(player)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        child = TREE[self.node][1][int(action)]
        if isinstance(child, int):
            self.node = child
            self.agent_selection = AGENTS[TREE[child][0]]
        else:
            kind, _, number = child.partition(" ")
            loser = int(number) if kind == "fold" else int(self.cards[0] > self.cards[1])
            chips = (1.0 if kind == "fold" else float(number)) * (1 if loser else -1)
            self.over = True
            self.rewards = {AGENTS[0]: chips, AGENTS[1]: -chips}
            self.terminations = dict.fromkeys(AGENTS, True)
            for name in AGENTS:
                self._cumulative_rewards[name] += self.rewards[name]
            self.agent_selection = AGENTS[0]
        self.infos = {name: {"action_mask": self._mask(i)} for i, name in enumerate(AGENTS)}
