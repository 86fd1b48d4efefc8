"""The scene of the lesson: one or two worlds and how much they drift, as hills or as heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from figures.film import Film
from figures.frames import FilmFrames, choose_frames
from figures.theme import Theme
from lessons.drift import figure, figure_hills, model, words
from lessons.drift.model import Side, WorldDrift
from lessons.record import DATA, Pick, Picture, Scene, Values, of_all

HILLS, MAPS = "hills", "maps"
ALTS = {
    HILLS: "The reward of each world at the start and now, over a bar that adds up its drift",
    MAPS: "The rewards of each world over time, with the path of the best action",
}
QUESTION_ALT = "The rewards of worlds A and B, as they were first and as they are now"
CLICK = Pick("customdata", along=("y", "y2"))  # a click chooses the time; it is dragged through the heat maps
ROLES = ("first", "second")
SHORT = 20  # characters that have room above half a phone
LONGEST = 500  # horizon up to which a frame is computed in a few hundredths of a second


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values.

    Raises:
        ValueError: a world that cannot be.
    """
    drifts = model.drifts_from(values)
    return scene_of(drifts, str(values["view"]), _clock(drifts), theme)


def frame(values: Values, t: int, theme: Theme) -> Scene | None:
    """Return the film with the row of time t alone; None where that takes longer than a few hundredths of a second.

    Raises:
        ValueError: a world that cannot be.
    """
    if int(values["T"]) > LONGEST:
        return None
    drifts = model.drifts_from(values)
    return scene_of(drifts, str(values["view"]), _clock(drifts).only(t), theme)


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the worlds up to time t, without their drift so far.

    Raises:
        ValueError: a world that cannot be.
    """
    whole = model.drifts_from(values)
    drifts = [drift.until(min(t, drift.problem.horizon)) for drift in whole]
    ticks = _clock(drifts)
    sides = [replace(side, title=f"{name}: {side.title}") for name, side in zip("AB", _sides(drifts), strict=False)]
    picture = Picture(lambda at: figure_hills.hills(sides, ticks, theme, at, budget=False), QUESTION_ALT)
    asked = replace(scene_of(drifts, HILLS, ticks, theme), films={"main": picture})
    asked = replace(asked, label=lambda at: words.label(whole[0], ticks.rows[at]))
    return asked.without_answer(t)


def _stops(drifts: Sequence[WorldDrift]) -> list[int]:
    """Return the rows worth stopping at."""
    return sorted({row for drift in drifts for row in drift.stops})


def _clock(drifts: Sequence[WorldDrift]) -> FilmFrames:
    """Return the rows that become frames."""
    return choose_frames(drifts[0].problem.horizon, _stops(drifts))


def _stage(drifts: Sequence[WorldDrift], view: str, ticks: FilmFrames, theme: Theme, at: int) -> Film:
    """Return the figure of these rows."""
    draw = figure_hills.hills if view == HILLS else figure.worlds
    return draw(_sides(drifts), ticks, theme, at)


def _names(drifts: Sequence[WorldDrift]) -> list[str]:
    return [short for _, short in words.titles([drift.world for drift in drifts])]


def _sides(drifts: Sequence[WorldDrift]) -> list[Side]:
    titles = words.titles([drift.world for drift in drifts])
    said = [words.phrase(drifts, i) for i in range(len(drifts))]
    return [Side(*one) for one in zip(drifts, *zip(*titles, strict=True), said, ROLES, strict=False)]


def _screens(drifts: Sequence[WorldDrift], view: str) -> int:
    """Return how many screens of a phone the panels take: one each, but for two worlds whose words are short."""
    titles = [side.title for side in _sides(drifts)]
    counts = [figure_hills.step_count(drift, len(drift.steps) - 1) for drift in drifts] if view == HILLS else []
    return 1 if max(map(len, titles + counts)) < SHORT else len(drifts)


def scene_of(drifts: Sequence[WorldDrift], view: str, ticks: FilmFrames, theme: Theme) -> Scene:
    """Return the scene of one or two worlds in these frames, in a view: "hills" or "maps"."""
    names = _names(drifts)
    return Scene(
        state=(view, *(drift.world for drift in drifts)),
        times=ticks.times,
        films={
            "main": Picture(
                lambda at: _stage(drifts, view, ticks, theme, at),
                ALTS[view],
                pick=CLICK if view == MAPS else None,
                screens=(_screens(drifts, view), 0),
            )
        },
        says=of_all(lambda: words.finding(drifts, names, ticks.rows, hops=view == MAPS)),
        label=lambda at: words.label(drifts[0], ticks.rows[at]),
        facts=lambda at: model.facts(drifts, names, ticks.rows[at]),
        events=ticks.frames(_stops(drifts)),
        caption=words.caption(drifts, names, view),
        notes=lambda frame: words.notes(drifts, names),
        odds=words.odds(drifts),
        tables={DATA: lambda frame: model.table(drifts, names)},
        reset=(ticks.horizon,),
    )
