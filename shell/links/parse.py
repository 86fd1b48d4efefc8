"""The entrance of a page: what a link says is checked once, before any widget exists.

A value that the page does not allow is dropped and named in a toast.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import streamlit as st

from lessons.record import LECTURE, BadValue, Knob, Lesson
from lessons.shared.escape import quoted
from shell.links import permalink


@dataclass
class Heard:
    """What a link says: settings, words beside them, moment and time, and what is wrong with it."""

    given: dict[str, object] = field(default_factory=dict)
    said: dict[str, object] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    moment: int | None = None
    t: int | None = None


def enter(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
    """First run of a visit: read the link at the door, name what is dropped, apply its moment.

    Streamlit itself takes the text of a link over what is set here when it first draws a bound control, on the
    grid or not; so a control whose text was dropped or moved to the grid is bound from the second run on.
    """
    heard = _hear(lesson, {key for one in lessons for key in one.knobs})
    state, given, said = st.session_state, heard.given, heard.said
    for key in state["_loose"] & set(st.query_params):
        permalink.write(key, (lesson.knobs.get(key) or LECTURE).shown(given[key]) if key in given else None)
    if heard.wrong:
        st.toast("This link held values that were dropped: " + "; ".join(heard.wrong) + ".", icon="🔗", duration="long")
    betting = lesson.bet is not None and given.get("guess", "off") != "off"
    scene = lesson.moments[heard.moment - 1] if heard.moment else lesson.bet if betting else None
    prepared = {k: scene.values.get(k, knob.default) if scene else knob.default for k, knob in lesson.knobs.items()}
    # A link with a version says everything, also what its moment has set.
    prepared, start = permalink.opening(lesson, said) or (prepared, scene.t if scene else lesson.t)
    for key in lesson.knobs:
        state[key] = given.get(key, prepared[key])
    state["lecture"] = given.get("lecture", "v" not in said and state.get("lecture", False))
    permalink.arrive(said, lecture=bool(given.get("lecture")))
    state["moment"] = heard.moment
    state["_t"] = heard.t if heard.t is not None else start
    state["_scene"] = 0


def _hear(lesson: Lesson, others: Collection[str]) -> Heard:
    """Read every word of the link; what Streamlit may not take from it goes into "_loose"."""
    heard, loose = Heard(), st.session_state["_loose"]
    # Streamlit strips what the last page had bound from a link of the menu: the World travels in the session too.
    asked = {k: [v] for k, v in st.session_state.get("_luggage", {}).items()}
    asked |= {k: st.query_params.get_all(k) for k in st.query_params}
    for key, raws in asked.items():
        raw = raws[-1]
        if key in permalink.WORDS:
            value, problem = permalink.read(key, raw, lesson)
            if value is None:
                loose.add(key)
            else:
                heard.said[key] = value
            heard.wrong += [problem] if problem else []
        elif key == "t":
            heard.t = int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 4 else None
            if heard.t is None:
                heard.wrong.append(f"t = “{quoted(raw)}” (allowed: a whole number from 0)")
                permalink.write(key, None)
        elif key == "moment":
            last = len(lesson.moments)
            heard.moment = int(raw) if raw.isascii() and raw.isdigit() and len(raw) == 1 else None
            if heard.moment is None or not 1 <= heard.moment <= last:
                heard.wrong.append(f"moment = “{quoted(raw)}” (allowed: 1 to {last})")
                heard.moment = None
            permalink.write(key, None)
        elif key in lesson.knobs or key == "lecture":
            _setting(heard, lesson.knobs.get(key) or LECTURE, raws)
        elif key in others:
            loose.add(key)  # another page's knob that travelled along: no harm done
        else:
            heard.wrong.append(f"“{quoted(key)}” (no such setting here)")
            loose.add(key)
    return heard


def _setting(heard: Heard, knob: Knob, raws: list[str]) -> None:
    """One setting of the link."""
    loose, raw = st.session_state["_loose"], raws[-1]
    try:
        if len(raws) > 1:
            raise BadValue(f"{knob.allowed}, once")
        value = heard.given[knob.key] = knob.read(raw)
        if not isinstance(value, str) and raw != knob.shown(value):
            loose.add(knob.key)
    except BadValue as problem:
        heard.wrong.append(f"{knob.key} = “{quoted(raw)}” (allowed: {problem}; using {knob.shown(knob.default)})")
        loose.add(knob.key)
