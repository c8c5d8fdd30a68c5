"""Defines the games, one file per paper. Any new file here with a `Blueprint` is found, registered and tested automatically."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
