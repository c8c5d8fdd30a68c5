"""For Stable-Baselines3: every game as a `VecEnv` (one seat at many tables), and its models as agents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from relance.baselines.averages import Average
from relance.model.arguments import checked
from relance.model.game import Game, as_game
from relance.play.agents import Answer, Reader, read_with
from relance.play.exact_score import score
from relance.play.nash_conv_log import NashConvLog
from relance.play.networks import Masks, Observations, evaluating, network_output
from relance.play.opponents import Player
from relance.play.rules import rules
from relance.registration.vector import VectorSeatEnv, row_of

try:
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError("Stable-Baselines3 is needed here: pip install 'relance[sb3]'") from error


class SB3VectorSeatEnv(VecEnv):
    """A `VectorSeatEnv` as a `VecEnv`: finished tables are dealt again at once, and their infos have `terminal_observation`."""

    def __init__(self, env: VectorSeatEnv) -> None:
        self.env = env
        self._masks = env.action_masks()
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> Any:
        """Deal at every table; if `seed` was called since the last reset, start from that seed."""
        seen, _ = self.env.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        self._masks = self.env.action_masks()
        return seen

    def step_async(self, actions: npt.NDArray[np.integer[Any]]) -> None:
        self._actions = actions

    def step_wait(self) -> Any:
        """Return observations (n, K), rewards (n,) float32, bools (n,) that are true where a game is over, and an info for each table."""
        seen, rewards, over, _, columns = self.env.step(self._actions)
        columns = {key: column for key, column in columns.items() if key != "action_mask" and not key.startswith("_")}
        infos = [{key: column[table] for key, column in columns.items()} for table in range(self.num_envs)]
        if over.any():
            for table in np.flatnonzero(over).tolist():
                infos[table] |= {"terminal_observation": row_of(seen, table), "TimeLimit.truncated": False}
            seen, _ = self.env.reset(options={"reset_mask": over})
        self._masks = self.env.action_masks()
        return seen, rewards.astype(np.float32), over, infos

    def close(self) -> None:
        self.env.close()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, an array (n, A)."""
        return self._masks

    def get_images(self) -> Any:
        """A picture of each table, with the option render_mode="rgb_array"."""
        return self.env.render()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call `action_masks` or `refresh` at each table, and return the masks; `refresh` first gives all tables the learner's policy."""
        if method_name == "refresh":
            self.env.refresh(*method_args)
        elif method_name != "action_masks":
            raise AttributeError(f"env_method can call only 'action_masks' and 'refresh', not {method_name!r}")
        return [self._masks[table] for table in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the vector environment, once for each table; only `action_masks` differs from table to table."""
        if attr_name == "action_masks":
            return [lambda table=table: self._masks[table] for table in self._get_indices(indices)]
        return [getattr(self.env, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"attribute {attr_name!r} cannot be set; make a new environment with sb3_vec_env")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]


@checked
def sb3_vec_env(
    game: str | Game,
    num_envs: int = 1024,
    opponent: Player = "equilibrium",
    seat: Literal[0, 1, "random"] = 0,
    seed: int | None = None,
    **options: Any,
) -> SB3VectorSeatEnv:
    """Make a game for Stable-Baselines3 and sb3-contrib's MaskablePPO: one seat at `num_envs` tables against `opponent`.

    Arguments and `options` are those of `relance.registration.vector.VectorSeatEnv`, except `autoreset_mode`: a finished table is
    always dealt again at once. `seed` makes the first reset reproducible.
    """
    env = SB3VectorSeatEnv(VectorSeatEnv(game, num_envs, opponent, seat, autoreset_mode="Disabled", **options))
    env.seed(seed)
    return env


class SB3NashConvCallback(BaseCallback):
    """Exact NashConv before each rollout and at the end, through Stable-Baselines3's own logger, to TensorBoard, CSV and others.

    That logger writes at the end of a rollout; `scores.points` has the steps at which the model was scored.

    Args:
        game: the game.
        agent: what to score, given the model: by default the model in both seats; `lambda model: (model, "published")` for one seat.
        every: steps of training between two scores, each made before the next rollout; by default before each rollout.
        best: the path to which the model with the lowest NashConv is saved; None for none.
        regrets, below, patience: as for `relance.play.nash_conv_log.NashConvLog`; training stops when it says so.

    Attributes:
        scores: the `NashConvLog`, with all points.
    """

    def __init__(
        self,
        game: Game | str,
        agent: Callable[[Any], Player] = lambda model: model,
        every: int = 1,
        best: Path | str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._agent, self._every, self._due = agent, every, 0
        save = None if best is None else lambda step, nash_conv: self.model.save(best)
        self.scores = NashConvLog(game, self._record, save=save, **options)

    def _record(self, scalars: dict[str, float], step: int) -> None:
        for name, value in scalars.items():
            self.logger.record(name, value)

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._due:
            self.scores(self._agent(self.model), self.num_timesteps)
            self._due = (self.num_timesteps // self._every + 1) * self._every

    def _on_step(self) -> bool:
        return not self.scores.stopped

    def _on_training_end(self) -> None:
        if not self.scores.stopped:  # else nothing was learned since the last score
            self.scores(self._agent(self.model), self.num_timesteps)
            self.logger.dump(self.num_timesteps)


class SB3SelfPlayCallback(BaseCallback):
    """Makes the model the opponent before each rollout, in environments with `opponent="self"`, and keeps the average policy.

    Args:
        game: the game.

    Attributes:
        average: the `Average` of the policies so far; score, save and play `average.policy()`.
    """

    def __init__(self, game: Game | str) -> None:
        super().__init__()
        self._game = as_game(game)
        self.average = Average(self._game)

    def _on_rollout_start(self) -> None:
        policy = score(self._game, self.model).profile
        self.training_env.env_method("refresh", policy)
        self.average.after_step(self.num_timesteps, lambda: policy)

    def _on_step(self) -> bool:
        return True

    def _on_training_end(self) -> None:
        self._on_rollout_start()


def _is_of(agent: Any, *packages: str) -> bool:
    """Return True if the agent's class or a base class comes from one of these packages; does not import them."""
    return any(base.__module__.split(".")[0] in packages for base in type(agent).__mro__)


def _sb3(game: Game, model: Any, seat: int) -> Answer:
    """The model's own distribution, with masks if it accepts them; a model of action values plays its best action."""
    if "Recurrent" in type(model).__name__:
        raise ValueError(f"{type(model).__name__} remembers earlier observations, so its play is not a strategy")
    size, width = rules(game).size, len(game.actions)
    space = getattr(model, "observation_space", None)
    parts = getattr(space, "spaces", None)
    shape = tuple(getattr(parts["observation"] if parts and "observation" in parts else space, "shape", None) or ())
    actions = getattr(getattr(model, "action_space", None), "n", None)
    if shape != (size,) or actions != width:
        raise ValueError(
            f"the model was made for observations of shape {shape} and {actions} actions; {game} has ({size},) and {width}"
        )
    policy = getattr(model, "policy", model)
    scaled = getattr(model, "get_vec_normalize_env", lambda: None)()
    masked = _is_of(policy, "sb3_contrib") and "askable" in type(policy).__name__

    def answer(seen: Observations, masks: Masks) -> Any:
        import torch

        shown: Any = {"observation": seen.copy(), "action_mask": masks.astype(np.int8)} if parts else seen.copy()
        if scaled is not None:
            shown = scaled.normalize_obs(shown)
        if not hasattr(policy, "get_distribution"):
            return np.asarray(policy.predict(shown, deterministic=True)[0]).reshape(-1)
        with evaluating(policy), torch.no_grad():
            tensor, _ = policy.obs_to_tensor(shown)
            chosen = policy.get_distribution(tensor, **({"action_masks": masks.copy()} if masked else {}))
            return network_output(chosen.distribution.probs)

    return answer


read_with(
    Reader("a Stable-Baselines3 model", lambda agent: _is_of(agent, "stable_baselines3", "sb3_contrib"), _sb3),
)
