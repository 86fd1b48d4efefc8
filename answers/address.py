"""Addresses of films and frames: a state as text, and back.

`<lesson>?r=<release>&v=<version of links>&<settings>`, of a frame with `t=<time>`; with `until=<time>` a film is the
question of the lesson's bet, or its reveal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache

from answers.quantities import PAPERS
from answers.state import BET, LESSON, TRUTH, State
from figures.theme import Theme
from lessons.record import LECTURE, ROOT, BadValue, Knob, Lesson
from tvbo_core.guests import ADMITTED

VERSION = 4  # of links: raise it when one of an older release would be read in another way
# What a film is made from: modules, markup, shipped tables and runs, odds.
READ = dict.fromkeys(("tvbo_core", "common", "figures", "lessons", "answers", "shell"), (".py", ".html"))
READ |= {"assets": (".npz", ".json")}
RELEASE = ROOT / "release"  # in an archive for a browser's own Python, which has not all that is read


class Refused(ValueError):
    """An address that is not answered; it is not said why, and nothing of it is repeated."""


class OtherRelease(Refused):
    """An address of a page that was drawn before an update."""


@cache
def release() -> str:
    """Return a short name for all that a film is made from: a checksum of files, guests and pinned versions."""
    if RELEASE.exists():
        return RELEASE.read_text(encoding="ascii")
    files = [ROOT / "requirements.txt"]
    for folder, endings in READ.items():
        files += sorted(path for ending in endings for path in (ROOT / folder).rglob(f"*{ending}"))
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
    digest.update("".join(guest.word for guest in ADMITTED.values()).encode())
    return digest.hexdigest()[:12]


def read(lesson: Lesson, query: Sequence[tuple[str, str]], kind: str = "frame") -> State:
    """Return the state whose answer an address asks for.

    Args:
        query: names and texts, as in a link; what is left out has its default.
        kind: of the answer; a film has no time, and a frame no end.

    Raises:
        Refused: an unknown or repeated name, a text that is no value of its slider.
        OtherRelease: the address names another release.
    """
    given = dict(query)
    if len(given) < len(query):
        raise Refused
    if given.pop("r", None) != release():
        raise OtherRelease
    t = _whole(given.pop("t", str(lesson.t))) if kind != "film" else lesson.t
    until = _whole(given.pop("until")) if kind != "frame" and "until" in given else None
    if until is not None and (lesson.bet is None or until not in (lesson.bet.opens, lesson.bet.t)):
        raise Refused  # only a bet's question, and its reveal, have an end of their own
    charts = tuple(given.pop("charts").split(",")) if kind == "film" and until is None and "charts" in given else ()
    if len(set(charts)) < len(charts):
        raise Refused  # one film has one address
    if given.pop("v", None) != str(VERSION):
        raise Refused
    theme, paper = given.pop("theme", "light"), given.pop("symbols", "ours")
    lecture = _value(LECTURE, given.pop("lecture", "false"))
    if theme not in ("light", "dark") or paper not in PAPERS or not given.keys() <= lesson.knobs.keys():
        raise Refused
    values = {key: _value(knob, given[key]) if key in given else knob.default for key, knob in lesson.knobs.items()}
    view = LESSON if until is None else BET if lesson.bet and until == lesson.bet.opens else TRUTH
    return State(lesson, values, t, view, Theme(theme == "dark", bool(lecture)), paper, charts)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and text == str(int(text))):
        raise Refused
    return int(text)


def _value(knob: Knob, text: str) -> object:
    """Return a knob's value; one frame has one address, so a text that would be moved to the grid is refused."""
    try:
        value = knob.read(text)
    except BadValue:
        raise Refused from None
    if text not in (knob.text(value), knob.screen_text(value)):
        raise Refused
    return value


def question(state: State) -> dict:
    """Return what the browser needs to ask for the film and the frames of a page in this state.

    Returns:
        "lesson" (its key), "query" (names and texts in a fixed order, without the time) and "knobs" (key -> the text of
        each stop of its slider, of those that the stage follows).
    """
    lesson, theme = state.lesson, state.theme
    words = {"r": release(), "v": str(VERSION)}
    words |= {key: knob.text(state.values[key]) for key, knob in lesson.knobs.items()}
    words |= {"lecture": LECTURE.text(theme.lecture), "theme": "dark" if theme.dark else "light"}
    words |= {"symbols": state.paper} | ({} if state.until is None else {"until": str(state.until)})
    words |= {"charts": ",".join(state.charts)} if state.charts else {}
    knobs = {key: lesson.knobs[key].stop_texts for key in lesson.follows}
    return {"lesson": lesson.key, "query": list(words.items()), "knobs": knobs}
