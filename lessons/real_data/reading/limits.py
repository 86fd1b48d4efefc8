"""Limits of the tables that are read, and the one error for a table that cannot be used."""

from __future__ import annotations

MAX_BYTES, MAX_ROWS, MAX_ARMS, MAX_COLUMNS = 40_000_000, 5_000, 200, 400
TOP_ROWS = 40  # first rows of a longer file that are kept besides its last ones: names and lines above them
MAX_CELL_CHARACTERS = 200  # what follows in a cell is cut
MAX_TEXT_CHARACTERS = 20_000_000  # of all cells of a table


class TableError(ValueError):
    """A table that cannot be used; the message is one sentence: the fault, and what to do."""


def label(text: str, most: int = 40) -> str:
    """Return the beginning of a text on one line, without signs that have no ink (but the joiners of scripts)."""
    line = " ".join(text[: 10 * most].split())
    return "".join(c for c in line if c.isprintable() or c in "\u200c\u200d")[:most].strip()


def count(n: int, noun: str) -> str:
    """Return a number with its noun, 1 row, 2 rows; the process that reads tables imports no other room."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
