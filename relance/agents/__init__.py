"""Anyone who plays, as a strategy: any agent read by its answers, opponents by name, and what each of them is worth."""
