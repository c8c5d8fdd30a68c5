"""What each kind of agent answers to observations: networks, models of Stable-Baselines3, OpenSpiel's agents, functions.

No framework is imported unless the agent is of its kind.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.game import Game
from relance.model.strategy import Strategy
from relance.registration.rules import rules

Observations: TypeAlias = npt.NDArray[np.float32]
Masks: TypeAlias = npt.NDArray[np.bool_]
Answer: TypeAlias = Callable[[Observations, Masks], Any]
Mode: TypeAlias = Literal["sample", "argmax"]


def is_agent(player: Any) -> bool:
    """Whether `player` is of a kind with a law of its own: a network, a model, a policy or agent of OpenSpiel; no plain function."""
    torch = sys.modules.get("torch")
    return (
        _is_of(player, "stable_baselines3", "sb3_contrib")
        or (torch is not None and isinstance(player, torch.nn.Module))
        or is_spiel_policy(player)
        or is_spiel_agent(player)
    )


def responder(game: Game, agent: Any, seat: int) -> Answer:
    """The agent as a function of observations and masks. Raises TypeError for what is no agent, ValueError if of another game."""
    if _is_of(agent, "stable_baselines3", "sb3_contrib"):
        return _sb3(game, agent)
    torch = sys.modules.get("torch")
    module = torch is not None and isinstance(agent, torch.nn.Module)
    if module and hasattr(agent, "get_action_and_value") and hasattr(agent, "player_id"):
        return lambda seen, masks: _numbers(_quiet(agent, seen, lambda net, x: _spiel_ppo(net, x, masks)))
    if is_spiel_agent(agent):
        return _spiel_agent(agent, seat)
    if module:
        return lambda seen, masks: _softmax(_logits(_quiet(agent, seen, lambda net, x: net(x))), masks)
    if callable(agent) and not isinstance(agent, type):
        return lambda seen, masks: agent(seen.copy(), masks.copy())
    raise TypeError(
        f"{type(agent).__name__} {agent!r} is no agent; it must be a torch module, a Stable-Baselines3 model, an OpenSpiel "
        "policy or agent, a Profile, the name of an opponent, a callable (observations, masks) -> probabilities or action ids, "
        "or a pair of these"
    )


def _is_of(agent: Any, *packages: str) -> bool:
    """Whether a class of the agent comes from one of these packages, none of which is imported for the question."""
    return any(base.__module__.split(".")[0] in packages for base in type(agent).__mro__)


# Torch


def _quiet(module: Any, seen: Observations, ask: Callable[[Any, Any], Any]) -> Any:
    """What a torch module says in evaluation mode and without gradients; its mode is put back."""
    import torch

    first = next(iter(module.parameters()), None)
    inputs = torch.tensor(seen)
    if first is not None:
        inputs = inputs.to(first.device, first.dtype)
    training = module.training
    module.eval()
    try:
        with torch.no_grad():
            return ask(module, inputs)
    finally:
        module.train(training)


def _logits(found: Any) -> npt.NDArray[np.float64]:
    found = getattr(found, "logits", found)
    return _numbers(found[0] if isinstance(found, (tuple, list)) else found)


def _numbers(tensor: Any) -> npt.NDArray[np.float64]:
    return np.asarray(tensor.detach().cpu().double().numpy() if hasattr(tensor, "detach") else tensor, float)


def _softmax(logits: npt.NDArray[np.float64], masks: Masks) -> npt.NDArray[np.float64]:
    if logits.shape != masks.shape:
        raise ValueError(
            f"the network's logits have shape {logits.shape}; {masks.shape} is needed, a column for each action id"
        )
    wrong = masks & (np.isnan(logits) | (logits == np.inf))
    if wrong.any():
        row, action = (int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(f"the network's logit of action {action} is {logits[row, action]} at observation {row}")
    legal = np.where(masks, logits, -np.inf)
    top = legal.max(axis=1, keepdims=True)
    if np.isneginf(top).any():
        raise ValueError(
            f"the network gives all legal actions the logit -inf at observation {int(np.isneginf(top).argmax())}"
        )
    power = np.exp(legal - top)
    out: npt.NDArray[np.float64] = power / power.sum(axis=1, keepdims=True)
    return out


# Stable-Baselines3


def _sb3(game: Game, model: Any) -> Answer:
    """A model's own distribution, with masks where it takes them; a model of action values plays its best action."""
    size, width = rules(game).size, len(game.actions)
    space = getattr(model, "observation_space", None)
    parts = getattr(space, "spaces", None)
    shape = tuple(getattr(parts["observation"] if parts and "observation" in parts else space, "shape", None) or ())
    actions = getattr(getattr(model, "action_space", None), "n", None)
    if shape != (size,) or actions != width:
        raise ValueError(
            f"the model was made for observations of shape {shape} and {actions} actions; {game} has ({size},) and {width}"
        )
    policy = model.policy
    masked = _is_of(policy, "sb3_contrib") and "askable" in type(policy).__name__

    def answer(seen: Observations, masks: Masks) -> Any:
        import torch

        shown = {"observation": seen.copy(), "action_mask": masks.astype(np.int8)} if parts else seen.copy()
        if not hasattr(policy, "get_distribution"):
            return np.asarray(model.predict(shown, deterministic=True)[0]).reshape(-1)
        training = policy.training
        policy.set_training_mode(False)
        try:
            with torch.no_grad():
                tensor, _ = policy.obs_to_tensor(shown)
                law = (
                    policy.get_distribution(tensor, action_masks=masks.copy())
                    if masked
                    else policy.get_distribution(tensor)
                )
                return _numbers(law.distribution.probs)
        finally:
            policy.set_training_mode(training)

    return answer


# OpenSpiel


def is_spiel_policy(agent: Any) -> bool:
    """Whether the agent is one of OpenSpiel's policies, in python or C++; agents that learn are not."""
    return hasattr(agent, "action_probabilities") and not hasattr(agent, "step")


def is_spiel_agent(agent: Any) -> bool:
    """Whether the agent is one of `rl_environment`."""
    return callable(getattr(agent, "step", None)) and (hasattr(agent, "player_id") or hasattr(agent, "_player_id"))


def _spiel_ppo(net: Any, inputs: Any, masks: Masks) -> Any:
    """OpenSpiel's PyTorch PPO, which plays all seats and takes batches."""
    import torch

    return net.get_action_and_value(inputs, legal_actions_mask=torch.tensor(masks).to(inputs.device))[-1]


def _spiel_agent(agent: Any, seat: int) -> Answer:
    """An agent of `rl_environment`, asked for one information set at a time."""
    own = getattr(agent, "player_id", getattr(agent, "_player_id", None))
    if own is not None and own != seat:
        raise ValueError(f"the agent plays seat {own}, not {seat}; give a pair (agent of seat 0, agent of seat 1)")

    def answer(seen: Observations, masks: Masks) -> Any:
        from open_spiel.python.rl_environment import StepType, TimeStep

        out = np.zeros(masks.shape)
        for row, (vector, mask) in enumerate(zip(seen.tolist(), masks, strict=True)):
            legal = np.flatnonzero(mask).tolist()
            shown = {
                "info_state": [vector] * 2,
                "legal_actions": [legal] * 2,
                "current_player": seat,
                "serialized_state": [],
            }
            moment = TimeStep(shown, [0.0, 0.0], [1.0, 1.0], StepType.MID)
            out[row] = agent.step(moment, is_evaluation=True).probs
        return out

    return answer


def spiel_policy(game: Game, source: Any, seat: int, mode: Mode) -> Strategy:
    """One half of a policy of OpenSpiel."""
    from relance.registration.openspiel import load
    from relance.registration.policies import from_policy

    made_for = getattr(source, "game", None)
    if made_for is not None and str(made_for) != str(load(game)):
        raise ValueError(f"this is a policy of {made_for}, not of {load(game)}")
    strategy = from_policy(game, source).strategies[seat]
    if mode == "sample":
        return strategy
    best = {name: np.argmax(np.stack(rows).astype(float), axis=0) for name, rows in strategy.at.items()}
    return Strategy(
        seat,
        {name: tuple((best[name] == i).astype(float) for i in range(len(rows))) for name, rows in strategy.at.items()},
    )
