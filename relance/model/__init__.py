"""What a game is: a public betting tree times a private deal. No framework and no solver is imported here."""
