"""Theorems, their rates and bounds, and runs beside them."""
