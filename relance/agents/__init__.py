"""Turns players of every kind into strategies: trained agents, functions and named opponents; and scores them."""
