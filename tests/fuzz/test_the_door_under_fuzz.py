"""The door of every page against any text: each value is read to the knob's own grid, or named and dropped."""

from __future__ import annotations

import math
from dataclasses import asdict
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons import LESSONS
from lessons.record import BadValue, Code, Knob
from shell import session as sessions
from shell.links import address, parse, pending, permalink
from tests.strategies import LAW

# What has broken programs before, and what this one was told to fear.
STRANGE = (
    *("", " ", "0", "-0.0", "1e400", "-1e400", "1e-400", "nan", "-inf", "Infinity", "None", "true", "-1", "99999"),
    *("9" * 400, "1_0", "0x10", "٣", "𝟘", "²", "１", "1,5", " 1", "1 ", "1\n", "\n", "%0A", "\x00", "\u202e1", "😀"),
    *("__proto__", "__class__", "../../etc", "<img src=x onerror=alert(1)>", "![](//evil.example/a)", "=cmd()", "$x$"),
    *(":material/delete:", "'; drop --", "{}", "[]", "a.b", "..", "x" * 5000, "data", "rnd.rnd", "gp", "own", "still"),
)
NAMES = ("__proto__", "t ", "T\n", "v", "kind[]", "_t", "lecture", "moment", "embed", "e\u202e", "$x$", "x" * 300)
TIMES = ("0", "1", "7", "9999", "99999", "-1", "1e3", "٣", "0001", "", "nan")


def allowed(knob: Knob, rng: np.random.Generator) -> str:
    """A value of a knob as a link writes it: an end of its range as often as anything between."""
    if knob.widget == "toggle":
        return ("true", "false")[rng.integers(2)]
    if knob.widget == "pills":
        few = rng.choice(len(knob.options), size=int(rng.integers(1, min(4, len(knob.options)) + 1)), replace=False)
        return ".".join(str(knob.options[i]) for i in few)
    if isinstance(knob, Code):
        return knob.default
    if knob.options:
        last = len(knob.options) - 1
        return knob.text(knob.options[int(rng.choice([0, last, rng.integers(last + 1)]))])
    return f"{rng.choice([knob.low, knob.high, rng.uniform(knob.low, knob.high)]):.12g}"


TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(STRANGE),
    st.floats().map(repr),
    st.integers().map(str),
    st.text(alphabet="0123456789.eE+-_ ", max_size=12),
)


class DoorParams(dict):
    """Streamlit's query parameters: a mapping to the last text of each, and all of them on request."""

    def __init__(self, pairs: dict[str, list[str]]) -> None:
        super().__init__({k: v[-1] for k, v in pairs.items()})
        self.every = {k: list(v) for k, v in pairs.items()}

    def get_all(self, key: str) -> list[str]:
        return self.every[key] if key in self else []


def entered(lesson: object, pairs: dict[str, list[str]]) -> tuple[dict, list[str], dict[str, str]]:
    """Session, toasts and address after the entrance of a page, without the page."""
    toasts: list[str] = []
    state: dict[str, object] = {}
    params = DoorParams(pairs)
    stage = SimpleNamespace(
        session_state=state,
        query_params=params,
        toast=lambda said, **_: toasts.append(said),
        context=SimpleNamespace(url="http://127.0.0.1/x", theme=SimpleNamespace(type="light")),
    )
    with pytest.MonkeyPatch.context() as patch:
        for module in (address, parse, pending, permalink, sessions):
            patch.setattr(module, "st", stage)
        parse.apply_link(lesson, LESSONS)
        said = address.with_time(lesson, address.words(lesson))
    return state | {sessions.KEY: asdict(state[sessions.KEY]), "t": state[sessions.KEY].t}, toasts, said


def sound(knob: Knob, value: object) -> bool:
    """Return whether a value is one of the knob's own."""
    if knob.widget == "pills":
        return isinstance(value, tuple) and bool(value) and set(value) <= set(knob.options)
    if knob.widget == "toggle":
        return isinstance(value, bool)
    if knob.options and not isinstance(knob, Code):
        return value in knob.options
    if isinstance(knob, Code):
        return isinstance(value, str) and len(value) <= 1000
    inside = isinstance(value, int | float) and math.isfinite(value) and knob.low <= value <= knob.high
    return inside and knob.snap(value) == value and math.copysign(1, value) >= math.copysign(1, min(knob.low, 0.0))


def check_reading(knob: Knob, raw: str) -> None:
    try:
        value = knob.read(raw)
    except BadValue as problem:
        assert str(problem) == knob.allowed and len(str(problem)) < 400 and "\n" not in str(problem)
        return
    assert sound(knob, value), (knob.key, raw, value)
    assert knob.read(knob.text(value)) == value  # what a link writes, a link reads


def check_entrance(lesson: object, pairs: dict[str, list[str]]) -> None:
    state, toasts, said = entered(lesson, pairs)
    assert len(toasts) <= 2  # what was dropped, and that another release wrote the link
    assert all(len(t) < 400 * (1 + len(pairs)) and "\n" not in t for t in toasts)
    for key, knob in lesson.knobs.items():
        assert sound(knob, state[key]), (key, state[key])
    assert isinstance(state["t"], int) and 0 <= state["t"] <= 9999
    assert state["moment"] in (None, *(moment.key for moment in lesson.moments))
    assert isinstance(state["lecture"], bool)
    # The address bar tells what is on screen, and opens it.
    assert set(said) <= {*lesson.knobs, "t", "moment", "lecture", "symbols", "theme", "hide"}
    again, dropped, same = entered(lesson, {key: [text] for key, text in said.items()})
    assert (dropped, same) == ([], said)
    assert {k: again[k] for k in (*lesson.knobs, "moment", "t", "lecture") if k not in UNLINKED} == {
        k: state[k] for k in (*lesson.knobs, "moment", "t", "lecture") if k not in UNLINKED
    }


UNLINKED = {key for lesson in LESSONS for key, knob in lesson.knobs.items() if not knob.linked}
KEYS = sorted({key for lesson in LESSONS for key in lesson.knobs})
EVERY_KNOB = {f"{lesson.key}:{key}": knob for lesson in LESSONS for key, knob in lesson.knobs.items()}


@st.composite
def addresses(draw: st.DrawFn) -> tuple[object, dict[str, list[str]]]:
    """A page and the parameters of a link to it."""
    lesson = draw(st.sampled_from(LESSONS))
    keys = st.one_of(
        st.sampled_from([*lesson.knobs, "t", "moment", "lecture", "v"]),
        st.sampled_from(KEYS),
        st.sampled_from(NAMES),
        st.text(min_size=1, max_size=30),
    )
    pairs: dict[str, list[str]] = {}
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    for key in draw(st.lists(keys, max_size=8, unique=True)):
        knob = lesson.knobs.get(key)
        good = st.builds(lambda k=knob: allowed(k, rng)) if knob is not None and not isinstance(knob, Code) else TEXTS
        value = st.sampled_from(TIMES) if key in ("t", "moment") else st.one_of(good, TEXTS)
        pairs[key] = draw(st.lists(value, min_size=1, max_size=3 if draw(st.integers(0, 9)) == 0 else 1))
    return lesson, pairs


@settings(LAW, max_examples=100)
@given(st.sampled_from(sorted(EVERY_KNOB)), TEXTS)
def test_text_is_a_value_or_refused(name: str, raw: str) -> None:
    check_reading(EVERY_KNOB[name], raw)


@settings(LAW, max_examples=60)
@given(addresses())
def test_any_link_opens_on_allowed_values(address: tuple) -> None:
    check_entrance(*address)
