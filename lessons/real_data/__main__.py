"""`python -m lessons.real_data check FILE` says about a table what the page Real data says."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from lessons.real_data.knobs import choices_text, said
from lessons.real_data.reading.isolated import read_isolated
from lessons.real_data.tables import TableError, load, suggest
from tvbo_core.worlds.tables import DATASETS


def main(arguments: list[str] | None = None) -> int:
    """Print the choices and a line a check; the exit code is 0 for a table, 1 for none, 2 for no such file."""
    parser = argparse.ArgumentParser(prog="python -m lessons.real_data", description="Checks of tables of rewards.")
    parser.add_argument("command", choices=["check"])
    parser.add_argument("file", help=f"a table of your own (the shipped ones are {', '.join(DATASETS)})")
    parser.add_argument("--choices", default="none", help='what is not as suggested, such as {"time": [0, 1]}')
    options = parser.parse_args(arguments)
    path = Path(options.file)
    try:
        raw = path.read_bytes()
    except OSError as problem:
        print(f"⚠ {path.name} cannot be opened: {problem.strerror or 'unknown reason'}.")
        return 2
    try:
        changed = said(vars(options))
        cells = read_isolated(raw, path.name, changed.get("sheet", ""), changed.get("separator", ""))
    except TableError as problem:
        print(f"⚠ {problem}")
        return 1
    except ValueError as problem:
        print(f"⚠ --choices: {problem}.")
        return 1
    loaded = load(cells, suggest(cells, **changed))
    print(f"Choices: {choices_text(asdict(loaded.choices))}")
    for i, name in enumerate(loaded.layout.header):
        print(f"Column {i}: ‘{name}’ ({loaded.role(i)})")
    for check in loaded.checks:
        print(f"{'✓' if check.ok else '⚠'} {check.sentence}")
    if loaded.table is None:
        print(f"⚠ {loaded.problem}")
    return 0 if loaded.table is not None else 1


if __name__ == "__main__":
    sys.exit(main())
