"""What each kind of agent answers to observations: networks, models of Stable-Baselines3, OpenSpiel's agents, functions.

No framework is imported unless the agent is of its kind.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.game import Game
from relance.registration.rules import rules

Observations: TypeAlias = npt.NDArray[np.float32]
Masks: TypeAlias = npt.NDArray[np.bool_]
Answer: TypeAlias = Callable[[Observations, Masks], Any]
Mode: TypeAlias = Literal["sample", "argmax"]

AGAIN = 64
"""How many answers of a function are asked for again, to see that they are no draws."""


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
    if is_spiel_policy(agent):
        return _spiel_policy(game, agent, seat)
    if module and hasattr(agent, "get_action_and_value") and hasattr(agent, "player_id"):
        return lambda seen, masks: _numbers(_quiet(agent, seen, lambda net, x: _spiel_ppo(net, x, masks)))
    if is_spiel_agent(agent):
        return _spiel_agent(game, agent, seat)
    if module:
        return lambda seen, masks: _softmax(_logits(_quiet(agent, seen, lambda net, x: net(x))), masks)
    if callable(agent) and not isinstance(agent, type):
        return partial(_steady, agent)
    raise TypeError(
        f"{type(agent).__name__} {agent!r} is no agent; it must be a torch module, a Stable-Baselines3 model, an OpenSpiel "
        "policy or agent, a Profile, the name of an opponent, a callable (observations, masks) -> probabilities or action ids, "
        "or a pair of these"
    )


def _steady(agent: Callable[..., Any], seen: Observations, masks: Masks) -> Any:
    """What a function answers. Raises ValueError if it answers otherwise when asked again, for then its law is not known."""
    given = agent(seen.copy(), masks.copy())
    first = _array(given)
    if first.shape[:1] != (len(seen),) or first.dtype.kind not in "fiub":
        return given  # is refused as it is
    few = slice(0, AGAIN)
    for _ in range(-(-AGAIN // len(seen))):
        again = _array(agent(seen[few].copy(), masks[few].copy()))
        if again.shape != first[few].shape or not np.allclose(first[few], again, atol=1e-4, equal_nan=True):
            raise ValueError(
                "the agent answers the same observations differently when it is asked again; give the probabilities (N, A) that it "
                "draws its actions by, or the model itself"
            )
    return given


def _array(given: Any) -> npt.NDArray[Any]:
    return np.asarray(given.detach().cpu() if hasattr(given, "detach") else given)


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
    with _evaluating(module), torch.no_grad():
        try:
            return ask(module, inputs)
        except RuntimeError as error:
            raise ValueError(
                f"the network does not take observations of shape {seen.shape}: {str(error).splitlines()[0]}"
            ) from error


@contextmanager
def _evaluating(module: Any) -> Iterator[None]:
    """All parts of a torch module in evaluation mode, and back in their own."""
    training = [part for part in module.modules() if part.training]
    module.eval()
    try:
        yield
    finally:
        for part in training:
            part.training = True


def _logits(found: Any) -> npt.NDArray[np.float64]:
    found = getattr(found, "logits", found)
    return _numbers(found[0] if isinstance(found, (tuple, list)) else found)


def _numbers(found: Any) -> npt.NDArray[np.float64]:
    if not hasattr(found, "detach") and not isinstance(found, np.ndarray):
        raise ValueError(
            f"the network answers with a {type(found).__name__}; logits (N, A) are needed, or something that has them as `logits` "
            "or first"
        )
    return _array(found).astype(float)


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
    if "Recurrent" in type(model).__name__:
        raise ValueError(
            f"{type(model).__name__} remembers earlier games, and has no law by information set; a model without memory is needed"
        )
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
        with _evaluating(policy), torch.no_grad():
            tensor, _ = policy.obs_to_tensor(shown)
            law = (
                policy.get_distribution(tensor, action_masks=masks.copy())
                if masked
                else policy.get_distribution(tensor)
            )
            return _numbers(law.distribution.probs)

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


def _spiel_agent(game: Game, agent: Any, seat: int) -> Answer:
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
            found = np.asarray(agent.step(moment, is_evaluation=True).probs, float)
            if found.shape != mask.shape:
                raise ValueError(f"the agent answers with {found.size} probabilities; {game} has {mask.size} actions")
            out[row] = found
        return out

    return answer


def _spiel_policy(game: Game, source: Any, seat: int) -> Answer:
    """A policy of OpenSpiel, asked for the states in the order of the observations; hands that are never dealt play at random."""
    import pyspiel

    from relance.registration.openspiel import load
    from relance.registration.policies import every_state

    made_for = getattr(source, "game", None)
    if made_for is not None and str(made_for) != str(load(game)):
        raise ValueError(f"this is a policy of {made_for}, not of {load(game)}")
    states = every_state(game, (seat,))

    def answer(seen: Observations, masks: Masks) -> Any:
        out = np.zeros(masks.shape)
        for row, (mask, state) in enumerate(zip(masks, states, strict=False)):
            if state is None:
                out[row] = mask / mask.sum()
                continue
            try:
                found = dict(source.action_probabilities(state))
            except pyspiel.SpielError as error:
                raise ValueError(f"the policy is not one of {load(game)}: {error}") from error
            for action, probability in found.items():
                if not 0 <= action < mask.size:
                    raise ValueError(
                        f"the policy gives probability {probability} to the illegal action {action} of {game}"
                    )
                out[row, action] = probability
        return out

    return answer
