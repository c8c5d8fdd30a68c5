"""Solves games: exact values and best responses, linear programs, CFR, and all optimal strategies."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
