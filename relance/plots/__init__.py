"""Figures: each function returns a matplotlib Figure, drawn in the one style of `relance.plots.style`. Needs the extra `plot`."""
