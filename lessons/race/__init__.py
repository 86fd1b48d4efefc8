"""The race of the bandits."""
