"""Sentences about each place of each sweep: the finding, the label of the bar, the caption."""

from __future__ import annotations

import numpy as np

from common.formats import number
from lessons.microscope.statements import EVERY_READING, STATEMENTS, MicroscopeResult

COPY = "As printed, in the copy we read"
ELSEWHERE = (
    "Some differences may be conversion slips of the copy we read. A statement whose reading is a formula has no "
    "experiment here. Two points are in no row. We use Deng et al.'s width of Theorem 2: both terms under the root. "
    "$V_T$ (sup norm) is at most $B_T$ (RKHS norm) times $\\sqrt\\kappa$; a guarantee in $B_T$ is not one in $V_T$. "
    "“Drifting rewards” draws both running sums, and every curve of “Theorems” names its budget. “Theorems” also has "
    "the certified information gain and the lower bound at finite T."
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
        "Black (white on dark): measured or exact. Ochre: as printed. Green: as the lab reads it. Blue: for "
        f"comparison. Set-up: {found.setup}{seed_text}."
    )


def card(key: str) -> tuple[str, str, str]:
    """Return (printed, read, where and why) of one statement, in Markdown."""
    s = STATEMENTS[key]
    return s.printed, s.read, f"**{s.where}.** {s.reason}"


def listing() -> str:
    """Return every printed statement and its reading as one Markdown table."""
    rows = [f"| {s.where} | {s.printed} | {s.read} | {s.reason} |" for s in EVERY_READING]
    return "\n".join(["| where | as printed | as the lab reads it | why |", "|---|---|---|---|", *rows])


def table(found: MicroscopeResult) -> list[dict]:
    """Return the numbers over the sweep; a column with gaps, which are dashes, is text."""
    columns = found.columns
    name = STATEMENTS[found.key].symbol.rstrip(" =:")
    columns = {name: columns.pop("sweep at")} | columns
    return [{key: _cell(values, i) for key, values in columns.items()} for i in range(found.frames)]


def _cell(values: np.ndarray, i: int) -> float | str:
    value = float(values[i])
    if np.isfinite(values).all():
        return value
    return str(value) if np.isfinite(value) else "–"
