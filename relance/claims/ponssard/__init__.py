"""Claims of Ponssard (1974) on a variant of two-person poker."""
