"""The scene of a sweep: exponents and a map of where a theorem holds."""

from __future__ import annotations

from dataclasses import replace

from figures.theme import Theme
from lessons.record import DATA, Pick, Picture, Scene, Values, of_all
from lessons.theorems.knobs import OWN, PHONE, RATES
from lessons.theorems.rates import figure, model, tables, words
from lessons.theorems.rates.model import LOG_T, Sweep

ALT = "Ladder of regret exponents with a ceiling at one and the lower bound, and a validity map"
QUESTION_ALT = "Ladder of regret exponents with a ceiling at one and the lower bound"
CLICK = Pick("customdata")  # a click chooses the place of the sweep


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values."""
    return scene_of(model.sweep(model.setting_from(values)), theme)


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the sweep as far as frame t."""
    setting = model.setting_from(values)
    found = model.sweep_until(setting, min(t, len(setting.sweep) - 1))
    picture = Picture(lambda at: figure.exponents(found, theme, at), QUESTION_ALT, screens=PHONE)
    return replace(scene_of(found, theme), films={"main": picture}).without_answer(t)


def _with_cross() -> Pick:
    """Return what is dragged on the map: the cross, upwards to more drift."""
    return replace(CLICK, knobs={"growth": "y3"}, places={"growth": tuple(v * LOG_T for v in OWN["growth"].stops)})


def scene_of(sweep: Sweep, theme: Theme) -> Scene:
    """Return the scene of a sweep."""
    setting = sweep.setting
    return Scene(
        state=(setting,),
        times=range(sweep.frames),
        films={
            "main": Picture(
                lambda at: figure.stage(sweep, theme, at),
                ALT,
                pick=CLICK if setting.measure == "alpha" else _with_cross(),
                screens=(2, 0),  # a phone opens at the exponents, and the other views at their second screen
            )
        },
        says=of_all(lambda: words.finding(sweep)),
        facts=lambda at: model.facts(sweep, at),
        label=lambda at: tables.label(setting, at),
        events=tables.events(setting),
        caption=words.caption(sweep),
        notes=lambda frame: words.notes(sweep, frame),
        tables={DATA: lambda frame: tables.table(setting, frame)},
        reset=(RATES, setting.measure),
    )
