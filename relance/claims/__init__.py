"""The ledger: every checkable statement of each paper, as data, one file per paper. A file here that defines `PAPER` is found."""

from __future__ import annotations

import importlib
import pkgutil

from relance.claims.ledger import Paper


def papers() -> dict[str, Paper]:
    """Return the papers by key."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.name not in ("ledger", "checks"))
    found = [importlib.import_module(f"{__name__}.{name}").PAPER for name in names]
    return {paper.key: paper for paper in found}
