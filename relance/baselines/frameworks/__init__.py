"""Adapters for RLlib, Stable-Baselines3 and TorchRL: environments, and functions that turn trained models into agents."""
