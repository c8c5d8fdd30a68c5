"""Claims of Bernasconi, Lorenz and Spöhel on von Neumann's poker with a flip of the hands."""
