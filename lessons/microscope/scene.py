"""The microscope's scene: a quantity over its sweep, and a closer look at the place of the cursor."""

from __future__ import annotations

from dataclasses import replace

from figures.theme import Theme
from lessons.microscope import figure, model, words
from lessons.microscope.model import MicroscopeResult, MicroscopeSetting
from lessons.microscope.statements import STATEMENTS
from lessons.record import DATA, Picture, Scene, Values, of_all

ALT = "A printed statement, its careful reading and what is measured over a sweep, and a closer look at one place"

QUESTION_ALT = "What is measured over a sweep, beside what is printed"


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values."""
    key = str(values["statement"])
    setting = model.setting_from(key, values)
    return scene_of(model.experiment(key, setting), setting, theme)


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the sweep as far as frame t."""
    key = str(values["statement"])
    setting = model.setting_from(key, values)
    whole = model.experiment(key, setting)
    found = whole.until(min(t, whole.frames - 1))
    picture = Picture(lambda at: figure.over_the_sweep(found, theme, at), QUESTION_ALT, screens=(2, 0))
    return replace(scene_of(found, setting, theme), films={"main": picture}).without_answer(t)


def is_slow(values: Values) -> bool:
    """Return whether the experiment takes more than a tenth of a second: one does."""
    return STATEMENTS[str(values["statement"])].slow


def frame(values: Values, t: int, theme: Theme) -> Scene | None:
    """Return the scene itself: an experiment is its whole sweep, also for one frame; None for a slow one."""
    return None if is_slow(values) else scene(values, theme)


def scene_of(found: MicroscopeResult, setting: MicroscopeSetting, theme: Theme) -> Scene:
    """Return the scene of one experiment."""
    return Scene(
        state=(found.key, setting),
        times=range(found.frames),
        films={"main": Picture(lambda at: figure.stage(found, theme, at), ALT, screens=(2, 0))},
        says=of_all(lambda: words.finding(found)),
        facts=found.at,
        label=lambda at: words.label(found, at),
        events=model.events(found),
        caption=words.caption(found, setting.seed),
        tables={DATA: lambda frame: words.table(found)},
        reset=(found.key,),
    )
