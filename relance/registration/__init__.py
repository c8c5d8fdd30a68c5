"""Registers the games with OpenSpiel, PettingZoo and Gymnasium, and adapts agents of these and other frameworks."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
