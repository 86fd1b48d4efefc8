"""The scene of the lesson: a memory and what it costs; below it six memories of one past."""

from __future__ import annotations

from dataclasses import replace

from common.cache import shared
from figures.frames import FilmFrames, choose_frames
from figures.theme import Theme
from lessons.forgetting import (
    claims,
    experiment,
    figure,
    figure_weights,
    memories,
    model,
    tables,
    view_scenes,
    words,
)
from lessons.forgetting.experiment import ForgettingSetting
from lessons.forgetting.memories import ViewSetting
from lessons.forgetting.model import MemorySweep
from lessons.record import DATA, Pick, Picture, Scene, Values, of_all
from lessons.shared import problems, stored_runs
from lessons.shared.stored_runs import StoredPlan
from lessons.shared.wording import product

WEIGHTS = "Weights at this time"  # a data table
ALT = "What the memory still holds of the past, and regret against memory as a U-shaped curve with your memory on it"
QUESTION_ALT = "Weights of past data by age in a memory that restarts"
HEIGHT = {False: 430, True: 620}  # of the rows of the memories, normal and in lecture type
FOLLOWING = ("weights",)  # charts below the stage that follow a slider
MAX_FRAMES = 100  # besides landmarks
REGRET_AXES = frozenset({"x2", "y2", "x3", "y3"})  # of the curve and of the words below it


@shared(4)
def _stored(setting: ForgettingSetting) -> MemorySweep:
    return model.gather(setting, stored_runs.runs(experiment.jobs(setting), experiment.FILE))


def frames_of(past: ViewSetting) -> FilmFrames:
    """Return the rounds that become frames."""
    jumps, restarts, horizon = memories.stops(past)
    return choose_frames(horizon, memories.landmarks(jumps, restarts, horizon), most=MAX_FRAMES)


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values, with every run played.

    Raises:
        ValueError: a world that cannot be.
    """
    return RUNS.scene(values, theme)


def frame(values: Values, t: int, theme: Theme) -> Scene | None:
    """Return time t alone with the runs that are stored; None where a view has none.

    Raises:
        ValueError: a world that cannot be.
    """
    setting = RUNS.setting(values)
    if view := view_scenes.VIEWS.get(values["view"]):
        return view(values, _stored(setting), theme, "", t) if RUNS.is_instant(values) else None
    sweep = _stored(setting) if RUNS.is_instant(values) else MemorySweep(setting, {}, {})
    made = _scene(values, sweep, theme, "", t)
    if sweep.curves:
        return made.showing(FOLLOWING)
    stage = replace(made.stage, unknown=REGRET_AXES)
    return replace(made.showing(FOLLOWING), films={**made.films, "main": stage}, says=None)


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the memories up to time t, and of the runs nothing.

    Raises:
        ValueError: a world that cannot be.
    """
    past, setting = experiment.settings_from(values)
    ticks = frames_of(past).before(t)
    views, legend = memories.views(past, ticks.rows), words.legend(past, setting)
    rows = (legend.strip,)  # of which the bet asks
    picture = Picture(lambda at: figure_weights.weights(views, legend, ticks, theme, at, rows), QUESTION_ALT)
    return Scene(
        state=(past,),
        times=ticks.times,
        films={"main": picture},
        label=ticks.label,
        caption="",
        events=ticks.frames([*views.jumps, *views.restarts]),
    ).without_answer(t)


def scene_of(values: Values, sweep: MemorySweep, theme: Theme, mark: str) -> Scene:
    """Return the scene of the runs as far as they have come.

    Args:
        mark: which runs are there.
    Raises:
        ValueError: a world that cannot be.
    """
    if view := view_scenes.VIEWS.get(values["view"]):
        return view(values, sweep, theme, mark)
    return _scene(values, sweep, theme, mark, None)


def _scene(values: Values, sweep: MemorySweep, theme: Theme, mark: str, t: int | None) -> Scene:
    """Return the scene at a time alone; None for all times."""
    past, _ = experiment.settings_from(values)
    ticks = frames_of(past)
    scale = memories.scale_rows(ticks.rows, ticks.horizon)
    ticks = ticks if t is None else ticks.only(t, scale)
    views, legend = memories.views(past, ticks.rows, scale), words.legend(past, sweep.setting)
    odds = claims.odds_of(past, sweep.setting)
    return Scene(
        state=(past, sweep.setting, mark),
        times=ticks.times,
        films={
            "main": Picture(
                lambda at: figure.stage(views, sweep, legend, words.labels(views, sweep, legend), ticks, theme, at),
                ALT,
                pick=Pick(along=("x",), knobs={"m": "x2"}, places={"m": legend.places}),
            ),
            "weights": Picture(
                lambda at: figure_weights.weights(
                    views, legend, ticks, theme, at, tuple(views.tuning.memories), HEIGHT[theme.lecture]
                ),
                "Weights of the same past in six memories, and the pull of each observation on one estimate",
                "What each memory keeps of the same past",
                lambda frame: words.weights(views, past),
                Pick("customdata", along=("x",)),
            ),
        },
        says=of_all(lambda: words.finding(views, sweep, legend)),
        facts=lambda at: model.facts(sweep, ticks.rows[at], float(views.effective_size(model.WINDOW)[at])),
        label=ticks.label,
        events=ticks.frames([*views.jumps, *views.restarts]),
        caption=words.caption(views, sweep, past),
        notes=lambda frame: [*words.notes(views, sweep), *([claims.OF_UNTOLD.line()] if odds else [])],
        odds=claims.strip(odds, past, sweep) if odds else "",
        tables={
            DATA: lambda frame: tables.regret(sweep),
            WEIGHTS: lambda frame: tables.weights(views, frame),
        },
        reset=(ticks.rows,),  # other restarts are other frames: the player starts anew, at the same time
    )


RUNS = StoredPlan(
    setting=lambda values: experiment.settings_from(values)[1],
    jobs=experiment.jobs,
    what=lambda s: product((s.seeds, "seed"), (len(s.memories), "memory", "memories"), (len(s.worlds), "world")),
    gather=model.gather,
    scene_of=scene_of,
    file=experiment.FILE,
    long_seconds=15.0,
    ready=lambda values, compute: problems.problem(experiment.settings_from(values)[0].world),
    starter=experiment.starter,
    display_key=model.seeds_through,
)
