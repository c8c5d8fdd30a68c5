"""Defines a game: a public betting tree and a private deal of hands. It imports no framework and no solver."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
