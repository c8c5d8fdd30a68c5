"""Models real cards: decks, classes of five-card hands, and deals in which both hands come from one deck."""
