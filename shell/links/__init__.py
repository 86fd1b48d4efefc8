"""Links to the state of a page: written, read and checked."""
