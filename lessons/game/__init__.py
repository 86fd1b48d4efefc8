"""The game of the reader against the bandits."""
