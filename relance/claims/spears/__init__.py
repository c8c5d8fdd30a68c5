"""Claims on von Neumann's poker with many sizes of bets: Spears's limits, Newman's game, and finite menus."""
