"""Defines a game: a public betting tree and a private deal of hands. It imports no framework and no solver."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
