"""Knobs that the page leaves out change nothing; those of a world that it shows do."""

from __future__ import annotations

import numpy as np
import pytest

from figures.theme import Theme
from lessons.bands.knobs import BANDS_MORE
from lessons.bands.knobs import idle as idle_in_bands
from lessons.bands.lesson import BANDS
from lessons.record import Knob, Lesson
from lessons.rperp.knobs import RPERP_MORE
from lessons.rperp.knobs import idle as idle_in_rperp
from lessons.rperp.lesson import RPERP
from lessons.shared import worlds
from lessons.shared.knobs import ACTS_IN, KNOBS, idle
from tvbo_core import World, make_problem
from tvbo_core.worlds import ALL

BASE = World(horizon=60)
VALUES = {"V": 2.0, "T": 60, "nu": "3/2", "ell": 0.2, "eps": 0.05, "alpha": 0.5, "sigma": 0.1, "B": 3.0, "switches": 1,
          "seed": 3, "data": "stocks", "scale": "set"}  # fmt: skip
OTHER = {"V": 1.0, "nu": "∞", "ell": 0.1, "eps": 0.2, "alpha": 0.9, "B": 2.0, "switches": 3, "data": "sensors"}
CASES = [(kind, scale) for kind in ALL for scale in ("set", "drawn")
         if kind not in ("data", "markov") or scale == "set"]  # fmt: skip


def reward(values: dict) -> np.ndarray:
    """The table of rewards that these values of the knobs stand for."""
    return make_problem(worlds.build(values, BASE)).f


@pytest.mark.parametrize(("kind", "scale"), CASES)
def test_a_knob_is_left_out_exactly_where_it_changes_no_reward(kind: str, scale: str) -> None:
    values = VALUES | {"kind": kind, "scale": scale}
    before, off = reward(values), idle({kind}, scale)
    for key, other in OTHER.items():
        after = reward(values | {key: other})
        same = before.shape == after.shape and np.array_equal(before, after)
        assert same == (key in off), (key, kind)


def test_of_two_worlds_a_knob_acts_when_it_acts_in_one() -> None:
    assert ACTS_IN.keys() <= KNOBS.keys()
    assert {"V", "eps", "switches"} - idle({"markov", "jumps"}) == {"V", "eps", "switches"}
    assert idle({"still", "glide"}) == idle({"glide"})


def seen(lesson: Lesson, values: dict) -> str:
    """All that the stage and the sentence show."""
    frame = lesson.frame(values, lesson.t, Theme())
    return repr([(key, one.to_dict()) for key, one in frame.figures.items()]) + str(frame.sentence)


def others(knob: Knob) -> list:
    """Other values than the default, from both ends."""
    if knob.widget == "toggle":
        return [not knob.default]
    found = list(knob.options) or [knob.snap(knob.low), knob.snap(knob.high)]
    return [one for one in (found[0], found[-1], *found[1:3]) if one != knob.default]


def off_in_bands(values: dict) -> set[str]:
    return idle_in_bands(values["kind"], values["view"], values["match"])


def off_in_rperp(values: dict) -> set[str]:
    return idle_in_rperp(values["kind"], values["beta"])


@pytest.mark.parametrize(
    ("lesson", "more", "off", "state"),
    [
        (BANDS, BANDS_MORE, off_in_bands, state)
        for state in ({}, {"match": True}, {"kind": "markov"}, {"view": "overlay"})
    ]
    + [(RPERP, RPERP_MORE, off_in_rperp, state) for state in ({}, {"kind": "still"}, {"beta": "theory"})],
    ids=lambda one: str(one) if isinstance(one, dict) else getattr(one, "title", ""),
)
def test_more_shows_exactly_the_knobs_that_change_what_is_seen(lesson, more, off, state: dict) -> None:
    values = {**lesson.defaults, **state}
    now, idle_now = seen(lesson, values), off(values)
    for key in set(more) - set(state) - {"T"}:
        acts = any(seen(lesson, {**values, key: other}) != now for other in others(lesson.knobs[key]))
        assert acts == (key not in idle_now), (key, state)
