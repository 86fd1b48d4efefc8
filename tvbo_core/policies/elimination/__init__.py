"""Phased elimination: its schedule, its designs, one batch, the policies PE and R-PERP, and what a shuffle does."""
