"""A stranger's words on the page, as text: from a link, a file's name, a column's head."""

from __future__ import annotations

import re

from tvbo_core.data.cells import plain

SHOWN = 20  # characters of a link's value that a message repeats
_ADDRESS = re.compile(r"(:(?=//)|www(?=\.)|@)", re.IGNORECASE)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+|~$:!&=-])")
_INLINE = re.compile(r"([\\`*_\[\]<>|~$:!&])")


def escaped(text: str) -> str:
    """A text in which no character is read as Markdown, and no address becomes a link.

    A backslash does not stop the search for addresses, which reads the finished text: an invisible joiner does.
    """
    return _MARKDOWN.sub(r"\\\1", _ADDRESS.sub("\\1\u2060", text))


def quoted(text: str) -> str:
    """The beginning of a stranger's words, inside a sentence: nothing in it is read as Markdown or turns the line."""
    return _INLINE.sub(r"\\\1", _ADDRESS.sub("\\1\u2060", plain(text, SHOWN)))
