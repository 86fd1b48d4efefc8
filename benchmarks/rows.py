"""The command line of every benchmark, and a table whose rows are printed as they come."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

Row = tuple[str, ...]
TINY = "Tiny numbers, to see that every row runs: targets and ratios speak of the full size."


def parser(words: str | None) -> argparse.ArgumentParser:
    """Return the command line of a benchmark with these words (its docstring): `--quick`."""
    made = argparse.ArgumentParser(description=(words or "").splitlines()[0])
    made.add_argument("--quick", action="store_true", help="all rows with tiny numbers, to see that they run")
    return made


def is_quick(words: str | None) -> bool:
    """Return whether a benchmark that has nothing else to choose was asked for tiny numbers, and say what they are."""
    quick = parser(words).parse_args().quick
    if quick:
        print(TINY, flush=True)
    return quick


def show(rows: Iterable[Row], widths: Sequence[int]) -> None:
    """Print each row as soon as it is there, the first one as the head: what is printed survives what comes later.

    Args:
        widths: of the columns; a longer cell pushes its own line to the right.
    """
    for i, row in enumerate(rows):
        print(" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip(), flush=True)
        if i == 0:
            print("-+-".join("-" * width for width in widths), flush=True)
