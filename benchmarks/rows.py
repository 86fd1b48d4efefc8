"""How a benchmark is printed."""

from __future__ import annotations

from collections.abc import Sequence

Row = tuple[str, ...]


def show(rows: Sequence[Row]) -> None:
    """Print a table, its first row as the head."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for i, row in enumerate(rows):
        print(" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
        if i == 0:
            print("-+-".join("-" * width for width in widths))
