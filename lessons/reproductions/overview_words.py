"""The account of all tables and figures in words, and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from common.formats import plural
from lessons.reproductions import overview
from lessons.reproductions.model import OWN, UNDECIDED, within
from lessons.reproductions.names import AUTHORS
from lessons.reproductions.overview import Entry
from lessons.reproductions.words import against, asked, came_out, errors

CAPTION = (
    "Circle: a printed entry. Square: a statement of a paper about its figure, tested on the stored runs. Cross: an "
    "entry that differs from ours by more than 3 standard errors, or a statement that is not reproduced. A sentence "
    "counts once in each panel that it is about. Open "
    "square: undecided, because the 95 % interval of the paired difference contains 0. Diamond: asked by this lab, "
    "not said by the paper, and not counted. Where a paper leaves a constant open, its statement is tested at each "
    "value that we chose. Click a row, or step with Page Up and Page Down, then open it."
)


def agreeing(facts: Mapping[str, float], tolerance: int) -> str:
    """Return how many printed entries agree within the tolerance, which is to follow."""
    printed = plural(facts["printed entries"], "printed entry", "printed entries")
    return f"{facts[within(tolerance)]} of {printed} agree within"


def left_out(facts: Mapping[str, float]) -> str:
    """Return how much was not attempted."""
    return f"{facts['not attempted']} of {facts['rows']} rows were not attempted."


def finding(entries: Sequence[Entry], tolerance: int) -> list[str]:
    """Return one sentence a row, and the account of all rows at the end."""
    counts = [overview.facts(overview.at(entries, frame), tolerance) for frame in range(len(entries) + 1)]
    each = [outcome(entry, facts, tolerance) for entry, facts in zip(entries, counts, strict=False)]
    return [*each, whole_account(counts[-1])]


def outcome(entry: Entry, facts: Mapping[str, float], tolerance: int) -> str:
    """Return what came out of one table or figure, from its facts; its title is the row's."""
    whose = AUTHORS[entry.paper]
    if not entry.attempted:
        return f"{whose}: not attempted: {entry.reason}."
    if facts["printed entries"]:
        return f"{whose}: {against(facts, tolerance)}"
    return f"{whose}: {came_out(facts)}."


def whole_account(facts: Mapping[str, float]) -> str:
    """Return what came out of all rows, from its facts: as far as a headline goes."""
    bad, open_ = facts["do not come out"], facts[UNDECIDED]
    return (
        f"Of {facts['statements']} checks of the papers' statements, {bad or 'none'} {'is' if bad == 1 else 'are'} not "
        f"reproduced and {open_ or 'none'} {'is' if open_ == 1 else 'are'} undecided."
    )


def odds(entries: Sequence[Entry], tolerance: int) -> str:
    """Return how many printed entries agree, how many questions are this lab's, and how much was not attempted."""
    facts = overview.facts(entries, tolerance)
    own = f"{asked(facts).capitalize()}. " if facts[OWN] else ""
    return f"**{agreeing(facts, tolerance)} {errors(tolerance)}.** {own}{left_out(facts)}"


def label(entries: Sequence[Entry], i: int) -> str:
    """Return the title of a row, as it stands beside the player's bar."""
    return entries[i].title if i < len(entries) else "all"


def table(entries: Sequence[Entry]) -> list[dict]:
    """Return a row for each table or figure."""
    return [
        {
            "paper": AUTHORS[entry.paper],
            "table or figure": entry.title,
            "attempted": "yes" if entry.attempted else "no",
            **overview.counts([entry]),
            "why not": entry.reason,
        }
        for entry in entries
    ]
