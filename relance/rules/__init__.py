"""Compiles games for play: observations, action masks, dealing and random streams. It imports no framework."""
