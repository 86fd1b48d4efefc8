"""The theorems scenes: measured runs between their bounds; exponents, rates and a map over a sweep."""

from __future__ import annotations

import math
from dataclasses import replace

from figures.theme import Theme
from lessons.record import Frame, Pick, Picture, Scene, Values
from lessons.shared.knobs import KNOBS
from lessons.shared.stored_runs import played
from lessons.theorems import bound_vs_regret, figure, figure_adversary, figure_runs, figure_terms, model, tables, words
from lessons.theorems import bound_vs_regret_words as runs_words
from lessons.theorems.adversary import hidden_bump
from lessons.theorems.bound_vs_regret import BoundVsRegret
from lessons.theorems.knobs import OWN, RATES, RUNS
from lessons.theorems.model import Sweep, SweepSetting
from lessons.theorems.slopes import slopes

ALT = "Ladder of regret exponents with a ceiling at one and the lower bound, log–log slopes and a validity map"
ALT_RUNS = "Regret against the horizon: measured runs between proved bound and lower bound, and the slopes of all rates"
CLICK = Pick("customdata")  # a click chooses the place of the sweep
NO_RATE = 1e-16  # where the foot of the map stands for a rate of 0


def scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of these knob values at frame t, with every run played.

    Raises:
        ValueError: a world of the runs that cannot be.
    """
    if values["view"] != RUNS:
        return drawn(model.sweep(model.chosen(values)), t, theme)
    setting = bound_vs_regret.chosen(values)
    jobs = [job for _, job in bound_vs_regret.jobs(setting)]
    return with_runs(bound_vs_regret.gather(setting, played(jobs, bound_vs_regret.FILE)), t, theme)


def with_runs(found: BoundVsRegret, t: int, theme: Theme) -> Scene:
    """Return the scene of the runs: measured regret between its bounds, the bound's terms, the adversary."""
    rates, hidden = slopes(found.setting), hidden_bump(found.setting)
    frames = len(found.horizons)
    return Scene(
        state=(found.setting, found.done),
        frames=frames,
        start=min(max(t, 0), frames - 1),
        films={"main": Picture(lambda at: figure_runs.stage(found, rates, theme, at), ALT_RUNS)},
        stills={
            "terms": Picture(lambda frame: figure_terms.terms(found, theme),
                             "The terms of the proved bound, beside what it is compared with",
                             runs_words.TERMS_HEADING),
            "adversary": Picture(lambda frame: figure_adversary.adversary(hidden, theme),
                                 "The bumps that might be real, and the place of the real one over time",
                                 runs_words.ADVERSARY_HEADING, lambda frame: runs_words.adversary(hidden)),
        },
        sentences=lambda: runs_words.finding(found, rates),
        labels=lambda: [f"T = {T:,}" for T in found.horizons],
        events=list(range(frames)),
        caption=runs_words.caption(found),
        notes=lambda: runs_words.notes(found, rates),
        reset=(RUNS, frames),
    )  # fmt: skip


def frame(values: Values, t: int, theme: Theme) -> Frame | None:
    """Return frame t alone; None for the runs, which have to be played first."""
    if values["view"] == RUNS:
        return None
    setting = model.chosen(values)
    sweep = model.sweep_at(setting, [min(max(t, 0), len(setting.sweep) - 1)])
    return Frame({"main": figure.stage(sweep, theme, 0).figure}, words.finding(sweep)[0])


def _with_cross(setting: SweepSetting) -> Pick:
    """Return what is dragged on the map: the cross, across to another horizon and upwards to more drift."""
    if setting.measure == "budget":
        return replace(CLICK, knobs={"log_T": "x4", "growth": "y4"},
                       places={"growth": tuple(v * setting.log_T for v in OWN["growth"].stops)})  # fmt: skip
    return replace(CLICK, knobs={"log_T": "x4", "eps": "y4"},
                   places={"eps": tuple(math.log10(max(eps, NO_RATE)) for eps in KNOBS["eps"].stops)})  # fmt: skip


def drawn(sweep: Sweep, t: int, theme: Theme) -> Scene:
    """Return the scene of a sweep, without the pictures of the runs."""
    setting, start = sweep.setting, min(max(t, 0), sweep.frames - 1)
    return Scene(
        state=(setting,),
        frames=sweep.frames,
        start=start,
        films={
            "main": Picture(
                lambda at: figure.stage(sweep, theme, at),
                ALT,
                pick=CLICK if sweep.here is None else _with_cross(setting),
            )
        },
        sentences=lambda: words.finding(sweep),
        labels=lambda: [tables.label(setting, i) for i in range(sweep.frames)],
        events=tables.events(setting),
        caption=words.caption(sweep),
        notes=lambda: words.notes(sweep, start),
        reset=(RATES, setting.measure),
    )
