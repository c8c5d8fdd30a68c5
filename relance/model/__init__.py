"""Defines a game: a public betting tree and a private deal of hands. It imports no framework and no solver."""
