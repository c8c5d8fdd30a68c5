"""Plays games: at one table, at many tables at once, or as a session of hands in which each decision is judged."""
