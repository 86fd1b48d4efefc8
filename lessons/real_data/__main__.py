"""`python -m lessons.real_data check FILE` says about a table what the page Real data says."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lessons.real_data.reading.isolated import read_isolated
from lessons.real_data.tables import Choice, TableError, check
from tvbo_core.worlds.tables import DATASETS

FLAGS = {
    "turned": "exchange rows and columns: the rows of the file are arms",
    "log_returns": "race on log returns of prices",
    "standardise": "divide every arm by its standard deviation in the training part",
}
VALUES = {
    "time": "numbers of the columns that make the time, from 0, with commas between; none: the rows are in order",
    "arms": "numbers of the columns that are arms, from 0, with commas between",
    "names": "rows of names at the top",
    "foot": "rows below the table that are none of it",
    "codes": "cells that count as missing, with spaces between; none: only empty ones",
    "first": "day, month or year: what a date such as 10/03/24 begins with",
    "decimal": "the decimal sign, . or ,",
    "fill": "forward or drop: what becomes of missing cells",
}


def main(arguments: list[str] | None = None) -> int:
    """Print one line a check; the exit code is 0 when the table can be used, 1 when not, 2 for no such file."""
    parser = argparse.ArgumentParser(prog="python -m lessons.real_data", description="Checks of tables of rewards.")
    parser.add_argument("command", choices=["check"])
    parser.add_argument("file", help=f"a table of your own (the shipped ones are {', '.join(DATASETS)})")
    for name, said in FLAGS.items():
        parser.add_argument(_option(name), action="store_true", help=said)
    for name, said in VALUES.items():
        parser.add_argument(_option(name), help=said)
    options = vars(parser.parse_args(arguments))
    path = Path(options["file"])
    try:
        raw = path.read_bytes()
    except OSError as problem:
        print(f"⚠ {path.name} cannot be opened: {problem.strerror or 'unknown reason'}.")
        return 2
    try:
        checked = check(read_isolated(raw, path.name), _choice(options))
    except TableError as problem:
        print(f"⚠ {problem}")
        return 1
    for finding in checked.findings:
        offers = finding.offer in FLAGS or finding.offer in VALUES
        option = f" ({_option(finding.offer)})" if offers and not options[finding.offer] else ""
        print(f"{'✓' if finding.ok else '⚠'} {finding.sentence}{option}")
    sheet, choice = checked.sheet, checked.choice
    for role, columns in (("Time", choice.time or ()), ("Arms", choice.arms or ())):
        print(f"{role}: {', '.join(f'{i} ‘{sheet.header[i]}’' for i in columns) or 'none'}")
    return 0 if checked.table is not None else 1


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _choice(options: Mapping[str, Any]) -> Choice:
    """Return the choice that the options say.

    Raises:
        TableError: an option is none of the values that it may have.
    """
    said: dict[str, Any] = {name: value for name, value in options.items() if name in (*FLAGS, *VALUES) and value}
    try:
        for name in ("time", "arms"):
            if name in said:
                said[name] = () if said[name] == "none" else tuple(map(int, said[name].split(",")))
        for name in ("names", "foot"):
            if name in said:
                said[name] = int(said[name])
    except ValueError as problem:
        raise TableError(f"An option is no number of columns or rows: {problem}.") from problem
    if "codes" in said:
        said["codes"] = () if said["codes"] == "none" else tuple(said["codes"].split())
    return Choice(**said)


if __name__ == "__main__":
    sys.exit(main())
