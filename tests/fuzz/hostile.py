"""Hostile words for links, and what no answer to them may show. Everything is drawn by a seed."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

import numpy as np
from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from lessons.record import Code, Knob
from tests.lessons.test_pages import HAS, QUICK, faults, film, numbers, opened, settled, specs

# What has broken programs before, and what this one was told to fear.
STRANGE = (
    *("", " ", "0", "-0.0", "1e400", "-1e400", "1e-400", "nan", "-inf", "Infinity", "None", "true", "-1", "99999"),
    *("9" * 400, "1_0", "0x10", "٣", "𝟘", "²", "１", "1,5", " 1", "1 ", "1\n", "\n", "%0A", "\x00", "\u202e1", "😀"),
    *("__proto__", "__class__", "../../etc", "<img src=x onerror=alert(1)>", "![](//evil.example/a)", "=cmd()", "$x$"),
    *(":material/delete:", "'; drop --", "{}", "[]", "a.b", "..", "x" * 5000, "data", "rnd.rnd", "gp", "own", "still"),
)
NAMES = ("__proto__", "t ", "T\n", "v", "kind[]", "_t", "lecture", "moment", "embed", "e\u202e", "$x$", "x" * 300)
TIMES = ("0", "1", "7", "9999", "99999", "-1", "1e3", "٣", "0001", "", "nan")
KNOBS = [knob for lesson in LESSONS for knob in lesson.knobs.values()]  # of all pages
PATIENCE = 5.0  # seconds of this process for one answer


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


def link(page: str, rng: np.random.Generator, strange: float, small: bool = False) -> dict[str, str | list[str]]:
    """The parameters of a link: some of the page's settings, each hostile with this probability, and more.

    `small` asks a page that plays anew for its shortest run.
    """
    knobs, params = HAS[page], {}
    for key in rng.permutation(list(knobs))[: int(rng.integers(1, min(8, len(knobs)) + 1))]:
        said = str(rng.choice(STRANGE)) if rng.random() < strange else allowed(knobs[str(key)], rng)
        params[str(key)] = [said, said] if rng.random() < 0.3 * strange else said
    if rng.random() < 0.4:
        params["t"] = str(rng.choice(TIMES))
    if rng.random() < strange:
        params[str(rng.choice(NAMES)).strip() or "x"] = str(rng.choice(STRANGE))
    if rng.random() < 0.3:
        other = KNOBS[int(rng.integers(len(KNOBS)))]
        params.setdefault(other.key, allowed(other, rng))
    return {**params, **short(page, rng, small)}


def short(page: str, rng: np.random.Generator, small: bool) -> dict[str, str]:
    """Few seeds and steps where a page plays anew: how long that takes is another test's question."""
    if page not in QUICK:
        return {}
    knobs, most = HAS[page], {"seeds": 1 if small else 2}
    if small or rng.random() < 0.8:
        most["T"] = 100 if small else 200
    wanted = {k: _near(knobs[k], v) for k, v in most.items() if k in knobs}
    return {**wanted, "algos": "rnd.gp"} if small and "algos" in knobs else wanted


def _near(knob: Knob, value: float) -> str:
    """The knob's own value nearest to this number, as a link writes it."""
    if knob.options:
        return knob.text(min(knob.options, key=lambda option: abs(option - value)))
    return knob.text(knob.snap(value))


def broken(spec: dict) -> list[str]:
    """Return the faults of one figure: an axis without a finite end, or without a point between its ends."""
    found = []
    for name, axis in spec.get("layout", {}).items():
        if not (name.startswith(("xaxis", "yaxis")) and isinstance(axis, dict) and axis.get("visible", True)):
            continue
        span = axis.get("range")
        if span is not None and axis.get("type") not in ("date", "category"):
            low, high = (float(v) if v is not None else np.nan for v in span)
            if not (np.isfinite([low, high]).all() and low != high):
                found.append(f"{name} has the range {span}")
    for i, trace in enumerate(spec["data"]):
        if any(np.isinf(numbers(trace.get(axis))).any() for axis in "xyz" if not _nested(trace.get(axis))):
            found.append(f"trace {i} holds an infinite number")
    return found


def _nested(values: object) -> bool:
    return isinstance(values, list) and bool(values) and isinstance(values[0], list)


def wrong(at: AppTest) -> list[str]:
    """Everything that this answer shows and must not."""
    found = list(faults(at))
    for i, spec in enumerate(specs(at)):
        found += [f"chart {i}: {fault}" for fault in broken(spec)]
    if specs(at) and film(at).get("n", 1) < 1:
        found.append("a film without a frame")
    if len(at.toast) > 2:  # what was dropped, and that another release wrote the link
        found.append(f"{len(at.toast)} toasts")
    return found


def answer(page: str, params: dict[str, str | list[str]]) -> tuple[AppTest, list[str]]:
    """The page by this link, and what is wrong with it, its time included."""
    start = process_time()
    at = opened(page, **params)
    spent = process_time() - start
    found = wrong(at)
    if spent > PATIENCE:
        found.append(f"took {spent:.1f} s")
    return settled(at), found


def report(page: str, done: Sequence[str], found: Sequence[str]) -> str:
    """One line that repeats a failure."""
    return f"{page} after {' then '.join(done)}: {'; '.join(found)}"
