"""Two Pythons, one answer: the browser's own, run in Node, and this one say and draw the same."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest

from answers.address import question
from answers.browser import Desk
from answers.link import words
from answers.state import BET, TRUTH, State
from lessons import LESSONS
from lessons.record import Lesson
from shell.static import engine
from tests.baseline.states import LEFT, other
from tests.engine import pyodide
from tests.lessons.scripts import SHORT
from tests.lessons.shown import decode
from tests.node import node

pytestmark = pytest.mark.slow
RANDOM = 2  # settings of a lesson, beside its moments
# Of an array's span: its codes have 65,000 steps, and a number may lie at the edge of two. The rest is for the order in
# which another BLAS sums.
NEAR = 2e-4
SEED = 20261129
# Where another LAPACK, rightly, gives other numbers: setting or moment -> why.
OTHERS = {
    "forgetting/pays": "one of its worlds is a Markov one, and is drawn as those below",
    "=markov": "its worlds are drawn by a root of a nearly singular matrix, which has many",
    "side_queries?": "a k-DPP draws by eigenvectors, which have two signs",
    "statement=mauduit-subset": "a k-DPP draws by eigenvectors, which have two signs",
    "race/deng": "two methods tie in one rank",
    "points/loud": "two places far from all observations tie in their upper edge, and either may be queried",
}
PAGE, SCRIPT = ", page", ", script"  # behind the name of a state: what stands beside its film, and its script
EDGES = 12  # texts, of about 20,000, whose number lies so near the edge of a digit that it rounds to the next one
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def states(lesson: Lesson) -> Iterator[tuple[str, State]]:
    """Yield name and state: the opening, the moments, the bet's question and truth, some settings at random."""
    yield "opening", State(lesson, lesson.settings({}), lesson.t)
    for one in lesson.moments:
        yield one.key, State(lesson, lesson.settings(one.values), one.t)
    if bet := lesson.bet:
        yield BET, State(lesson, lesson.settings(bet.opens_with), bet.opens, BET)
        yield TRUTH, State(lesson, lesson.settings(bet.values), bet.opens, TRUTH)
    rng = random.Random(f"{SEED} {lesson.key}")
    movable = [key for key in lesson.knobs if key not in LEFT]
    for i in range(RANDOM):
        moved = {key: other(lesson.knobs[key], rng) for key in rng.sample(movable, min(3, len(movable)))}
        yield f"random {i + 1}", State(lesson, lesson.settings(moved | SHORT.get(lesson.key, {})), lesson.t)


def film_of(state: State) -> str:
    asked = question(state)
    return f"film/{asked['lesson']}?{urlencode(asked['query'])}"


def words_of(state: State) -> str:
    return f"{state.lesson.key}?{urlencode(words(state))}"


@pytest.fixture(scope="module")
def questions() -> dict[str, str]:
    """Name -> question, what is asked and its text, of all lessons that have a stage."""
    every = [(lesson, name, state) for lesson in LESSONS if lesson.scene for name, state in states(lesson)]
    films = {f"{lesson.key}/{name}": f"get {film_of(state)}" for lesson, name, state in every}
    pages = {f"{lesson.key}/{name}{PAGE}": f"page {words_of(state)}" for lesson, name, state in every}
    scripts = {f"{lesson.key}/opening{SCRIPT}": f"script {lesson.key}?" for lesson in LESSONS if lesson.scene}
    return films | pages | scripts


@pytest.fixture(scope="module")
def theirs(questions: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Name -> answer of the browser's Python."""
    folder = tmp_path_factory.mktemp("engine")
    archives = []
    for name, content in engine.archives().items():
        archives.append(folder / name)
        archives[-1].write_bytes(content)
    out = folder / "out"
    out.mkdir()
    numbered = json.dumps([(lesson.key, number) for number, lesson in enumerate(LESSONS)])
    files = (Path(__file__).with_name("ask.js"), pyodide.folder(folder / "pyodide"), *archives)
    print(node(*files, numbered, out, text="\n".join(questions.values())))
    return {name: (out / str(i)).read_bytes() for i, name in enumerate(questions)}


@pytest.fixture(scope="module")
def ours(questions: dict[str, str]) -> dict[str, bytes]:
    """Name -> answer of this Python."""
    desk = Desk((lesson, number) for number, lesson in enumerate(LESSONS))
    found = {}
    for name, asked in questions.items():
        what, text = asked.split(" ", 1)
        found[name] = desk.get(text)[1] if what == "get" else desk.say(what, text).encode()
    return found


def read(name: str, answer: bytes) -> object:
    """Return a film with its numbers, or what is said of a page."""
    return json.loads(answer) if name.endswith((PAGE, SCRIPT)) else decode(answer)


def apart(mine: object, other: object, edges: list[str], at: str = "") -> Iterator[str]:
    """Yield in what two answers differ: texts, counts, numbers outside of NEAR; texts that `is_edge` go to `edges`."""
    if isinstance(mine, dict) and isinstance(other, dict) and mine.keys() == other.keys():
        for key in mine.keys() - {"arrays"}:  # heads of codes: `decode` has read them
            yield from apart(_whole(mine[key]), _whole(other[key]), edges, f"{at}/{key}")
    elif isinstance(mine, np.ndarray) and isinstance(other, np.ndarray):
        yield from _numbers(mine, other, at) if mine.shape == other.shape else [f"{at}: {mine.shape} and {other.shape}"]
    elif isinstance(mine, list) and isinstance(other, list) and len(mine) == len(other):
        if mine and all(isinstance(one, int | float | None) and not isinstance(one, bool) for one in mine + other):
            yield from _numbers(np.array(mine, float), np.array(other, float), at)
        else:
            for i, (a, b) in enumerate(zip(mine, other, strict=True)):
                yield from apart(a, b, edges, f"{at}/{i}")
    elif isinstance(mine, float) and isinstance(other, int | float):
        if abs(mine - other) > NEAR * max(abs(mine), abs(other), 1.0):
            yield f"{at}: {mine} and {other}"
    elif is_edge(mine, other) and mine != other:
        edges.append(f"{at}: {mine} and {other}")
    elif mine != other:
        yield f"{at}: {str(mine)[:80]} and {str(other)[:80]}"


def is_edge(mine: object, other: object) -> bool:
    """Return whether two texts differ in numbers alone, each by one of its last digit."""
    if not (isinstance(mine, str) and isinstance(other, str) and NUMBER.sub("", mine) == NUMBER.sub("", other)):
        return False
    pairs = zip(NUMBER.findall(mine), NUMBER.findall(other), strict=True)
    return all(
        abs(float(a.replace(",", "")) - float(b.replace(",", ""))) < 1.5 * 10.0 ** -len(a.partition(".")[2])
        for a, b in pairs
    )


def _whole(part: object) -> object:
    """Return the rows of a track as one array: its span counts, not that of a row."""
    rows = isinstance(part, list) and part and all(isinstance(one, np.ndarray) for one in part)
    return np.stack(part) if rows else part


def _numbers(mine: np.ndarray, other: np.ndarray, at: str) -> Iterator[str]:
    if (np.isnan(mine) != np.isnan(other)).any():
        yield f"{at}: other numbers are missing"
    elif mine.size and not np.isnan(mine).all():
        span = max(float(np.nanmax(mine) - np.nanmin(mine)), 1e-9)
        if (far := float(np.nanmax(np.abs(mine - other)))) > NEAR * span:
            yield f"{at}: {far:.3g} apart in a span of {span:.3g}"


def test_two_pythons_give_one_answer(
    questions: dict[str, str], ours: dict[str, bytes], theirs: dict[str, bytes]
) -> None:
    found: dict[str, list[str]] = {}
    edges: dict[str, list[str]] = {name: [] for name in ours}
    for name in ours:
        if not ours[name] or not theirs[name]:
            found[name] = [] if ours[name] == theirs[name] else ["only one of them has an answer"]
            continue
        found[name] = list(apart(read(name, ours[name]), read(name, theirs[name]), edges[name]))
    films = {name: f"{name}&{questions[name.split(', ')[0]]}" for name in found}  # its address has every setting
    other = {name for name, film in films.items() if any(why in film for why in OTHERS)}
    assert {name: some[:3] for name, some in found.items() if some and name not in other} == {}
    near = [f"{name}{one}" for name, some in edges.items() if name not in other for one in some]
    assert len(near) <= EDGES, near
    assert sum(map(bool, ours.values())) > len(ours) / 2
