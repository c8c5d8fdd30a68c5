"""Claims of Krityakierne, Thanatipanonda and Zeilberger on von Neumann's and Newman's games with finite decks."""
