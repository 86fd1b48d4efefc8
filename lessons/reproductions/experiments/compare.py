r"""Ours against the paper's by standard errors of the difference, never by eye.

$z=\frac{\bar u-p}{\sqrt{s_u^2/n_u+s_p^2/n_p}}$ with our mean and sd (divided by n - 1) over $n_u$ repetitions and
the printed ones over $n_p$. Whether a printed sd was divided by n or n - 1 is not known; with ten repetitions the
other choice moves z by less than 3 percent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lessons.reproductions.experiments.record import Finding, Published, Said
from tvbo_core.race_results import paired_difference

STEPS = (1, 2, 3)
BEYOND, TOO_FEW = "beyond 3", "too few repetitions"


@dataclass(frozen=True)
class CellVerdict:
    """One cell: ours beside the paper's.

    Attributes:
        mean, sd, runs: ours (sd is None for one repetition).   paper: the printed entry.
        z: difference over its standard error, None where it cannot be said.
        status: "within 1", "within 2", "within 3" or "beyond 3" standard errors of the difference, or why not.
    """

    mean: float
    sd: float | None
    runs: int
    paper: Published
    z: float | None
    status: str


def judge(values: np.ndarray, paper: Published) -> CellVerdict:
    """Return the verdict on one cell from our repetitions (n,).

    Raises:
        ValueError: there is no repetition.
    """
    n = len(values)
    if n == 0:
        raise ValueError("a cell without a repetition cannot be compared: run at least one")
    mean, sd = float(np.mean(values)), float(np.std(values, ddof=1)) if n > 1 else None
    if sd is None:
        return CellVerdict(mean, sd, n, paper, None, TOO_FEW)
    error = math.hypot(sd / math.sqrt(n), paper.sd / math.sqrt(paper.runs))
    z = (mean - paper.mean) / error if error > 0 else 0.0 if mean == paper.mean else math.inf
    within = next((f"within {k}" for k in STEPS if abs(z) <= k), BEYOND)
    return CellVerdict(mean, sd, n, paper, z, within)


def lower(claim: str, first: np.ndarray, second: np.ndarray, said: Said | None = None) -> Finding:
    """Return that the first is lower than the second on average; decided where the paired interval leaves out 0."""
    found = paired_difference(first, second)
    return Finding(claim, bool(found.mean < 0), paired_words(first, second), bool(found.clear), said)


def paired_words(first: np.ndarray, second: np.ndarray, rival: str = "") -> str:
    """Return both means, and their paired difference with its 95 % interval.

    Args:
        rival: name of the second, where the claim does not have it.
    """
    found = paired_difference(first, second)
    interval = f"95 % interval {found.low:.3g} to {found.high:.3g}, {found.seeds} paired repetitions"
    means = f"{np.mean(first):.4g} against {np.mean(second):.4g}" + (f" ({rival})" if rival else "")
    return f"{means}; mean difference {found.mean:.4g} ({interval if found.seeds > 1 else 'one repetition'})"


def lowest(claim: str, name: str, values: Mapping[str, np.ndarray], said: Said | None = None) -> Finding:
    """Return that one method is lower than each other on average; the rival nearest to denying it is named.

    Decided where every paired interval lies below 0, or one lies above.
    """
    return _outermost(claim, name, values, said, 1.0)


def highest(claim: str, name: str, values: Mapping[str, np.ndarray], said: Said | None = None) -> Finding:
    """Return the same as `lowest` with above for below."""
    return _outermost(claim, name, values, said, -1.0)


def _outermost(claim: str, name: str, values: Mapping[str, np.ndarray], said: Said | None, sign: float) -> Finding:
    rivals = {r: paired_difference(sign * values[name], sign * v) for r, v in values.items() if r != name}
    holds = all(found.mean < 0 for found in rivals.values())
    rival = max(rivals, key=lambda r: rivals[r].high if holds else rivals[r].low)
    decided = rivals[rival].high < 0 if holds else rivals[rival].low > 0
    return Finding(claim, holds, paired_words(values[name], values[rival], rival), bool(decided), said)
