"""The entrance of a page: what a link says is checked once, before any widget exists.

A value that the page does not allow is dropped and named in a toast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.controls import BadValue
from ui.knobs import KNOBS

if TYPE_CHECKING:
    from ui.lesson import Lesson


def enter(lesson: Lesson) -> None:
    """First run of a visit: read the link at the door, name what is dropped, apply its moment.

    Streamlit itself takes the text of a link over what is set here when it first draws a bound control, on the
    grid or not; so a control whose text was dropped or moved to the grid is bound from the second run on.
    """
    wrong: list[str] = []
    given: dict[str, object] = {}
    moment, t = None, None
    loose = st.session_state["_loose"]
    # Streamlit strips what the last page had bound from a link of the menu: the World travels in the session too.
    asked = {k: [v] for k, v in st.session_state.get("_luggage", {}).items()}
    asked |= {k: st.query_params.get_all(k) for k in st.query_params}
    for key, raws in asked.items():
        raw = raws[-1]
        if key == "v":
            pass
        elif key == "t":
            t = int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 4 else None
            if t is None:
                wrong.append(f"t = “{raw[:20]}” (allowed: a whole number from 0)")
                del st.query_params[key]
        elif key == "moment":
            last = len(lesson.moments)
            moment = int(raw) if raw.isascii() and raw.isdigit() and len(raw) == 1 else None
            if moment is None or not 1 <= moment <= last:
                wrong.append(f"moment = “{raw[:20]}” (allowed: 1 to {last})")
                moment = None
            del st.query_params[key]
        elif key in lesson.knobs or key == "lecture":
            knob = lesson.knobs.get(key, KNOBS[key])
            try:
                if len(raws) > 1:
                    raise BadValue(f"{knob.allowed}, once")
                given[key] = knob.read(raw)
                if not isinstance(given[key], str) and raw != knob.shown(given[key]):
                    loose.add(key)
            except BadValue as problem:
                wrong.append(f"{key} = “{raw[:20]}” (allowed: {problem}; using {knob.shown(knob.default)})")
                loose.add(key)
        elif key in KNOBS:
            loose.add(key)  # another page's knob that travelled along: no harm done
        else:
            wrong.append(f"“{key[:20]}” (no such setting here)")
            loose.add(key)
    for key in loose & set(st.query_params):
        if key in given:
            st.query_params[key] = lesson.knobs.get(key, KNOBS[key]).shown(given[key])
        else:
            del st.query_params[key]
    if wrong:
        st.toast("This link held values that were dropped: " + "; ".join(wrong) + ".", icon="🔗", duration="long")
    scene = lesson.moments[moment - 1] if moment else None
    for key, knob in lesson.knobs.items():
        prepared = scene.values.get(key, knob.default) if scene else knob.default
        st.session_state[key] = given.get(key, prepared)
    st.session_state["lecture"] = given.get("lecture", st.session_state.get("lecture", False))
    st.session_state["moment"] = moment
    st.session_state["_t"] = t if t is not None else (scene.t if scene else lesson.t)
    st.session_state["_scene"] = 0
