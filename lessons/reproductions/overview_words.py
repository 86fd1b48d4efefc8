"""The account of all tables and figures in words, and an experiment as files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence

from common.escape import no_formula, safe_cells
from common.formats import plural
from lessons.reproductions import overview
from lessons.reproductions.model import StoredExperiment, report, within
from lessons.reproductions.names import AUTHORS
from lessons.reproductions.overview import NOT_RUN, Entry
from lessons.reproductions.words import against, came_out, errors, listed, rows, tally

CAPTION = (
    "Circle: a printed entry. Square: a statement of a paper about its figure, tested on the stored runs. Cross: an "
    "entry that differs from ours by more than 3 standard errors, or a statement that the runs contradict. Open "
    "square: a difference within noise (at 5 %). Click a row, or step with Page Up and Page Down, then open it."
)


def account(tolerance: int) -> str:
    """Return how many entries of all that is stored agree, how many statements come out, and what was not run."""
    facts = overview.score(overview.entries()).facts(tolerance)
    return (
        f"Everything that is stored: {agreeing(facts, tolerance)} {plural(tolerance, 'standard error')}. "
        f"{tally(facts)}. {left_out(facts)}"
    )


def agreeing(facts: Mapping[str, float], tolerance: int) -> str:
    """Return how many printed entries agree within the tolerance, which is to follow."""
    printed = plural(facts["printed entries"], "printed entry", "printed entries")
    return f"{facts[within(tolerance)]} of {printed} agree within"


def left_out(facts: Mapping[str, float]) -> str:
    """Return how much was not attempted."""
    return f"{facts['not attempted']} of {facts['tables and figures']} tables and figures were not attempted."


def finding(entries: Sequence[Entry], tolerance: int) -> list[str]:
    """Return one sentence a row, and the account of all rows at the end."""
    counts = [overview.facts(entries, frame, tolerance) for frame in range(len(entries) + 1)]
    each = [outcome(entry, facts, tolerance) for entry, facts in zip(entries, counts, strict=False)]
    return [*each, whole_account(counts[-1], tolerance)]


def outcome(entry: Entry, facts: Mapping[str, float], tolerance: int) -> str:
    """Return what came out of one table or figure, from its facts; its title is the row's."""
    whose = AUTHORS[entry.paper]
    if not entry.attempted:
        return f"{whose}: {entry.short if entry.short == NOT_RUN else f'not attempted, {entry.short}'}."
    if facts["printed entries"]:
        return f"{whose}: {against(facts, tolerance)}"
    return f"{whose}: {came_out(facts)}."


def whole_account(facts: Mapping[str, float], tolerance: int) -> str:
    """Return what came out of all rows, from its facts: as far as a headline goes."""
    bad = facts["do not come out"]
    return (
        f"{agreeing(facts, tolerance)} {errors(tolerance)}. Of the papers' statements, {bad or 'none'} "
        f"{'is' if bad == 1 else 'are'} not reproduced."
    )


def odds(entries: Sequence[Entry]) -> str:
    """Return how many statements of all that is listed come out, and how much was not attempted."""
    facts = overview.facts(entries, len(entries), 1)
    return f"**{tally(facts)}**; {left_out(facts)}" if facts["statements"] else left_out(facts)


def label(entries: Sequence[Entry], i: int) -> str:
    """Return the title of a row, as it stands beside the player's bar."""
    return entries[i].title if i < len(entries) else "all"


def statements(entry: Entry) -> str:
    """Return the statements about one entry, or why there are none."""
    if not entry.attempted:
        return f"{entry.title}: not attempted. {entry.why}" + (f" Run `{entry.command}`." if entry.command else "")
    found = report(entry.name)
    if not found["findings"]:
        return "The paper makes no statement beyond these numbers."
    counted = tally(overview.score([entry]).facts(1))
    return "\n".join([f"{counted}.", "", rows(found["findings"]), "", *listed(found["left_out"])])


def not_attempted() -> str:
    """List the tables and figures that were not attempted, with the reasons."""
    return "\n".join(
        f"- **{e.title}**: {e.why}" + (f" `{e.command}`" if e.command else "")
        for e in overview.entries()
        if not e.attempted
    )


def table(entries: Sequence[Entry]) -> list[dict]:
    """Return a row for each table or figure."""
    return [
        {
            "paper": AUTHORS[entry.paper],
            "table or figure": entry.title,
            "attempted": "yes" if entry.attempted else "no",
            **overview.score([entry]).of,
            "why not": entry.why,
        }
        for entry in entries
    ]


def overview_files(entries: Sequence[Entry]) -> dict:
    """Return the account as files: label -> file name, type, and what writes it."""
    return {"CSV": ("reproductions.csv", "text/csv", lambda: _csv(table(entries), []))}


def board_files(experiment: StoredExperiment) -> dict:
    """Return an experiment as files: every number of every seed, the table, and the stored report with its set-up."""
    name = experiment.report["name"]
    return {
        "CSV, every seed": (f"{name}.csv", "text/csv", lambda: _csv(long_rows(experiment), heading(experiment))),
        "Report with set-up (JSON)": (
            f"{name}.json",
            "application/json",
            lambda: json.dumps(experiment.report, indent=1),
        ),
    }


def heading(experiment: StoredExperiment) -> list[str]:
    """Return source, set-up, seeds, version and command, a line each."""
    run = experiment.report
    return [
        run["source"],
        f"set-up: {json.dumps(run['setup'])}",
        f"chosen: {'; '.join(run['choices'])}",
        f"seeds 0 to {run['repetitions'] - 1}, T = {run['horizon']}, version {run['version']}",
        run["command"],
    ]


def long_rows(experiment: StoredExperiment) -> list[dict]:
    """Return one row a measure, entry and seed."""
    found = []
    for index, part in enumerate(experiment.parts):
        p, q = divmod(index, len(experiment.rows))
        where = {"group": experiment.panels[p], "method": experiment.rows[q]}
        for measure, kept in experiment.report["results"][part].items():
            if measure != "curve":
                found += [{**where, "measure": measure, "seed": s, "value": v} for s, v in enumerate(kept["values"])]
    return found


def _csv(rows: Sequence[dict], comments: Sequence[str]) -> str:
    text = io.StringIO()
    for line in comments:
        text.write(no_formula(f"# {line}") + "\n")
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(safe_cells(rows))
    return text.getvalue()
