"""Parsing of a link, and of the address that the reader went back to, before any widget exists.

A value that the page does not allow is dropped and named in a toast.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import streamlit as st

from common.escape import quoted
from lessons.record import CLOSED, LECTURE, BadValue, Knob, Lesson
from shell.hall.course import walk as walks
from shell.links import address, pending, permalink
from shell.links.words import last_of, words_of
from shell.session import session


@dataclass
class ParsedLink:
    """The contents of a link.

    Attributes:
        given: settings by key.   display: version, theme, symbols, hidden parts, where the link has them.
        wrong: what was dropped, one text each.   moment, t: None where the link has none.
    """

    given: dict[str, object] = field(default_factory=dict)
    display: dict[str, object] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    moment: str | None = None
    t: int | None = None


def apply_link(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
    """Set moment, settings and time of the link in the session, in the first run of a visit; toast what is dropped."""
    parsed = _parse(lesson, {key for one in lessons for key in one.knobs})
    state, given, display = st.session_state, parsed.given, parsed.display
    toast_dropped([*parsed.wrong, *walks.parse(last_of(st.query_params), lessons)[1]])
    # A link with a version holds every setting that is not a default, also those of its moment.
    first, start = (
        (lesson.defaults, lesson.t)
        if "v" in display
        else address.opening(lesson, parsed.moment, given.get("guess", CLOSED), given.get("reveal", False))
    )
    # As does an address that this page has written; any other link leaves the type and the letters as they are.
    whole = "v" in display or address.stepped()
    lecture = given.get("lecture", not whole and state.get("lecture", False))
    values = {key: given.get(key, first[key]) for key in lesson.knobs}
    # Set again in the next run where this one is cut short: the browser may still send another state's values.
    pending.prepare({**values, "lecture": lecture, "moment": parsed.moment}, start if parsed.t is None else parsed.t)
    permalink.apply_words(display, lecture=bool(given.get("lecture")), whole=whole)
    session().timed = parsed.t is not None
    address.read(lesson.file)


def toast_dropped(wrong: Sequence[str]) -> None:
    """Say what was dropped of a link, nothing where all of it is allowed."""
    if wrong:
        sentence = f"Some values of this link are not allowed and were left out: {'; '.join(wrong)}."
        st.toast(sentence, icon=":material/link:", duration="long")


def _parse(lesson: Lesson, others: Collection[str]) -> ParsedLink:
    """Return the contents of the link."""
    parsed = ParsedLink()
    for key, raws in words_of(st.query_params).items():
        raw = raws[-1]
        if key in permalink.WORDS:
            value, problem = permalink.read(key, raw, lesson)
            if value is not None:
                parsed.display[key] = value
            parsed.wrong += [problem] if problem else []
        elif key == "t":
            parsed.t = int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 4 else None
            if parsed.t is None:
                parsed.wrong.append(f"t = “{quoted(raw)}” (allowed: a whole number from 0)")
        elif key == "moment":
            parsed.moment = raw if len(raws) == 1 and raw in {one.key for one in lesson.moments} else None
            if parsed.moment is None:
                allowed = ", ".join(one.key for one in lesson.moments) + (", once" if len(raws) > 1 else "")
                parsed.wrong.append(f"moment = “{quoted(raw)}” (allowed: {allowed})")
        elif key in lesson.knobs or key == "lecture":
            value, problem = setting(lesson.knobs.get(key) or LECTURE, raws)
            parsed.given |= {} if problem else {key: value}
            parsed.wrong += [problem] if problem else []
        elif key not in others and key not in (address.BACK, *walks.WORDS):  # a knob of another page does no harm
            parsed.wrong.append(f"“{quoted(key)}” (no such setting here)")
    return parsed


def setting(knob: Knob, raws: Sequence[str]) -> tuple[object, str]:
    """Return the value of a setting, its default where none is allowed or said, and a text about what was dropped.

    Args:
        raws: every text that the link has for it.
    """
    try:
        if len(raws) > 1:
            raise BadValue(f"{knob.allowed}, once")
        return (knob.read(raws[0]) if raws else knob.default), ""
    except BadValue as problem:
        problem_text = f"{knob.key} = “{quoted(raws[-1])}” (allowed: {problem}; using {knob.screen_text(knob.default)})"
        return knob.default, problem_text
