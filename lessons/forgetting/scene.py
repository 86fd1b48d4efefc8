"""The scene of the lesson: six memories of one past, regret against memory, and the estimates of each memory."""

from __future__ import annotations

from dataclasses import dataclass

from common.cache import shared
from figures.frames import FilmFrames, choose_frames
from figures.theme import Theme
from lessons.forgetting import figure, figure_estimates, figure_regret_vs_memory, memories, model, words
from lessons.forgetting.knobs import COUNT
from lessons.forgetting.memories import MemoryViews, ViewSetting
from lessons.forgetting.model import Finished, Legend, MemorySweep, Setting
from lessons.record import Frame, Pick, Picture, Scene, Values
from lessons.shared import problems
from lessons.shared.stored_runs import hold, played

ALT = "Weights of past data by age for each method, and regret against memory length as a U-shaped curve"
ASKED_ALT = "Weights of past data by age for each method"
MAX_FRAMES = 100  # besides landmarks
OWN_MEMORY = {"m": "x2"}  # the line "your m" is dragged along the axis of memories
REGRET_AXES = frozenset({"x2", "y2"})


@dataclass(frozen=True, eq=False)
class Board:
    """Everything that pictures, sentences and tables of one state of the page share."""

    past: ViewSetting
    views: MemoryViews
    sweep: MemorySweep
    legend: Legend
    ticks: FilmFrames


def scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of these knob values at time t, with every run played.

    Raises:
        ValueError: a world that cannot be.
    """
    past, setting = model.chosen(values)
    problems.problem(past.world)  # complains before anything is played
    runs = played(model.jobs(setting), model.FILE)
    return drawn(board(values, model.finished(setting, runs)), values, t, theme, "all")


def at_once(values: Values) -> bool:
    """Return whether every run of these knob values is stored.

    Raises:
        ValueError: a world that cannot be.
    """
    return _stored(model.chosen(values)[1])


@shared(50)  # another memory of the reader's own asks for the same runs
def _stored(setting: Setting) -> bool:
    return hold(model.jobs(setting), model.FILE)


def board(values: Values, finished: Finished) -> Board:
    """Return everything that is drawn in this state of the page, from the runs that are finished.

    Raises:
        ValueError: a world that cannot be.
    """
    past, setting = model.chosen(values)
    ticks = _clock(past)
    legend = words.legend(past, setting, int(values["bet"]), bool(values["cover"]))
    return Board(past, memories.views(past, ticks.rows), finished.at(ticks.rows), legend, ticks)


def _clock(past: ViewSetting) -> FilmFrames:
    """Return the rounds that become frames."""
    jumps, restarts, horizon = memories.stops(past)
    return choose_frames(horizon, memories.landmarks(jumps, restarts, horizon), most=MAX_FRAMES)


def until(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the memories up to time t, and of the runs nothing.

    Raises:
        ValueError: a world that cannot be.
    """
    past, setting = model.chosen(values)
    every = _clock(past)
    ticks = FilmFrames(tuple(row for row in every.rows if row < t), every.horizon)
    views, legend = memories.views(past, ticks.rows), words.legend(past, setting, covered=True)
    picture = Picture(lambda at: figure.memories(views, legend, ticks, theme, at), ASKED_ALT)
    return Scene(
        state=(past,),
        frames=len(ticks.rows),
        start=ticks.frame(t),
        films={"main": picture},
        sentences=tuple,
        labels=lambda: [words.label(row, ticks.horizon) for row in ticks.rows],
        caption="",
        events=ticks.frames([*views.jumps, *views.restarts]),
        times=ticks.times,
    ).asked(t)


def frame(values: Values, t: int, theme: Theme) -> Frame | None:
    """Return the frame at time t alone: what each memory keeps and believes. Of the runs the page keeps its own.

    Raises:
        ValueError: a world that cannot be.
    """
    past, setting = model.chosen(values)
    if values["kind"] == "data":
        return None
    ticks = _clock(past)
    row, scale = ticks.rows[ticks.frame(t)], memories.scale_rows(ticks.rows, ticks.horizon)
    clock = FilmFrames(tuple(sorted({row, *scale})), ticks.horizon)
    views, at = memories.views(past, clock.rows, scale), clock.rows.index(row)
    legend = words.legend(past, setting, int(values["bet"]), bool(values["cover"]))
    figures = {
        "main": figure.now(views, legend, clock, theme, at, str(values["age"])).figure,
        "beliefs": figure_estimates.beliefs(views, legend, clock, theme, at).figure,
    }
    return Frame(figures, None, REGRET_AXES)


def drawn(shown: Board, values: Values, t: int, theme: Theme, mark: str) -> Scene:
    """Return the scene of the runs as far as they have come.

    Args:
        mark: which runs are there.
    """
    past, views, sweep, legend, ticks = shown.past, shown.views, shown.sweep, shown.legend, shown.ticks
    age, stills = str(values["age"]), {}
    if sweep.methods and not legend.covered:
        stills["every"] = Picture(
            lambda frame: figure_regret_vs_memory.every(sweep, legend, theme),
            f"Final regret of {COUNT} methods against their memory, one panel a world",
            "##### The same bowl for every method",
            lambda frame: words.every(sweep, legend),
        )
    return Scene(
        state=(past, sweep.setting, mark, age, legend.bet, legend.covered),
        frames=len(ticks.rows),
        start=ticks.frame(t),
        films={
            "main": Picture(
                lambda at: figure.stage(views, sweep, legend, ticks, theme, at, age),
                ALT,
                pick=Pick("customdata", along=("x",), knobs=OWN_MEMORY) if age == "time" else Pick(knobs=OWN_MEMORY),
            ),
            "beliefs": Picture(
                lambda at: figure_estimates.beliefs(views, legend, ticks, theme, at),
                "Today's reward and the estimate with band of each of six memories",
                "##### What does each memory believe now?",
                lambda frame: words.BELIEFS,
                Pick(place="customdata"),
            ),
        },
        stills=stills,
        sentences=lambda: words.finding(views, sweep, past, ticks.rows, legend),
        facts=lambda at: model.facts(sweep, views.recalls[model.WINDOW].count, at),
        labels=lambda: [words.label(row, ticks.horizon) for row in ticks.rows],
        events=ticks.frames([*views.jumps, *views.restarts]),
        times=ticks.times,
        caption=words.caption(views, sweep, past),
        notes=lambda: words.notes(views, sweep, past, legend),
        marks=lambda: words.marks(views, sweep, legend),
        reset=(ticks.rows,),  # other restarts are other frames: the player starts anew, at the same time
    )
