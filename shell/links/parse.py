"""A link, and the address that the reader went back to, set in the session before any widget exists.

A value that the page does not allow is dropped and named in a toast.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from answers import link
from lessons.record import Lesson
from shell.hall.course import walk as walks
from shell.links import address, pending, permalink
from shell.links.words import last_of, words_of
from shell.session import session


def apply_link(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
    """Set moment, settings and time of the link in the session, in the first run of a visit; toast what is dropped."""
    others = {key for one in lessons for key in one.knobs} | {address.BACK, *walks.WORDS}  # which do no harm
    found = link.read(lesson, words_of(st.query_params), others)
    toast_dropped([*found.wrong, *walks.parse(last_of(st.query_params), lessons)[1]])
    values, t = link.opens_with(lesson, found)
    # A link with a version is whole, as is an address that this page has written; any other one leaves the type and
    # the letters as they are.
    whole, asked = "v" in found.look or address.stepped(), bool(found.given.get("lecture"))
    lecture = asked or (not whole and "lecture" not in found.given and st.session_state.get("lecture", False))
    # Set again in the next run where this one is cut short: the browser may still send another state's values.
    pending.prepare({**values, "lecture": lecture}, t, found.moment)
    permalink.apply_words(found.look, lecture=asked, whole=whole)
    session().timed = found.t is not None
    address.read(lesson.file)


def toast_dropped(wrong: Sequence[str]) -> None:
    """Say what was dropped of a link, nothing where all of it is allowed."""
    if wrong:
        sentence = f"Some values of this link are not allowed and were left out: {'; '.join(wrong)}."
        st.toast(sentence, icon=":material/link:", duration="long")
