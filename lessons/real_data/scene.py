"""The scene of real data: the race on a table, and below it all rewards and what the first part says."""

from __future__ import annotations

from figures.frames import choose_frames
from figures.theme import Theme
from lessons.real_data import figure, figure_details, figure_lines, model, words
from lessons.real_data.model import OWN, RealDataSetting, Trial
from lessons.record import DATA, Pick, Picture, Scene, Values, of_all
from lessons.shared.knobs import METHODS

ALT = "Regret of two methods and of the best single arm, and the arms that each chooses"
WALL_ALT = "Heatmap of series over time with the best series traced"
MOST_ROWS = {False: 6, True: 4}  # of the strip of arms, at the desk and in a hall
MAX_FRAMES, MAX_STOPS = 150, 40  # evenly spread frames, and latest changes of the best arm with frames of their own


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values, with every run played.

    Raises:
        ValueError: the table is the visitor's own, its package is missing, or it cannot race.
    """
    return scene_of(model.race(_shipped(values)), values, theme)


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the table up to round t of its second part, before any run.

    Raises:
        ValueError: the table is the visitor's own, its package is missing, or it cannot race.
    """
    setting = _shipped(values)
    whole = model.split(setting)
    shown = whole.until(t)
    frames = choose_frames(shown.problem.horizon, shown.switches, most=MAX_FRAMES)
    return Scene(
        state=(setting,),
        times=frames.times,
        films={"main": Picture(lambda at: figure.wall(shown, frames, theme, at, whole=whole), WALL_ALT)},
        label=lambda at: words.label(shown, frames.rows[at]),
        caption="",
    ).without_answer(t)


def _shipped(values: Values) -> RealDataSetting:
    """Return the race that these values describe.

    Raises:
        ValueError: it is on the visitor's own table, which is with the page alone.
    """
    if values["table"] == OWN:
        raise ValueError(words.request_for_table(str(values["file"])))
    return model.setting_from(values)


def scene_of(race: Trial, values: Values, theme: Theme) -> Scene:
    """Return the scene of a race."""
    frames = choose_frames(race.problem.horizon, race.switches[-MAX_STOPS:], most=MAX_FRAMES)
    pins = tuple(dict.fromkeys(METHODS[str(values[pin])] for pin in ("pin1", "pin2")))
    lanes = model.lanes(race, model.headline_methods(race, pins), MOST_ROWS[theme.lecture])
    stage = Picture(
        lambda at: figure_lines.stage(race, lanes, words.period(race), frames, theme, at),
        ALT,
        pick=Pick("customdata", along=("x", "x2")),
    )
    wall = Picture(
        lambda at: figure.wall(race, frames, theme, at, figure_details.tall(theme)),
        WALL_ALT,
        "What are all the rewards?",
        lambda at: words.wall(race),
    )
    covariance, names = race.problem.kernel.matrix, race.problem.arm_names
    stills = {
        "likelihood": Picture(
            lambda frame: figure_details.likelihood(race, theme),
            "Log-likelihood of the change per step, with its interval",
            "How fast do the rewards change, and which arms move together?",
            lambda frame: words.likelihood(race),
        ),
        "kernel": Picture(
            lambda frame: figure_details.correlations(covariance, names, theme),
            "Matrix of the correlations of the arms in the first part",
            caption=lambda frame: words.kernel(race),
        ),
    }
    return Scene(
        state=(race.setting, tuple(race.total), pins),
        times=frames.times,
        films={"main": stage, "wall": wall},
        stills=stills,
        says=of_all(lambda: words.finding(race, frames.rows, pins)),
        facts=lambda at: model.facts(race, frames.rows[at]),
        label=lambda at: words.label(race, frames.rows[at]),
        events=frames.frames(race.switches),
        caption=words.caption(race),
        odds=words.odds(race, pins),
        notes=lambda frame: words.notes(race),
        tables={DATA: lambda frame: model.rows(race)},
        reset=(race.setting.base.table, frames.horizon),
    )
