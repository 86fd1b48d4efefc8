"""Forgetting, and how much memory a moving reward allows."""
