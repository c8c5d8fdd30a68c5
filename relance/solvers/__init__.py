"""Solves games: exact values and best responses, linear programs, CFR, dominance, and proofs for all parameters."""
