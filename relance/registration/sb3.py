"""Every game for Stable-Baselines3, which takes no Gymnasium vector environment: one seat at many tables, stepped together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from relance.model.game import Game
from relance.registration.batch_policies import Policy
from relance.registration.vector import VectorSeatEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError("Stable-Baselines3 is needed here: pip install 'relance[sb3]'") from error


class SB3VectorSeatEnv(VecEnv):
    """A `VectorSeatEnv` as a `VecEnv`: finished tables are dealt anew at once, and their infos hold `terminal_observation`."""

    def __init__(self, env: VectorSeatEnv) -> None:
        self.env = env
        self._masks = env.action_masks()
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> Any:
        """Deal at every table; with the seed that `seed` was given, if it was called since the last reset."""
        seen, _ = self.env.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        self._masks = self.env.action_masks()
        return seen

    def step_async(self, actions: npt.NDArray[np.integer[Any]]) -> None:
        self._actions = actions

    def step_wait(self) -> Any:
        """Observations (n, K), rewards (n,) float32, which games are over (n,) bool, and an info for each table."""
        seen, rewards, over, _, told = self.env.step(self._actions)
        told = {key: column for key, column in told.items() if key != "action_mask" and not key.startswith("_")}
        infos = [{key: column[table] for key, column in told.items()} for table in range(self.num_envs)]
        if over.any():
            for table in np.flatnonzero(over).tolist():
                infos[table]["terminal_observation"] = _at(seen, table)
                infos[table]["TimeLimit.truncated"] = False
            seen, _ = self.env.reset(options={"reset_mask": over})
        self._masks = self.env.action_masks()
        return seen, rewards.astype(np.float32), over, infos

    def close(self) -> None:
        self.env.close()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(n, A) which actions are legal."""
        return self._masks

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Table by table; `action_masks` is the only method there is."""
        if method_name != "action_masks":
            raise AttributeError(f"tables have no method {method_name!r}; they have 'action_masks'")
        return [self._masks[table] for table in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Table by table; all have the attributes of the vector environment, and masks of their own."""
        tables: Sequence[int] = list(self._get_indices(indices))
        if attr_name == "action_masks":
            return [lambda table=table: self._masks[table] for table in tables]
        return [getattr(self.env, attr_name)] * len(tables)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"{attr_name!r} cannot be set: tables share one environment; make another")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]


def _at(seen: Any, table: int) -> Any:
    return {key: part[table] for key, part in seen.items()} if isinstance(seen, dict) else seen[table]


def sb3_vec_env(
    game: str | Game,
    num_envs: int = 1024,
    opponent: Policy = "published",
    seat: Literal[0, 1, "random"] = 0,
    seed: int | None = None,
    **options: Any,
) -> SB3VectorSeatEnv:
    """Make a game for Stable-Baselines3 and sb3-contrib's MaskablePPO: one seat at `num_envs` tables against `opponent`.

    Arguments and `options` are those of `relance.registration.vector.VectorSeatEnv`, but for `autoreset_mode`: a finished table
    is always dealt anew at once. `seed` makes the first reset repeatable.
    """
    env = SB3VectorSeatEnv(VectorSeatEnv(game, num_envs, opponent, seat, autoreset_mode="Disabled", **options))
    env.seed(seed)
    return env
