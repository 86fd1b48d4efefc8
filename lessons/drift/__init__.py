"""Lesson 1: drifting rewards."""
