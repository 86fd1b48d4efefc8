"""The wording of a duration."""


def duration(seconds: float) -> str:
    """Return "about 5 s" or "about 3 min"."""
    return f"about {max(round(seconds), 1)} s" if seconds < 90 else f"about {round(seconds / 60)} min"
