"""For RLlib: an environment, a PPO module that respects the action mask, and trained agents in the form `relance.score` accepts.

RLlib pins its own version of Gymnasium, so it needs a separate Python environment: `make rllib` creates one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.arguments import checked
from relance.model.game import Game
from relance.play.agents import Answer, Reader, read_with
from relance.play.nash_conv_log import NashConvLog
from relance.play.networks import Masks, Observations
from relance.registration.pettingzoo import parallel_env

try:
    import torch
    from ray.rllib.algorithms.algorithm import Algorithm
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
    from ray.rllib.callbacks.callbacks import RLlibCallback
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
    from ray.tune.registry import register_env
except ImportError as error:
    what = "pip install 'relance[torch]' 'ray[rllib]>=2.50', in an environment of its own"
    raise ImportError(f"RLlib needs {error.name}: {what}") from error

POLICY = "both"
"""The policy that plays both seats; the seat is in the observation."""


class MaskedPPO(DefaultPPOTorchRLModule):
    """RLlib's PPO module for observations {"observation", "action_mask"}: it never takes an action that the mask rules out."""

    def __init__(self, *, observation_space: Any, **options: Any) -> None:
        super().__init__(observation_space=observation_space["observation"], **options)
        self.observation_space = observation_space

    def _forward(self, batch: dict[str, Any], **options: Any) -> dict[str, Any]:
        return self._masked(super()._forward, batch, **options)

    def _forward_train(self, batch: dict[str, Any], **options: Any) -> dict[str, Any]:
        return self._masked(super()._forward_train, batch, **options)

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        return super().compute_values({**batch, Columns.OBS: batch[Columns.OBS]["observation"]}, embeddings)

    def _masked(self, forward: Callable[..., dict[str, Any]], batch: dict[str, Any], **options: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        out = forward({**batch, Columns.OBS: seen["observation"]}, **options)
        legal = seen["action_mask"].bool()
        out[Columns.ACTION_DIST_INPUTS] = out[Columns.ACTION_DIST_INPUTS].masked_fill(~legal, -1e9)
        return out


@checked
def ppo_config(game: Game) -> PPOConfig:
    """A PPO configuration for self-play of `game` in the parallel environment, with one policy for both seats."""
    name = f"relance/{game}"
    register_env(name, lambda _: ParallelPettingZooEnv(parallel_env(game)))
    spec = MultiRLModuleSpec(rl_module_specs={POLICY: RLModuleSpec(module_class=MaskedPPO)})
    return (
        PPOConfig()
        .environment(name)
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda agent, episode, **_: POLICY)
        .rl_module(rl_module_spec=spec)
    )


@checked
def rllib_agent(algorithm: Algorithm) -> Answer:
    """The policy of an algorithm made by `ppo_config`: (observations, masks) -> probabilities."""
    module = algorithm.get_module(POLICY)

    def answer(seen: Observations, masks: Masks) -> npt.NDArray[np.float32]:
        waiting = np.zeros((len(masks), 1), bool)  # the parallel environment's last action
        legal = torch.tensor(np.concatenate([masks, waiting], axis=1))
        with torch.no_grad():
            out = module.forward_inference({Columns.OBS: {"observation": torch.tensor(seen), "action_mask": legal}})
        chances: npt.NDArray[np.float32] = out[Columns.ACTION_DIST_INPUTS].softmax(-1)[:, :-1].numpy()
        return chances

    return answer


class RLlibNashConvCallback(RLlibCallback):
    """Adds exact NashConv to RLlib's results after each training iteration; the loggers of RLlib and of Tune write it.

    Give `config.callbacks(functools.partial(RLlibNashConvCallback, game, best="best"))`. The results have "relance/nash_conv" and
    further scores, and "done" once training may stop: Tune stops there; a training loop of your own can read it.

    Args:
        game: the game.
        best: the folder to which the algorithm with the lowest NashConv is saved; None for none.
        regrets, below, patience: as for `relance.play.nash_conv_log.NashConvLog`.

    Attributes:
        scores: the `NashConvLog`, with all points.
    """

    def __init__(self, game: Game | str, best: Path | str | None = None, **options: Any) -> None:
        super().__init__()
        self._best, self._result = best, dict[str, Any]()
        self.scores = NashConvLog(
            game,
            lambda scalars, step: self._result.update(scalars),
            save=None if best is None else self._save,
            **options,
        )

    def _save(self, step: int, nash_conv: float) -> None:
        self._algorithm.save_to_path(Path(self._best or "").absolute())

    def on_train_result(self, *, algorithm: Algorithm, result: dict[str, Any], **others: Any) -> None:
        self._algorithm: Any = algorithm
        self._result = result
        if self.scores(rllib_agent(algorithm), algorithm.iteration):
            result["done"] = True


read_with(
    Reader(
        "an RLlib algorithm",
        lambda player: isinstance(player, Algorithm),
        lambda game, algorithm, seat: rllib_agent(algorithm),
    )
)
