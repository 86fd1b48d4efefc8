"""Three intervals for the next observation: one follows its own misses, two trust their model."""
