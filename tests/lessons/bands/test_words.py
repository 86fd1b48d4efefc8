"""The sentence counts the bands that miss the reward, missed it earlier, and never did."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.bands import words
from lessons.bands.model import BandSetting, bands_over_time
from tvbo_core import World
from tvbo_core.bands import ALL

COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven")


def counted(sentence: str) -> dict[str, int | None]:
    """Bands by what the sentence says of them; None where it says nothing."""
    text = re.sub("<[^>]*>", "", sentence).replace("\N{NO-BREAK SPACE}", " ")
    if "cover the reward at every time" in text or text.startswith("Up to"):
        return {"now": 0, "before": 0, "never": len(ALL)}
    number = "|".join(COUNTED)

    def count(pattern: str, otherwise: int | None) -> int | None:
        found = re.search(pattern, text)
        return COUNTED.index(found[1]) if found else otherwise

    one = 1 if "the tightest band misses the reward" in text else 0
    void = "nothing is guaranteed" in text
    return {
        "now": count(rf"\b({number})(?: of \w+)?(?: tightest)? bands? miss(?:es)? the reward", one),
        "before": count(rf"\b({number}) missed it earlier", None if void else 0),
        "never": count(rf"\b({number}) never (?:did|missed)", None if void else 0),
    }


@settings(max_examples=15)
@given(st.sampled_from(["still", "glide", "jumps"]), st.floats(0, 8), st.floats(0.5, 3), st.integers(0, 50), st.data())
def test_sentence_counts_the_bands_that_miss(
    kind: str, budget: float, ratio: float, seed: int, data: st.DataObject
) -> None:
    world = World(kind=kind, budget=budget, horizon=24, arms=21, kernel="matern", nu=1.5, norm_bound=3.0, seed=seed)
    run = bands_over_time(BandSetting(world, ratio=ratio))
    t = data.draw(st.integers(1, 24))
    sentence = words.finding(run)[t]
    outside = {name: run.misses[name].any(axis=1) for name in run.films}
    if empty := {name for name, film in run.films.items() if film.empty[t]}:
        few = "one set is" if len(empty) == 1 else f"{COUNTED[len(empty)]} sets are"
        assert f": {few} EMPTY." in sentence
        return
    now = {name for name, bad in outside.items() if bad[t]}
    never = {name for name, bad in outside.items() if not bad[: t + 1].any()}
    true = {"now": len(now), "before": len(outside) - len(now) - len(never), "never": len(never)}
    for group, count in counted(sentence).items():
        assert count in (None, true[group]), (group, sentence)
