"""Bandits that ask old questions again (SparQ, W-SparQ): the policies, their windows, what a budget buys."""
