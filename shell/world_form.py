"""The shared World: from widgets to a frozen record, and from a record to a link."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from lessons.shared.knobs import KNOBS, WORLD_KEYS
from shell.knobs import Knob


def changed(knobs: Mapping[str, Knob]) -> dict[str, object]:
    """World settings that differ from this page's own default."""
    chosen = {k: st.session_state.get(k) for k in WORLD_KEYS if k in knobs}
    return {k: v for k, v in chosen.items() if v is not None and v != knobs[k].default}


def carried(knobs: Mapping[str, Knob]) -> dict[str, str]:
    """What the menu's links take to another page: nothing while the page is untouched, else the whole World."""
    if not changed(knobs):
        return {}
    chosen = {k: st.session_state.get(k) for k in WORLD_KEYS if k in knobs}
    # A value that only this page has (a kind of world of its own) stays here.
    known = {k: v for k, v in chosen.items() if v is not None and (v in KNOBS[k].options or not KNOBS[k].options)}
    return {k: KNOBS[k].shown(v) for k, v in known.items()}
