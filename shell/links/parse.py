"""Parsing of a link, once a visit and before any widget exists.

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
class ParsedLink:
    """The contents of a link.

    Attributes:
        given: settings by key.   said: version, theme, symbols, hidden parts, where the link has them.
        wrong: what was dropped, one text each.   moment, t: None where the link has none.
    """

    given: dict[str, object] = field(default_factory=dict)
    said: dict[str, object] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    moment: int | None = None
    t: int | None = None


def apply_link(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
    """Set moment, settings and time of the link in the session, in the first run of a visit; toast what is dropped.

    When Streamlit first draws a bound widget, the text of the link overrides the session, also where it is not on the
    knob's grid; so a widget whose text was dropped or moved to the grid is bound from the second run on.
    """
    parsed = _parse(lesson, {key for one in lessons for key in one.knobs})
    state, given, said = st.session_state, parsed.given, parsed.said
    for key in state["_loose"] & set(st.query_params):
        permalink.write(key, (lesson.knobs.get(key) or LECTURE).shown(given[key]) if key in given else None)
    for key in (key for key, knob in lesson.knobs.items() if not knob.linked):
        permalink.write(key, None)
    if parsed.wrong:
        st.toast(
            "This link held values that were dropped: " + "; ".join(parsed.wrong) + ".",
            icon=":material/link:",
            duration="long",
        )
    betting = lesson.bet is not None and given.get("guess", "off") != "off"
    source = lesson.moments[parsed.moment - 1] if parsed.moment else lesson.bet if betting else None
    chosen = source.values if source else {}
    if source is lesson.bet and betting and not given.get("reveal"):
        chosen = lesson.bet.opens_with
    first = {key: chosen.get(key, knob.default) for key, knob in lesson.knobs.items()}
    # A link with a version holds every setting that is not a default, also those of its moment.
    first, start = permalink.opening(lesson, said) or (first, source.t if source else lesson.t)
    for key in lesson.knobs:
        state[key] = given.get(key, first[key])
    state["lecture"] = given.get("lecture", "v" not in said and state.get("lecture", False))
    permalink.apply_words(said, lecture=bool(given.get("lecture")))
    state["moment"] = parsed.moment
    state["_t"] = parsed.t if parsed.t is not None else start
    state["_scene"] = 0


def _parse(lesson: Lesson, others: Collection[str]) -> ParsedLink:
    """Return the contents of the link; keys whose widgets must not be bound in this run go into "_loose"."""
    parsed, loose = ParsedLink(), st.session_state["_loose"]
    # Streamlit strips keys that the last page had bound from a link of the menu: the World is also in the session.
    asked = {k: [v] for k, v in st.session_state.get("_luggage", {}).items()}
    asked |= {k: st.query_params.get_all(k) for k in st.query_params}
    for key, raws in asked.items():
        raw = raws[-1]
        if key in permalink.WORDS:
            value, problem = permalink.read(key, raw, lesson)
            if value is None:
                loose.add(key)
            else:
                parsed.said[key] = value
            parsed.wrong += [problem] if problem else []
        elif key == "t":
            parsed.t = int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 4 else None
            if parsed.t is None:
                parsed.wrong.append(f"t = “{quoted(raw)}” (allowed: a whole number from 0)")
                permalink.write(key, None)
        elif key == "moment":
            last = len(lesson.moments)
            parsed.moment = int(raw) if raw.isascii() and raw.isdigit() and len(raw) == 1 else None
            if parsed.moment is None or not 1 <= parsed.moment <= last:
                parsed.wrong.append(f"moment = “{quoted(raw)}” (allowed: 1 to {last})")
                parsed.moment = None
            permalink.write(key, None)
        elif key in lesson.knobs or key == "lecture":
            _setting(parsed, lesson.knobs.get(key) or LECTURE, raws)
        elif key in others:
            loose.add(key)  # a knob of another page, which the link took along
        else:
            parsed.wrong.append(f"“{quoted(key)}” (no such setting here)")
            loose.add(key)
    return parsed


def _setting(parsed: ParsedLink, knob: Knob, raws: list[str]) -> None:
    """Read one setting of the link."""
    loose, raw = st.session_state["_loose"], raws[-1]
    try:
        if len(raws) > 1:
            raise BadValue(f"{knob.allowed}, once")
        value = parsed.given[knob.key] = knob.read(raw)
        if not isinstance(value, str) and raw != knob.shown(value):
            loose.add(knob.key)
    except BadValue as problem:
        parsed.wrong.append(f"{knob.key} = “{quoted(raw)}” (allowed: {problem}; using {knob.shown(knob.default)})")
        loose.add(knob.key)
