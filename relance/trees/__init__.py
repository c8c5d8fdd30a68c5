"""Sequential games as trees of histories, exactly: written, read, certified; and by name here what else is computed of them."""

from importlib import import_module
from typing import Any

_HOMES = {
    name: home
    for home, names in {
        "relance.trees.game_tree": "ChanceNode DecisionNode TerminalNode",
        "relance.trees.grades": "grade_game grade_solution",
        "relance.trees.certificates": "tree_certificate",
        "relance.solvers.abstraction_price": "nearest_size price_of_abstraction pseudo_harmonic",
        "relance.solvers.frontier": "frontier locked restricted_nash_response",
        "relance.solvers.maximum_entropy": "maximum_entropy",
        "relance.solvers.optimal_set": "optimal_set",
        "relance.solvers.quantal_response": "quantal_response quantal_responses",
        "relance.solvers.quasi_perfect": "quasi_perfect refinement",
    }.items()
    for name in names.split()
}
"""Where each name is; it is imported on first use."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'relance.trees' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
