"""What the sentence says of a band is what its panel and its lane show at that frame."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from figures.theme import Theme
from lessons.bands import figure, model, words
from lessons.bands.model import BandSetting, bands_over_time
from tvbo_core import World
from tvbo_core.bands import ALL

COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven")
GROUPS = {
    "now": re.compile(r"<span class='bad'>[^<]* miss(?:es)? the curve</span>: ([^.]*)\."),
    "before": re.compile(r"([^.:]*) missed it before and covers? it now|missed it before</span>: ([^.]*)\."),
    "never": re.compile(r"([^.]*) (?:has|have) covered it at every time so far"),
}


def named(text: str) -> set[str]:
    return {name for name in ALL if re.search(rf"\b{name}\b", text)}


def said(sentence: str) -> dict[str, set[str]]:
    """Bands by what the sentence says of them."""
    if "bands cover</span> the whole curve at every time" in sentence:
        return {"now": set(), "before": set(), "never": set(ALL)}
    found = {group: pattern.search(sentence) for group, pattern in GROUPS.items()}
    return {g: named(next(part for part in m.groups() if part)) if m else set() for g, m in found.items()}


@settings(max_examples=25)
@given(st.sampled_from(["still", "glide", "jumps"]), st.floats(0, 8), st.floats(0.5, 3), st.integers(0, 50), st.data())
def test_the_sentence_the_panel_and_the_lane_say_the_same_of_every_band(
    kind: str, budget: float, ratio: float, seed: int, data: st.DataObject
) -> None:
    world = World(kind=kind, budget=budget, horizon=24, arms=21, kernel="matern", nu=1.5, norm_bound=3.0, seed=seed)
    run = bands_over_time(BandSetting(world, ratio=ratio))
    t = data.draw(st.integers(1, 24))
    sentence = words.finding(run)[t]
    shown = figure.stage(run, Theme(), t, "side", "CMM").figure.checked()
    heads = next(trace for trace in shown.data if trace.mode == "text").text
    status = {name: re.sub("<[^>]*>", "", head.split("<br>")[1]) for name, head in zip(run.films, heads, strict=True)}
    if any(film.empty[t] for film in run.films.values()):
        empty = {name for name, film in run.films.items() if film.empty[t]}
        assert {name for name, words_ in status.items() if "EMPTY" in words_} == empty
        assert named(sentence.split("behind")[1].split("is <span")[0]) == empty
        return
    by_panel = {
        "now": {n for n, s in status.items() if s.startswith("✗ misses")},
        "before": {n for n, s in status.items() if s.startswith("covers, ✗")},
        "never": {n for n, s in status.items() if s == "✓ covers"},
    }
    assert said(sentence) == by_panel
    outside = {n: run.misses[n].any(axis=1) for n in run.films}
    assert by_panel["now"] == {n for n, bad in outside.items() if bad[t]}
    assert by_panel["never"] == {n for n, bad in outside.items() if not bad[: t + 1].any()}
    facts = model.facts(run, t)
    for name, bad in outside.items():
        assert facts[f"{name} first miss"] == next(iter(np.flatnonzero(bad)), None)


@settings(max_examples=25)
@given(st.sampled_from(["still", "glide"]), st.sampled_from([0.01, 0.2, 0.9]), st.floats(0.5, 3), st.booleans())
def test_before_any_data_the_exact_band_is_the_norm_ball_and_the_sentence_counts_the_wider_ones(
    kind: str, delta: float, ratio: float, match: bool
) -> None:
    world = World(kind=kind, horizon=6, arms=11, kernel="matern", nu=1.5, norm_bound=3.0)
    run = bands_over_time(BandSetting(world, ratio=ratio, delta=delta, match=match))
    first = {name: film.half_width[0] for name, film in run.films.items()}
    ball = 3.0 * ratio
    wider = [name for name, half in first.items() if half > ball * (1 + 1e-12)]  # the roots are rounded
    np.testing.assert_allclose(first["CMM"], ball, rtol=1e-12)
    assert {"AMM", "DMM", "AY", "IGP"} <= set(wider)  # delta < 1: each allows for noise before it is heard
    for sentence in (words.finding(run)[0], words.now(run, 0)):
        assert f"the exact band CMM is ±B√k = ±{ball:.3g}" in sentence
        others = "the other {}" if len(wider) == len(first) - 1 else "{} of the others"
        assert f"; {others.format(COUNTED[len(wider)])} start wider" in sentence
