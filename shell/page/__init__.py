"""A lesson's page: its frame, knobs, moments, task, drawers, and the body that follows from the lesson's record."""
