"""Adapters for frameworks of learners, one each: environments, and readers of what they trained."""
