"""Every checkable statement of each paper, as data. Each folder is one paper: its `claims.toml` and its checks."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
