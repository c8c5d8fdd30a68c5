"""The commands of `relance`, by subject."""
