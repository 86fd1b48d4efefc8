"""Chase the peak: one step of GP-UCB at a time, on a hill that drifts. The front page."""
