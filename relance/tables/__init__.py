"""Playing on: one table, many tables at once, and a session of hands with coaching."""
