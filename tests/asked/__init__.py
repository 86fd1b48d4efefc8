"""`ask`: what a page shows, as a pure function of its state."""
