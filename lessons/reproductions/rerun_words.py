"""The sentences about one entry and about running it again."""

from __future__ import annotations

import math
from collections.abc import Mapping

from common.durations import duration
from lessons.reproductions import rerun
from lessons.reproductions.experiments import PartOutcome
from lessons.reproductions.model import Cell
from lessons.reproductions.rerun import RepetitionJob

HELP = (
    "Runs the same code on the same seeds, in a process of its own. With all rounds it must give the stored "
    "numbers, digit "
    "by digit. The stored numbers are not changed."
)
STEP_TIME = "● mean over all rounds, ○ over the last tenth of them, on the machine of the stored run."
MEAN_ONLY = "Single curves of these repetitions were not kept: the line is their mean."


def button(cell: Cell, horizon: int, runs: int) -> str:
    """Return what the button runs, and how long that takes."""
    seeds = "seed 0" if runs == 1 else "seeds 0 and 1"
    if not horizon:
        length = ""
    elif horizon == cell.horizon:
        length = f", all {horizon} rounds"
    else:
        length = f", {horizon} of {cell.horizon} rounds"
    return f"Re-run {seeds}{length}: {duration(rerun.seconds(cell, horizon, runs))}"


STOPPED = "Stopped. Finished runs are kept, and the stored numbers are unchanged."


def again(cell: Cell, found: Mapping[RepetitionJob, PartOutcome]) -> str:
    """Return whether the same seeds gave the same numbers; "" when nothing was run."""
    if not found:
        return ""
    took = f"{sum(r.timing[rerun.REPETITION] for r in found.values()):.1f} s"
    seeds = " and ".join(str(p.seed) for p in found)
    seeds = f"seed {seeds}" if len(found) == 1 else f"seeds {seeds}"
    horizon = next(iter(found)).horizon
    if horizon != cell.horizon:
        return (
            f"□ Run again just now with {seeds} and {horizon} rounds ({took}). Every method is tuned to its "
            "horizon, so this run is not the beginning of a stored curve, and it is not compared."
        )
    gap = max(rerun.difference(cell, piece.seed, r) for piece, r in found.items())
    now = f"{seeds} run again just now ({took})"
    if gap == 0.0:
        return f"□ **Exactly the stored numbers? Yes**: {now}, every kept digit is the same."
    return (
        f"□ **Exactly the stored numbers? No**: {now} differ by up to {gap:.1g} of their size. Another processor "
        "or library rounds differently, and may choose another of two close arms."
    )


def facts(cell: Cell) -> str:
    """Return the numbers of an entry, and the command that they come from."""
    n, report, (mean, error), (paper, paper_error) = len(cell.values), cell.board.report, cell.ours, cell.paper
    known = f" ± {error:.3g} (standard error, {n} seeds)" if n > 1 else " (one seed)"
    lines = [f"- **ours**: {cell.board.unit} {mean:.4g}{known}; seeds 0 to {n - 1}"]
    if math.isfinite(paper):
        lines.append(f"- **the paper**: {paper:.4g} ± {paper_error:.3g} (standard error)")
    if math.isfinite(z := cell.board.z[-1].flat[cell.index]):
        difference = f"{z:+.1f}".replace("-", "−")
        lines.append(f"- **difference**: {difference} standard errors of the difference")
    elif not math.isfinite(paper):
        lines.append("- **the paper**: prints no number for it")
    machine = report["machine"]
    lines += [
        f"- **a repetition took** {cell.seconds:.2g} s of one core; version {report['version']}, Python "
        f"{machine['python']}, numpy {machine['numpy']}, scipy {machine['scipy']}",
        f'- **command**: `{report["command"]} --only "{cell.part}"`',
    ]
    return "\n".join(lines)


def caption(cell: Cell) -> str:
    """Return the caption of one entry's figure."""
    kept, n, title = len(cell.curves), len(cell.values), cell.board.titles[cell.index]
    if not len(cell.rounds):
        return f"{title}: one dot a seed; the line is the mean of {n}."
    single = f"thin lines are the seeds 0 to {kept - 1}" if kept else MEAN_ONLY
    more = f" (of {n})" if kept < n and kept else ""
    order = ""
    if len(cell.bound):
        order = (
            " Dotted: the proved order. It has no constant, so it is scaled to end at the mean; with the constant 1 it "
            f"ends at {cell.bound[-1]:,.0f}."
        )
    return f"{title}: {single}{more}; the thick line is the mean of all {n} seeds.{order}"
