"""`python -m lessons.real_data check FILE` says about a table what the page Real data says."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from lessons.real_data.tables import TableError, check, guess, read
from tvbo_core.worlds.tables import DATASETS

OPTIONS = {
    "first_row_names": "read the first row as names, also where it holds numbers",
    "turned": "exchange rows and columns: the rows of the file are arms",
    "keep_codes": "read codes for missing cells, such as -999, as numbers",
    "log_returns": "race on log returns of prices",
    "standardise": "divide every arm by its standard deviation in the training part",
}


def main(arguments: list[str] | None = None) -> int:
    """Print one line a check; the exit code is 0 when the table can be used, 1 when not, 2 for no such file."""
    parser = argparse.ArgumentParser(prog="python -m lessons.real_data", description="Checks of tables of rewards.")
    parser.add_argument("command", choices=["check"])
    parser.add_argument("file", help=f"a table of your own (the shipped ones are {', '.join(DATASETS)})")
    for name, said in OPTIONS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", action="store_true", help=said)
    asked = vars(parser.parse_args(arguments))
    path = Path(asked["file"])
    try:
        raw = path.read_bytes()
    except OSError as problem:
        print(f"⚠ {path.name} cannot be opened: {problem.strerror or 'unknown reason'}.")
        return 2
    try:
        sheet = read(raw, path.name, first_row_names=asked["first_row_names"], turned=asked["turned"])
    except TableError as problem:
        print(f"⚠ {problem}")
        return 1
    chosen = {name: asked[name] for name in ("keep_codes", "log_returns", "standardise")}
    checked = check(sheet, replace(guess(sheet), **chosen))
    for finding in checked.findings:
        option = (
            f" (--{finding.offer.replace('_', '-')})" if finding.offer in OPTIONS and not asked[finding.offer] else ""
        )
        print(f"{'✓' if finding.ok else '⚠'} {finding.sentence}{option}")
    return 0 if checked.table is not None else 1


if __name__ == "__main__":
    sys.exit(main())
