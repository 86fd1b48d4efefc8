"""R-PERP, phased elimination with restarts and random order."""
