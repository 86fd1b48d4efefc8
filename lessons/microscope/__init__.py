"""Lesson 10: statements under the microscope, each measured over a sweep."""
