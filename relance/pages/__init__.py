"""The parts of Relance that people see: pictures, pages of results, the explorer, and the command line."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
