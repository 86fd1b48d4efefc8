"""Optimisation-based kernel bandits (OPKB, ADA-OPKB): their constants, their convex program, the policies."""
