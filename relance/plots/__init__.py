"""Figures in the one style of `relance.plots.style`. A file here with a `picture` is a sub-command of `relance plot` by itself."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from relance.plots.style import Figure


def pictures() -> dict[str, Callable[..., Figure]]:
    """The pictures of all files here, by name. matplotlib is imported when one is drawn."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    from relance.plots.picture import PICTURES

    return PICTURES
