"""A race on tables of real rewards."""
