"""Asks torch networks for action probabilities, in evaluation mode, without gradients. Importing this imports no torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from relance.model.arrays import Floats, host

Observations: TypeAlias = npt.NDArray[np.float32]
"""N observations of a seat, each of length K, (N, K); see `relance.play.rules`."""

Masks: TypeAlias = npt.NDArray[np.bool_]
"""Which of the A actions are legal at N observations, (N, A)."""


def probabilities(module: Any, seen: Observations, masks: Masks) -> Floats:
    """Return a network's action probabilities, (N, A): the softmax of its logits over the legal actions.

    Raises:
        ValueError: if the network does not take the observations, or its answer is not an array of finite logits (N, A).
    """
    answer = quiet(module, seen, lambda net, inputs: net(inputs))
    answer = getattr(answer, "logits", answer)
    logits = network_output(answer[0] if isinstance(answer, (tuple, list)) else answer)
    if logits.shape != masks.shape:
        raise ValueError(f"the network's logits have shape {logits.shape}, not {masks.shape}, one for each action")
    wrong = masks & (np.isnan(logits) | (logits == np.inf))
    if wrong.any():
        row, action = np.argwhere(wrong)[0].tolist()
        raise ValueError(f"observation {row}, action {action}: logit {logits[row, action]} must be finite or -inf")
    legal = np.where(masks, logits, -np.inf)
    top = legal.max(axis=1, keepdims=True)
    if (hopeless := np.isneginf(top)).any():
        raise ValueError(f"the network gives all legal actions the logit -inf at observation {int(hopeless.argmax())}")
    power = np.exp(legal - top)
    softmax: Floats = power / power.sum(axis=1, keepdims=True)
    return softmax


def quiet(module: Any, seen: Observations, ask: Callable[[Any, Any], Any]) -> Any:
    """Return `ask(module, inputs)`, asked in evaluation mode without gradients; `inputs` is `seen` on the module's device.

    Raises:
        ValueError: if the module does not take inputs of this shape.
    """
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
    """Put all parts of a torch module in evaluation mode inside the `with` block, and restore each one's mode after it."""
    training = [part for part in module.modules() if part.training]
    module.eval()
    try:
        yield
    finally:
        for part in training:
            part.training = True


def network_output(answer: object) -> Floats:
    """Return a network's answer, a tensor or an array, as a float64 array."""
    if not hasattr(answer, "detach") and not isinstance(answer, np.ndarray):
        raise ValueError(
            f"the network answers with a {type(answer).__name__}; it must return logits of shape (observations, actions), "
            "an object with `logits`, or a tuple with the logits first"
        )
    out: Floats = host(answer).astype(float)
    return out
