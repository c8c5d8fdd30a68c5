"""What each kind of agent answers to observations: torch networks and functions here, those of a framework by its adapter.

No framework is imported here: an adapter brings the reader of its own framework's agents by `read_with`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.game import Game

Observations: TypeAlias = npt.NDArray[np.float32]
Masks: TypeAlias = npt.NDArray[np.bool_]
Answer: TypeAlias = Callable[[Observations, Masks], Any]
Mode: TypeAlias = Literal["sample", "argmax"]

AGAIN = 64
"""How many answers of a function are asked for again, to see that they are no draws."""


@dataclass(frozen=True)
class Reader:
    """How a framework's agents are read.

    Attributes:
        reads: whether an agent is of this kind.
        answer: from a game, an agent and a seat to the agent's answers; raises ValueError for an agent of another game.
        one_seat: whether an agent of this kind plays one seat, so that a list of two of them is a pair.
        finite_hands: whether it plays finitely many hands only.
    """

    reads: Callable[[Any], bool]
    answer: Callable[[Game, Any, int], Answer]
    one_seat: bool = False
    finite_hands: bool = False


_READERS: list[Reader] = []


def read_with(*readers: Reader) -> None:
    """Read agents of further kinds from now on; of two readers that know an agent the first one counts."""
    _READERS.extend(readers)


def reader_of(agent: Any) -> Reader | None:
    """The reader of an agent with a law of its own: of a framework's, or of a torch network; None for anything else."""
    found = next((reader for reader in _READERS if reader.reads(agent)), None)
    torch = sys.modules.get("torch")
    if found is None and torch is not None and isinstance(agent, torch.nn.Module):
        return Reader(callable, _network)
    return found


def responder(game: Game, agent: Any, seat: int) -> Answer:
    """The agent as a function of observations and masks. Raises TypeError for what is no agent, ValueError if of another game."""
    reader = reader_of(agent)
    if reader is not None:
        return reader.answer(game, agent, seat)
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


# Torch


def _network(game: Game, module: Any, seat: int) -> Answer:
    return lambda seen, masks: _softmax(_logits(quiet(module, seen, lambda net, x: net(x))), masks)


def quiet(module: Any, seen: Observations, ask: Callable[[Any, Any], Any]) -> Any:
    """What a torch module says in evaluation mode and without gradients; its mode is put back."""
    import torch

    first = next(iter(module.parameters()), None)
    inputs = torch.tensor(seen)
    if first is not None:
        inputs = inputs.to(first.device, first.dtype)
    with evaluating(module), torch.no_grad():
        try:
            return ask(module, inputs)
        except RuntimeError as error:
            raise ValueError(
                f"the network does not take observations of shape {seen.shape}: {str(error).splitlines()[0]}"
            ) from error


@contextmanager
def evaluating(module: Any) -> Iterator[None]:
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
    return numbers(found[0] if isinstance(found, (tuple, list)) else found)


def numbers(found: Any) -> npt.NDArray[np.float64]:
    """A network's answer as float64. Raises ValueError for what is no array."""
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
