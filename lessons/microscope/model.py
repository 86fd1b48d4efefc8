"""The microscope's door to the core: one cached experiment by statement and setting, and where its sweep opens."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import streamlit as st

from lessons.microscope.statements import STATEMENTS
from lessons.shared.cache import shared
from tvbo_core import microscope
from tvbo_core.gp.spectral import BoundError
from tvbo_core.microscope import MicroscopeResult, MicroscopeSetting, flynn

# Knob of the page -> field of the setting.
FIELDS = {"seed": "seed", "delta": "delta", "sigma": "sigma", "eps": "epsilon", "alpha": "alpha", "fade": "gamma",
          "d": "d"}  # fmt: skip


def setting(key: str, value: Mapping[str, object]) -> MicroscopeSetting:
    """What the reader chose, as far as this statement listens; the rest stays as it is."""
    return MicroscopeSetting(**{FIELDS[k]: value[k] for k in STATEMENTS[key].uses if k in value})


@shared(64)
def look(key: str, chosen: MicroscopeSetting) -> MicroscopeResult:
    """The experiment of one statement."""
    return microscope.run(key, chosen)


def opening(found: MicroscopeResult, now: int, reset: str) -> int:
    """Where the sweep opens: another statement begins at its telling place, else where the reader is."""
    before = st.session_state.get("_glass")
    st.session_state["_glass"] = (found.key, reset)
    if before is not None and before[1] == reset:
        return now if before[0] == found.key else found.tells
    # A moment knows its time; a link to a statement alone begins at the telling place.
    return now if "t" in st.query_params or st.session_state.get("moment") else found.tells


@shared(64)
def conic(chosen: MicroscopeSetting, count: int, dual: float) -> str:
    """The conic program beside the dual, or one sentence on why there is no answer."""
    try:
        value = flynn.conic(chosen, count)
    except ImportError:
        return "The conic solver is not installed; `pip install cvxpy clarabel` brings it."
    except BoundError as problem:
        return str(problem)
    return f"Conic program: {value:.7f}. With a plus: {dual:.7f}. They differ by {abs(value - dual):.0e}."


def check(found: MicroscopeResult, chosen: MicroscopeSetting, frame: int) -> None:
    """A button that asks the conic solver for the bound of this frame, where the statement has one."""
    if found.key != "flynn-11":
        return
    if st.button("Check with a conic solver", icon=":material/verified:"):
        st.markdown(conic(chosen, int(found.sweep[frame]), float(found.value("with plus")[frame])))


def events(found: MicroscopeResult) -> list[int]:
    """The telling place, and where two curves over the sweep cross."""
    stops = {found.tells}
    curves = [line.y for line in found.over if not line.dots]
    for one, other in pairwise(curves):
        above = one > other
        stops |= {i for i in range(1, found.frames) if above[i] != above[i - 1]}
    return sorted(stops)[:12]


def again() -> None:
    """The next world of chance."""
    st.session_state["seed"] = (int(st.session_state["seed"]) + 1) % 100
