"""The scene of the reproductions: one experiment beside its paper, or an overview of all tables and figures."""

from __future__ import annotations

from dataclasses import replace

from figures.theme import Theme
from lessons.record import DATA, Pick, Picture, Scene, Values, of_all
from lessons.reproductions import figure, figure_overview, model, overview, overview_words, words
from lessons.reproductions.knobs import BET_PANEL, LAST, OVERVIEW
from lessons.reproductions.model import StoredExperiment

ALT = "Paired dots: the printed number of each entry and ours, with bars of two standard errors, group by group"
OTHERS = 2  # number of kernels that the question shows
QUESTION_ALT = (
    "Paired dots: the printed number of each entry and ours, with bars of two standard errors, kernel by kernel"
)
OVERVIEW_ALT = (
    "One row a table or figure of the papers, one mark a printed entry or statement: agrees, within chance, differs"
)
ABREAST = 3  # number of a phone's screens that the stage takes


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values.

    Raises:
        ValueError: nothing is stored under this name, or its file is damaged.
    """
    tolerance = int(values["within"])
    if values["shown"] == OVERVIEW:
        return at_a_glance(tolerance, theme)
    return scene_of(model.stored(str(values["shown"])), tolerance, theme)


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: some other kernels, and at the end the one that it asks about.

    Raises:
        ValueError: nothing is stored under this name, or its file is damaged.
    """
    whole = model.stored(str(values["shown"]))
    experiment = whole.only(whole.panels[:OTHERS] if t < LAST else (BET_PANEL,))
    picture = Picture(lambda at: figure.stage(experiment, theme, at, None), QUESTION_ALT, screens=(ABREAST, 0))
    return replace(scene_of(experiment, int(values["within"]), theme), films={"main": picture}).without_answer(t)


def scene_of(experiment: StoredExperiment, tolerance: int, theme: Theme) -> Scene:
    """Return the scene of one experiment.

    Args:
        tolerance: standard errors that count as agreement.
    """
    picture = Picture(lambda at: figure.stage(experiment, theme, at, tolerance), ALT, screens=(ABREAST, 0))
    return Scene(
        state=(experiment.report["name"], tolerance),
        times=range(experiment.frames),
        films={"main": picture},
        says=of_all(lambda: words.finding(experiment, tolerance)),
        facts=lambda r: model.facts(experiment, r, tolerance),
        label=lambda r: words.label(experiment, r),
        events=model.stops(experiment),
        odds=words.odds(experiment),
        caption=words.caption(experiment),
        notes=lambda frame: words.notes(experiment, tolerance),
        tables={DATA: lambda frame: words.table(experiment), words.SEEDS: lambda frame: words.seed_rows(experiment)},
        reset=(experiment.report["name"], experiment.frames),
    )


def at_a_glance(tolerance: int, theme: Theme) -> Scene:
    """Return the scene of all tables and figures; the last frame is the account of all."""
    listed = overview.entries()
    frames = len(listed) + 1
    picture = Picture(
        lambda at: figure_overview.stage(listed, theme, at),
        OVERVIEW_ALT,
        pick=Pick(time="customdata"),
        screens=(ABREAST, 0),
    )
    return Scene(
        state=(OVERVIEW, tolerance),
        times=range(frames),
        films={"main": picture},
        says=of_all(lambda: overview_words.finding(listed, tolerance)),
        facts=lambda at: overview.facts(overview.at(listed, at), tolerance),
        label=lambda row: overview_words.label(listed, row),
        events=range(0, frames, 4),
        odds=overview_words.odds(listed, tolerance),
        caption=overview_words.CAPTION,
        tables={DATA: lambda frame: overview_words.table(listed)},
        reset=(OVERVIEW, frames),
    )
