"""Best responses learned by sb3-contrib's MaskablePPO against any opponent, compared with the exact ones.

The chips that a best response earns are known exactly, so the score shows how much of them was learned. Against an equilibrium
strategy, nobody earns more than the value of the game. A sample is a decision of the learner.

Source: Huang and Ontanon, A Closer Look at Invalid Action Masking in Policy Gradient Algorithms (2022), as in sb3-contrib.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from relance.baselines.algorithms import Lazy
from relance.baselines.features import Knots
from relance.baselines.runs import MOST_SEED, check_budget
from relance.baselines.settings import Count, NotNegative, Positive, Range, Ranged
from relance.model.game import Game
from relance.play.exact_score import earned
from relance.play.rules import check_whole, rules

sb3_contrib, torch = Lazy("sb3_contrib"), Lazy("torch")


@dataclass(frozen=True)
class Settings(Ranged):
    """Settings of MaskablePPO.

    Attributes:
        num_envs: tables stepped together.
        num_steps: decisions at each table for each update.
        batch_size: decisions for each gradient step.
        update_epochs: passes over the decisions of an update; with more than one, the policy also fits the noise of the deals.
        learning_rate: learning rate at the start; it falls in a straight line to 0 at the end of the budget.
        hidden_size: width of the two hidden layers of policy and critic.
        knots: number of tent functions that encode a hand on [0, 1], in addition to the observation, so that thresholds can be sharp.
        ent_coef: weight of the entropy bonus at the start; this weight falls as the cube of the remaining budget. If it is too small, the
            policy gives up on a rare node after a few deals. The weight falls faster than the learning rate, so that thresholds are sharp.
        max_grad_norm: the largest gradient norm before clipping. With stable-baselines3's default, 0.5, the critic's errors, in chips,
            shrink the policy's steps too, and more so with larger pots.
    """

    num_envs: Count = 1024
    num_steps: Count = 4
    batch_size: Annotated[int, Range(2)] = 1024
    update_epochs: Count = 1
    learning_rate: Positive = 0.003
    hidden_size: Count = 64
    knots: Knots = 16
    ent_coef: NotNegative = 0.3
    max_grad_norm: Positive = 100.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if (
            self.num_envs * self.num_steps % self.batch_size == 1
        ):  # MaskablePPO divides by the standard deviation of each batch
            raise ValueError(
                f"num_envs={self.num_envs} times num_steps={self.num_steps}, in batches of batch_size={self.batch_size}, leave a last "
                "batch of one decision; each gradient step needs at least two"
            )


class LearnedResponse(NamedTuple):
    """A learned best response, scored without sampling.

    Attributes:
        model: the MaskablePPO model, scored by its most probable actions.
        value, best: chips that it earns, and the most that can be earned.
        share: value / best; None where at most 0 can be earned. If best is close to 0, use `gap` instead.
        gap: (best - value) in antes.
        seconds, samples: training time, and decisions of the learner.
    """

    model: Any
    value: float
    best: float
    share: float | None
    gap: float
    seconds: float
    samples: int


class Budget:
    """The budget of a run, as a callback of stable-baselines3 that ends training and reduces the entropy bonus."""

    def __init__(
        self, seconds: float | None, samples: int | None, entropy: float, tick: Callable[[float], None]
    ) -> None:
        self.seconds, self.samples, self.used = seconds or math.inf, samples or math.inf, 0
        self.entropy, self.tick, self.start = entropy, tick, time.perf_counter()

    def left(self, _: float = 1.0) -> float:
        """Return the remaining fraction of the budget, from 1 down to 0."""
        return max(0.0, 1 - max(self.used / self.samples, (time.perf_counter() - self.start) / self.seconds))

    def __call__(self, variables: dict[str, Any], _: Any) -> bool:
        """Return, after each step of the tables, whether to continue."""
        model = variables["self"]
        self.used = int(model.num_timesteps)
        left = self.left()
        self.tick(1 - left)
        if left:
            model.ent_coef = self.entropy * left**3
        return left > 0


def _tents() -> type:
    """A features extractor of stable-baselines3 for hands on [0, 1], as a class."""
    from stable_baselines3.common import torch_layers

    class Tents(torch_layers.BaseFeaturesExtractor):  # type: ignore[misc,name-defined,unused-ignore]  # sb3 may be absent
        """The observation, followed by the tent functions of the hand, its third entry."""

        def __init__(self, space: Any, knots: int) -> None:
            super().__init__(space, space.shape[0] + knots)
            self.knots = knots

        def forward(self, observations: Any) -> Any:
            away = (observations[:, 2:3] * (self.knots - 1) - torch.arange(self.knots)).abs()
            return torch.cat([observations, (1 - away).clamp(min=0)], dim=1)

    return Tents


def train_best_response(
    game: Game,
    opponent: Any = "published",
    seat: int = 0,
    seconds: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    settings: Settings | None = None,
    tick: Callable[[float], None] = lambda part: None,
) -> LearnedResponse:
    """Learn a best response to `opponent` and score it.

    Args:
        game: what is played.
        opponent: the fixed opponent, in any form that `relance.baselines.frameworks.sb3.sb3_vec_env` takes.
        seat: the learner's, 0 or 1.
        seconds, samples: the budget; training ends when either is spent. An update needs more than `num_envs * num_steps` samples.
        seed: the seed for all randomness; it also seeds the global generators of PyTorch and numpy.
        settings: the settings of MaskablePPO.
        tick: called during training with the fraction of the budget that is spent.

    Raises:
        ImportError: the extra `sb3` is missing.
        ValueError: a budget, seat or seed is out of range, there are too few samples for an update, or an error of `sb3_vec_env`.
    """
    from relance.baselines.frameworks.sb3 import sb3_vec_env

    check_budget(seconds, samples)
    check_whole("seed", seed, 0, MOST_SEED)
    if seat not in (0, 1):
        raise ValueError(f"seat={seat!r} must be 0 or 1")
    chosen = settings or Settings()
    if samples is not None and samples <= chosen.num_envs * chosen.num_steps:
        raise ValueError(
            f"samples={samples} must be more than num_envs * num_steps = {chosen.num_envs * chosen.num_steps}, one update"
        )
    budget = Budget(seconds, samples, chosen.ent_coef, tick)
    network: dict[str, Any] = {"net_arch": [chosen.hidden_size, chosen.hidden_size]}
    if rules(game).numbered:
        network |= {"features_extractor_class": _tents(), "features_extractor_kwargs": {"knots": chosen.knots}}
    model = sb3_contrib.MaskablePPO(
        "MlpPolicy",
        sb3_vec_env(game, chosen.num_envs, opponent, 1 if seat else 0, compiled=False),
        learning_rate=lambda part: chosen.learning_rate * budget.left(part),
        n_steps=chosen.num_steps,
        batch_size=chosen.batch_size,
        n_epochs=chosen.update_epochs,
        gamma=1.0,
        gae_lambda=1.0,
        ent_coef=chosen.ent_coef,
        max_grad_norm=chosen.max_grad_norm,
        policy_kwargs=network,
        seed=int(seed),
        device="cpu",
    )
    budget.start = time.perf_counter()
    model.learn(2**62, callback=budget)
    spent = time.perf_counter() - budget.start
    earnings = earned(game, model, seat, opponent, mode="argmax")
    value, best = float(earnings.value), float(earnings.best)
    gap = (best - value) / float(game.parameters.get("ante", 1))
    return LearnedResponse(model, value, best, earnings.share, gap, spent, int(model.num_timesteps))
