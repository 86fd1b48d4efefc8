"""Runs of an algorithm between its proved bound and the lower bound, for theorems with all their constants."""
