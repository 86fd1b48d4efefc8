"""Lesson 3: R-PERP, phased elimination with restarts and random order."""
