"""OpenSpiel's policies and learning agents, in python and C++, as agents that Relance can read."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pyspiel

from relance.agents.networks import Masks, Observations, numbers, quiet
from relance.agents.reading import Answer, Reader, read_with
from relance.model.game import Game
from relance.registration import openspiel


def is_spiel_policy(agent: Any) -> bool:
    """Whether the agent is one of OpenSpiel's policies, in python or C++; agents that learn are not."""
    return hasattr(agent, "action_probabilities") and not hasattr(agent, "step")


def is_spiel_agent(agent: Any) -> bool:
    """Whether the agent is one of `rl_environment`."""
    return callable(getattr(agent, "step", None)) and (hasattr(agent, "player_id") or hasattr(agent, "_player_id"))


def is_spiel_ppo(agent: Any) -> bool:
    """Whether the agent is OpenSpiel's PyTorch PPO."""
    torch = sys.modules.get("torch")
    return (
        torch is not None
        and isinstance(agent, torch.nn.Module)
        and hasattr(agent, "get_action_and_value")
        and hasattr(agent, "player_id")
    )


def _ppo(game: Game, agent: Any, seat: int) -> Answer:
    """OpenSpiel's PyTorch PPO, which plays all seats and takes batches."""
    import torch

    def ask(net: Any, inputs: Any, masks: Masks) -> Any:
        return net.get_action_and_value(inputs, legal_actions_mask=torch.tensor(masks).to(inputs.device))[-1]

    return lambda seen, masks: numbers(quiet(agent, seen, lambda net, inputs: ask(net, inputs, masks)))


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
    from relance.registration.policies import every_state

    made_for = getattr(source, "game", None)
    if made_for is not None and str(made_for) != str(openspiel.load(game)):
        raise ValueError(f"this is a policy of {made_for}, not of {openspiel.load(game)}")
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
                raise ValueError(f"the policy is not one of {openspiel.load(game)}: {error}") from error
            for action, probability in found.items():
                if not 0 <= action < mask.size:
                    raise ValueError(
                        f"the policy gives probability {probability} to the illegal action {action} of {game}"
                    )
                out[row, action] = probability
        return out

    return answer


read_with(
    Reader(is_spiel_policy, _spiel_policy, finite_hands=True),
    Reader(is_spiel_ppo, _ppo, one_seat=True),
    Reader(is_spiel_agent, _spiel_agent, one_seat=True),
)
