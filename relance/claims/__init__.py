"""The ledger: every checkable statement of each paper, as data. A folder is a paper: its `claims.toml`, and the checks beside it."""

from __future__ import annotations

import pkgutil
from functools import cache

from relance.claims.ledger import Paper, load


@cache
def papers() -> dict[str, Paper]:
    """Return the papers by key: every folder here is one."""
    loaded = [load(item.name) for item in pkgutil.iter_modules(__path__) if item.ispkg]
    return {paper.key: paper for paper in loaded}
