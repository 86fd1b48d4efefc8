"""Lesson 9: the papers' tables and figures beside what our code gives."""
