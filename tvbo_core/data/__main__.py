"""`python -m tvbo_core.data check FILE` says about a table what the page Real data says."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tvbo_core.data import DATASETS, TableError, check, guess, read


def main(arguments: list[str] | None = None) -> int:
    """Print one line a check; the exit code is 0 when the table can be used, 1 when not, 2 for no such file."""
    parser = argparse.ArgumentParser(prog="python -m tvbo_core.data", description="Checks of tables of rewards.")
    parser.add_argument("command", choices=["check"])
    parser.add_argument("file", help=f"a table of your own (the shipped ones are {', '.join(DATASETS)})")
    path = Path(parser.parse_args(arguments).file)
    try:
        raw = path.read_bytes()
    except OSError as problem:
        print(f"⚠ {path.name} cannot be opened: {problem.strerror or 'unknown reason'}.")
        return 2
    try:
        sheet = read(raw, path.name)
    except TableError as problem:
        print(f"⚠ {problem}")
        return 1
    checked = check(sheet, guess(sheet))
    for finding in checked.findings:
        print(f"{'✓' if finding.ok else '⚠'} {finding.sentence}")
    return 0 if checked.table is not None else 1


if __name__ == "__main__":
    sys.exit(main())
