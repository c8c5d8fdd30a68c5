"""Agents that answer in words: telling and asking, replies, estimates with intervals, logs and matches."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
