"""Tables at which a game is played: observations, masks, dealing, random streams; one table or many. It imports no framework."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
