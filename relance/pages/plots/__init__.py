"""Figures in the style of `relance.pages.plots.style`. Each function with `@picture` is a sub-command of `relance plot`."""
