"""Every game as a Gymnasium environment `relance/<Name>-v0`: one seat, against an opponent.

The observation is the flat float32 vector of `relance.play.rules`; the mask is in `info["action_mask"]` and in
`action_masks()`. The reward is in chips, at the last step, or another one of `relance.play.rewards`, at each of your decisions. An
illegal action forfeits the most that can be lost.

If the opponent ends the game before your turn, you get one step in which every action is accepted and does nothing. So no
game is left out, and the mean reward estimates the expected chips of a game.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete

from relance.envs.catalogue import BLUEPRINTS
from relance.model.arguments import checked
from relance.model.game import Game
from relance.model.game_check import LONGEST_PLAY
from relance.play.coach import coaches
from relance.play.frame import frame
from relance.play.opponents import Player
from relance.play.policies import Sampler, StrategyTable, play_on
from relance.play.rewards import Rewards
from relance.play.rules import game_of, rules
from relance.play.table import AtTable, Table

VERSION = "v0"

RENDER_MODES = ["ansi", "human", "rgb_array"]
"""The modes of `render`: text that is returned, text that is printed, and an array of pixels."""

LIMIT = LONGEST_PLAY + 1
"""`max_episode_steps` in the spec of every id. Gymnasium calls a step that reaches this limit truncated, even if it ends the game, so the
limit is above the length of any episode. One seat has at most `env.unwrapped.rules.turns(seat)` steps, or 1 if that is 0."""


class SeatEnv(AtTable, gymnasium.Env[Any, Any]):
    """One seat of a game against an opponent.

    Args:
        game: a name of `relance.games()`, or a Game.
        opponent: a name such as "equilibrium", "uniform" or "perturbed(0.1)", a Profile, a trained agent, or a mixture of these, all as
            in `relance.play.strategy`; a tuple of two, one per seat; a callable (observations (k, K), masks (k, A)) -> action ids (k,) or
            probabilities (k, A), here with k = 1; or "self", the policy last given to `refresh`, uniform at first. The opponent in place
            of None depends on `reward`: an equilibrium for "chips" and "loss", a best response to the policy last given to `refresh` for
            "exploitability_descent", and "self" for the other rewards.
        seat: 0, 1, or "random" for a new one each episode; the observation contains it.
        obs: "flat" for the vector, "dict" for {"observation", "action_mask"}.
        illegal: "forfeit" ends the episode; "raise" raises ValueError and changes nothing.
        extra_info: add `node`, `hand`, `seat` and `forfeit` to the info, and `cards` where real cards are dealt.
        render_mode: "ansi" or "human", both text; or "rgb_array", a picture, which needs Pillow.
        teach: True adds `loss` to the info: the expected chips that your last action lost against an equilibrium; 0 after `reset`. To score
            actions against another opponent, give one that `relance.play.strategy` reads instead of True. False adds nothing.
        reward: a name of `relance.play.rewards.REWARDS`, such as "chips" or "magnet(pull=0.2)". All but "chips" are paid at each
            decision; those that depend on the learner's policy need `refresh` after each of its updates.
        **parameters: of the game, such as `bet=2`; `hands=n` for a grid.

    Raises:
        ValueError: an argument is not one of those above, or a play of the game may have more than `LONGEST_PLAY` actions.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012 - the name and form are Gymnasium's

    @checked
    def __init__(
        self,
        game: str | Game,
        opponent: Player = None,
        seat: Literal[0, 1, "random"] = 0,
        obs: Literal["flat", "dict"] = "flat",
        illegal: Literal["forfeit", "raise"] = "forfeit",
        extra_info: bool = False,
        render_mode: Literal["ansi", "human", "rgb_array"] | None = None,
        teach: Player = False,
        reward: str = "chips",
        **parameters: object,
    ) -> None:
        self.game = game_of(game, parameters)
        self.rules = rules(self.game)
        if (depth := self.rules.game.tree.depth) > LONGEST_PLAY:
            raise ValueError(f"a play of {self.game} may have {depth} actions; at most {LONGEST_PLAY} are allowed")
        self.obs, self.illegal, self.extra_info, self.render_mode = obs, illegal, extra_info, render_mode
        self._seats = (0, 1) if seat == "random" else (seat,)
        self.rewards, self._opponent = Rewards(self.game, reward, opponent), opponent
        self._seat_opponents()
        self._coaches, self._loss = coaches(self.game, teach, self._seats), 0.0
        self.seat, self.table = self._seats[0], Table(self.rules)
        self._over = True
        self.observation_space = observation_space(self.rules.size, len(self.rules.actions), obs == "dict")
        self.action_space = Discrete(len(self.rules.actions))

    def _seat_opponents(self) -> None:
        policies = self.rewards.players(1 - seat for seat in self._seats)
        self._opponents = {s: Sampler(p) if isinstance(p, StrategyTable) else p for s, p in policies.items()}

    def refresh(self, policy: Player) -> None:
        """Take the learner's current policy, for `opponent="self"` and rewards that follow it; see `relance.play.Rewards.refresh`."""
        self.rewards.refresh(policy)
        self._seat_opponents()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal, let the opponent act if it is their turn, and return (observation, info). `options` is ignored."""
        if seed is not None:
            super().reset(seed=seed)
        self.seat = self._seats[0] if len(self._seats) == 1 else int(self.np_random.integers(2))
        self.table.deal(self.np_random)
        self._over, self._loss = False, 0.0
        self._let_opponent_act()
        return self._shown()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play `action`, then the opponent; the reward is 0 until the game is over, then your chips, or as `reward` says."""
        if self._over:
            raise self.table.not_running()
        table, number, reward = self.table, self.rules.action_id(action), 0.0
        if table.player >= 0:  # otherwise the opponent has ended the game, and the action does nothing
            node = table.node
            table.act(number, self.illegal)
            if self.rewards.by_decision:
                reward = self.rewards.paid(node, table.hands[self.seat], number)
            self._let_opponent_act()
            if self._coaches:
                self._loss = self._coaches[self.seat].loss(node, table.hands[self.seat], number)
        self._over = over = table.over
        if over and not self.rewards.by_decision:
            reward = table.chips if self.seat == 0 else -table.chips
        observation, info = self._shown()
        return observation, reward, over, False, info

    def _let_opponent_act(self) -> None:
        play_on(self.table, 1 - self.seat, self._opponents[1 - self.seat], self.np_random)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions as a fresh bool array, for sb3-contrib; all true before `reset` and at the end."""
        return self.table.mask(self.seat).view(bool)

    def _shown(self) -> tuple[Any, dict[str, Any]]:
        """Return the observation and the info; in mode "human", print the table first."""
        if self.render_mode == "human":
            print(self._text())
        table, seat = self.table, self.seat
        node = table.node
        mask = self.rules.mask_rows[0][seat][node if table.player >= 0 else -1]
        seen: Any = self.rules.observe(seat, table.hands[seat], node)
        if self.obs == "dict":
            seen = {"observation": seen, "action_mask": mask.copy()}
        info: dict[str, Any] = {"action_mask": mask.copy()}
        if self._coaches:
            info["loss"] = self._loss
        if self.extra_info:
            info |= table.facts(seat) | {"seat": seat}
        return seen, info

    def _text(self) -> str:
        return f"{self.table.text(self.seat)}\n  you are player {self.seat}"

    def render(self) -> Any:
        """Return the game as you see it: text in mode "ansi", a picture (height, width, 3) uint8 in mode "rgb_array".

        Mode "human" prints the text at each step, and returns None.
        """
        if self.render_mode == "rgb_array":
            return frame(self.table, (self.seat,))
        return self._text() if self.render_mode == "ansi" else None


def observation_space(size: int, actions: int, with_mask: bool) -> Box | Dict:
    """The space of observation vectors (size,), or of dicts with such a vector and the mask (actions,)."""
    vector, mask = Box(0.0, 1.0, (size,), np.float32), Box(0, 1, (actions,), np.int8)
    return Dict({"observation": vector, "action_mask": mask}) if with_mask else vector


@checked
def gymnasium_id(name: str) -> str:
    """The Gymnasium id of a game: von_neumann is "relance/VonNeumann-v0". "relance/von_neumann-v0" is registered too."""
    return f"relance/{''.join(part.capitalize() for part in name.split('_'))}-{VERSION}"


def register() -> None:
    """Register every game with Gymnasium, once per process."""
    one, many = f"{__name__}:SeatEnv", "relance.registration.vector:VectorSeatEnv"
    for name in BLUEPRINTS:
        for known in (gymnasium_id(name), f"relance/{name}-{VERSION}"):
            if known not in gymnasium.registry:
                gymnasium.register(known, one, max_episode_steps=LIMIT, vector_entry_point=many, kwargs={"game": name})


register()
