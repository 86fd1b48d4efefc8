"""Whether a stored report says what its page reads, so that a damaged file is a sentence and not an accident."""

from __future__ import annotations

import math
from pathlib import Path

TOP = {"name": str, "source": str, "question": str, "command": str, "repetitions": int, "setup": dict, "choices": list,
       "results": dict, "comparison": dict, "findings": list, "machine": dict}  # fmt: skip
DAMAGED = (
    "The stored run of {title} ({file}) is damaged: restore the file, or run "
    "`python -m tvbo_core.experiments {name} --out assets/reproductions` and start the server again."
)


def damaged(title: str, path: Path) -> ValueError:
    """The sentence for a report that cannot be read."""
    return ValueError(DAMAGED.format(title=title, file=path.name, name=path.stem))


def check(told: object) -> dict:
    """The report, if it has everything that the pages look up.

    Raises:
        ValueError, KeyError, TypeError, IndexError: it has not.
    """
    if not isinstance(told, dict):
        raise TypeError("a report is an object")
    for key, kind in TOP.items():
        if not isinstance(told[key], kind):
            raise TypeError(f"{key} must be of type {kind.__name__}")
    if told["repetitions"] < 1 or not told["results"]:
        raise ValueError("nothing was run")
    for part, result in told["results"].items():
        first = next(measure for measure in result if measure != "curve")
        unit = "regret" if "regret" in result else first
        values = result[unit]["values"]
        if len(values) != told["repetitions"] or not all(math.isfinite(v) for v in values):
            raise ValueError(f"{part} has other repetitions")
        told["machine"]["timing"][part].get("a step")
    for entry in told["comparison"].values():
        paper = entry["paper"]
        if not (math.isfinite(paper["mean"]) and paper["runs"] > 0 and paper["sd"] >= 0):
            raise ValueError("a printed entry is no number")
        _ = entry["status"], entry["z"]
    for finding in told["findings"]:
        _ = finding["claim"], finding["holds"], finding["decided"], finding["measured"]
    return told
