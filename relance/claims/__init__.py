"""The ledger: every checkable statement of each paper, as data. Each folder is one paper: its `claims.toml` and its checks."""

from __future__ import annotations

import pkgutil
from functools import cache

from relance.claims.ledger import Paper, load


@cache
def papers() -> dict[str, Paper]:
    """Return the papers by key, one for each folder here."""
    loaded = [load(item.name) for item in pkgutil.iter_modules(__path__) if item.ispkg]
    return {paper.key: paper for paper in loaded}
