"""Sequential games as trees of histories, exactly: written, read, certified; and by name here what else is computed of them."""

from importlib import import_module
from typing import Any

_HOMES = {
    name: home
    for home, names in {
        "relance.model.game_tree": "ChanceNode DecisionNode TerminalNode",
        "relance.equilibria.grades": "grade_game grade_solution",
        "relance.equilibria.tree_certificates": "tree_certificate",
        "relance.equilibria.abstraction_price": "nearest_size price_of_abstraction pseudo_harmonic",
        "relance.equilibria.restricted_responses": "frontier locked restricted_nash_response",
        "relance.equilibria.entropy": "maximum_entropy",
        "relance.solvers.optimal_set": "optimal_set",
        "relance.equilibria.logit_equilibria": "quantal_response quantal_responses",
        "relance.equilibria.perfection": "quasi_perfect refinement",
    }.items()
    for name in names.split()
}
"""Where each name is; it is imported on first use."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'relance.equilibria' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
