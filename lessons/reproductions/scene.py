"""The scene of the reproductions: one experiment beside its paper, or an overview of all tables and figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from figures.theme import Theme
from lessons.record import DATA, Pick, Picture, Scene, Values, of_all
from lessons.reproductions import (
    figure,
    figure_entry,
    figure_gaps,
    figure_overview,
    model,
    overview,
    overview_words,
    rerun,
    rerun_words,
    words,
)
from lessons.reproductions.experiments import PartOutcome
from lessons.reproductions.knobs import BET_PANEL, GAPS, LAST, OVERVIEW, by_gaps
from lessons.reproductions.model import StoredExperiment
from lessons.reproductions.rerun import RepetitionJob

ALT = "Paired dots: the printed number of each entry and ours, with bars of two standard errors, group by group"
GAPS_ALT = "One dot a printed number, at the difference of ours in standard errors; dots outside the region are named"
OTHERS = 2  # kernels that stand beside the question
QUESTION_ALT = (
    "Paired dots: the printed number of each entry and ours, with bars of two standard errors, kernel by kernel"
)
OVERVIEW_ALT = (
    "One row a table or figure of the papers, one mark a printed entry or statement: agrees, within chance, differs"
)
SEEDS_ALT = "Regret of each seed of one entry, their mean and the printed number, with new runs of the same seeds"
STEP_TIME_ALT = "Time of a step of each method on a logarithmic axis, over all rounds and over the last tenth"


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values, with nothing run again.

    Raises:
        ValueError: nothing is stored under this name, or its file is damaged.
    """
    if values["shown"] == OVERVIEW:
        return at_a_glance(values, theme)
    board = model.board(str(values["shown"]))
    return gaps(board, values, theme) if by_gaps(values) else scene_of(board, values, theme, {})


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: some other kernels, and at the end the one that it asks about.

    Raises:
        ValueError: nothing is stored under this name, or its file is damaged.
    """
    whole = model.board(str(values["shown"]))
    board = whole.only(whole.panels[:OTHERS] if t < LAST else (BET_PANEL,))
    films = {"main": Picture(lambda at: figure.stage(board, theme, at, None), QUESTION_ALT)}
    return replace(scene_of(board, dict(values) | {"cell": 0}, theme, {}), films=films).without_answer(t)


def gaps(board: StoredExperiment, values: Values, theme: Theme) -> Scene:
    """Return the scene of the differences from all printed numbers of one experiment; a click chooses an entry."""
    tolerance = int(values["within"])
    picture = Picture(
        lambda at: figure_gaps.stage(board, tolerance, theme, at), GAPS_ALT, pick=Pick(place="customdata")
    )
    return replace(
        scene_of(board, values, theme, {}),
        state=(board.report["name"], GAPS, tolerance),
        films={"main": picture},
        stills={},
        odds=words.gaps_odds(board, tolerance),
        caption=words.caption(board, words.DOTS),
    )


def scene_of(
    board: StoredExperiment, values: Values, theme: Theme, again: Mapping[RepetitionJob, PartOutcome]
) -> Scene:
    """Return the scene of one experiment.

    Args:
        again: what was run again of the chosen entry.
    """
    index, tolerance = model.last_or(board, int(values["cell"])), int(values["within"])
    entry, height = model.Cell(board, index), 460 if theme.lecture else 330
    stills = {
        "seeds": Picture(
            lambda frame: figure_entry.seeds(entry, *rerun.curves_and_ends(entry, again), theme, height),
            SEEDS_ALT,
            caption=lambda frame: rerun_words.caption(entry),
            more=tuple(again),
        ),
    }
    if board.step_seconds is not None:
        stills["clock"] = Picture(
            lambda frame: figure_entry.step_times(board.rows, board.step_seconds, theme, height),
            STEP_TIME_ALT,
            caption=lambda frame: rerun_words.STEP_TIME,
        )
    return Scene(
        state=(board.report["name"], tolerance, index),
        times=range(board.frames),
        films={"main": Picture(lambda at: figure.stage(board, theme, at, index), ALT, pick=Pick(place="customdata"))},
        stills=stills,
        says=of_all(lambda: words.finding(board, tolerance)),
        facts=lambda r: model.facts(board, r, tolerance),
        label=lambda r: words.label(board, r),
        events=model.stops(board),
        odds=words.odds(board),
        caption=words.caption(board),
        notes=lambda frame: words.notes(board),
        tables={DATA: lambda frame: words.table(board), words.SEEDS: lambda frame: words.seed_rows(board)},
        reset=(board.report["name"], board.frames),
    )


def at_a_glance(values: Values, theme: Theme) -> Scene:
    """Return the scene of all tables and figures; the last frame is the account of all."""
    listed = overview.entries()
    tolerance, frames = int(values["within"]), len(listed) + 1
    return Scene(
        state=(OVERVIEW, tolerance),
        times=range(frames),
        films={
            "main": Picture(
                lambda at: figure_overview.stage(listed, theme, at), OVERVIEW_ALT, pick=Pick(time="customdata")
            ),
        },
        says=of_all(lambda: overview_words.finding(listed, tolerance)),
        facts=lambda at: overview.facts(overview.at(listed, at), tolerance),
        label=lambda row: overview_words.label(listed, row),
        events=range(0, frames, 4),
        odds=overview_words.odds(listed, tolerance),
        caption=overview_words.CAPTION,
        tables={DATA: lambda frame: overview_words.table(listed)},
        reset=(OVERVIEW, frames),
    )
