"""How large a table may be that is read, and the one error that refuses another."""

from __future__ import annotations

MAX_BYTES, MAX_ROWS, MAX_ARMS, MAX_COLUMNS = 10_000_000, 5_000, 200, 400
MAX_LINE_CHARACTERS = 100_000  # 400 columns of 250


class TableError(ValueError):
    """A table that cannot be used; the message is one sentence: the fault, and what to do."""
