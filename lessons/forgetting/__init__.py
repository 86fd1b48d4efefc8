"""Lesson 6: forgetting, and how much memory a moving reward allows."""
