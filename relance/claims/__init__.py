"""The ledger: every checkable statement of each paper, as data, one .toml file per paper beside a module with its checks."""

from __future__ import annotations

from functools import cache
from importlib import resources

from relance.claims.ledger import Paper, load


@cache
def papers() -> dict[str, Paper]:
    """Return the papers by key. A .toml file in this folder is found by itself."""
    files = sorted(item.name for item in resources.files("relance.claims").iterdir() if item.name.endswith(".toml"))
    found = [load(name.removesuffix(".toml")) for name in files]
    return {paper.key: paper for paper in found}
