"""Figures in the one style of `relance.pages.plots.style`. Each `picture` in a file here is a sub-command of `relance plot`."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relance.pages.plots.picture import Picture


def pictures() -> dict[str, Picture]:
    """The pictures of all files here, by name. matplotlib is imported only when one is drawn."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    from relance.pages.plots.picture import PICTURES

    return PICTURES
