"""The stored runs of the papers' tables and figures, as they looked after each repetition.

The files of assets/reproductions are written by `python -m lessons.reproductions`; nothing is computed here but
means, standard errors and their comparison with the printed entries.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from common.markup import GREEK
from lessons.reproductions.experiments.compare import BEYOND, TOO_FEW, judge
from lessons.reproductions.experiments.record import Published
from lessons.reproductions.names import FOLDER, TITLES
from tvbo_core.race_results import paired_difference

YES, NO, UNDECIDED = "yes", "no", "undecided"  # outcomes of a statement about a figure
OWN = "asked by this lab"  # the mark of what no paper says, whatever was measured
ENTRY_MARKS = ("within 1", "within 2", "within 3", BEYOND, TOO_FEW)
MARKS = (*ENTRY_MARKS, YES, UNDECIDED, NO, OWN)  # in the order in which they are drawn
DAMAGED = (
    "The stored run of {title} ({file}) is damaged: restore the file, or run "
    "`python -m lessons.reproductions {name} --out assets/reproductions` and start the server again."
)


@dataclass(frozen=True)
class Check:
    """One number or sentence about a table or figure, beside what was computed.

    Attributes:
        claim: name of a printed entry, or what is tested.   measured: what was computed, and how far apart it is.
        outcome: how sure: one of `MARKS` but the last.
        place, says: where the paper says it, and what; both "" where this lab asks by itself.
        z: how far a printed entry is from ours, in standard errors of the difference.
    """

    claim: str
    measured: str
    outcome: str
    place: str = ""
    says: str = ""
    z: float | None = None

    @property
    def mark(self) -> str:
        """Its outcome, or that no count of the paper's statements includes it."""
        return self.outcome if self.place else OWN


@dataclass(frozen=True, eq=False)
class StoredExperiment:
    """One stored experiment; frame r shows the first r + 1 repetitions.

    Attributes:
        report: the file.   panels: P groups of parts.   rows: R methods.
        values: (n, P, R) one number a repetition.   unit: what they are.
        mean, error: (n, P, R) of the first repetitions; the standard error of one repetition is not known: 0.
        paper, paper_error: (P, R) printed mean and its standard error, NaN where nothing is printed.
        z: (n, P, R) difference in standard errors, NaN where it cannot be said.
        parts: P x R names of the cells in the report, group by group.
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
    parts: tuple[str, ...]

    @property
    def frames(self) -> int:
        return len(self.values)

    def only(self, panels: Sequence[str]) -> StoredExperiment:
        """Return some groups of the experiment alone."""
        kept, R = [self.panels.index(panel) for panel in panels], len(self.rows)
        parts = tuple(part for p in kept for part in self.parts[p * R : (p + 1) * R])
        tables = {name: getattr(self, name)[:, kept] for name in ("values", "mean", "error", "z")}
        paper, paper_error = self.paper[kept], self.paper_error[kept]
        return replace(self, panels=tuple(panels), parts=parts, paper=paper, paper_error=paper_error, **tables)

    @property
    def printed(self) -> bool:
        """True if the paper prints numbers to compare with."""
        return bool(np.isfinite(self.paper).any())


@cache
def report(name: str) -> dict:
    """Return a stored report.

    Raises:
        ValueError: it was not run yet, or its file is damaged.
    """
    path, title = FOLDER / f"{name}.json", TITLES.get(name, name)
    if not path.exists():
        raise ValueError(
            f"No run recorded for {title} yet: run `python -m lessons.reproductions {name} --out assets/reproductions`."
        )
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise ValueError(DAMAGED.format(title=title, file=path.name, name=name)) from problem


def checks(found: dict) -> list[Check]:
    """Return everything that the paper prints or says about a table or figure, and what this lab asks beside."""
    place = found["source"].rpartition(", ")[2]
    all_of = []
    for part, cell in found["comparison"].items():
        paper, away = cell["paper"], "" if cell["z"] is None else f", {cell['z']:+.1f} standard errors"
        says = f"{paper['mean']:g} ± {paper['sd']:g} over {paper['runs']} runs"
        all_of.append(Check(part, f"{cell['mean']:.4g}{away}", cell["status"], place, says, cell["z"]))
    for one in found["findings"]:
        said = one["said"] or {"place": "", "words": ""}
        all_of.append(Check(one["claim"], one["measured"], outcome_of(one), said["place"], said["words"]))
    return all_of


def outcome_of(finding: dict) -> str:
    """Return how a statement or a question was measured."""
    if not finding["decided"]:
        return UNDECIDED
    return YES if finding["holds"] else NO


def part_name(name: str) -> str:
    """Return a part's name as the screen writes it."""
    for plain, letter in (("Matern", "Matérn"), ("lambda ", "λ = "), ("epsilon ", "ε = ")):
        name = name.replace(plain, letter)
    return re.sub(r"^(RBF|Matérn \d/2), (0\.\d)$", r"\1, ℓ = \2", name)


WORDS = GREEK | {"inf": "∞"}
SIGNS = (("sqrt ", "√"), ("sqrt", "√"), ("<=", "≤"), (">=", "≥"), ("σ^2", "σ²"))


def with_symbols(line: str) -> str:
    """Return a stored line as the screen writes it: Greek letters, roots, and a minus before a number."""
    line = re.sub(r"(?<![A-Za-z])[a-z]+(?![A-Za-z])", lambda word: WORDS.get(word[0], word[0]), part_name(line))
    for plain, sign in SIGNS:
        line = line.replace(plain, sign)
    return re.sub(r"(?<=[ ([])-(?=[\dd])", "−", line)


def unit_of(found: dict) -> str:
    """Return the name of the number that the figure shows: regret, or else the first that was measured."""
    first = next(iter(found["results"].values()))
    return "regret" if "regret" in first else next(iter(first))


@cache
def stored(name: str) -> StoredExperiment:
    """Return a stored experiment, repetition by repetition.

    Raises:
        ValueError: it was not run yet, or its file is damaged.
    """
    found = report(name)
    unit = unit_of(found)
    split = {part: part.split(" | ") if " | " in part else ["", part] for part in found["results"]}
    panels = tuple(dict.fromkeys(panel for panel, _ in split.values()))
    rows = tuple(dict.fromkeys(row for _, row in split.values()))
    n = found["repetitions"]
    values = np.full((n, len(panels), len(rows)), np.nan)
    paper, paper_error = np.full((2, *values.shape[1:]), np.nan)
    z = np.full(values.shape, np.nan)
    for part, (panel, row) in split.items():
        at = panels.index(panel), rows.index(row)
        values[:, *at] = found["results"][part][unit]["values"]
        if part in found["comparison"]:
            entry = Published(**found["comparison"][part]["paper"])
            paper[at], paper_error[at] = entry.mean, entry.sd / entry.runs**0.5
            for r in range(1, n):
                z[r, *at] = judge(values[: r + 1, *at], entry).z
    count = np.arange(1, n + 1)[:, None, None]
    mean = values.cumsum(axis=0) / count
    error = np.zeros_like(values)
    for r in range(1, n):
        error[r] = values[: r + 1].std(axis=0, ddof=1) / (r + 1) ** 0.5
    parts = tuple(f"{panel} | {row}" if panel else row for panel in panels for row in rows)
    panels, rows = tuple(map(part_name, panels)), tuple(map(part_name, rows))
    return StoredExperiment(found, panels, rows, values, unit, mean, error, paper, paper_error, z, parts)


def winners(experiment: StoredExperiment, r: int) -> list[int]:
    """Return row of the lowest mean, group by group."""
    return experiment.mean[r].argmin(axis=1).tolist()


def decided_groups(experiment: StoredExperiment, r: int) -> int:
    """Return in how many groups the lowest mean lies below every other one by the paired 95 % interval."""
    count = 0
    for p, row in enumerate(winners(experiment, r)):
        values = experiment.values[: r + 1, p]
        rivals = np.delete(values, row, axis=1)
        count += bool(np.all(paired_difference(np.broadcast_to(values[:, [row]], rivals.shape), rivals).high < 0))
    return count


def method_of(part: str) -> str:
    """Return a part's method as the report writes it."""
    return part.rpartition(" | ")[2]


def facts(experiment: StoredExperiment, r: int, tolerance: int) -> dict[str, float]:
    """Return the numbers of a frame, those of an entry after its name in the report: `Scene.facts`."""
    found: dict[str, float] = {
        "repetitions": r + 1,
        "repetitions of the paper": experiment.report["repetitions_of_the_paper"],
    }
    means = dict(zip(experiment.parts, experiment.mean[r].ravel().tolist(), strict=True))
    if not experiment.printed:
        won = winners(experiment, r)
        methods = [method_of(part) for part in experiment.parts[: len(experiment.rows)]]
        return (
            found
            | {f"{part}: ours": mean for part, mean in means.items()}
            | {"groups": len(won)}
            | {f"{methods[row]}: lowest in groups": won.count(row) for row in dict.fromkeys(won)}
            | {"decided groups": decided_groups(experiment, r)}
            | statements(check.mark for check in checks(experiment.report))
        )
    paper, z = experiment.paper.ravel().tolist(), experiment.z[r].ravel().tolist()
    for part, printed, difference in zip(experiment.parts, paper, z, strict=True):
        if math.isfinite(printed):
            found |= {f"{part}: ours": means[part], f"{part}: paper": printed}
            if not math.isnan(difference):
                found[f"{part}: z"] = difference
    gaps = [abs(value) for name, value in found.items() if name.endswith(": z")]
    found["printed entries"] = int(np.isfinite(experiment.paper).sum())
    found[within(tolerance)] = sum(gap <= tolerance for gap in gaps)
    return found | ({"largest gap": max(gaps)} if gaps else {})


def within(tolerance: int) -> str:
    """Return the name of the fact that counts the printed entries so close to ours."""
    return f"within {tolerance} standard errors"


def statements(marks: Iterable[str]) -> dict[str, float]:
    """Return how many of the papers' statements there are and how they come out, and what this lab asks beside."""
    said = [mark for mark in marks if mark not in ENTRY_MARKS]
    own = said.count(OWN)
    return {
        "statements": len(said) - own,
        "come out": said.count(YES),
        "do not come out": said.count(NO),
        UNDECIDED: said.count(UNDECIDED),
        OWN: own,
    }


def stops(experiment: StoredExperiment) -> list[int]:
    """Return frames worth a stop: a cell changes sides of 3 standard errors, or a panel its lowest method."""
    state = np.abs(np.nan_to_num(experiment.z)) <= 3.0 if experiment.printed else experiment.mean.argmin(axis=2)
    changed = (state[1:] != state[:-1]).any(axis=tuple(range(1, state.ndim)))
    return (np.flatnonzero(changed) + 1).tolist()
