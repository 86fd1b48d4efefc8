"""What the reproductions page knows: the stored runs, as they looked after each repetition.

The files of assets/reproductions are written by `python -m tvbo_core.experiments`; nothing is computed here but
means, standard errors and their comparison with the printed entries.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tvbo_core.experiments.compare import judge
from tvbo_core.experiments.record import Published
from ui.knobs import REPRODUCTIONS

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "reproductions"
SYMBOLIC = {"iwazaki-table-1": "Iwazaki & Takeno, Table 1", "iwazaki-table-2": "Iwazaki & Takeno, Table 2",
            "mauduit-table-1": "Mauduit et al., Table 1", "mauduit-table-2": "Mauduit et al., Table 2"}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Board:
    """One stored experiment; frame r is what the first r + 1 repetitions say.

    Attributes:
        report: the file.   panels: P groups of parts.   rows: R methods.
        values: (n, P, R) one number a repetition.   unit: what they are.
        mean, error: (n, P, R) of the first repetitions; the standard error of one repetition is not known: 0.
        paper, paper_error: (P, R) printed mean and its standard error, NaN where nothing is printed.
        z: (n, P, R) difference in standard errors, NaN where it cannot be said.
    """

    report: dict
    panels: tuple[str, ...]
    rows: tuple[str, ...]
    values: np.ndarray
    unit: str
    mean: np.ndarray
    error: np.ndarray
    paper: np.ndarray
    paper_error: np.ndarray
    z: np.ndarray

    @property
    def frames(self) -> int:
        return len(self.values)

    @property
    def printed(self) -> bool:
        """Whether the paper prints numbers to compare with."""
        return bool(np.isfinite(self.paper).any())


@cache
def report(name: str) -> dict:
    """A stored report.

    Raises:
        ValueError: it was not run yet.
    """
    path = FOLDER / f"{name}.json"
    if not path.exists():
        raise ValueError(f"No run recorded for {REPRODUCTIONS.get(name, name)} yet: run "
                         f"`python -m tvbo_core.experiments {name} --out assets/reproductions`.")  # fmt: skip
    return json.loads(path.read_text(encoding="utf-8"))


def pretty(name: str) -> str:
    """A part's name as the screen writes it."""
    for plain, letter in (("Matern", "Matérn"), ("lambda ", "λ = "), ("epsilon ", "ε = ")):
        name = name.replace(plain, letter)
    return re.sub(r"^(RBF|Matérn \d/2), (0\.\d)$", r"\1, ℓ = \2", name)


def measured(told: dict) -> str:
    """The number that the figure shows: regret, or else the first that was measured."""
    first = next(iter(told["results"].values()))
    return "regret" if "regret" in first else next(iter(first))


@cache
def board(name: str) -> Board:
    """A stored experiment, repetition by repetition."""
    told = report(name)
    unit = measured(told)
    split = {part: part.split(" | ") if " | " in part else ["", part] for part in told["results"]}
    panels = tuple(dict.fromkeys(panel for panel, _ in split.values()))
    rows = tuple(dict.fromkeys(row for _, row in split.values()))
    n = told["repetitions"]
    values = np.full((n, len(panels), len(rows)), np.nan)
    paper, paper_error = np.full((2, *values.shape[1:]), np.nan)
    z = np.full(values.shape, np.nan)
    for part, (panel, row) in split.items():
        at = panels.index(panel), rows.index(row)
        values[:, *at] = told["results"][part][unit]["values"]
        if part in told["comparison"]:
            entry = Published(**told["comparison"][part]["paper"])
            paper[at], paper_error[at] = entry.mean, entry.sd / entry.runs**0.5
            for r in range(1, n):
                z[r, *at] = judge(values[: r + 1, *at], entry).z
    count = np.arange(1, n + 1)[:, None, None]
    mean = values.cumsum(axis=0) / count
    error = np.zeros_like(values)
    for r in range(1, n):
        error[r] = values[: r + 1].std(axis=0, ddof=1) / (r + 1) ** 0.5
    panels, rows = tuple(map(pretty, panels)), tuple(map(pretty, rows))
    return Board(told, panels, rows, values, unit, mean, error, paper, paper_error, z)


def idle(name: str) -> tuple[str, ...]:
    """Knobs that change nothing here: without printed numbers there is nothing to be within."""
    try:
        return () if board(name).printed else ("within",)
    except ValueError:
        return ("within",)


def stored(names: tuple[str, ...]) -> list[dict]:
    """The reports that are there, of these names."""
    return [report(name) for name in names if (FOLDER / f"{name}.json").exists()]


def pace(shown: Board) -> list[int]:
    """Frames worth a stop: where a cell changes sides of 3 standard errors, or the lowest method of a panel changes."""
    state = np.abs(np.nan_to_num(shown.z)) <= 3.0 if shown.printed else shown.mean.argmin(axis=2)
    changed = (state[1:] != state[:-1]).reshape(len(state) - 1, -1).any(axis=1)
    return (np.flatnonzero(changed) + 1).tolist()
