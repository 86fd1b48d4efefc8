"""A hill that was reshaped in lesson 0 is a world of five other lessons; links carry its code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons import BY_KEY
from lessons.chase import model as chase
from lessons.chase.setting import setting_from
from lessons.record import Lesson
from lessons.shared import hills, problems, worlds
from lessons.shared.knobs import KNOBS, YOURS
from lessons.shared.reshaped import HANDLES, MOST, Reshaped
from tests.lessons.shown import opened
from tests.lessons.test_pages import faults
from tests.shared import few
from tests.strategies import LAW
from tvbo_core import World

LESSONS = [BY_KEY[key] for key in ("drift", "forgetting", "race", "bands", "rperp")]
SHORT = {"T": 100, "seeds": 1, "algos": ("gp", "r")}
CODE = "49~2.2~drawn~0_0_-9_0_0_31"
BENDS = st.tuples(*[st.integers(-MOST, MOST)] * len(HANDLES))


def values(lesson: Lesson, **more: object) -> dict[str, object]:
    """Return a page's knobs with your hill chosen, played short."""
    short = {key: value for key, value in SHORT.items() if key in lesson.knobs}
    return {**lesson.defaults, **short, "kind": YOURS, "reshaped": CODE, **more}


@given(hill=st.integers(0, 99), fifths=st.integers(0, 20), start=BENDS, end=BENDS)
@LAW
def test_a_hill_travels_in_a_link(hill: int, fifths: int, start, end) -> None:
    made = Reshaped(hill=hill, drift=fifths / 5, start=start, end=end)
    code = hills.write(made)
    assert hills.read(code) == made and KNOBS["reshaped"].read(code) == code and KNOBS["reshaped"].has(code)


def test_a_code_is_the_hill_reshaped() -> None:
    made = {**BY_KEY["chase"].defaults, "drift": 2.2, "end": "0_0_-9_0_0_31"}
    found = chase.chase(setting_from(made)).problem
    (code,) = BY_KEY["chase"].carries(made).values()
    assert code == CODE
    world = worlds.build({"kind": YOURS, "reshaped": code, "T": 56, "sigma": 0.1}, World(arms=101))
    np.testing.assert_allclose(problems.problem(world).f, found.f, atol=1e-12)


@pytest.mark.parametrize("lesson", few(LESSONS, "drift"))
def test_a_link_opens_your_hill(lesson: Lesson) -> None:
    short = {key: "100" if key == "T" else "1" for key in ("T", "seeds") if key in lesson.knobs}
    at = opened(lesson.file, kind=YOURS, reshaped=CODE, pair="none", **short)
    assert faults(at) == [] and not at.toast
    assert at.session_state["kind"] == YOURS and at.session_state["reshaped"] == CODE
    assert any("your hill" in c.value for c in at.caption)
    at = opened(lesson.file, kind=YOURS, reshaped="49~2.2~drawn~0_0_-9", pair="none", **short)  # a damaged code
    assert faults(at) == []
    (toast,) = at.toast
    assert "reshaped" in toast.value and "lesson 0" in toast.value
    assert at.session_state["kind"] == YOURS and at.session_state["reshaped"] == "none"
