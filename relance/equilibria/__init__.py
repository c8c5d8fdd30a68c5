"""Which equilibrium of any game: refined, quantal and of greatest entropy, prices of exploiting and of abstraction, grades."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
