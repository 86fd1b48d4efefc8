"""What the sentence says of the bands is what their lanes show at that frame."""

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


def counted(sentence: str) -> dict[str, int | None]:
    """Bands by what the sentence says of them; None where it says nothing."""
    text = re.sub("<[^>]*>", "", sentence).replace("\N{NO-BREAK SPACE}", " ")
    if "cover the truth at every time" in text or text.startswith("Up to"):
        return {"now": 0, "before": 0, "never": len(ALL)}
    number = "|".join(COUNTED)

    def count(pattern: str, otherwise: int | None) -> int | None:
        found = re.search(pattern, text)
        return COUNTED.index(found[1]) if found else otherwise

    one = 1 if "the tightest band misses the truth" in text else 0
    void = "nothing is promised" in text
    return {
        "now": count(rf"\b({number})(?: of \w+)?(?: tightest)? bands? miss(?:es)? the truth", one),
        "before": count(rf"\b({number}) missed it before", None if void else 0),
        "never": count(rf"\b({number}) never (?:did|missed)", None if void else 0),
    }


@settings(max_examples=15)
@given(st.sampled_from(["still", "glide", "jumps"]), st.floats(0, 8), st.floats(0.5, 3), st.integers(0, 50), st.data())
def test_sentence_and_lanes_say_the_same(
    kind: str, budget: float, ratio: float, seed: int, data: st.DataObject
) -> None:
    world = World(kind=kind, budget=budget, horizon=24, arms=21, kernel="matern", nu=1.5, norm_bound=3.0, seed=seed)
    run = bands_over_time(BandSetting(world, ratio=ratio))
    t = data.draw(st.integers(1, 24))
    sentence = words.finding(run)[t]
    shown = figure.stage(run, Theme(), t, "side", "CMM").figure.checked()
    lanes = next(trace for trace in shown.data if trace.mode == "text" and trace.xaxis == "x2").text
    status = dict(zip(reversed(run.films), lanes, strict=True))
    if any(film.empty[t] for film in run.films.values()):
        empty = {name for name, film in run.films.items() if film.empty[t]}
        assert {name for name, words_ in status.items() if words_.startswith("empty")} == empty
        few = "one set is" if len(empty) == 1 else f"{COUNTED[len(empty)]} sets are"
        assert f": {few} EMPTY." in sentence
        return
    by_lane = {
        "now": {n for n, s in status.items() if s.startswith("misses")},
        "before": {n for n, s in status.items() if s.startswith("covers, missed")},
        "never": {n for n, s in status.items() if s == "covers so far"},
    }
    for group, count in counted(sentence).items():
        assert count in (None, len(by_lane[group])), (group, sentence)
    outside = {n: run.misses[n].any(axis=1) for n in run.films}
    assert by_lane["now"] == {n for n, bad in outside.items() if bad[t]}
    assert by_lane["never"] == {n for n, bad in outside.items() if not bad[: t + 1].any()}
    facts = model.facts(run, t)
    for name, bad in outside.items():
        if told := re.search(r"(since|at) (\d+)", status[name]):
            covered = np.flatnonzero(~bad[: t + 1])
            since = {"since": covered.max(initial=-1) + 1, "at": bad.argmax()}[told[1]]
            assert int(told[2]) == since, status[name]
        assert facts[f"{name} first miss"] == next(iter(np.flatnonzero(bad)), None)
