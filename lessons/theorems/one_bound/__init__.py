"""One bound: a theorem with the reader's own numbers."""
