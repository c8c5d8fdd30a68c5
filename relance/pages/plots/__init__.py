"""Figures in the one style of `relance.pages.plots.style`. Each `picture` in a file here is a sub-command of `relance plot`."""
