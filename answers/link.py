"""Addresses of pages: a state as the words of a link, and back.

A server's page and a site's read and write the same words. An address leaves out what is as the page opens: with a
moment or a bet, as these open it. A link to keep has a version ("v") and leaves out what is the page's default.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from answers.address import VERSION
from answers.letters import QUOTING_LESSON
from answers.quantities import PAPERS
from answers.state import BET, LESSON, TRUTH, State
from common.escape import quoted
from figures.theme import Theme
from lessons.record import APART, CLOSED, LECTURE, BadValue, Knob, Lesson, Values

PLACES = {
    "controls": "All controls",
    "moments": "Prepared moments",
    "more": "More…",
    "bet": "Bet first",
    "menu": "Lessons menu",
    "drawers": "Drawers under the figure",
}
Words = Mapping[str, Sequence[str]]  # name -> every text that an address has for it


@dataclass
class Link:
    """The contents of a link.

    Attributes:
        given: settings by key.   look: version, theme, symbols, hidden parts, where the link has them.
        wrong: what was dropped, one text each.   moment, t: None where the link has none.
    """

    given: dict[str, Any] = field(default_factory=dict)
    look: dict[str, Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    moment: str | None = None
    t: int | None = None


# Reading -------------------------------------------------------------------------------------------------------------


def read(lesson: Lesson, words: Words, others: Collection[str] = ()) -> Link:
    """Return the contents of a link; what the page does not allow is dropped and named.

    Args:
        others: words that belong to other pages, which do no harm.
    """
    link = Link()
    for key, raws in words.items():
        raw = raws[-1]
        if key in LOOKS:
            value, problem = look(key, raw, lesson)
            link.look |= {} if value is None else {key: value}
        elif key == "t":
            link.t = int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 4 else None
            problem = f"t = “{quoted(raw)}” (allowed: a whole number from 0)" if link.t is None else ""
        elif key == "moment":
            known = [one.key for one in lesson.moments]
            link.moment = raw if len(raws) == 1 and raw in known else None
            allowed = ", ".join(known) + (", once" if len(raws) > 1 else "")
            problem = f"moment = “{quoted(raw)}” (allowed: {allowed})" if link.moment is None else ""
        elif key in lesson.knobs or key == LECTURE.key:
            value, problem = setting(lesson.knobs.get(key) or LECTURE, raws)
            link.given |= {} if problem else {key: value}
        elif key in lesson.former:
            problem = f"“{key}” (this page no longer has it)"
        else:
            problem = "" if key in others else f"“{quoted(key)}” (no such setting here)"
        link.wrong += [problem] if problem else []
    return link


def setting(knob: Knob, raws: Sequence[str]) -> tuple[object, str]:
    """Return the value of a setting, its default where none is allowed or said, and a text about what was dropped.

    Args:
        raws: every text that the link has for it.
    """
    try:
        if len(raws) > 1:
            raise BadValue(f"{knob.allowed}, once")
        return (knob.read(raws[0]) if raws else knob.default), ""
    except BadValue as problem:
        problem_text = f"{knob.key} = “{quoted(raws[-1])}” (allowed: {problem}; using {knob.screen_text(knob.default)})"
        return knob.default, problem_text


def look(key: str, raw: str, lesson: Lesson) -> tuple[object, str]:
    """Return the value of a word of `LOOKS`, None where it is not allowed, and a text about what was dropped."""
    reader, allowed = LOOKS[key]
    if (value := reader(raw, lesson)) is None:
        return None, f"{key} = “{quoted(raw)}” (allowed: {allowed})"
    unknown = [part for part in raw.split(".") if part not in value] if isinstance(value, frozenset) else []
    return value, f"hide = “{quoted('.'.join(unknown))}” (no such control here)" if unknown else ""


def _version(raw: str, _: Lesson) -> int | None:
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 3 and int(raw) > 0 else None


def _one_of(*allowed: str) -> Callable[[str, Lesson], str | None]:
    return lambda raw, _: raw if raw in allowed else None


def _parts(raw: str, lesson: Lesson) -> frozenset[str] | None:
    found = frozenset(part for part in raw.split(".") if part in PLACES or part in lesson.knobs)
    return found if found and len(raw) <= 1000 else None


# Words of a link beside the page's settings: word -> reader (None for what is not allowed), and what is allowed.
LOOKS: Mapping[str, tuple[Callable[[str, Lesson], object], str]] = {
    "v": (_version, f"1 to {VERSION}"),
    "theme": (_one_of("light", "dark"), "light, dark"),
    "symbols": (_one_of(*PAPERS), ", ".join(PAPERS)),
    "hide": (_parts, "names of controls, " + ", ".join(PLACES) + ", with dots between"),
}


def opening(lesson: Lesson, moment: str | None, values: Values) -> tuple[dict[str, Any], int]:
    """Return every setting and the time with which a link without a version opens, where it leaves them out.

    Args:
        moment: key of the link's moment.   values: its settings, of which those of a bet count.
    """
    bet = lesson.bet
    if moment:
        opens, t = lesson.moment(moment).values, lesson.moment(moment).t
    elif bet is not None and values.get("guess", CLOSED) != CLOSED:
        opens, t = (bet.values, bet.t) if values.get("reveal") else (bet.opens_with, bet.opens)
    else:
        opens, t = {}, lesson.t
    return lesson.settings(opens), t


def opens_with(lesson: Lesson, link: Link) -> tuple[dict[str, Any], int]:
    """Return every setting and the time with which a link opens its page.

    A link with a version holds every setting that is not a default, also those of its moment.
    """
    whole = "v" in link.look
    first, start = (lesson.defaults, lesson.t) if whole else opening(lesson, link.moment, link.given)
    values = {key: link.given.get(key, first[key]) for key in lesson.knobs}
    return values, start if link.t is None else link.t


def state_of(lesson: Lesson, link: Link, number: int = 0, dark: bool = False) -> State:
    """Return the state that a link opens.

    Args:
        number: of the lesson.   dark: whether the page is, where the link does not say it.
    """
    values, t = opens_with(lesson, link)
    view = LESSON if lesson.bet is None or values["guess"] == CLOSED else TRUTH if values["reveal"] else BET
    if lesson.bet and view != LESSON:  # which is about a state of its own
        asked = {key: value for key, value in values.items() if key in APART}
        opens, t = opening(lesson, None, values)
        values = opens | asked
    shade = link.look.get("theme", "dark" if dark else "light") == "dark"
    theme = Theme(shade, bool(link.given.get(LECTURE.key)))
    paper = "ours" if lesson.key == QUOTING_LESSON else link.look.get("symbols", "ours")
    return State(lesson, values, t, view, theme, paper, number=number, moment=link.moment)


# Writing -------------------------------------------------------------------------------------------------------------


def words(state: State) -> dict[str, str]:
    """Return a state as the words of its address; its parts that are hidden are the host's to add."""
    found = settings(state.lesson, state.values, state.moment)
    found |= look_words(state.theme.lecture, state.paper, state.theme.dark if state.theme.dark else None)
    _, t = opening(state.lesson, state.moment, state.values)
    return found if state.t == t else {**found, "t": str(state.t)}


def settings(lesson: Lesson, values: Values, moment: str | None) -> dict[str, str]:
    """Return the settings of a page as its address has them: with the names of the screen, and without defaults."""
    first, _ = opening(lesson, moment, values)
    found = {}
    for key, knob in lesson.knobs.items():
        if knob.linked and values[key] != first[key]:
            found[key] = knob.text(values[key]) if knob.widget == "pills" else knob.screen_text(values[key])
    return found | ({"moment": moment} if moment else {})


def look_words(lecture: bool, symbols: str, dark: bool | None) -> dict[str, str]:
    """Return the words of an address that say how a page looks.

    Args:
        dark: None where the address need not say it; a link to lecture type alone is light, for halls.
    """
    found = {"lecture": "true"} if lecture else {}
    found |= {"symbols": symbols} if symbols != "ours" else {}
    return found if dark is None and not lecture else {**found, "theme": "dark" if dark else "light"}


def along(lesson: Lesson, values: Values) -> dict[str, str]:
    """Return the World as links to other pages take it along, none while it is untouched."""
    world, knobs = lesson.world, lesson.knobs
    mine = {key: values[key] for key in world if key in knobs}
    if all(value == knobs[key].default for key, value in mine.items()):
        return {}
    # Without values that only this page offers, such as a kind of world of its own.
    known = {k: v for k, v in mine.items() if v not in knobs[k].options or v in world[k].options}
    return {key: world[key].screen_text(value) for key, value in known.items()}


def fitting(words: Mapping[str, str], lesson: Lesson) -> dict[str, str]:
    """Return those of the words that go along which another lesson's knobs allow."""
    knobs = lesson.knobs
    return {key: raw for key, raw in words.items() if key not in knobs or not setting(knobs[key], [raw])[1]}
