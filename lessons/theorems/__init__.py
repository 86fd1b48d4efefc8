"""Lesson 5: theorems, their rates and bounds, and runs beside them."""
