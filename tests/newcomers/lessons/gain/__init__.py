"""A lesson on the information gain of a number of answers."""
