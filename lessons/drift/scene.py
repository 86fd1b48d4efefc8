"""The scene of the lesson: one or two worlds over the same actions, and the bill of their drift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from figures.film import Film
from figures.frames import FilmFrames, choose_frames
from figures.theme import Theme
from lessons.drift import figure, figure_table, model, words
from lessons.drift.model import Side, WorldDrift
from lessons.record import Frame, Pick, Picture, Scene, Values

ALT = (
    "Two reward landscapes over time, one gliding, one jumping, with the best action marked and the running "
    "drift budget beside them"
)
ASKED_ALT = "Two reward landscapes over time, one gliding, one jumping, with the best action marked"
# A click chooses the time; it is dragged through the histories and along the drift so far.
CLICKS = {1: Pick("customdata", along=("y2", "x3", "x4")), 2: Pick("customdata", along=("y2", "y4", "x5", "x6"))}
TABLE_CLICK = Pick("customdata")
LONGEST = 500  # horizon up to which a frame is computed in a few hundredths of a second


def scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of these knob values at time t.

    Raises:
        ValueError: a world that cannot be.
    """
    return drawn(model.chosen(values), t, theme)


def until(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the worlds up to time t, without their drift so far.

    Raises:
        ValueError: a world that cannot be.
    """
    drifts = [drift.until(min(t, drift.problem.horizon)) for drift in model.chosen(values)]
    _, ticks = _clock(drifts)
    sides = _sides(drifts)
    picture = Picture(lambda at: figure.worlds(sides, ticks, theme, at, bill=False), ASKED_ALT)
    return replace(drawn(drifts, t, theme), films={"main": picture}).asked(t)


def frame(values: Values, t: int, theme: Theme) -> Frame | None:
    """Return the frame at time t alone: the film with one row.

    Raises:
        ValueError: a world that cannot be.
    """
    if values["kind"] == "data" or int(values["T"]) > LONGEST:
        return None
    drifts = model.chosen(values)
    _, ticks = _clock(drifts)
    row = ticks.rows[ticks.frame(t)]
    names = [short for _, short in words.titles([drift.world for drift in drifts])]
    film = _stage(drifts, FilmFrames((row,), ticks.horizon), theme, 0)
    return Frame({"main": film.figure}, words.finding(drifts, names, [row])[0])


def _clock(drifts: Sequence[WorldDrift]) -> tuple[list[int], FilmFrames]:
    """Return the rows worth stopping at, and the rows that become frames."""
    stops = sorted({row for drift in drifts for row in drift.stops})
    return stops, choose_frames(drifts[0].problem.horizon, stops)


def _stage(drifts: Sequence[WorldDrift], ticks: FilmFrames, theme: Theme, at: int) -> Film:
    """Return the figure of these rows."""
    sides = _sides(drifts)
    if drifts[0].problem.arm_names is not None:
        return figure_table.table(sides[0], ticks, theme, at)
    return figure.worlds(sides, ticks, theme, at)


def _sides(drifts: Sequence[WorldDrift]) -> list[Side]:
    titles, roles = words.titles([drift.world for drift in drifts]), ("first", "second")
    return [Side(drift, *title, role) for drift, title, role in zip(drifts, titles, roles, strict=False)]


def drawn(drifts: Sequence[WorldDrift], t: int, theme: Theme) -> Scene:
    """Return the scene of one or two worlds at time t."""
    names = [short for _, short in words.titles([drift.world for drift in drifts])]
    stops, ticks = _clock(drifts)
    click = CLICKS[len(drifts)] if drifts[0].problem.arm_names is None else TABLE_CLICK
    return Scene(
        state=tuple(drift.world for drift in drifts),
        frames=len(ticks.rows),
        start=ticks.frame(t),
        films={"main": Picture(lambda at: _stage(drifts, ticks, theme, at), ALT, pick=click)},
        sentences=lambda: words.finding(drifts, names, ticks.rows),
        labels=lambda: [words.label(drifts[0], row) for row in ticks.rows],
        facts=lambda at: model.facts(drifts, names, ticks.rows[at]),
        events=ticks.frames(stops),
        times=ticks.times,
        caption=words.caption(drifts, names),
        notes=lambda: words.notes(drifts, names),
        marks=lambda: words.marks(drifts, names),
        reset=(ticks.horizon,),
    )
