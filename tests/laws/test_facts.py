"""Facts, figure, script and sentences of a lesson are the same numbers, in every setting and at every frame."""

from __future__ import annotations

import base64
import random
import re
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from answers.ask import SCRIPT, ask
from answers.state import State
from figures.film import ChartPlace, Film
from figures.theme import Theme
from lessons import LESSONS
from lessons.game import model as game
from lessons.game.knobs import FIRST_CODE
from lessons.game.lesson import LESSON as GAME
from lessons.game.scene import scene_of as game_drawn
from lessons.microscope.statements import STATEMENTS
from lessons.record import Lesson, Scene, Values
from lessons.reproductions.knobs import OVERVIEW
from lessons.shared import clicks
from lessons.shared.clicks import Clicks
from lessons.shared.codes import ARMS, encode
from tests.lessons.scripts import NUMBER, SHORT, formed, moments, random_state, run

THEME = Theme()
FLOAT32 = 2.0**-23  # coordinates travel as 32-bit floats
FACT = re.compile(rf"^(.+?) = ({NUMBER}|inf|None)$", re.MULTILINE)
WALKED = [lesson for lesson in LESSONS if lesson.scene]
# Settings at the corners of a lesson, beside its opening, its moments and some at random.
CORNERS: dict[str, list[dict[str, object]]] = {
    "chase": [
        {"asked": "_".join(f"{t}-{40 + t}" for t in range(56)), "end": "0_0_0_31_0_0"},
        {"asked": "3-70_12-5", "memory": "all", "start": "0_5_-9_0_0_20"},
        {"asked": "_".join(f"{t}-{40 + t}" for t in range(17, 29)), "unseen": True, "t": 115},  # the last of the turns
        {"asked": "_".join(f"{t}-{40 + t}" for t in range(17, 29)), "beside": True, "t": 112},
        {"clicks": clicks.write(Clicks(encode(8, 1), 0.3, tuple(range(50)))), "memory": "20", "unseen": True},
    ],
    "drift": [
        {"kind": "travel", "pair": "none", "view": "maps"},
    ],
    "bands": [
        {"kind": "travel", "T": 50, "nu": "1/2", "B": 9.0, "t": 30},
        {"kind": "markov", "T": 50, "Bhat": 0.5, "t": 9999},
    ],
    "rperp": [
        {"kind": "glide", "H": 0, "beta": "theory", "shuffle": 5, "order": "shuffled", "V": 16.0, "t": 99},
    ],
    "race": [
        {"algos": ("gp", "tv"), "kind": "markov", "pair": "none", "beta": "theory", "seeds": 1, "T": 100},
        {"algos": ("rnd", "opkb"), "pair": "matern", "seeds": 1, "T": 100, "t": 40},
    ],
    "forgetting": [{"bowl": "rperp", "kind": "rough", "T": 100, "seeds": 1, "t": 20}],
    "real_data": [{"table": "stocks-weekly", "seeds": 1, "m": 20, "mixed": True, "algos": ("wgp",), "t": 9}],
    "reproductions": [{"shown": "bogunovic-figure-2a", "t": 12}, {"shown": OVERVIEW, "within": "2", "t": 11}],
    "side_queries": [
        {"kind": "mauduit", "seeds": 1, "T": 100, "t": 80},
        {"view": "picks", "atil": 0.1, "T": 60, "seeds": 2},
    ],
    "microscope": [{"statement": key} for key in STATEMENTS],
}


def played_game(world: str, rounds: int, algos: tuple[str, ...], seed: int) -> Lesson:
    """Return the game with a scene and a script: it has them once it has been played."""
    rng, setting = random.Random(seed), game.GameSetting(world, rounds, 0.2)
    over = game.Game(setting, tuple(rng.randrange(ARMS) for _ in range(rounds)), guess="")

    def scene(values: Values, theme: Theme) -> Scene:
        return game_drawn(game.finished(over, algos), theme)

    def recipe(values: Values, t: int) -> str | None:
        return GAME.recipe(values, t, over, algos)

    return replace(GAME, scene=scene, recipe=recipe)


GAMES = [
    played_game(FIRST_CODE, 10, ("rnd", "gp", "tv"), 0),
    played_game(encode(4, 2), 30, ("rnd", "gp", "wsparq", "sparq"), 1),
]
OPENINGS = [pytest.param(one, [{"t": one.t}], id=f"{one.key}: opening") for one in (GAMES[0], *WALKED)]


def scene_of(lesson: Lesson, state: dict) -> Scene:
    assert lesson.scene
    return lesson.scene(lesson.settings(state), THEME)


def opens(lesson: Lesson, state: dict) -> int:
    """Return the time at which a state opens."""
    return int(state.get("t", lesson.t))


def frames(scene: Scene, t: int) -> list[int]:
    """Return the first frame, the last, the one of a time and another one."""
    rng, last = random.Random(scene.frames), scene.frames - 1
    return sorted({0, scene.at_time(t), last, rng.randrange(scene.frames)})


def there(film: Film, place: ChartPlace, frame: int) -> float | str:
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
    t = scene.times[frame]
    printed, facts = (
        FACT.findall(run(formed(ask(State(lesson, lesson.settings(state), t), SCRIPT)))),
        scene.facts(frame),
    )
    assert sorted(name for name, _ in printed) == sorted(facts)
    assert {name: (said, facts[name]) for name, said in printed if not rounds_to(said, facts[name])} == {}


def others(lesson: Lesson) -> list[dict]:
    """Return a lesson's moments, a setting at random, and its corners."""
    return [*moments(lesson.key)[1:], random_state(lesson, 1), *CORNERS.get(lesson.key, ())]


MORE = [pytest.param(one, others(one), id=one.key, marks=pytest.mark.slow) for one in WALKED]
MORE.append(pytest.param(GAMES[1], [{"t": 4}, {"t": 29}], id="game", marks=pytest.mark.slow))


@pytest.mark.parametrize(("lesson", "states"), [*OPENINGS, *MORE])
def test_script_prints_its_facts(lesson: Lesson, states: list[dict]) -> None:
    short = SHORT.get(lesson.key, {}) if lesson.key != "bands" else {}
    for state in (short | one for one in states):
        print(lesson.key, state)  # with a failure
        scene = scene_of(lesson, state)
        for frame in frames(scene, opens(lesson, state)):
            compare(lesson, state, scene, frame)


@pytest.mark.parametrize(("lesson", "states"), [*OPENINGS, *MORE])
def test_chart_shows_facts_where_it_says(lesson: Lesson, states: list[dict]) -> None:
    known: set[str] = set()
    named: set[str] = set()
    for state in states:
        print(lesson.key, state)  # with a failure
        scene = scene_of(lesson, state)
        films = [picture.draw(scene.at_time(opens(lesson, state))) for picture in scene.films.values()]
        assert scene.facts(0), f"{lesson.title} has no facts: give its Scene the numbers of its sentence"
        counted = state.get("shown") == OVERVIEW  # which shows a number by as many marks: test_overview.py counts them
        assert counted or any(film.shows for film in films), (
            f"{lesson.title} shows no fact: say where a chart does (Film.shows)"
        )
        known |= {name for frame in range(scene.frames) for name in scene.facts(frame)}
        named |= {name for film in films for name in film.shows}
        for frame, film in ((frame, film) for frame in frames(scene, opens(lesson, state)) for film in films):
            for name, place in film.shows.items():
                fact, shown_there = scene.facts(frame).get(name), there(film, place, frame)
                if isinstance(shown_there, str):
                    assert fact is None or says(shown_there, fact), (name, shown_there, fact)
                elif fact is None:
                    assert np.isnan(shown_there), (name, shown_there)
                else:
                    assert float(shown_there) == pytest.approx(place.scale(fact), rel=FLOAT32, abs=1e-12), name
    assert named <= known  # a fact in some frame


CURVES = re.compile(r"The theorem is (non-)?vacuous .*?\.$")  # of the whole curve: test_one_bound.py of the theorems
WORD = re.compile(r"(?<![\w.^·~-])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
# Numbers of sentences that are no facts: the rounds of a reader's turn, lines of Algorithm 1 of Iwazaki & Takeno.
# Numbers of queries; of theorems and corollaries; and "over 100 %" of a bound that says nothing.
CONSTANTS = {"chase": [12], "rperp": [15, 17], "theorems": [4.1], "microscope": [7, 8, 100]}


def numbers(sentence: str) -> list[str]:
    """Return the numbers of a sentence, without those of names and symbols."""
    plain = re.sub(r"<sup>(.*?)</sup>", r"^\1", re.sub(r"<sub>.*?</sub>", "", sentence.replace("−", "-")))
    plain = re.sub(r"<[^>]*>", "", plain).replace("\u00a0", " ").replace("&nbsp;", " ")
    plain = re.sub(r"(?<=\d)[,\u202f](?=\d{3})", "", plain)
    plain = re.sub(r"[·×]10\^?([-\d⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)", lambda found: "e" + found[1].translate(POWERS), plain)
    return WORD.findall(plain.replace(" million", "e6"))


def is_fact(word: str, fact: float) -> bool:
    """Return whether a number of a sentence is the fact, its size, its per cent or those above 1, in three digits."""
    digits = len(word.rstrip("0")) if word.isdigit() and len(word) > 3 else 0
    forms = [fact, -fact, 100.0 * fact, 100.0 * (fact - 1.0)]
    return any(
        rounds_to(word, one) or (digits and f"{one:.{max(digits, 3) - 1}e}" == f"{float(word):.{max(digits, 3) - 1}e}")
        for one in forms
    )


@pytest.mark.parametrize(("lesson", "states"), [*OPENINGS, *MORE])
def test_sentences_say_facts_of_their_frame(lesson: Lesson, states: list[dict]) -> None:
    for state in states:
        scene, values = scene_of(lesson, state), lesson.settings(state)
        known = [one for one in values.values() if isinstance(one, int | float)] + CONSTANTS.get(lesson.key, [])
        for frame in frames(scene, opens(lesson, state)):
            t = scene.times[frame]
            here = [*known, t, t + 1, *(fact for fact in scene.facts(frame).values() if fact is not None)]
            sentence = scene.sentences()[frame]
            assert [
                one for one in numbers(CURVES.sub("", sentence)) if not any(is_fact(one, fact) for fact in here)
            ] == [], sentence
