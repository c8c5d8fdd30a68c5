"""The commands of `relance`, by what they are about."""
