"""Results as tables and pages: in the terminal, in HTML, a game's page, and the leaderboard."""
