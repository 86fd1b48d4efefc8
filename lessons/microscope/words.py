"""Sentences about each place of each sweep: the finding, the label of the bar, the caption."""

from __future__ import annotations

import math

from common.formats import number
from lessons.microscope.statements import STATEMENTS, MicroscopeResult

COPY = "As printed, in the copy we read"  # some differences may be conversion slips
ELSEWHERE = (
    "Some differences may be conversion slips of the copy we read. Two points have no experiment here. We use "
    "Deng et al.'s "
    "width of Theorem 2: both terms are under the root. And $V_T$ (sup norm) is at most $B_T$ (RKHS norm) times "
    "$\\sqrt\\kappa$, and a guarantee in $B_T$ is not one in $V_T$. “Drifting rewards” draws both running sums, and "
    "every curve of “Theorems” names its budget. “Theorems” also has the certified information gain and the lower "
    "bound at finite T."
)


def finding(found: MicroscopeResult) -> list[str]:
    """Return the sentence of every place of the sweep (HTML)."""
    sentence = STATEMENTS[found.key].sentence
    return [sentence(found.at(i)) for i in range(found.frames)]


def label(found: MicroscopeResult, i: int) -> str:
    """Return the text beside the player's bar."""
    return f"{STATEMENTS[found.key].symbol} {number(float(found.sweep[i]))}"


def caption(found: MicroscopeResult, seed: int) -> str:
    """Return the set-up of the numbers."""
    seed_text = f", seed {seed}" if "seed" in STATEMENTS[found.key].uses else ""
    return (
        f"Strong line: measured or exact. Ochre dashes: as printed. Green: as the lab reads it. Blue: for comparison. "
        f"Set-up: {found.setup}{seed_text}."
    )


def card(key: str) -> tuple[str, str, str]:
    """Return (printed, read, where and why) of one statement, in Markdown."""
    s = STATEMENTS[key]
    return s.printed, s.read, f"**{s.where}.** {s.reason}"


def listing() -> str:
    """Return every statement as one Markdown table."""
    rows = [f"| {s.where} | {s.printed} | {s.read} | {s.reason} |" for s in STATEMENTS.values()]
    return "\n".join(["| where | as printed | as the lab reads it | why |", "|---|---|---|---|", *rows])


def table(found: MicroscopeResult) -> list[dict]:
    """Return the numbers over the sweep."""
    name = STATEMENTS[found.key].symbol.rstrip(" =:")
    rows = []
    for i in range(found.frames):
        row: dict[str, object] = {name: float(found.sweep[i])}
        for line in found.over:
            row[line.name] = float(line.y[i]) if math.isfinite(line.y[i]) else "–"
        row |= {k: float(v[i]) for k, v in found.facts.items() if math.isfinite(v[i])}
        rows.append({k: str(v) if any_text(found, k) else v for k, v in row.items()})
    return rows


def any_text(found: MicroscopeResult, name: str) -> bool:
    """Return whether a column has a gap, which is written as a dash: then all of it is text."""
    return any(line.name == name and not all(map(math.isfinite, line.y)) for line in found.over)
