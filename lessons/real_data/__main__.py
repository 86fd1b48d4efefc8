"""`python -m lessons.real_data check FILE` says about a table what the page Real data says."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from lessons.real_data.knobs import LINK_KEYS, OFFERED, OWN, WIZARD_KEYS, table_choice
from lessons.real_data.reading.isolated import read_isolated
from lessons.real_data.tables import TableError, check
from lessons.record import BadValue
from tvbo_core.worlds.tables import DATASETS

OPTIONS = {key: OWN[key] for key in (*WIZARD_KEYS, *LINK_KEYS) if key != "file"}  # as a link writes them


def main(arguments: list[str] | None = None) -> int:
    """Print one line a check; the exit code is 0 when the table can be used, 1 when not, 2 for no such file."""
    parser = argparse.ArgumentParser(prog="python -m lessons.real_data", description="Checks of tables of rewards.")
    parser.add_argument("command", choices=["check"])
    parser.add_argument("file", help=f"a table of your own (the shipped ones are {', '.join(DATASETS)})")
    for key, knob in OPTIONS.items():
        text = f"{knob.help} {knob.allowed}".replace("%", "%%")
        parser.add_argument(f"--{key}", default=knob.text(knob.default), help=text)
    options = vars(parser.parse_args(arguments))
    path = Path(options["file"])
    try:
        raw = path.read_bytes()
    except OSError as problem:
        print(f"⚠ {path.name} cannot be opened: {problem.strerror or 'unknown reason'}.")
        return 2
    try:
        settings = _settings(options)
        checked = check(read_isolated(raw, path.name, str(settings["thin"])), table_choice(settings))
    except TableError as problem:
        print(f"⚠ {problem}")
        return 1
    for finding in checked.findings:
        key = OFFERED.get(finding.offer, "")
        option = f" (--{key}: {OWN[key].allowed})" if key and settings[key] == OWN[key].default else ""
        print(f"{'✓' if finding.ok else '⚠'} {finding.sentence}{option}")
    sheet, choice = checked.sheet, checked.choice
    for role, columns in (("Time", choice.time or ()), ("Arms", choice.arms or ())):
        print(f"{role}: {', '.join(f'{i} ‘{sheet.header[i]}’' for i in columns) or 'none'}")
    return 0 if checked.table is not None else 1


def _settings(options: Mapping[str, str]) -> dict[str, object]:
    """Return the settings that the options say.

    Raises:
        TableError: an option is none of the values that it may have.
    """
    settings = {}
    for key, knob in OPTIONS.items():
        try:
            settings[key] = knob.read(options[key])
        except BadValue as problem:
            raise TableError(f"--{key} cannot be ‘{options[key]}’; it may be {problem}.") from problem
    return settings


if __name__ == "__main__":
    sys.exit(main())
