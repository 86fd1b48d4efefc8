"""Lesson 4: the race of the bandits."""
