"""Any agent as a strategy: networks, models of Stable-Baselines3, policies and agents of OpenSpiel, functions.

Every agent is asked once for each information set of its seat, in batches, and answers with probabilities of actions. What it
is shown are the observations of `relance.registration.rules`. No framework is imported unless the agent is of its kind.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.deal import FiniteDeal
from relance.model.game import Game
from relance.model.laws import IntervalDeal
from relance.model.piecewise import Piecewise
from relance.model.strategy import Strategy
from relance.registration.rules import rules

Observations: TypeAlias = npt.NDArray[np.float32]
Masks: TypeAlias = npt.NDArray[np.bool_]
Answer: TypeAlias = Callable[[Observations, Masks], Any]
Mode: TypeAlias = Literal["sample", "argmax"]
Illegal: TypeAlias = Literal["error", "renormalise"]

ROUNDING = 1e-5
"""How far an agent's float probabilities may sum from 1, and how much of them may be illegal by rounding; then normalised."""

ROWS = 2**16
"""How many information sets an agent is asked for at a time."""

CELLS = 1000
"""An agent that plays hands on [0, 1] by a table is asked at the middles of so many equal cells, and plays each as its middle."""


def half(game: Game, agent: Any, seat: int, mode: Mode = "sample", illegal: Illegal = "error") -> Strategy:
    """What `agent` plays in `seat`, in floats; with hands on [0, 1] constant on `CELLS` cells.

    Args:
        game: what is played.
        agent: see `relance.baselines.score.score`; not a pair.
        seat: 0 or 1.
        mode: "argmax" plays the most probable legal action only; "sample" plays as the agent says.
        illegal: "error" refuses probability on illegal actions, "renormalise" takes it off.

    Raises ValueError, naming node and hand, for NaN, wrong shapes, probabilities that are negative or do not sum to 1,
    illegal actions, and agents of another game; TypeError for what is no agent.
    """
    if mode not in ("sample", "argmax"):
        raise ValueError(f"mode={mode!r} must be 'sample' or 'argmax'")
    if illegal not in ("error", "renormalise"):
        raise ValueError(f"illegal={illegal!r} must be 'error' or 'renormalise'")
    if isinstance(game.deal, IntervalDeal):
        cells = game.grid(CELLS)
        assert cells.cuts is not None
        return _on_interval(half(cells, agent, seat, mode, illegal), cells, seat)
    if _is_spiel_policy(agent):
        return _spiel_policy(game, agent, seat, mode)
    answer = responder(game, agent, seat)
    seen, masks = questions(game, seat)
    found = np.empty(masks.shape)
    for start in range(0, len(seen), ROWS):
        part = slice(start, start + ROWS)
        given = answer(seen[part], masks[part])
        found[part] = checked(game, seat, given, masks[part], start, illegal)
    if mode == "argmax":
        found = np.eye(len(game.actions))[found.argmax(axis=1)]
    return _split(game, seat, found)


@lru_cache(maxsize=8)
def questions(game: Game, seat: int) -> tuple[Observations, Masks]:
    """All that `seat` can be asked: observations (N, K) and masks (N, A), nodes depth first, then hands ascending."""
    rulebook, deal, table = rules(game), game.deal, game.tree.table
    assert isinstance(deal, FiniteDeal)
    hands, width = deal.hands(seat), rulebook.pieces[1][1][0]
    nodes = np.flatnonzero(table.player == seat)
    seen = np.empty((len(nodes), hands, rulebook.size), np.float32)
    for block, node in zip(seen, nodes.tolist(), strict=True):
        block[:] = rulebook.observe(seat, 0, node)
        block[:, 2 : 2 + width] = deal.places[seat][:, None] if deal.places is not None else np.eye(hands, width)
    masks = np.repeat(table.legal[nodes], hands, axis=0)
    seen.flags.writeable = masks.flags.writeable = False
    return seen.reshape(-1, rulebook.size), masks


def responder(game: Game, agent: Any, seat: int) -> Answer:
    """The agent as a function of observations and masks. Raises TypeError for what is no agent, ValueError if of another game."""
    if _is_of(agent, "stable_baselines3", "sb3_contrib"):
        return _sb3(game, agent)
    torch = sys.modules.get("torch")
    module = torch is not None and isinstance(agent, torch.nn.Module)
    if module and hasattr(agent, "get_action_and_value") and hasattr(agent, "player_id"):
        return lambda seen, masks: _numbers(_quiet(agent, seen, lambda net, x: _spiel_ppo(net, x, masks)))
    if callable(getattr(agent, "step", None)) and (hasattr(agent, "player_id") or hasattr(agent, "_player_id")):
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


def checked(game: Game, seat: int, given: Any, masks: Masks, start: int, illegal: Illegal) -> npt.NDArray[np.float64]:
    """An agent's answer as probabilities (N, A) of legal actions. Raises ValueError as `half` does."""
    answer = np.asarray(given)
    n, width = masks.shape
    if answer.shape == (n,) and answer.dtype.kind in "iu":
        wrong = (answer < 0) | (answer >= width)
        if wrong.any():
            row = int(wrong.argmax())
            ids = ", ".join(f"{i} ({name})" for i, name in enumerate(game.actions))
            raise ValueError(
                f"{_where(game, seat, start + row)}: the agent's {answer[row]} is no action id; there are {ids}"
            )
        answer = np.eye(width)[answer]
    if answer.shape != (n, width) or answer.dtype.kind not in "fiub":
        raise ValueError(
            f"the agent answered {n} observations of {game} with {answer.dtype} of shape {answer.shape}; "
            f"probabilities of shape ({n}, {width}) or whole action ids of shape ({n},) are needed"
        )
    chance = answer.astype(float)
    bad = ~np.isfinite(chance) | (chance < 0)
    if bad.any():
        row, action = (int(i) for i in np.argwhere(bad)[0])
        what = f"gives {game.actions[action]!r} the probability {chance[row, action]}; it must be from 0 to 1"
        raise ValueError(f"{_where(game, seat, start + row)}: the agent {what}")
    total = chance.sum(axis=1)
    off = np.abs(total - 1) > ROUNDING
    if off.any():
        row = int(off.argmax())
        raise ValueError(
            f"{_where(game, seat, start + row)}: the agent's probabilities sum to {total[row]:g}, not to 1"
        )
    legal = np.where(masks, chance, 0.0)
    kept = legal.sum(axis=1)
    lost = (total - kept > ROUNDING) if illegal == "error" else kept <= 0
    if lost.any():
        row = int(lost.argmax())
        action = int(np.where(masks[row], 0, chance[row]).argmax())
        allowed = ", ".join(name for name, fine in zip(game.actions, masks[row], strict=True) if fine)
        cure = "; illegal='renormalise' leaves such probability out" if illegal == "error" else ""
        raise ValueError(
            f"{_where(game, seat, start + row)}: the agent gives the illegal action {game.actions[action]!r} the probability "
            f"{chance[row, action]:.4g}; legal: {allowed}{cure}"
        )
    out: npt.NDArray[np.float64] = legal / kept[:, None]
    return out


def _where(game: Game, seat: int, row: int) -> str:
    assert isinstance(game.deal, FiniteDeal)
    hands = game.deal.hands(seat)
    name = list(game.tree.of(seat))[row // hands]
    return f"{game.name}, node {name!r}, hand {game.deal.labels[seat][row % hands]}"


def _split(game: Game, seat: int, found: npt.NDArray[np.float64]) -> Strategy:
    """Rows of probabilities, in the order of `questions`, as a strategy."""
    assert isinstance(game.deal, FiniteDeal)
    hands, at = game.deal.hands(seat), {}
    for i, (name, node) in enumerate(game.tree.of(seat).items()):
        block = found[i * hands : (i + 1) * hands]
        at[name] = tuple(np.ascontiguousarray(block[:, game.actions.index(action)]) for action in node.actions)
    return Strategy(seat, at)


def _on_interval(strategy: Strategy, cells: Game, seat: int) -> Strategy:
    """A strategy on cells as one on [0, 1]; where a cell is never dealt it plays as in the nearest that is."""
    assert isinstance(cells.deal, FiniteDeal) and cells.cuts is not None and cells.deal.places is not None
    cuts = tuple(cells.cuts)
    middles = (np.arange(CELLS) + 0.5) / CELLS
    nearest = np.abs(middles[:, None] - cells.deal.places[seat]).argmin(axis=1)
    return Strategy(
        seat,
        {
            name: tuple(
                Piecewise(cuts, [(p,) if p else () for p in row[nearest].tolist()]).simplified() for row in rows
            )
            for name, rows in strategy.at.items()
        },
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

        shown = {"observation": seen, "action_mask": masks.astype(np.int8)} if parts else seen
        if not hasattr(policy, "get_distribution"):
            return np.asarray(model.predict(shown, deterministic=True)[0]).reshape(-1)
        training = policy.training
        policy.set_training_mode(False)
        try:
            with torch.no_grad():
                tensor, _ = policy.obs_to_tensor(shown)
                law = policy.get_distribution(tensor, action_masks=masks) if masked else policy.get_distribution(tensor)
                return _numbers(law.distribution.probs)
        finally:
            policy.set_training_mode(training)

    return answer


# OpenSpiel


def _is_spiel_policy(agent: Any) -> bool:
    """Whether the agent is one of OpenSpiel's policies, in python or C++; agents that learn are not."""
    return hasattr(agent, "action_probabilities") and not hasattr(agent, "step")


def _spiel_policy(game: Game, source: Any, seat: int, mode: Mode) -> Strategy:
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
