"""Facts, figure and script of a lesson are the same numbers, in every setting and at every frame.

A live sentence is formatted from the facts of its frame and from names and flags, by a function that is given nothing
else: so its numbers need no test, and none searches the sentence for them.
"""

from __future__ import annotations

import base64
import random
import re
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from figures.film import Film, Place
from figures.theme import Theme
from lessons import LESSONS
from lessons.game import model as game
from lessons.game.knobs import FIRST_CODE
from lessons.game.lesson import LESSON as GAME
from lessons.game.scene import drawn as game_drawn
from lessons.microscope.statements import STATEMENTS
from lessons.record import Lesson, Scene, Values, script_of
from lessons.reproductions.knobs import OVERVIEW
from lessons.shared import clicks
from lessons.shared.clicks import Clicks
from tests.lessons.scripts import NUMBER, SHORT, drawn, formed, moments, run
from tvbo_core.worlds.codes import ARMS, encode

THEME = Theme()
FLOAT32 = 2.0**-23  # coordinates travel as 32-bit floats
FACT = re.compile(rf"^(.+?) = ({NUMBER}|inf|None)$", re.MULTILINE)
WALKED = [lesson for lesson in LESSONS if lesson.scene]
# Settings at the corners of a lesson, beside its opening, its moments and some at random.
CORNERS: dict[str, list[dict[str, object]]] = {
    "chase": [
        {"memory": "all"},
        {"drift": 0.0, "beside": False},
        {"start": "0_5_-9_0_0_20", "end": "0_0_0_31_0_0"},
        {"drift": 0.0, "start": "0_5_-9_0_0_20"},
        {"asked": "3-70_12-5", "beside": False},
        {"asked": "_".join(f"{t}-{40 + t}" for t in range(56)), "end": "0_0_0_31_0_0"},
        {"asked": "3-70_12-5", "memory": "all", "end": "0_0_0_31_0_0"},
        {"clicks": clicks.write(Clicks(FIRST_CODE, 0.2, tuple(range(20, 32)))), "memory": "all"},
        {"clicks": clicks.write(Clicks(encode(5, 2), 1.0, tuple(range(0, 90, 3))))},
        {"clicks": clicks.write(Clicks(encode(0, 33), 0.05, tuple(range(50, 60)))), "memory": "1", "drift": 0.0},
        {"clicks": clicks.write(Clicks(encode(8, 1), 0.3, tuple(range(50)))), "memory": "20", "unseen": True},
    ],
    "drift": [
        {"kind": "data", "data": "stocks-weekly", "t": 9999},
        {"kind": "adversary", "pair": "rough", "nu": "3/2", "t": 1},
        {"kind": "still", "pair": "none"},
    ],
    "bands": [
        {"kind": "data", "data": "stocks-weekly", "T": 50, "t": 0},
        {"kind": "markov", "T": 50, "match": True, "domain": "[-1, 1]", "Bhat": 0.5, "t": 9999},
    ],
    "rperp": [
        {"H": 0, "beta": "drift", "order": "both", "t": 400},
        {"kind": "glide", "H": 0, "beta": "theory", "shuffle": 5, "grain": "restart", "V": 16.0, "t": 3},
        {"kind": "data", "data": "stocks-weekly", "grain": "batch", "t": 2},
        {"order": "fixed", "grain": "batch", "repeats": True, "t": 1},
        {"order": "shuffled", "grain": "line", "repeats": True, "shuffle": 3, "t": 30},
    ],
    "race": [
        {"algos": ("gp", "tv"), "kind": "markov", "pair": "none", "beta": "theory", "seeds": 1, "T": 100},
        {"algos": ("rnd", "opkb"), "pair": "matern", "seeds": 1, "T": 100, "t": 40},
        {"algos": ("gp", "sw"), "kind": "data", "data": "stocks-weekly", "m": 0, "seeds": 1, "beta": "log"},
    ],
    "forgetting": [
        {"bowl": "rperp", "kind": "data", "data": "stocks-weekly", "seeds": 1, "t": 20},
        {"bowl": "wgp", "kind": "rough", "beta": "log", "seeds": 1, "T": 100, "t": 1},
    ],
    "real_data": [
        {"table": "stocks-weekly", "seeds": 1, "m": 20, "mixed": True, "share": 0.4, "algos": ("wgp",), "t": 9},
        {"table": "stocks-weekly", "seeds": 2, "algos": ("gp", "tv", "sw"), "y": "total", "t": 9999},
    ],
    "reproductions": [
        {"shown": "flynn-table-1", "t": 0, "within": "1"},
        {"shown": "bogunovic-figure-2a", "t": 12},
        {"shown": OVERVIEW, "within": "2", "t": 11},
        {"shown": OVERVIEW, "outcome": "untried"},
    ],
    "side_queries": [
        {"papers": True, "seeds": 1, "T": 100, "t": 80},
        {"nu": "1/2", "ell": 0.4, "alpha": 1.06, "seed": 45, "seeds": 1, "T": 100, "t": 3},
        {"kind": "rough", "scale": "set", "nu": "3/2", "seeds": 1, "T": 100, "t": 3},
        {"view": "picks", "picker": "random", "atil": 0.1, "T": 60, "seeds": 2, "beta": "2"},
        {"view": "picks", "kind": "jumps", "scale": "set", "T": 60, "seeds": 1, "t": 9},
    ],
    "microscope": [{"statement": key} for key in STATEMENTS],
}


def played(world: str, rounds: int, algos: tuple[str, ...], seed: int) -> Lesson:
    """Return the game with a scene and a script: it has them once it has been played."""
    rng, setting = random.Random(seed), game.Setting(world, rounds, 0.2)
    over = game.Game(setting, tuple(rng.randrange(ARMS) for _ in range(rounds)), guess="")

    def scene(values: Values, t: int, theme: Theme) -> Scene:
        return game_drawn(game.finished(over, algos, int(values["m"]), "best"), values, t, theme)

    def recipe(values: Values, t: int) -> str | None:
        return GAME.recipe({**values, "algos": algos}, t, over)

    return replace(GAME, scene=scene, recipe=recipe)


GAMES = [
    played(FIRST_CODE, 10, ("rnd", "gp", "tv"), 0),
    played(encode(4, 2), 30, ("rnd", "gp", "wsparq", "sparq"), 1),
    played(encode(0, 33), 10, ("rnd", "gp"), 2),
    played(encode(8, 1), 50, GAME.knobs["algos"].default, 3),
]


def cases() -> list:
    found = [pytest.param(one, {"t": 4}, id=f"{one.key}: {i}") for i, one in enumerate(GAMES)]
    for lesson in WALKED:
        states = {f"moment {i}" if i else "opening": state for i, state in enumerate(moments(lesson.key))}
        states |= {f"any {seed}": drawn(lesson, seed) for seed in (1, 2)}
        states |= {f"corner {i}": state for i, state in enumerate(CORNERS.get(lesson.key, ()), start=1)}
        found += [pytest.param(lesson, state, id=f"{lesson.key}: {name}") for name, state in states.items()]
    return found


def shown(lesson: Lesson, state: dict) -> Scene:
    assert lesson.scene
    return lesson.scene(lesson.settings(state), int(state.get("t", lesson.t)), THEME)


def frames(scene: Scene) -> list[int]:
    """Return the first frame, the last, the opening and two others."""
    rng, last = random.Random(scene.frames), scene.frames - 1
    return sorted({0, min(max(scene.start, 0), last), last, *rng.sample(range(scene.frames), min(2, scene.frames))})


def there(film: Film, place: Place, frame: int) -> float | str:
    """Return the coordinate or the text of a point of a trace at a frame."""
    trace, attribute, point, _ = place
    values = film.figure.to_dict()["data"][trace].get(attribute)
    for track in film.tracks:
        if (track.trace, track.attribute) == (trace, attribute):
            values = track.row(frame)
    if isinstance(values, dict):
        values = np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return values[frame if point is None else point]


def rounds_to(printed: str, fact: float | None) -> bool:
    """Return whether a printed number is the fact, to half a unit of its last digit."""
    if fact is None or printed in ("None", "inf"):
        return printed == str(fact)
    unit = 10.0 ** Decimal(printed).as_tuple().exponent
    return abs(float(printed) - fact) <= 0.5 * unit * (1 + 1e-6) + 1e-12


def says(text: str, fact: float | None) -> bool:
    """Return whether a number of a text is the fact, to half a unit of its last digit."""
    plain = re.sub(r"<[^>]*>", " ", text.replace("−", "-"))
    plain = re.sub(r"(?<=\d)[,\u202f](?=\d{3})", "", plain)
    return any(rounds_to(number, fact) for number in re.findall(NUMBER, plain))


def compare(lesson: Lesson, state: dict, scene: Scene, frame: int) -> None:
    """The script of a frame prints each fact once, under its name, and nothing else."""
    assert lesson.recipe, f"{lesson.title} has no recipe: write lessons/NAME/recipe.py and name it in its lesson.py"
    t = frame if scene.times is None else scene.times[frame]
    printed, facts = (
        FACT.findall(run(formed(script_of(lesson, LESSONS, lesson.settings(state), t)))),
        scene.facts(frame),
    )
    assert sorted(name for name, _ in printed) == sorted(facts)
    assert {name: (said, facts[name]) for name, said in printed if not rounds_to(said, facts[name])} == {}


@pytest.mark.parametrize(("lesson", "state"), cases())
def test_a_script_prints_the_facts_of_its_frame_under_their_names(lesson: Lesson, state: dict) -> None:
    scene = shown(lesson, state)
    for frame in frames(scene):
        compare(lesson, state, scene, frame)


@pytest.mark.study
@pytest.mark.parametrize("lesson", [lesson for lesson in WALKED if lesson.key in SHORT], ids=lambda one: one.key)
def test_a_script_of_a_slow_page_prints_its_facts_at_full_size(lesson: Lesson) -> None:
    for state in ({"t": lesson.t}, *(dict(moment.values) | {"t": moment.t} for moment in lesson.moments)):
        scene = shown(lesson, state)
        compare(lesson, state, scene, min(max(scene.start, 0), scene.frames - 1))


@pytest.mark.parametrize(("lesson", "state"), cases())
def test_a_chart_shows_a_fact_where_it_says_so(lesson: Lesson, state: dict) -> None:
    scene = shown(lesson, state)
    films = [picture.draw(min(max(scene.start, 0), scene.frames - 1)) for picture in scene.films.values()]
    assert scene.facts(0), f"{lesson.title} has no facts: give its Scene the numbers of its sentence"
    counted = state.get("shown") == OVERVIEW  # which shows a number by as many marks: test_overview.py counts them
    assert counted or any(film.shows for film in films), (
        f"{lesson.title} shows no fact: say where a chart does (Film.shows)"
    )
    for frame in frames(scene):
        facts = scene.facts(frame)
        for film in films:
            for name, place in film.shows.items():
                fact, shown_there = facts.get(name), there(film, place, frame)
                if isinstance(shown_there, str):
                    assert fact is None or says(shown_there, fact), (name, shown_there, fact)
                elif fact is None:
                    assert np.isnan(shown_there), (name, shown_there)
                else:
                    assert float(shown_there) == pytest.approx(place.scale(fact), rel=FLOAT32, abs=1e-12), name


@pytest.mark.parametrize("lesson", WALKED, ids=lambda lesson: lesson.title)
def test_what_a_chart_shows_is_a_fact_in_some_frame_of_the_lesson(lesson: Lesson) -> None:
    shown_there, facts = set(), set()
    for state in moments(lesson.key):
        scene = shown(lesson, state)
        facts |= {name for frame in range(scene.frames) for name in scene.facts(frame)}
        shown_there |= {name for picture in scene.films.values() for name in picture.draw(0).shows}
    assert shown_there <= facts
