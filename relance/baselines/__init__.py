"""Runnable baselines, one readable file each: the main job, and opponents to train against."""
