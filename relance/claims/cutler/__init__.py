"""Claims of Cutler (1975) on pot-limit poker."""
