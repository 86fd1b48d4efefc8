"""Knobs that a page draws idle or leaves out change nothing; those that it shows as acting do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from figures.theme import Theme
from lessons import LESSONS
from lessons.bands.knobs import BANDS_MORE
from lessons.game import model as game
from lessons.game.knobs import FIRST_CODE
from lessons.game.scene import scene_of as game_drawn
from lessons.record import Knob, Lesson, Scene, Values
from lessons.reproductions import model as reproductions
from lessons.reproductions.knobs import PRINTED
from lessons.reproductions.names import REPRODUCTIONS
from lessons.rperp.knobs import RPERP_MORE
from lessons.shared import clicks, worlds
from lessons.shared.clicks import Clicks
from lessons.shared.knobs import KINDS, KNOBS, acts_in_worlds, with_acts
from tests.lessons.game.games import QUICK, finished
from tvbo_core import World, make_problem

BASE = World(horizon=60)
VALUES = {"V": 2.0, "T": 60, "nu": "3/2", "ell": 0.2, "eps": 0.05, "alpha": 0.5, "sigma": 0.1, "B": 3.0, "switches": 1}
VALUES |= {"seed": 3, "scale": "set"}
OTHER = {"V": 1.0, "nu": "∞", "ell": 0.1, "eps": 0.2, "alpha": 0.9, "B": 2.0, "switches": 3}
ONE_WORLD = with_acts(KNOBS, acts_in_worlds(scale=True))


def finished_game(values: Values, theme: Theme) -> Scene:
    """Return the scene of the game once it is over; before that it has none."""
    over = finished(game.setting_from(values))
    return game_drawn(game.finished(over, QUICK), theme)


WITH_IDLE = [
    replace(lesson, scene=lesson.scene or finished_game)
    for lesson in LESSONS
    if any(knob.acts for knob in lesson.knobs.values())
]


def test_knobs_act_by_knobs_of_their_page() -> None:
    for lesson in WITH_IDLE:
        for key, knob in lesson.knobs.items():
            for case in knob.acts:
                assert key not in case and case.keys() <= lesson.knobs.keys(), (lesson.key, key)
                assert all(lesson.knobs[other].has(value) for other, some in case.items() for value in some), key
    assert {name for name in REPRODUCTIONS if reproductions.stored(name).printed} == set(PRINTED)


def reward(values: dict) -> np.ndarray:
    """The table of rewards that these values of the knobs stand for."""
    return make_problem(worlds.build(values, BASE)).f


def test_worlds_knobs_act_where_rewards_change() -> None:
    kinds = [(kind, scale) for kind in KINDS for scale in ("set", "drawn")]
    for kind, scale in (one for one in kinds if one[0] != "markov" or one[1] == "set"):
        values = VALUES | {"kind": kind, "scale": scale}
        before = reward(values)
        for key, other in OTHER.items():
            after = reward(values | {key: other})
            same = before.shape == after.shape and np.array_equal(before, after)
            assert same == (not ONE_WORLD[key].acts_at(values)), (key, kind)


LINE_20 = {"order": "shuffled", "H": 25}  # Algorithm 1 at the frame at which the page opens: a band, and who is out
SHORT = {"view": "runs", "T": 100, "seeds": 1}
PLAYED = clicks.write(Clicks(FIRST_CODE, 0.2, tuple(range(20, 32))))
# Lesson -> states of its page, as what differs from an untouched one. A lesson that is not named has that state alone.
STATES: dict[str, list[dict]] = {
    "chase": [{}, {"clicks": PLAYED}],
    "bands": [{}, {"kind": "markov"}],
    "rperp": [
        {},
        {"beta": "theory", **LINE_20},
        {"H": 50, "order": "shuffled"},
    ],
    "drift": [
        {},
        {"pair": "none", "kind": "markov"},
        {"kind": "still", "pair": "cyclic", "scale": "drawn"},
    ],
    "theorems": [
        SHORT,
        SHORT | {"case": "tv"},
        *({"view": "rates", "measure": one} for one in ("budget", "alpha")),
    ],
    "forgetting": [{"T": 100, "seeds": 1} | more for more in ({}, {"kind": "markov"})],
    "race": [
        {"T": 100, "seeds": 1, "algos": ("gp", "r")} | more
        for more in ({}, {"kind": "markov", "pair": "none"}, {"scale": "set"})
    ],
    "side_queries": [{"T": 100, "seeds": 1} | more for more in ({}, {"kind": "mauduit"}, {"kind": "glide"})],
    "reproductions": [{"shown": one} for one in ("every", "flynn-table-1", "deng-figure-2")],
    "microscope": [{"statement": one} for one in ("deng-times", "bogunovic-21", "mauduit-walk")],
}
# Of these also the knobs that always act are tried.
DRAWERS = {"bands": {*BANDS_MORE} - {"T"}, "rperp": {*RPERP_MORE} - {"T"}}
# They act on words below the charts, or on what is at other times of the film.
# What a tolerance counts stands in the line of odds, which also speaks of settings that do not act.
UNSEEN = {"theorems": {"d"}, "reproductions": {"within"}}
# The set-up says how large a Markov reward is assumed to be, which some learners read and its path does not.
SIZES = {"B", "scale"}
FAST = {"chase", "rperp", "drift", "reproductions", "microscope", "game"}


def display(lesson: Lesson, values: dict, charts: str) -> str:
    """All that the charts and the sentence show, or what is refused.

    Args:
        charts: "set-up", which is its line alone; "stage", "films" or "all", each dearer than the one before.
    """
    try:
        if charts == "set-up":
            return lesson.scene(values, Theme()).caption
        frame = lesson.at_time(values, lesson.t, Theme()) if charts == "stage" else None
        scene = frame or lesson.scene(values, Theme())  # some are computed only when the slider is let go
        at = scene.at_time(lesson.t)
        shown = {**scene.films, **(scene.stills if charts == "all" else {})}
        drawn = [(key, shown[key].draw(at).figure.to_dict()) for key in sorted(shown)]
    except ValueError as refused:
        return str(refused)
    return repr(drawn) + str(scene.says and scene.says(at))


def others(knob: Knob) -> list:
    """Other values than the default, from both ends."""
    if knob.widget == "toggle":
        return [not knob.default]
    found = list(knob.options) or [knob.snap(knob.low), knob.snap(knob.high)]
    return [one for one in (found[0], found[-1], *found[1:3]) if one != knob.default]


def idle_cases() -> list:
    """Return the first state of some lessons, and in the second ring all others."""
    found = []
    for lesson in WITH_IDLE:
        first, *more = STATES.get(lesson.key, [{}])
        marks = () if lesson.key in FAST else (pytest.mark.slow,)
        found.append(pytest.param(lesson, [first], id=lesson.key, marks=marks))
        found.append(pytest.param(lesson, more, id=f"{lesson.key} more", marks=pytest.mark.slow))
    return found


@pytest.mark.parametrize(("lesson", "states"), idle_cases())
def test_idle_knobs_change_nothing_others_something(lesson: Lesson, states: list[dict]) -> None:
    tried = {key: knob for key, knob in lesson.knobs.items() if knob.acts or key in DRAWERS.get(lesson.key, ())}

    def unchanged(keys: Iterable[str], values: dict, charts: str) -> set[str]:
        now = display(lesson, values, charts)
        return {k for k in keys if all(display(lesson, {**values, k: v}, charts) == now for v in others(tried[k]))}

    for state in states:
        values = {**lesson.defaults, **state}
        acting = {key for key in tried.keys() - state if tried[key].acts_at(values)}
        idle = tried.keys() - state - acting
        assert unchanged(idle, values, "stage") == idle, state
        assert unchanged(idle - SIZES, values, "set-up") == idle - SIZES, state
        still = acting - UNSEEN.get(lesson.key, set())
        for charts in ("stage", "films", "all"):
            still = unchanged(still, values, charts) if still else still
        assert still == set(), state
