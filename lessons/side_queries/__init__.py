"""Side queries, which ask old questions again."""
