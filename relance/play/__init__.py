"""Plays games at one table or at many, reads agents as strategies, and scores them exactly. It imports no framework."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
