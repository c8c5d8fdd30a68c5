"""Kuhn's game at every ante and bet, and with more cards: our own results, written up in docs/kuhn.md."""
