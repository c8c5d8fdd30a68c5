"""Runnable baselines, one readable file each: the main job, and opponents to train against."""

from relance.model.renamed import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
