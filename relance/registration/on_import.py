"""Registers the games with each framework when that framework is imported.

Each framework takes longer to import than all of Relance, and a user of one does not need the others.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

ADAPTERS = {
    "pyspiel": "relance.registration.openspiel_agents",
    "pettingzoo": "relance.registration.pettingzoo",
    "gymnasium": "relance.registration.gymnasium",
    "stable_baselines3": "relance.baselines.frameworks.sb3",
}
"""The adapter module of each framework. Importing it registers all games and the reader of the framework's agents."""


class _Finder:
    """An import hook that finds a framework through the other finders and registers the games once it is loaded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in ADAPTERS:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, (finder.find_spec(fullname, path, target) for finder in others)), None)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def load_and_register(module: ModuleType) -> None:
            load(module)
            import_module(ADAPTERS[fullname])

        spec.loader.exec_module = load_and_register  # type: ignore[method-assign]  # the import runs it
        return spec


def register_on_import() -> None:
    """Register the games with every framework already loaded, and with the others once they are imported; once per process."""
    if any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return
    sys.meta_path.insert(0, _Finder())
    for framework, adapter in ADAPTERS.items():
        if sys.modules.get(framework):  # None stands there where its import is forbidden
            import_module(adapter)
