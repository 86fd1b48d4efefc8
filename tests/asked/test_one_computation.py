"""A move of a slider computes its scene once, for the page and for the film that the browser asks for afterwards."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType

import pytest
import streamlit as st

from lessons import BY_KEY
from lessons.record import ROOT
from tests.lessons.shown import by_address, opened, parts, sent

OURS = ("tvbo_core", "common", "figures", "lessons", "answers", "shell", "pages")
# Functions, by their names, of a step of V_T in a browser: the page's fragment and the film by its address.
# Of them 262 are mathematics and drawing; the second number is of the others.
MOST, MOST_AROUND = 376, 114


def calls(do: Callable[[], object]) -> Counter[tuple[str, str]]:
    """Return how often each function of ours is called, in whatever thread: (file, name) -> calls."""
    found: Counter[CodeType] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            found[frame.f_code] += 1

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    named: Counter[tuple[str, str]] = Counter()
    for code, count in found.items():
        path = Path(code.co_filename)
        inside = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if inside.split("/")[0] in OURS and not code.co_name.startswith("<"):
            named[inside, code.co_name] += count
    return named


@pytest.fixture(scope="module")
def legs() -> dict[str, Counter[tuple[str, str]]]:
    """The calls of a step of V_T on "Confidence bands": the fragment that a browser asks for, then the film by its
    address. AppTest runs the frame of the page too, which is not counted.
    """
    found: dict[str, Counter[tuple[str, str]]] = {}
    fragment = st.fragment

    def counted(body: Callable[[], object] | None = None, **more: object) -> object:
        if body is None:
            return fragment(**more)

        def run() -> object:
            results: list[object] = []
            found["page"] = calls(lambda: results.append(body()))
            return results[0]

        return run

    at = opened("pages/Confidence_bands.py")
    at.slider(key="V").set_value(2.0).run()  # all that is made once a process is made

    def film() -> object:
        (head, _), *_ = (parts(message) for message in sent(at, "tvbo_player", "bytes"))
        return by_address("bands", tuple(map(tuple, head["question"]["query"])))

    assert film()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "fragment", counted)
        at.slider(key="V").set_value(2.5).run()
    return found | {"film": calls(film)}


def test_page_and_film_share_one_scene(legs: dict[str, Counter]) -> None:
    built = "lessons/bands/scene.py", "scene_of"
    assert (legs["page"][built], legs["film"][built]) == (1, 0)
    assert legs["film"]["lessons/bands/model.py", "_bands"] == 0


def test_page_computes_the_sentence_it_shows(legs: dict[str, Counter]) -> None:
    said, frames = ("lessons/bands/words.py", "finding_at"), BY_KEY["bands"].defaults["T"] + 1
    assert (legs["page"][said], legs["film"][said]) == (1, frames)


def test_step_needs_few_functions_around_the_mathematics(legs: dict[str, Counter]) -> None:
    assert len(legs["page"] | legs["film"]) <= MOST, len(legs["page"] | legs["film"])
    around = [name for name in legs["page"] | legs["film"] if name[0].startswith(("answers/", "shell/", "common/"))]
    assert len(around) <= MOST_AROUND, len(around)
