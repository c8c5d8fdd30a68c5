"""Computations that were done once and are written up in docs/. Not part of the wheel."""
