"""Lesson 2: confidence bands."""
