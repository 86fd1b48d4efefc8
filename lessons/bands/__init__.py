"""Confidence bands."""
