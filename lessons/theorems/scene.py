"""The theorems scene: exponents, rates and a map over a sweep, and below them bounds beside runs."""

from __future__ import annotations

from dataclasses import replace

from figures.theme import Theme
from lessons.record import Frame, Pick, Picture, Scene, Values
from lessons.shared.stored_runs import played
from lessons.theorems import bound_vs_regret, figure, figure_adversary, figure_bound_vs_regret, model, tables, words
from lessons.theorems import bound_vs_regret_words as runs_words
from lessons.theorems.adversary import hidden_bump
from lessons.theorems.bound_vs_regret import BoundVsRegret
from lessons.theorems.model import Sweep

ALT = "Ladder of regret exponents with a ceiling at one and the lower bound, log–log slopes and a validity map"
CLICK = Pick("customdata")  # a click chooses the place of the sweep


def scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of these knob values at frame t, with every run played.

    Raises:
        ValueError: a world of the runs that cannot be.
    """
    setting = bound_vs_regret.chosen(values)
    found = bound_vs_regret.gather(setting, played([job for _, job in bound_vs_regret.jobs(setting)]))
    return with_runs(drawn(model.sweep(model.chosen(values)), t, theme), found, theme)


def frame(values: Values, t: int, theme: Theme) -> Frame:
    """Return frame t alone."""
    setting = model.chosen(values)
    sweep = model.sweep_at(setting, [min(max(t, 0), len(setting.sweep) - 1)])
    return Frame({"main": figure.stage(sweep, theme, 0).figure}, words.finding(sweep)[0])


def drawn(sweep: Sweep, t: int, theme: Theme) -> Scene:
    """Return the scene of a sweep, without the pictures of the runs."""
    setting, start = sweep.setting, min(max(t, 0), sweep.frames - 1)
    return Scene(
        state=(setting,),
        frames=sweep.frames,
        start=start,
        films={"main": Picture(lambda at: figure.stage(sweep, theme, at), ALT, pick=CLICK)},
        sentences=lambda: words.finding(sweep),
        labels=lambda: [tables.label(setting, i) for i in range(sweep.frames)],
        events=tables.events(setting),
        caption=words.caption(sweep),
        notes=lambda: words.notes(sweep, start),
        reset=(setting.measure,),
    )


def with_runs(scene: Scene, found: BoundVsRegret, theme: Theme) -> Scene:
    """Return the scene with measured regret between its bounds, and the adversary."""
    hidden = hidden_bump(found.setting)
    return replace(scene, stills={
        "meeting": Picture(lambda frame: figure_bound_vs_regret.bound_vs_regret(found, theme),
                           "Measured regret between upper and lower bound, and the bound in its terms",
                           runs_words.HEADING, more=(found.setting, found.done)),
        "adversary": Picture(lambda frame: figure_adversary.adversary(hidden, theme),
                             "The bumps that might be real, and the place of the real one over time",
                             runs_words.ADVERSARY_HEADING, lambda frame: runs_words.adversary(hidden),
                             more=(found.setting,)),
    })  # fmt: skip
