"""The scene of the lesson: side queries over time, regret beside them, and two ways to pick."""

from __future__ import annotations

import math
from collections.abc import Mapping

from figures.frames import FilmFrames, choose_frames
from figures.theme import Theme
from lessons.record import DATA, Compute, Pick, Picture, Results, Scene, Values, of_all
from lessons.shared.stored_runs import StoredPlan
from lessons.shared.wording import product
from lessons.side_queries import (
    figure,
    figure_pickers,
    figure_piles,
    model,
    pickers,
    words,
)
from lessons.side_queries.model import COMPARED, FirstSeed, MethodRegrets, SideQueriesSetting
from lessons.side_queries.pickers import TwoPickers

ALT = "Side queries as dots: none, at window starts, before every round; and the regret of each"
SCHEDULE_ALT = "Side queries of two methods over time, and today's estimate"
PICKS_ALT = "Two estimates of one reward with their side queries, what each leaves open by time, and the regret of both"
MAX_FRAMES, MAX_STOPS = 90, 20  # frames of a film, and window starts with frames of their own among them
# View -> alternative text, where the time is dragged, and screens of a phone; a click on a query chooses its round.
STAGES = {
    "questions": (ALT, (), 1),
    "schedule": (SCHEDULE_ALT, ("x", "x2"), 1),
    "picks": (PICKS_ALT, ("x3", "x4"), 4),
}


def film_frames(first: FirstSeed) -> tuple[list[int], FilmFrames]:
    """Return the window starts that have a frame of their own, evenly thinned out where there are many; all frames."""
    stops = first.starts[:: math.ceil(len(first.starts) / MAX_STOPS) or 1].tolist()
    return stops, choose_frames(first.horizon, stops, most=MAX_FRAMES - 2 * len(stops))


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: a run with the first exponent, which says nothing about the other one.

    Raises:
        ValueError: a world that cannot be, or what a method refuses.
    """
    setting = model.setting_from(values)
    first = model.first_seed(setting)
    stops, ticks = film_frames(first)
    ticks = ticks.before(t)
    estimate = model.estimate(first, ticks.rows)
    return Scene(
        state=(setting,),
        times=ticks.times,
        films={"main": Picture(lambda at: figure.stage(first, *estimate, ticks, theme, at), SCHEDULE_ALT)},
        label=ticks.label,
        caption="",
        events=ticks.frames(stops),
    ).without_answer(t)


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values, with every run played.

    Raises:
        ValueError: a world that cannot be, or what a method refuses.
    """
    return RUNS.scene(values, theme)


def _ready(values: Values, compute: Compute) -> None:
    """Play the first seed, which the page draws in full."""
    setting = model.setting_from(values)
    first = model.first_seed(setting, compute)
    if setting.view == "picks":
        pickers.first_seeds(first, compute)


def _jobs(setting: SideQueriesSetting) -> list:
    """Return the runs of the other seeds."""
    return model.jobs(setting)[len(COMPARED) :] + (pickers.jobs(setting)[1:] if setting.view == "picks" else [])


def _gather(setting: SideQueriesSetting, results: Results) -> tuple[MethodRegrets, TwoPickers | None]:
    """Return what all seeds come to, and two ways to pick where they are on the stage."""
    first = model.first_seed(setting)
    runs = {**results, **model.first_runs(setting, first)}
    costs = model.method_regrets(setting, runs)
    if setting.view != "picks":
        return costs, None
    pair = pickers.first_seeds(first)
    return costs, pickers.two_pickers(setting, pair, runs | pickers.first_runs(setting, pair))


def scene_of(values: Values, found: tuple[MethodRegrets, TwoPickers | None], theme: Theme, mark: str) -> Scene:
    """Return the scene of the first seed in full and of the others as far as they have come.

    Args:
        mark: which runs are there.
    """
    setting, (costs, picked) = model.setting_from(values), found
    first = model.first_seed(setting)
    stops, ticks = film_frames(first)

    played_by = {"": first} if picked is None else picked.runs
    estimates = {
        picker: model.estimate(one, ticks.rows) for picker, one in played_by.items() if setting.view != "questions"
    }
    alt, along, screens = STAGES[setting.view]

    def stage(at: int) -> object:
        if picked is not None:
            return figure_pickers.stage(picked, estimates, ticks, theme, at)
        if setting.view == "questions":
            return figure_piles.stage(first, costs, ticks, theme, at)
        return figure.stage(first, *estimates[""], ticks, theme, at)

    def facts(frame: int) -> Mapping[str, float | None]:
        rows = [ticks.rows[frame]]
        (found,) = model.facts(first, costs, rows) if picked is None else pickers.facts(picked, rows)
        return found

    return Scene(
        state=(setting, mark),
        times=ticks.times,
        films={"main": Picture(stage, alt, pick=Pick("customdata", along=along), screens=(screens, 0))},
        says=of_all(
            lambda: (
                words.finding(first, costs, ticks.rows) if picked is None else words.picks_finding(picked, ticks.rows)
            )
        ),
        facts=facts,
        label=ticks.label,
        events=ticks.frames(stops),
        caption=words.caption(first, costs),
        notes=lambda frame: words.notes(first, costs, picked),
        odds=words.odds(costs, picked),
        tables={DATA: lambda frame: model.table(first)},
        reset=(first.horizon,),
    )


RUNS = StoredPlan(
    setting=model.setting_from,
    jobs=_jobs,
    what=lambda s: product((s.seeds - 1, "more seed"), (len(COMPARED), "method")),
    gather=_gather,
    scene_of=scene_of,
    file=model.FILE,
    long_seconds=12.0,
    ready=_ready,
)
