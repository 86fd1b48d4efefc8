"""The scene of one bound: its curve along the horizon, and its conditions."""

from __future__ import annotations

from figures.theme import Theme
from lessons.record import DATA, Picture, Scene, Values, of_all
from lessons.theorems import figure
from lessons.theorems.figure import FLOOR, PROVED, TRIVIAL, Mark, RegretBounds
from lessons.theorems.knobs import ONE, PHONE
from lessons.theorems.one_bound import model, words
from lessons.theorems.one_bound.model import OneBound

ALT = "The theorem's value against the horizon beside the trivial bound, its conditions, and a ruler with the factors"


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values."""
    return scene_of(model.one_bound(model.setting_from(values)), theme)


def is_slow(values: Values) -> bool:
    """Return whether the bound has constants: worked out at each horizon it takes seconds, and a rate none."""
    return model.setting_from(values).case is not None


def scene_of(found: OneBound, theme: Theme) -> Scene:
    """Return the scene of one bound."""
    drawn = bounds(found)
    return Scene(
        state=(found.setting,),
        times=range(len(found.T)),
        films={"main": Picture(lambda at: figure.stage(drawn, theme, at), ALT, screens=PHONE)},
        says=of_all(lambda: words.finding(found)),
        facts=lambda at: model.facts(found, at),
        label=lambda at: f"T = {words.horizon(T) if (T := found.T[at]) > 1e6 else f'{T:,.0f}'}",
        caption=words.caption(found),
        notes=lambda frame: words.notes(found, frame),
        tables={DATA: lambda frame: model.table(found)},
        reset=(ONE,),
    )


def bounds(found: OneBound) -> RegretBounds:
    """Return the theorem at each horizon, as the picture draws it."""
    exact, case = found.has_constants, found.setting.case
    value = "bound" if exact else "rate"
    most = ("trivial bound 2BT" if words.normed(found.setting) else "worst choices") if exact else "grows like T"
    marks = [
        Mark(value if value in model.facts(found, 0) else "", PROVED, found.value, "the theorem"),
        Mark("the most" if exact else "", TRIVIAL, found.most, most),
        Mark("", FLOOR, found.floor, "lower bound"),
    ]
    method = "floor" if found.is_floor else case.name if case is not None else ""
    conditions = [words.conditions(found, i) for i in range(len(found.T))]
    shown = conditions if any(conditions) else ()
    return RegretBounds(found.T, marks, method, found.holds, shown, exact, crossing=found.crossing)
