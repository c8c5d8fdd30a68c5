"""Tables at which a game is played: observations, masks, dealing, random streams; one table or many. It imports no framework."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
