"""The sentences and the tables of one experiment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from common.formats import plural
from lessons.reproductions import model
from lessons.reproductions.model import Check, StoredExperiment, checks, stored, with_symbols
from lessons.reproductions.names import AUTHORS, FURTHEST, REPRODUCTIONS, TABLE
from lessons.shared.wording import counted

VERDICTS = {model.YES: "✓ reproduced", model.NO: "✗ not reproduced", model.UNDECIDED: "□ undecided"}
ANSWERS = {model.YES: "◇ yes", model.NO: "◇ no", model.UNDECIDED: "◇ undecided"}  # marks of this lab's questions
ASKED = "asked by this lab"
SEEDS = "Numbers of every seed"  # title of a data table
NOTES = {
    TABLE: "The methods of one kernel run in the same worlds, so their entries are not independent checks. RBF "
    "is the paper's name of the squared exponential kernel.",
    FURTHEST: "This column was chosen because its differences with ten seeds (0 to 9, those of Table 1) are "
    "large. The statements "
    "below are about the seeds from 10 on, which had no part in the choice. The overview counts its five "
    "entries once, in Table 1.",
    "bogunovic-figure-2c": "The paper gives no number for “slowly” and “rapidly”. The tests are weaker: they "
    "compare an ε too large with GP-UCB, and one too small with the true ε. In these runs ten times too large costs "
    "more than ten times too small, beyond chance.",
    "bogunovic-figure-2d": "The paper's sentences on an increasing N are tested from the interval of least regret to "
    "the longest one. At the shortest interval the standard deviation is larger than at both.",
    "deng-figure-1a": "Here every method has the width that its theorem proves. The moment “Deng et al.'s world” of "
    "“The race” plays the same kind of world with β = 2 for all methods. The memories are tuned in the same way.",
    "mauduit-figure-2": "The paper draws its bound (34) beside the curves. It does not state the constant, so the "
    "bound is not drawn here.",
}
PRINTED = "● the paper, ○ ours. Bars are two standard errors; small dots are single repetitions of ours."
CURVES = "○ ours, with two standard errors. Small dots are single repetitions. The paper prints no numbers here."


def finding(experiment: StoredExperiment, tolerance: int) -> list[str]:
    """Return one sentence a repetition."""
    facts = [model.facts(experiment, r, tolerance) for r in range(experiment.frames)]
    if experiment.printed:
        whose = AUTHORS[experiment.report["name"].split("-")[0]]
        return [f"{whose}, {plural(one['repetitions'], 'repetition')}: {against(one, tolerance)}" for one in facts]
    won = [
        {experiment.rows[i]: model.method_of(experiment.parts[i]) for i in model.winners(experiment, r)}
        for r in range(len(facts))
    ]
    return [among(one, experiment.unit, winners) for one, winners in zip(facts, won, strict=True)]


def against(facts: Mapping[str, float], tolerance: int) -> str:
    """Return how many printed entries lie within the tolerance, from the facts of a repetition."""
    if math.isinf(facts.get("largest gap", math.inf)):
        return "without a standard error nothing can be compared yet."
    close, printed = facts[model.within(tolerance)], facts["printed entries"]
    return f"{close} of {printed} published values agree with ours within {errors(tolerance)}."


def errors(tolerance: int) -> str:
    """Return so many standard errors in words."""
    return f"{counted(tolerance)} standard error{'s' * (tolerance > 1)}"


def among(facts: Mapping[str, float], unit: str, winners: Mapping[str, str]) -> str:
    """Return the methods with the lowest mean, and in how many groups.

    Args:
        facts: of a repetition.   unit: of the means.   winners: name on screen -> method as the facts name it.
    """
    groups, decided = facts["groups"], facts["decided groups"]
    won = {name: facts[f"{method}: lowest in groups"] for name, method in winners.items()}
    if groups == 1:
        return f"{next(iter(won))} has the lowest mean {unit}, {'beyond chance' if decided else 'undecided'}."
    clearly = f"of {groups} groups, clearly in {decided or 'none'}"
    if len(won) == 1:
        return f"{next(iter(won))} has the lowest mean {unit} in {groups} {clearly}."
    sentence = ", ".join(f"{name} in {count}" for name, count in won.items())
    return f"Lowest mean {unit}: {sentence} {clearly}."


def odds(experiment: StoredExperiment) -> str:
    """Return how many of the paper's statements about the figure are reproduced, "" where there is none."""
    facts = model.statements(check.mark for check in checks(experiment.report))
    said = f"**{came_out(facts).capitalize()}.**" if facts["statements"] else ""
    return f"{said} {asked(facts).capitalize()}.".strip() if facts[model.OWN] else said


def came_out(facts: Mapping[str, float], whose: str = "the paper's") -> str:
    """Return how many of the paper's statements are reproduced, without a capital letter and a full stop."""
    total, yes, no, open_ = (facts[name] for name in ("statements", "come out", "do not come out", model.UNDECIDED))
    if not total:
        return asked(facts)
    if yes == total:
        return f"all {whose} {total} statements are reproduced" if total > 1 else "its one statement is reproduced"
    rest = [f"{count} {word}" for count, word in ((no, "not"), (open_, "undecided")) if count]
    found = f"{yes} {'is' if yes == 1 else 'are'} reproduced"
    return f"of {whose} {plural(total, 'statement')} {', '.join([found, *rest])}"


def asked(facts: Mapping[str, float]) -> str:
    """Return how many questions this lab asks beside the paper's statements."""
    return f"{plural(facts[model.OWN], 'more question is', 'more questions are')} this lab's own and not counted"


def notes(experiment: StoredExperiment, tolerance: int) -> list[str]:
    """Return notes on the choice of an experiment and on how its sentences are tested."""
    name = experiment.report["name"]
    if name == TABLE and FURTHEST in REPRODUCTIONS:
        return [f"{NOTES[TABLE]} {_more_seeds(experiment, tolerance)}"]
    return [NOTES[name]] if name in NOTES else []


def _more_seeds(experiment: StoredExperiment, tolerance: int) -> str:
    """Return how far the column with the largest differences is from the paper with more seeds."""
    more = stored(FURTHEST)
    z = np.abs(more.z[-1].ravel())
    far = int((z > tolerance).sum())
    return (
        f"The column “{more.panels[0]}” has the largest differences. With {more.frames} seeds instead of "
        f"{experiment.frames}, {far} of its {z.size} values {'differs' if far == 1 else 'differ'} by more "
        f"than {errors(tolerance)}, the largest by {z.max():.1f}."
    )


def label(experiment: StoredExperiment, r: int) -> str:
    """Return the number of a repetition, as it stands beside the player's bar."""
    return f"repetition {r + 1} of {experiment.frames}"


def caption(experiment: StoredExperiment) -> str:
    """Return the question, size, seeds and command of the stored run."""
    run = experiment.report
    seeds = f"seeds 0 to {run['repetitions'] - 1}" if run["repetitions"] > 1 else "seed 0"
    theirs = run["repetitions_of_the_paper"]
    size = "full size" if run["full_size"] else f"{run['repetitions']} of the paper's {theirs} repetitions"
    pairs = PRINTED if experiment.printed else CURVES
    rounds = f", T = {run['horizon']}" if run["horizon"] else ""
    took = f"{max(run['machine']['core_seconds'], 1.0):.0f} s of one core in all"
    return (
        f"{run['source']}: {run['question']} {pairs} Measured: {size}{rounds}, {seeds}, version "
        f"{run['version']}, {took}. `{run['command']}`"
    )


def statements(experiment: StoredExperiment) -> str:
    """Return the statements about the figure with what was measured."""
    return rows(checks(experiment.report)) or "The paper prints these numbers and makes no other statement about them."


def rows(found: Sequence[Check]) -> str:
    """Return statements as a table: the outcome, what was tested, where the paper says it, and the numbers.

    Printed entries are left out: they stand in the figure. "" where nothing is left.
    """
    lines = []
    for check in found:
        if check.outcome in VERDICTS:
            mark = VERDICTS[check.outcome] if check.place else ANSWERS[check.outcome]
            where = f"{check.place}: {with_symbols(check.says)}" if check.place else ASKED
            lines.append(f"| {mark} | {with_symbols(check.claim)} | {where} | {with_symbols(check.measured)} |")
    return "\n".join(["| measured | tested | the paper | numbers |", "|---|---|---|---|", *lines]) if lines else ""


def listed(lines: Sequence[str]) -> list[str]:
    """Return stored lines as items of a list."""
    return [f"- {with_symbols(line)}" for line in lines]


def choices(experiment: StoredExperiment) -> str:
    """Return the set-up, what the paper does not state, and what was left out."""
    run = experiment.report
    parts = {
        "Stated by the paper": stated(run),
        "Chosen here, because the paper does not state it": run["choices"] or ["nothing"],
        "Left out": run["left_out"],
    }
    return "\n\n".join(f"**{title}**\n\n" + "\n".join(listed(lines)) for title, lines in parts.items() if lines)


def stated(run: Mapping[str, Any]) -> list[str]:
    """Return the set-up of a report, a line each."""
    return [f"{key}: {_plain(value)}" for key, value in run["setup"].items()]


def _plain(value: object) -> str:
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def table(experiment: StoredExperiment) -> list[dict]:
    """Return every entry of the figure, a row each."""
    entries = []
    for p, panel in enumerate(experiment.panels):
        for q, row in enumerate(experiment.rows):
            entry = {
                "group": panel or "–",
                "method": row,
                "measured": experiment.unit,
                "repetitions": experiment.frames,
                "ours": f"{experiment.mean[-1, p, q]:.4g}",
            }
            entry["standard error"] = _or_dash(experiment.error[-1, p, q], experiment.frames > 1)
            if experiment.printed:
                there, z = bool(np.isfinite(experiment.paper[p, q])), float(experiment.z[-1, p, q])
                entry["paper"] = _or_dash(experiment.paper[p, q], there)
                entry["its standard error"] = _or_dash(experiment.paper_error[p, q], there)
                entry["difference / standard error"] = _or_dash(z, math.isfinite(z))
            entries.append(entry)
    return entries


def seed_rows(experiment: StoredExperiment) -> list[dict]:
    """Return one row a measure, entry and seed."""
    found = []
    for index, part in enumerate(experiment.parts):
        p, q = divmod(index, len(experiment.rows))
        where = {"group": experiment.panels[p], "method": experiment.rows[q]}
        for measure, kept in experiment.report["results"][part].items():
            if measure != "curve":
                found += [{**where, "measure": measure, "seed": s, "value": v} for s, v in enumerate(kept["values"])]
    return found


def _or_dash(value: float, known: bool) -> str:
    return f"{value:.4g}" if known else "–"
