"""Kuhn's poker as bare, hand-written environments, the yardsticks for generic ones.

They do what the interfaces ask (observation, mask, infos, rewards, dead steps), in fresh arrays, and no more: no parameters, no
options, no checks, no rendering. All that is shown is looked up in tables.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import permutations
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
from gymnasium.spaces import Box, Dict, Discrete

FIRST, SECOND = AGENTS = ["player_0", "player_1"]
CHECK, BET, FOLD, CALL = range(4)
PLAYER = [0, 1, 0, 1, -1, -1, -1, -1, -1]
CHILD = [{CHECK: 1, BET: 3}, {CHECK: 4, BET: 2}, {FOLD: 5, CALL: 6}, {FOLD: 7, CALL: 8}, {}, {}, {}, {}, {}]
PAST = [
    [],
    [CHECK],
    [CHECK, BET],
    [BET],
    [CHECK, CHECK],
    [CHECK, BET, FOLD],
    [CHECK, BET, CALL],
    [BET, FOLD],
    [BET, CALL],
]
CONSTANT, STAKE = [0, 0, 0, 0, 0, -1, 0, 1, 0], [0, 0, 0, 0, 1, 0, 2, 0, 2]
DEALS = list(permutations(range(3), 2))
SIZE = 2 + 3 + 3 * 4
REPLIES = {1: [[2 / 3, 1.0], [1.0], [0.0, 1.0]], 3: [[0.0, 0.0, 1.0], [0.0, 0.0, 2 / 3, 1.0], [0.0, 0.0, 0.0, 1.0]]}
"""Player 1's equilibrium: by node and card, the probability of taking an action up to each one."""


def _seen(player: int, node: int, card: int) -> Any:
    vector = np.zeros(SIZE, np.float32)
    vector[player] = vector[2 + card] = 1
    for i, action in enumerate(PAST[node]):
        vector[5 + 4 * i + action] = 1
    return vector


def _mask(player: int, node: int) -> Any:
    legal = range(4) if PLAYER[node] < 0 else CHILD[node] if PLAYER[node] == player else ()
    return np.array([action in legal for action in range(4)], np.int8)


SEEN = [[[_seen(player, node, card) for card in range(3)] for node in range(9)] for player in (0, 1)]
MASKS = [[_mask(player, node) for node in range(9)] for player in (0, 1)]


def _chips(node: int, cards: tuple[int, ...]) -> float:
    return float(CONSTANT[node] + (STAKE[node] if cards[0] > cards[1] else -STAKE[node]))


class BareAEC(pettingzoo.AECEnv):  # type: ignore[misc, type-arg, unused-ignore]  # PettingZoo gives no types
    """Kuhn's three cards for two agents who act in turn."""

    metadata = {"name": "bare_kuhn", "render_modes": []}  # noqa: RUF012 - the name and form are PettingZoo's

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = list(AGENTS)
        self.space = Dict({"observation": Box(0.0, 1.0, (SIZE,), np.float32), "action_mask": Box(0, 1, (4,), np.int8)})
        self.choices = Discrete(4)
        self.rng = np.random.default_rng(0)

    def observation_space(self, agent: str) -> Any:
        return self.space

    def action_space(self, agent: str) -> Any:
        return self.choices

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.cards = DEALS[int(self.rng.random() * 6)]
        self.node, self.agents, self.agent_selection = 0, [FIRST, SECOND], FIRST
        self.rewards = {FIRST: 0.0, SECOND: 0.0}
        self._cumulative_rewards = {FIRST: 0.0, SECOND: 0.0}
        self.terminations = {FIRST: False, SECOND: False}
        self.truncations = {FIRST: False, SECOND: False}
        self.infos: dict[str, Any] = {
            FIRST: {"action_mask": MASKS[0][0].copy()},
            SECOND: {"action_mask": MASKS[1][0].copy()},
        }

    def observe(self, agent: str) -> Any:
        player = 0 if agent == FIRST else 1
        seen = SEEN[player][self.node][self.cards[player]]
        return {"observation": seen.copy(), "action_mask": MASKS[player][self.node].copy()}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self.node = node = CHILD[self.node][action]
        self.agent_selection = AGENTS[max(PLAYER[node], 0)]
        if PLAYER[node] < 0:
            chips = _chips(node, self.cards)
            self.rewards = {FIRST: chips, SECOND: -chips}
            self.terminations = {FIRST: True, SECOND: True}
            self._cumulative_rewards[FIRST] += chips
            self._cumulative_rewards[SECOND] -= chips
        self.infos = {
            FIRST: {"action_mask": MASKS[0][node].copy()},
            SECOND: {"action_mask": MASKS[1][node].copy()},
        }


class BareSeat(gymnasium.Env[Any, Any]):
    """Player 0's seat in Kuhn's game, against player 1's equilibrium."""

    def __init__(self) -> None:
        self.observation_space = Box(0.0, 1.0, (SIZE,), np.float32)
        self.action_space = Discrete(4)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        if seed is not None:
            super().reset(seed=seed)
        self.cards = DEALS[int(self.np_random.random() * 6)]
        self.node = 0
        return SEEN[0][0][self.cards[0]].copy(), {"action_mask": MASKS[0][0].copy()}

    def step(self, action: int) -> Any:
        node = CHILD[self.node][action]
        if PLAYER[node] == 1:
            node = CHILD[node][bisect_right(REPLIES[node][self.cards[1]], self.np_random.random())]
        self.node = node
        over = PLAYER[node] < 0
        reward = _chips(node, self.cards) if over else 0.0
        return SEEN[0][node][self.cards[0]].copy(), reward, over, False, {"action_mask": MASKS[0][node].copy()}
