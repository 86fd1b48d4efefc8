"""Drifting rewards."""
