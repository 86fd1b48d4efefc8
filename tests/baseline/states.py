"""Which states of a lesson are approved: its opening, moments, bet, each knob moved once, and some at random."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lessons.record import APART, Knob, Lesson
from tests.lessons.scripts import SHORT

# Settings in which roundings, ties and ends differ, that no moment has: the last restart is cut short.
CORNERS: dict[str, dict[str, Any]] = {"rperp": {"T": 350, "H": 100, "order": "shuffled"}}
RANDOM = 1  # settings of a lesson with several knobs moved
PLAYED = {"bands"}  # has no stored runs
SHORT_ONES = ("seeds", "T")  # the fewer, the faster
NEVER = {"own"}  # a file of the reader's own
ROUNDED = {"opkb", "ropkb", "ropkb1", "ada1"}  # policies whose designs another processor rounds to other arms
# What is nobody's setting of a picture here: it opens a page's own table, or is written by a drag (held elsewhere).
LEFT = APART | {"asked", "clicks", "start", "end", "file", "choices", "world"}


@dataclass(frozen=True)
class PageState:
    """A state of a lesson's page.

    Attributes:
        name: unique in the lesson.   values: of knobs that are not the defaults.   t: time at which it opens.
        moment: whether it is the opening or a moment.   whole: whether charts below the stage belong to it.
    """

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    t: int = 0
    moment: bool = False
    whole: bool = False


def states(lesson: Lesson) -> list[PageState]:
    """Return the states of a lesson, the opening first; the same ones in every run."""
    found = [PageState("opening", {}, lesson.t, moment=True, whole=True)]
    for i, one in enumerate(lesson.moments):
        found.append(PageState(one.key, dict(one.values), one.t, moment=True, whole=i == 0))
    base = SHORT.get(lesson.key, {})
    found += [PageState(f"with {key}", moved, lesson.t) for key, moved in each(lesson, base)]
    found += [PageState("corner", CORNERS[lesson.key], lesson.t)] if lesson.key in CORNERS else []
    rng = random.Random(f"baseline {lesson.key}")
    movable = [key for key in lesson.knobs if key not in LEFT]
    for i in range(RANDOM):
        keys = rng.sample(movable, min(4, len(movable)))
        found.append(
            PageState(f"random {i + 1}", {key: other(lesson.knobs[key], rng) for key in keys} | base, lesson.t)
        )
    assert len({state.name for state in found}) == len(found)
    return found


def each(lesson: Lesson, base: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return each knob of a lesson with another value, in a setting where it changes something."""
    found = []
    for key, knob in lesson.knobs.items():
        if key in LEFT:
            continue
        values = {} | ({} if not knob.acts or knob.acts_at(lesson.defaults) else case(lesson, knob))
        now = (lesson.defaults | values)[key]
        values |= {key: other(knob, random.Random(f"{lesson.key} {key}"), now)}
        stored = lesson.key not in PLAYED and lesson.has_address(lesson.defaults | values)
        found.append((key, values if stored else dict(base) | values))
    return found


def case(lesson: Lesson, knob: Knob) -> dict[str, Any]:
    """Return other knobs' values with which a knob acts."""
    return {key: some[0] for key, some in knob.acts[0].items() if lesson.defaults[key] not in some}


def other(knob: Knob, rng: random.Random, now: object = None) -> Any:
    """Return a value of a knob at random, another one than now."""
    if knob.widget == "pills":
        some = [option for option in knob.options if rng.random() < 0.5]
        return tuple(option for option in some if option not in ROUNDED) or knob.options[:1]
    if knob.options or knob.widget == "toggle":
        options = [one for one in knob.options or (False, True) if one != now and one not in NEVER]
        return rng.choice(options[:2] if knob.key in SHORT_ONES else options or [now])
    assert knob.low is not None and knob.high is not None
    high = knob.low + (knob.high - knob.low) / 8 if knob.key in SHORT_ONES else knob.high
    return knob.snap(knob.low + rng.random() * (high - knob.low))
