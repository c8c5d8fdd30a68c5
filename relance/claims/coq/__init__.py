"""Equilibria as theorems in Coq files, which the proof kernel of Coq checks."""
