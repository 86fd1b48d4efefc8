"""Lesson 8: a race on tables of real rewards."""
