"""The rates of all theorems along a sweep, and where they hold: closed form."""
