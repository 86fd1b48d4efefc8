"""The settings of the lesson's scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lessons.reproductions import model, overview
from lessons.reproductions.knobs import OVERVIEW
from lessons.reproductions.overview import Entry
from lessons.shared import script as code


def recipe(value: Mapping[str, object], t: int) -> str | None:
    """Return a script that prints every stored entry after so many repetitions, and plays one repetition anew."""
    name, within = str(value["shown"]), int(value["within"])
    if name == OVERVIEW:
        return _at_a_glance(overview.entries(), t, within)
    try:
        report = model.report(name)
    except ValueError:  # nothing is stored: the page says how to run it
        return None
    runs, cost = min(max(t, 0) + 1, report["repetitions"]), report["machine"]["seconds_a_repetition"]
    part = min(report["results"], key=lambda one: (cost.get(one, 0.0), one))
    return code.script(
        __file__,
        f"Reproductions, {report['source']} after {runs} of {report['repetitions']} repetitions",
        [f"The stored run; all of it anew: {report['command']}"],
        settings=[
            f'name, part, unit = "{name}", "{part}", "{model.unit_of(report)}"',
            f"runs = {runs}",
            *([f"within = {within}  # standard errors of the difference"] if report["comparison"] else []),
        ],
        compared=bool(report["comparison"]),
    )


def _at_a_glance(listed: Sequence[Entry], t: int, within: int) -> str:
    """Return a script that counts how the entries and statements of one report came out, or of all that are listed."""
    entries = overview.at(listed, t)
    return code.script(
        __file__,
        f"Reproductions, {entries[0].title if len(entries) == 1 else 'the tables and figures that are listed'}",
        [],
        settings=[
            _listed("names", (entry.name for entry in entries if entry.attempted)),
            _listed("without_a_run", (entry.title for entry in entries if not entry.attempted)),
            f"within = {within}  # standard errors of the difference",
        ],
        file="script_overview.py",
    )


def _listed(name: str, values: Iterable[str]) -> str:
    """Return a list of texts as source."""
    return code.call(f"{name} = [", [*map(code.literal, values)] or [""], "]")
