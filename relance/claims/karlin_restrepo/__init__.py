"""La Relance with a menu of bets, after Karlin and Restrepo (1957): our solution, written up in docs/classics.md."""
