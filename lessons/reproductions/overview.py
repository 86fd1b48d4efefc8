"""Overview of all tables and figures of the five papers: what was run, its outcome, what was not attempted.

Everything is counted from the stored reports when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from lessons.reproductions.model import ENTRY_MARKS, MARKS, checks, report, statements, within
from lessons.reproductions.names import AUTHORS, FURTHEST, REPRODUCTIONS

# Figures of the papers without an experiment here: paper, title, reason.
NOT_ATTEMPTED = (
    ("deng", "Deng et al., stock market", "prices of 29 stocks cannot be redistributed"),
    ("bogunovic", "Bogunovic et al., Figures 3, 4", "sensor and traffic data are not shipped"),
    ("mauduit", "Mauduit et al., Figures 3, 4", "temperature data are not shipped"),
    ("flynn", "Flynn & Reeb, Figure 4", "times of steps are in “The race”"),
)


@dataclass(frozen=True)
class Entry:
    """One table or figure.

    Attributes:
        name: of its experiment, "" where there is none.   title: on screen.   paper: key of AUTHORS.
        marks: one word of MARKS for each printed entry, statement and question.
        largest: |z| of the entry furthest off.
        reason: in place of marks, why it was not attempted.
    """

    name: str
    title: str
    paper: str
    marks: tuple[str, ...] = ()
    largest: float | None = None
    reason: str = ""

    @property
    def attempted(self) -> bool:
        return not self.reason


@cache
def entries() -> tuple[Entry, ...]:
    """Return every table and figure, paper by paper; those that were not attempted come last in their paper."""
    found = [_stored(name, title) for name, title in REPRODUCTIONS.items()]
    found += [Entry("", title, paper, reason=reason) for paper, title, reason in NOT_ATTEMPTED]
    return tuple(sorted(found, key=lambda entry: list(AUTHORS).index(entry.paper)))


def _stored(name: str, title: str) -> Entry:
    # The repeat of one column shows entries of Table 1 a second time, which are counted in that table.
    counted = [check for check in checks(report(name)) if name != FURTHEST or check.outcome not in ENTRY_MARKS]
    marks = sorted((check.mark for check in counted), key=MARKS.index)
    far = [abs(check.z) for check in counted if check.z is not None]
    return Entry(name, title, name.split("-", 1)[0], tuple(marks), max(far, default=None))


def at(listed: Sequence[Entry], frame: int) -> Sequence[Entry]:
    """Return the row of a frame, or all rows in the last frame."""
    return listed[max(frame, 0) : max(frame, 0) + 1] or listed


def counts(listed: Sequence[Entry]) -> dict[str, int]:
    """Return how often each mark occurs in these entries."""
    marks = [mark for entry in listed for mark in entry.marks]
    return {mark: marks.count(mark) for mark in MARKS}


def facts(listed: Sequence[Entry], tolerance: int) -> dict[str, float]:
    """Return the numbers of these rows by their names: `Scene.facts`."""
    of, far = counts(listed), [entry.largest for entry in listed if entry.largest is not None]
    return (
        ({"largest gap": max(far)} if far else {})
        | {"printed entries": sum(of[mark] for mark in ENTRY_MARKS)}
        | {within(tolerance): sum(of[mark] for mark in MARKS[:tolerance])}
        | statements(mark for entry in listed for mark in entry.marks)
        | {"rows": len(listed), "not attempted": sum(not entry.attempted for entry in listed)}
    )
