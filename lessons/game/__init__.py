"""Lesson 11: the game of the reader against the bandits."""
