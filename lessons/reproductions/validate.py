"""The check that a stored report holds what its page reads, so that a damaged file is a sentence and no traceback."""

from __future__ import annotations

import math
from pathlib import Path

TOP = {
    "name": str,
    "source": str,
    "question": str,
    "command": str,
    "repetitions": int,
    "setup": dict,
    "choices": list,
    "results": dict,
    "comparison": dict,
    "findings": list,
    "machine": dict,
}
DAMAGED = (
    "The stored run of {title} ({file}) is damaged: restore the file, or run "
    "`python -m lessons.reproductions {name} --out assets/reproductions` and start the server again."
)


def damaged(title: str, path: Path) -> ValueError:
    """Return the error for a report that cannot be read."""
    return ValueError(DAMAGED.format(title=title, file=path.name, name=path.stem))


def check(found: object) -> dict:
    """Return the report, if it has everything that the pages look up.

    Raises:
        ValueError, KeyError, TypeError, IndexError: it has not.
    """
    if not isinstance(found, dict):
        raise TypeError("a report is an object")
    for key, kind in TOP.items():
        if not isinstance(found[key], kind):
            raise TypeError(f"{key} must be of type {kind.__name__}")
    if found["repetitions"] < 1 or not found["results"]:
        raise ValueError("nothing was run")
    for part, result in found["results"].items():
        first = next(measure for measure in result if measure != "curve")
        unit = "regret" if "regret" in result else first
        values = result[unit]["values"]
        if len(values) != found["repetitions"] or not all(math.isfinite(v) for v in values):
            raise ValueError(f"{part} has other repetitions")
        found["machine"]["timing"][part].get("a step")
    for entry in found["comparison"].values():
        paper = entry["paper"]
        if not (math.isfinite(paper["mean"]) and paper["runs"] > 0 and paper["sd"] >= 0):
            raise ValueError("a printed entry is no number")
        _ = entry["status"], entry["z"]
    for finding in found["findings"]:
        _ = finding["claim"], finding["holds"], finding["decided"], finding["measured"]
        if (said := finding["said"]) is not None:
            _ = said["place"], said["words"]
    return found
