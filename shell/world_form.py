"""World settings of a page that its links to other pages take along."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from lessons.shared.knobs import KNOBS, WORLD_KEYS
from shell.knobs import Knob


def changed(knobs: Mapping[str, Knob]) -> dict[str, object]:
    """Return the World settings that differ from this page's default."""
    chosen = {k: st.session_state.get(k) for k in WORLD_KEYS if k in knobs}
    return {k: v for k, v in chosen.items() if v is not None and v != knobs[k].default}


def carried(knobs: Mapping[str, Knob]) -> dict[str, str]:
    """Return the World as the menu's links write it; empty while the page's World is untouched."""
    if not changed(knobs):
        return {}
    chosen = {k: st.session_state.get(k) for k in WORLD_KEYS if k in knobs}
    # Without values that only this page offers, such as a kind of world of its own.
    known = {k: v for k, v in chosen.items() if v is not None and (v in KNOBS[k].options or not KNOBS[k].options)}
    return {k: KNOBS[k].shown(v) for k, v in known.items()}
