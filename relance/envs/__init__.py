"""Defines the games, one file per paper. Any new file here with a `Blueprint` is found, registered and tested automatically."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
