"""Baselines: learning algorithms, one readable file each, their training runs and scores, and adapters for other libraries."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
