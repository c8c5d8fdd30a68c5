"""Claims of Ferguson and Ferguson on the endgame in poker."""
