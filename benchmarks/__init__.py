"""Benchmarks of the time that visitors and servers spend; each ratio holds within one run."""
