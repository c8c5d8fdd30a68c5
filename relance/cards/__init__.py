"""Real cards: decks, classes of five-card hands, and deals from one deck."""
