"""Statements under the microscope, each measured over a sweep."""
