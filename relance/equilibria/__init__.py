"""Which equilibrium of any game: refined, quantal and of greatest entropy, prices of exploiting and of abstraction, grades."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
