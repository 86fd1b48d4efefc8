"""A frame that follows a slider is the film at that time, to the last digit, in whatever setting it is computed."""

from __future__ import annotations

import base64
import gc
import json
import random
import time
from contextlib import suppress

import numpy as np
import pytest

from answers.film import frame as served
from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.forgetting import experiment
from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.forgetting.model import MemorySweep, RegretVsMemory
from lessons.forgetting.scene import scene_of as forgetting_drawn
from lessons.record import Lesson, Scene
from lessons.shared.stored_runs import runs
from lessons.theorems.one_bound.scene import scene as theorems_one_bound
from lessons.theorems.rates import model as theorems
from lessons.theorems.rates.scene import scene_of as theorems_drawn
from lessons.theorems.runs import model as bounds
from lessons.theorems.runs.scene import PLAN
from lessons.theorems.runs.scene import scene_of as bounds_drawn
from tests.shared import forget_all

FOLLOWING = [lesson for lesson in LESSONS if lesson.frame]
each = pytest.mark.parametrize("lesson", FOLLOWING, ids=lambda lesson: lesson.key)


def of_theorems(values: dict, theme: Theme) -> Scene:
    """The scene of the theorems: of its runs what is proved, unless all of them are stored."""
    if values["view"] == "runs":
        setting = bounds.setting_from(values)
        stored = runs([job for _, job in bounds.jobs(setting)], bounds.FILE) if PLAN.is_instant(values) else {}
        return bounds_drawn(bounds.gather(setting, stored), theme)
    if values["view"] == "one":
        return theorems_one_bound(values, theme)
    return theorems_drawn(theorems.sweep(theorems.setting_from(values)), theme)


def of_forgetting(values: dict, theme: Theme) -> Scene:
    """The scene of lesson 3, with some curves in place of runs that are not stored: a frame knows nothing of those."""
    lesson = BY_KEY["forgetting"]
    if lesson.has_address(values):
        return lesson.scene(values, theme)
    setting, rng = experiment.settings_from(values)[1], np.random.default_rng(0)
    shape = len(MEMORY_STEPS), 2, setting.worlds[0].horizon
    curves = {(setting.front, w): RegretVsMemory(rng.random(shape).cumsum(axis=2)) for w in range(len(setting.worlds))}
    return forgetting_drawn(values, MemorySweep(setting, curves, {}), theme, "some")


OPENED = {"theorems": {"view": "rates"}}  # where a fresh page has no frames
COMPARED = {"forgetting": 3, "side_queries": 2, "theorems": 3}  # settings, where a film takes long
SUMMED = {"bands"}  # a band of one time sums in another order than those of all: the last bit may differ


def of_queries(values: dict, theme: Theme) -> Scene:
    """The scene of side queries with short runs: its plan knows nothing of them."""
    return BY_KEY["side_queries"].scene(values | {"T": 50, "seeds": 1}, theme)


SCENES = {"theorems": of_theorems, "forgetting": of_forgetting, "side_queries": of_queries}
DRAWN = ("x", "y", "text")
MOST_SECONDS = 0.2  # of a processor that a frame may take


def settings(lesson: Lesson, count: int) -> list[dict[str, object]]:
    """Settings that a drag could reach: of each knob that follows some value, of the choices beside it some others."""
    rng, found = random.Random(f"frames {lesson.key}"), []
    choices = [key for key, knob in lesson.knobs.items() if knob.widget in ("segmented", "select", "toggle")]
    while len(found) < count:
        values = lesson.defaults | OPENED.get(lesson.key, {})
        values |= {key: rng.choice(lesson.knobs[key].stops) for key in rng.sample(lesson.follows, 2)}
        for key in rng.sample(choices, 1):
            knob = lesson.knobs[key]
            if knob.options and key not in ("guess", "reveal", "sure"):
                values[key] = rng.choice(knob.options)
        found.append(values)
    return found


def array(values: object) -> np.ndarray:
    """Numbers or texts of a trace, as Plotly reads them."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), np.dtype(values["dtype"]))
    return np.array(values if isinstance(values, list) else [values])


def marks(trace: dict, lesson: str) -> list[tuple]:
    """Return the points of a trace, one entry a point; a film pads with gaps what not every frame has."""
    columns = [array(trace[key]) for key in DRAWN if key in trace]
    if lesson in SUMMED:
        columns = [np.round(one, 14) if one.dtype.kind == "f" else one for one in columns]
    rows = [tuple(map(str, row)) for row in zip(*columns, strict=False)]
    while rows and ("nan" in rows[-1] or rows[-1][-1] == "None"):
        rows.pop()
    return rows


def of_all_times(lesson: str, trace: dict) -> bool:
    """Lesson 2: the lanes of all times with their verdicts, which an exact band has only on release."""
    return lesson == "bands" and trace.get("xaxis") == "x2"


def on(part: dict, axes: frozenset[str]) -> bool:
    return any(str(part.get(key)).split()[0] in axes for key in ("xaxis", "yaxis", "xref", "yref"))


def visible_traces(lesson: str, spec: dict, kept: frozenset[str]) -> list[tuple]:
    """Every trace that shows something: how it looks and what it shows; without those on axes that the page keeps."""
    found = []
    for trace in spec["data"]:
        if on(trace, kept) or of_all_times(lesson, trace):
            continue
        if trace.get("mode") != "none" and (points := marks(trace, lesson)):
            look = {key: part for key, part in trace.items() if key not in DRAWN}
            found.append((json.dumps(look, sort_keys=True), points))
    return found


def layout(spec: dict, kept: frozenset[str]) -> str:
    axes = {f"{axis[0]}axis{axis[1:]}" for axis in kept}
    parts = {k: v for k, v in spec["layout"].items() if k not in ("meta", *axes)}
    for name in ("annotations", "shapes"):
        if kept and name in parts:
            parts[name] = [one for one in parts[name] if "name" in one or not on(one, kept)]
    return json.dumps(parts, sort_keys=True)


def agree(lesson: Lesson, values: dict, t: int, frame: Scene) -> None:
    """The frame of a time shows and says what the film shows and says there."""
    scene = SCENES.get(lesson.key, lesson.scene)(values, Theme())
    at = scene.at_time(t)
    for key, picture in frame.films.items():
        film = (scene.films | scene.stills)[key].draw(at).figure.to_dict()
        spec = picture.draw(frame.at_time(t)).figure.to_dict()
        kept = picture.unknown if key == "main" else frozenset()
        assert visible_traces(lesson.key, spec, kept) == visible_traces(lesson.key, film, kept), values
        assert layout(spec, kept) == layout(film, kept), values
    said = frame.says and frame.says(frame.at_time(t))
    assert lesson.key == "bands" or said in (None, scene.sentences()[at])


@each
def test_a_frame_is_its_film_exactly(lesson: Lesson) -> None:
    theme, agreed = Theme(dark=False, lecture=False), 0
    for i, values in enumerate(settings(lesson, 40)):
        t = (0, lesson.t, 10_000, 37)[i % 4]
        try:
            frame = lesson.at_time(values, t, theme)
        except ValueError:
            continue
        if frame is None:
            continue
        agree(lesson, values, t, frame)
        if (agreed := agreed + 1) == COMPARED.get(lesson.key, 4):
            return
    raise AssertionError(f"only {agreed} of these settings have a frame")


@pytest.mark.parametrize("moment", ["best", "pays"])
def test_axes_of_forgettings_views_stay(moment: str) -> None:
    lesson = BY_KEY["forgetting"]
    values = lesson.settings(lesson.moment(moment).values)
    frame = lesson.at_time(values, 60, Theme())
    assert frame is not None  # its runs are stored
    agree(lesson, values, 60, frame)


def seconds_of_frame(lesson: Lesson, key: str, value: object) -> float:
    """Return what a drag to this value takes of a processor, on a page that has just been opened."""
    theme, opening = Theme(dark=False, lecture=True), lesson.defaults | OPENED.get(lesson.key, {})
    forget_all()
    served(lesson.at_time(opening, lesson.t, theme), lesson.t, "ours")
    start = time.thread_time()
    with suppress(ValueError):
        served(lesson.at_time(opening | {key: value}, 10_000, theme), 10_000, "ours")
    return time.thread_time() - start


@pytest.mark.slow
@each
def test_frames_take_a_fifth_of_a_second(lesson: Lesson) -> None:
    """In the best of three tries: what the host of a virtual machine takes away counts as the thread's own time."""
    assert lesson.follows and {lesson.knobs[key].widget for key in lesson.follows} <= {"slider", "stops"}
    seconds_of_frame(lesson, lesson.follows[0], lesson.defaults[lesson.follows[0]])  # what is made once a process
    gc.collect()
    gc.freeze()  # what other tests left would be looked through in the middle of a frame
    for key in lesson.follows:
        for value in (lesson.knobs[key].stops[0], lesson.knobs[key].stops[-1]):
            assert any(seconds_of_frame(lesson, key, value) < MOST_SECONDS for _ in range(3)), (key, value)
    gc.unfreeze()
