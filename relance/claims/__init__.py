"""The ledger: every checkable statement of each paper, as data. Each folder is one paper: its `claims.toml` and its checks."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
