"""A course of one's own: its stops from a link or from a TOML file, and the file's text.

What the lab does not know there is left out and named, and the rest works. A link names lessons of this lab only; which
files are read, the start of the server alone says.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qsl
from zlib import crc32

from common.escape import quoted, unlinked
from lessons.record import BET_KNOBS, BadValue, Knob, Lesson, Moment, text_of
from shell.hall.course.courses import BET, COURSES, OWN_TITLE, SEEN, Course, Stop

MOST = 30  # stops of a course of one's own
TITLE, LINE = 60, 300  # letters, at most, of a title and of a line to say
NUMBERS = {
    knob.key: knob
    for knob in (
        Knob("minutes", "", "", 2, 1, 99, 1),
        Knob("begins", "", "", 0, 0, 9999, 1),
        Knob("plays", "", "", False, widget="toggle"),
        Knob("spare", "", "", False, widget="toggle"),
    )
}
TIME = Knob("t", "", "", 0, 0, 9999, 1)
WORDS = ("title", "line", "t")  # of a stop, beside its place, its numbers and its settings


def kept_moment(title: str, line: str, t: int, values: Mapping[str, object]) -> Moment:
    """Return a moment of one's own; its key is a checksum of what it shows."""
    title, line = unlinked(title, TITLE), unlinked(line, LINE)
    key = f"own{crc32(repr((title, line, t, sorted(values.items()))).encode()):08x}"
    return Moment(key, title, line, t, dict(values))


def base_of(lesson: Lesson, key: str | None) -> Moment:
    """Return the prepared moment of this key; without one the page as it opens, with its name and its question."""
    return lesson.moment(key) if key else Moment("", lesson.title, lesson.question, lesson.t)


def read_stop(words: Mapping[str, object], lessons: Sequence[Lesson]) -> tuple[Stop | None, list[str]]:
    """Return the stop of these words, None where they name none, and what was dropped, one text each.

    Args:
        words: lesson, moment (its key, or bet), minutes, begins, plays, spare, seen, title, line, t, settings.
    """
    key, place = str(words.get("lesson", "")), str(words.get("moment", ""))
    lesson = next((one for one in lessons if one.key == key), None)
    moments = [one.key for one in lesson.moments] if lesson else []
    if lesson is None or not (place in ("", *moments) or (place == BET and lesson.bet)):
        name = f"{key}.{place}" if place else key
        return None, [f"stop “{quoted(name)}” (allowed: lesson.moment, as race.jumps, or race.bet)"]
    given = words.get("settings", {})
    settings = given if isinstance(given, Mapping) else {"settings": given}
    known = ("lesson", "moment", "settings", "seen", *NUMBERS, *WORDS)
    wrong = [f"“{quoted(word)}” (no such word of a stop)" for word in words if word not in known]
    numbers = _values({key: words[key] for key in NUMBERS if key in words}, NUMBERS, wrong)
    seen = unlinked(str(words.get("seen", "")), LINE)
    if place == BET:
        more = (*settings, *(word for word in WORDS if word in words))
        wrong += [f"“{quoted(word)}” (no such word of a bet)" for word in more]
        return Stop(key, seen=seen, **numbers), wrong
    kept = None
    if settings or not place or any(word in words for word in WORDS):
        base = base_of(lesson, place)
        knobs = {key: knob for key, knob in lesson.knobs.items() if key not in BET_KNOBS}
        values = {**base.values, **_values(settings, knobs, wrong)}
        t = _values({"t": words.get("t", base.t)}, {"t": TIME}, wrong).get("t", base.t)
        kept = kept_moment(str(words.get("title", base.title)), str(words.get("line", base.script)), int(t), values)
    seen = seen or ("" if kept else SEEN.get(f"{key}.{place}", ""))
    return Stop(key, "" if kept else place, seen=seen, kept=kept, **numbers), wrong


def _values(given: Mapping[str, object], knobs: Mapping[str, Knob], wrong: list[str]) -> dict:
    """Return the values that these knobs allow; what is dropped is added to `wrong`."""
    found = {}
    for key, value in given.items():
        raw = text_of(value)
        try:
            found[key] = knobs[key].read(raw)
        except KeyError:
            wrong.append(f"“{quoted(key)}” (no such setting here)")
        except BadValue as problem:
            wrong.append(f"{key} = “{quoted(raw)}” (allowed: {problem})")
    return found


def from_link(raw: str, title: str, lessons: Sequence[Lesson]) -> tuple[Course | None, list[str]]:
    """Return the course that a link lists as `lesson.moment,lesson.bet,lesson?V=2&t=40`, None of no stop, and what was
    dropped, one text each."""
    listed = []
    for one in map(str.strip, raw.split(",")[: MOST + 1]):
        place, _, more = one.partition("?")
        lesson, _, moment = place.partition(".")
        pairs = dict(parse_qsl(more, keep_blank_values=True))
        words = {key: pairs.pop(key) for key in (*NUMBERS, *WORDS) if key in pairs}
        listed.append({"lesson": lesson, "moment": moment, **words, "settings": pairs})
    return course_of("", title, "", listed, lessons)


def course_of(
    key: str, title: str, promise: str, listed: Iterable[Mapping[str, object]], lessons: Sequence[Lesson]
) -> tuple[Course | None, list[str]]:
    """Return the course of these stops, None of no stop, and what was dropped, one text each.

    Args:
        listed: words of each stop, as `read_stop` takes them.
    """
    stops, wrong = [], []
    for at, words in enumerate(listed):
        if at == MOST:
            wrong.append(f"stops after number {MOST}")
            break
        stop, lost = read_stop(words, lessons)
        stops += [stop] if stop else []
        wrong += lost
    title, promise = unlinked(title, TITLE) or OWN_TITLE, unlinked(promise, LINE)
    return (Course(key, title, promise, tuple(stops)) if stops else None), wrong


def load_course(path: Path, lessons: Sequence[Lesson]) -> tuple[Course, list[str]]:
    """Return the course of a TOML file, under its file's name, and what was dropped, one text each.

    Raises:
        ValueError: no such file, no TOML, no stop, or a name that is taken; in one sentence.
    """
    key = re.sub(r"\W+", "_", path.stem.lower(), flags=re.ASCII).strip("_")
    if not key:
        raise ValueError(f"{path.name}: links name a course by its file: give the file a name with ASCII letters.")
    if key in COURSES:
        raise ValueError(f"{path.name}: there is a course “{key}” already: give the file another name.")
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise ValueError(f"{path} cannot be read ({problem.strerror}): name a course that was saved here.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ValueError(f"{path} is no TOML ({problem}): save the course anew, or mend that line.") from None
    listed = found.get("stop")
    tables = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    title, promise = (str(found.get(word, "")) for word in ("title", "promise"))
    course, wrong = course_of(key, title or path.stem, promise, tables, lessons)
    unknown = [word for word in found if word not in ("title", "promise", "stop")]
    wrong += [f"“{quoted(word)}” (no such word of a course)" for word in unknown]
    if course is None:
        raise ValueError(f"{path} has no stop of this lab: each is a [[stop]] with a lesson and a moment of it.")
    return course, wrong


def add_courses(paths: Iterable[str], lessons: Sequence[Lesson]) -> list[str]:
    """List the courses of these files beside the lab's own, and return a sentence for each file with unknown words.

    Raises:
        ValueError: as `load_course`.
    """
    sentences = []
    for path in paths:
        course, wrong = load_course(Path(path), lessons)
        COURSES[course.key] = course
        sentences += [f"{path}: left out were {'; '.join(wrong)}."] if wrong else []
    return sentences


def toml(course: Course) -> str:
    """Return a course as the text of a file."""
    lines = [f"title = {_quoted(course.title)}", f"promise = {_quoted(course.promise)}"]
    for stop in course.stops:
        lines += ["", "[[stop]]", f"lesson = {_quoted(stop.lesson)}"]
        lines += [f"{key} = {_quoted(value)}" for key, value in stop.words().items()]
    return "\n".join(lines) + "\n"


def _quoted(value: object) -> str:
    """Return a value as TOML has it; a text of JSON is one of TOML."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_quoted(one)}' for key, one in value.items())} }}"
    return text_of(value) if isinstance(value, bool | int) else json.dumps(value, ensure_ascii=False)
