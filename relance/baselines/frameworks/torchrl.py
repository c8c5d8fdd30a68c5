"""Every game for TorchRL: n tables in one `EnvBase` over `relance.play.batch`, with both seats in one group of agents.

Keys and shapes are those of TorchRL's own batched multi-agent environments and of our parallel environment: both agents act at every
step, and the only legal action of the agent who waits is the last one, to wait. Needs the extra `torchrl`.

    env = relance.baselines.BatchEnv("von_neumann", 4096, seed=0, bet=2)
    env.rollout(8, break_when_any_done=False)["agents", "observation"]  # (4096, 8, 2, K)
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from relance.model.game import Game
from relance.play.batch import Batch
from relance.play.nash_conv_log import NashConvLog
from relance.play.rules import game_of, rules

try:
    import torch
    from tensordict import TensorDict
    from torchrl.data import Binary, Categorical, Composite, Unbounded
    from torchrl.data.tensor_specs import Bounded
    from torchrl.envs import EnvBase

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TorchRL warns of its own deprecations
        from torchrl.trainers import Trainer, TrainerHookBase
except ImportError as error:
    raise ImportError("TorchRL is needed here: pip install 'relance[torchrl]'") from error

GROUP = "agents"
"""The name of the group with both agents, and the first part of the keys for data that belongs to one agent."""


class BatchEnv(EnvBase):
    """A TorchRL environment of a game at n tables; players 0 and 1 are the agents 0 and 1 of one group, "agents" in TorchRL's keys.

    The hands are those of `Batch(game, n, seed)`: each table has its own stream, from which it is dealt again when it is reset.

    Keys, with A action ids and observations of length K:
        ("agents", "observation"): (n, 2, K) float32, the observation of each seat; see `relance.play.rules`.
        ("agents", "action_mask"): (n, 2, A + 1) bool, legal actions; a player not to move may only wait, the last. All are True at the end.
        ("agents", "action"): (n, 2) int64.
        ("agents", "reward"): (n, 2, 1) float32, chips; 0 until the game ends.
        "done", "terminated" and "truncated": (n, 1) bool, and (n, 2, 1) in the group. Games are never truncated.

    An illegal action of the player to move forfeits: the game ends, and they pay the most that they can lose in it. If that action is
    legal, an illegal action of the waiting player forfeits. A game that is over stays over, with rewards of 0, until its table is reset.

    Args:
        game: a name of `relance.games()`, or a Game.
        num_envs: n, how many tables.
        seed: the seed of the hands; None draws one.
        device: where the tensors go; the game is played on the processor.
        **parameters: of the game, such as `bet=2`; `hands=n` for a grid.

    Attributes:
        game, batch: the Game, and the tables as a `Batch`.
        wait: the action of the waiting agent.
        group_map: {"agents": ["player_0", "player_1"]}.
    """

    def __init__(
        self, game: str | Game, num_envs: int, seed: int | None = None, device: Any = "cpu", **parameters: object
    ) -> None:
        self.game = game_of(game, parameters)
        self.batch = Batch(self.game, num_envs, seed)
        super().__init__(device=torch.device(device), batch_size=torch.Size([num_envs]))
        self._rules = rules(self.game)
        self.wait, self.group_map = len(self.game.actions), {GROUP: ["player_0", "player_1"]}
        self._legal = np.asarray(self.game.tree.table.legal)
        self._at, self._masks = self.game.tree.table.positions[0], self._rules.masks[1].astype(bool)
        self._over = np.zeros(num_envs, bool)
        self._dealt = True
        both = (num_envs, 2)
        ended = {key: Binary(1, (num_envs, 1), dtype=torch.bool) for key in ("done", "terminated", "truncated")}
        theirs = {key: Binary(1, (*both, 1), dtype=torch.bool) for key in ended}

        def group(**keys: Any) -> Any:
            return Composite({GROUP: Composite(keys, shape=both)}, shape=both[:1])

        width = self.wait + 1
        self.observation_spec = group(
            observation=Bounded(0, 1, (*both, self._rules.size), dtype=torch.float32),
            action_mask=Binary(width, (*both, width), dtype=torch.bool),
        )
        self.action_spec = group(action=Categorical(width, both, dtype=torch.int64))
        self.reward_spec = group(reward=Unbounded((*both, 1), dtype=torch.float32))
        self.done_spec = Composite({**ended, GROUP: Composite(theirs, shape=both)}, shape=both[:1])
        if self.device.type != "cpu":
            self.to(self.device)

    def _set_seed(self, seed: int | None) -> None:
        self.batch.reset(seed)
        self._over[:], self._dealt = False, True

    def _reset(self, tensordict: Any = None, **_: Any) -> Any:
        tables = np.ones(self.batch.n, bool)
        if tensordict is not None and (chosen := tensordict.get("_reset", None)) is not None:
            tables = chosen.reshape(self.batch.n).cpu().numpy()
        if not self._dealt:  # the first reset after seeding keeps the first hands
            self.batch.deal(tables)
        self._dealt = False
        self._over &= ~tables
        return self._seen({})

    def _step(self, tensordict: Any) -> Any:
        batch, n = self.batch, np.arange(self.batch.n)
        actions = tensordict.get((GROUP, "action")).cpu().numpy()
        mover = np.maximum(batch.to_move, 0)
        mine, theirs = actions[n, mover], actions[n, 1 - mover]
        known = (mine >= 0) & (mine < self.wait)
        legal = known & self._legal[batch.node, np.where(known, mine, 0)]
        fine = ~self._over & legal & (theirs == self.wait)
        tables = np.flatnonzero(fine)
        batch.move(tables, mine[tables])
        ended, wrong = fine & batch.done, ~self._over & ~fine
        offender = np.where(legal, 1 - mover, mover)
        lost = np.take(self._rules.forfeits, offender)
        chips = np.where(ended, batch.chips, np.where(wrong, lost, 0.0)).astype(np.float32)
        self._over = self._over | ended | wrong
        return self._seen({"reward": torch.from_numpy(np.stack([chips, -chips], axis=1)[..., None])})

    def _seen(self, more: dict[str, Any]) -> Any:
        """Return what both agents see now, and which games are over."""
        at = self._at[np.where(self._over, 0, self.batch.node)]
        n, at = self.batch.n, np.where(self._over, self._masks.shape[1] - 1, at)
        seen = np.stack([self.batch.observe(player) for player in (0, 1)], axis=1)
        masks = torch.from_numpy(np.ascontiguousarray(self._masks[:, at].swapaxes(0, 1))).to(self.device)
        self.full_action_spec[GROUP, "action"].update_mask(masks)
        over = torch.from_numpy(self._over[:, None].copy())
        ended = {"done": over, "terminated": over.clone(), "truncated": torch.zeros_like(over)}
        both = {key: flag[:, None].expand(n, 2, 1).clone() for key, flag in ended.items()}
        agents = {"observation": torch.from_numpy(seen), "action_mask": masks, **both, **more}
        group = TensorDict(agents, batch_size=(n, 2), device=self.device)
        return TensorDict({GROUP: group, **ended}, batch_size=self.batch_size, device=self.device)


def network_policy(net: Any) -> Callable[[Any, Any], npt.NDArray[np.float32]]:
    """Return an agent for `relance.score` from a network of logits; the last logit, for waiting while the other acts, is left out."""

    def plays(seen: Any, masks: Any) -> npt.NDArray[np.float32]:
        with torch.no_grad():
            logits = net(torch.as_tensor(seen))[:, :-1]
        chances: npt.NDArray[np.float32] = (
            logits.masked_fill(~torch.as_tensor(masks), -torch.inf).softmax(-1).cpu().numpy()
        )
        return chances

    return plays


class TorchRLNashConvHook(TrainerHookBase):
    """Logs exact NashConv after the updates of each batch, through the trainer's own logger; add it by `hook.register(trainer)`.

    Args:
        game: the game.
        agent: what to score, such as `network_policy(net)`; it is asked anew each time.
        every: batches between two scores.
        best: the path to which `module.state_dict()` is saved when NashConv is the lowest so far; None for none.
        module: the module to save; needed with `best`.
        regrets, below, patience: as for `relance.play.nash_conv_log.NashConvLog`; the trainer stops when it says so.

    Attributes:
        scores: the `NashConvLog`, whose `points` are (step, NashConv) of each score.
    """

    def __init__(
        self,
        game: Game | str,
        agent: Any,
        every: int = 1,
        best: Path | str | None = None,
        module: Any = None,
        **options: Any,
    ) -> None:
        if best is not None and module is None:
            raise ValueError(f"best={str(best)!r} needs module=, the module to save there")
        save = None if best is None else lambda step, nash_conv: torch.save(module.state_dict(), best)
        self._agent, self._every, self._batches, self._trainer = agent, every, 0, None
        self._last: dict[str, float] = {}
        self.scores = NashConvLog(game, self._keep, save=save, **options)

    def _keep(self, scalars: dict[str, float], step: int) -> None:
        self._last = scalars

    def __call__(self, batch: Any) -> dict[str, float] | None:
        """Score, if it is time: the scalars for the trainer's logger."""
        self._batches += 1
        if self._batches % self._every:
            return None
        trainer: Any = self._trainer
        step = self._batches if trainer is None else trainer.collected_frames
        if self.scores(self._agent, step) and trainer is not None:
            trainer.total_frames = min(trainer.total_frames, trainer.collected_frames)
        return self._last

    def register(self, trainer: Trainer, name: str = "nash_conv") -> None:
        self._trainer = trainer
        trainer.register_module(name, self)
        trainer.register_op("post_steps_log", self)

    def state_dict(self) -> dict[str, Any]:
        """For the trainer's checkpoints: the batches so far, the points (step, NashConv) so far, and the best of these points."""
        return {"batches": self._batches, "points": list(self.scores.points), "best": self.scores.best}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self._batches, self.scores.best = state_dict["batches"], state_dict["best"]
        self.scores.points = list(state_dict["points"])
