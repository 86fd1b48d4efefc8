"""The reproductions page in words and rows."""

from __future__ import annotations

import math

import numpy as np

from lessons.reproductions.model import Board, spelt, stored
from lessons.reproductions.names import SYMBOLIC

PRINTED = "● the paper, ○ ours; bars are two standard errors, small dots single repetitions."
CURVES = "○ ours with two standard errors; small dots are single repetitions. The paper prints no numbers here."


def times(n: int, word: str, many: str = "") -> str:
    return f"{n} {word}" if n == 1 else f"{n} {many or word + 's'}"


def finding(shown: Board, tolerance: int) -> list[str]:
    """One sentence a repetition."""
    asked = shown.report["repetitions_of_the_paper"]
    return [_against(shown, r, tolerance, asked) if shown.printed else _among(shown, r, asked)
            for r in range(shown.frames)]  # fmt: skip


def _against(shown: Board, r: int, tolerance: int, asked: int) -> str:
    z = shown.z[r][np.isfinite(shown.paper)]
    runs = f"After {times(r + 1, 'repetition')} (the paper: {asked})"
    if not np.isfinite(z).all():
        return f"{runs} nothing can be said yet: one repetition has no standard error."
    close = int((np.abs(z) <= tolerance).sum())
    unit = times(tolerance, "standard error")
    worst = f"the largest difference is {np.abs(z).max():.1f} of them"
    return f"{runs}, {close} of {z.size} printed entries lie within {unit} of the difference; {worst}."


def _among(shown: Board, r: int, asked: int) -> str:
    """Who has the lowest mean in how many groups, and at the end how many statements come out."""
    winners = [shown.rows[i] for i in shown.mean[r].argmin(axis=1)]
    groups = len(winners)
    said = ", ".join(f"{name} in {winners.count(name)}" if groups > 1 else name for name in dict.fromkeys(winners))
    said += f" of {groups} groups" if groups > 1 else ""
    line = f"After {times(r + 1, 'repetition')} (the paper: {asked}) the lowest {shown.unit} is that of {said}."
    found = shown.report["findings"]
    if r < shown.frames - 1 or not found:
        return line
    yes, no = (sum(f["holds"] == holds for f in found if f["decided"]) for holds in (True, False))
    return f"{line} Statements: {yes} yes, {no} no, {len(found) - yes - no} within chance."


def label(shown: Board, r: int) -> str:
    return f"repetition {r + 1} of {shown.frames}"


def caption(shown: Board) -> str:
    told = shown.report
    seeds = f"seeds 0 to {told['repetitions'] - 1}" if told["repetitions"] > 1 else "seed 0"
    asked = told["repetitions_of_the_paper"]
    size = "full size" if told["full_size"] else f"{told['repetitions']} of the paper's {asked} repetitions"
    pairs = PRINTED if shown.printed else CURVES
    rounds = f", T = {told['horizon']}" if told["horizon"] else ""
    took = f"{max(told['machine']['core_seconds'], 1.0):.0f} s of one core in all"
    return (f"{told['source']}: {told['question']} {pairs} Measured: {size}{rounds}, {seeds}, version "
            f"{told['version']}, {took}. `{told['command']}`")  # fmt: skip


def statements(shown: Board) -> str:
    """What is said about the figure, and whether these runs say so."""
    found = shown.report["findings"]
    if not found:
        return "Nothing is claimed of this one beyond its numbers."
    lines = [f"| {verdict(f)} | {spelt(f['claim'])} | {spelt(f['measured'])} |" for f in found]
    return "\n".join(["| measured | statement | numbers |", "|---|---|---|", *lines])


def verdict(found: dict) -> str:
    """Measured yes or no, and whether chance alone would explain it."""
    word = "✓ yes" if found["holds"] else "✗ no"
    return word if found["decided"] else f"{word}, within chance"


def choices(shown: Board) -> str:
    """The set-up, what the paper does not state, and what was left out."""
    told = shown.report
    stated = [spelt(f"- {key}: {_plain(value)}") for key, value in told["setup"].items()]
    ours = [f"- {spelt(line)}" for line in told["choices"]] or ["- nothing"]
    out = [f"- {spelt(line)}" for line in told["left_out"]]
    said = ["**Stated by the paper**", "", *stated, "", "**Ours, because the paper does not say**", "", *ours]
    return "\n".join([*said, "", "**Left out**", "", *out] if out else said)


def _plain(value: object) -> str:
    return ", ".join(_plain(v) for v in value) if isinstance(value, list) else str(value)


def rates() -> str:
    """The tables of rates: how many rows agree exactly."""
    lines = []
    for told in stored(tuple(SYMBOLIC)):
        rows = told["findings"]
        off = [spelt(f"{f['claim']} ({f['measured']})") for f in rows if not f["holds"]]
        rest = f"; not: {'; '.join(off)}. {spelt(' '.join(told['left_out']))}" if off else ""
        lines.append(f"- **{told['source']}**: {len(rows) - len(off)} of {len(rows)} rows agree exactly{rest}")
    return "\n".join(lines)


def table(shown: Board) -> list[dict]:
    """Every cell of the figure."""
    rows = []
    for p, panel in enumerate(shown.panels):
        for q, row in enumerate(shown.rows):
            entry = {"group": panel or "–", "method": row, "measured": shown.unit, "repetitions": shown.frames,
                     "ours": f"{shown.mean[-1, p, q]:.4g}"}  # fmt: skip
            entry["standard error"] = _or_dash(shown.error[-1, p, q], shown.frames > 1)
            if shown.printed:
                there, z = bool(np.isfinite(shown.paper[p, q])), float(shown.z[-1, p, q])
                entry["paper"] = _or_dash(shown.paper[p, q], there)
                entry["its standard error"] = _or_dash(shown.paper_error[p, q], there)
                entry["difference / standard error"] = _or_dash(z, math.isfinite(z))
            rows.append(entry)
    return rows


def _or_dash(value: float, known: bool) -> str:
    return f"{value:.4g}" if known else "–"
