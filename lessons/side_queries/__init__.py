"""Lesson 7: side queries, which ask old questions again."""
