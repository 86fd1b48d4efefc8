"""The lessons, each a folder with its record in lesson.py; `lessons/registry.py` lists them.

The list is loaded when it is first asked for: a process that needs a part of one lesson, as the reader of a
visitor's table does, loads no other lesson.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lessons.registry import BY_KEY, LESSONS

__all__ = ["BY_KEY", "LESSONS"]


def __getattr__(name: str) -> Any:
    """Return the list of all lessons, or the lessons by their keys."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lessons import registry

    return getattr(registry, name)
