"""Equilibria that are refined, quantal or of greatest entropy; prices of exploiting and of abstraction; grades of games and solutions."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
