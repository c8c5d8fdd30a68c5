"""What everybody at a table sees: observations, masks, dealing and streams of chance. No framework is imported here."""
