"""The scene of the lesson: one or two worlds over the same actions, and the bill of their drift."""

from __future__ import annotations

from collections.abc import Sequence

from figures.film import Film
from figures.frames import choose_frames
from figures.theme import Theme
from lessons.drift import figure, figure_table, model, words
from lessons.drift.model import Side, WorldDrift
from lessons.record import Pick, Picture, Scene, Values

ALT = (
    "Two reward landscapes over time, one gliding, one jumping, with the best action marked and the running "
    "drift budget beside them"
)
CLICK = Pick("customdata")  # a click chooses the time


def scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of these knob values at time t.

    Raises:
        ValueError: a world that cannot be.
    """
    return drawn(model.chosen(values), t, theme)


def drawn(drifts: Sequence[WorldDrift], t: int, theme: Theme) -> Scene:
    """Return the scene of one or two worlds at time t."""
    titles = words.titles(drifts)
    names = [short for _, short in titles]
    stops = sorted({row for drift in drifts for row in drift.stops})
    ticks = choose_frames(drifts[0].problem.horizon, stops)

    def stage(at: int) -> Film:
        roles = ("first", "second")
        sides = [Side(drift, *title, role) for drift, title, role in zip(drifts, titles, roles, strict=False)]
        if drifts[0].problem.arm_names is not None:
            return figure_table.table(sides[0], ticks, theme, at)
        return figure.worlds(sides, ticks, theme, at)

    return Scene(
        state=tuple(drift.world for drift in drifts),
        frames=len(ticks.rows),
        start=ticks.frame(t),
        films={"main": Picture(stage, ALT, pick=CLICK)},
        sentences=lambda: words.finding(drifts, names, ticks.rows),
        labels=lambda: [words.label(drifts[0], row) for row in ticks.rows],
        events=ticks.frames(stops),
        times=ticks.times,
        caption=words.caption(drifts, names),
        notes=lambda: words.notes(drifts, names),
        marks=lambda: words.marks(drifts, names),
        reset=(ticks.horizon,),
    )
