"""A strip shows a hundred worlds on the axis of what decides a claim: none twice, none left out, each a way into it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from figures.theme import Theme
from lessons import BY_KEY
from lessons.chase.knobs import CHASE
from lessons.record import Limit, Scene, Strip
from lessons.shared import odds
from shell.stage import strip

LESSONS = ("chase", "forgetting", "race")


def made(numbers: list[float], here: float | None = None, world: int = 5) -> Strip:
    return Strip(CHASE["hill"], range(100, 100 + len(numbers)), numbers, Limit(0.5), here, world, "{:.2f}".format)


def scene_of(key: str, values: Mapping[str, object] | None = None) -> Scene:
    lesson = BY_KEY[key]
    assert lesson.scene is not None
    return lesson.scene(lesson.settings(values or {}), lesson.t, Theme())


def test_dots_stand_apart_and_in_order() -> None:
    for seed in range(5):
        numbers = np.random.default_rng(seed).integers(0, 4 + 50 * seed, 100) / 7.0
        check_places(numbers, strip.dots(made(numbers.tolist()), dark=False))


def check_places(numbers: np.ndarray, told: dict) -> None:
    drawn, (limit, _) = told["dots"], told["limit"]
    places = [(dot["x"], dot["row"]) for dot in drawn]
    assert len(set(places)) == 100 and all(0 <= row <= strip.ROWS - 1 for _, row in places)
    worth = dict(zip(range(100, 200), numbers, strict=True))
    shown = [worth[dot["world"]] for dot in drawn]
    assert sorted(shown) == shown and sorted(worth) == sorted(dot["world"] for dot in drawn)
    assert [dot["holds"] for dot in drawn] == [number < 0.5 for number in shown]
    low, high = min(0.5, *shown), max(0.5, *shown)
    wide = 1.0 / (strip.COLUMNS - 1)
    own = np.round((np.array(shown) - low) / (high - low) / wide) * wide  # the column of each
    for (x, _), at, number in zip(places, own, shown, strict=True):
        others = own[np.abs(own - at) > wide / 2]
        assert abs(x - at) < 1e-9 or abs(x - at) < np.abs(others - x).min()  # nearer to its own than to another's
        assert abs(at - limit) < wide or (x < limit) == (number < 0.5)


@pytest.mark.parametrize("key", [pytest.param(k, marks=pytest.mark.wide if k == "forgetting" else ()) for k in LESSONS])
def test_dot_opens_the_world_whose_number_it_shows(key: str) -> None:
    """Also, the number that is ringed is that of the page's facts, not that of the claim."""
    scene = scene_of(key)
    shown = scene.strip
    assert shown is not None and len(set(shown.worlds)) == 100
    counted = odds.shipped()["claims"][f"{key}/opening"]
    assert sum(map(shown.limit, shown.numbers)) == counted["share"] and shown.numbers == counted["numbers"]
    for i in np.random.default_rng(len(key)).choice(100, 1, replace=False):
        knob, number = shown.knob.key, shown.numbers[int(i)]
        world = BY_KEY[key].knobs[knob].read(str(shown.worlds[int(i)]))  # as a link has it
        opened = scene_of(key, {knob: world}).strip
        assert opened is not None and opened.world == world
        assert opened.here == pytest.approx(number, rel=1e-4)  # six digits are shipped
    facts = dict(scene.facts(scene.start))
    if key == "chase":
        read = facts["forgets regret so far"] / facts["keeps all regret so far"]
    elif key == "race":
        (champion,) = (name for name in facts if name.startswith("Still world, place of") and facts[name] == 1)
        read = facts[champion.replace("Still", "Jumping")] / facts["methods"]
    else:
        ends = facts["jumps, m = 5: regret"], facts["jumps, never forgets: regret"]
        least = min(value for name, value in facts.items() if name.startswith("jumps") and name.endswith(": regret"))
        read = min(ends) / least
    assert shown.here == pytest.approx(read, rel=1e-9)


def test_browser_chooses_worlds_by_number_only(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"strip": {"world": "1e9"}, "seed": 3}
    monkeypatch.setattr(strip.st, "session_state", state)
    for sent in ("1e9", None, True, 2.5, [7]):
        state["strip"] = {"world": sent}
        strip.choose("seed", "strip")
        assert state["seed"] == 3
    state["strip"] = {"world": 1043}
    strip.choose("seed", "strip")
    assert state["seed"] == 1043
