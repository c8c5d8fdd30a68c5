"""Registers the games with OpenSpiel, PettingZoo and Gymnasium, and adapts agents of these and other frameworks."""
