"""Links that were given away while lessons and moments had numbers open what they opened then.

`old_links.txt` was written by the lab of that time: one link a line, then the moment (by the key that it has got
since), and for links with a version the time and every setting that its page would not have opened with by itself.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from lessons import LESSONS
from tests.fuzz.test_the_door_under_fuzz import entered

LINES = Path(__file__).with_name("old_links.txt").read_text(encoding="utf-8").splitlines()
NAMES = {one.key: "" if one.file == "home.py" else Path(one.file).stem for one in LESSONS}
PAGES = {NAMES[one.key]: one for one in LESSONS}
OLD = tuple(PAGES[page] for page in dict.fromkeys(line.split(" -> ")[0].split("?")[0] for line in LINES))


def opens(link: str) -> tuple[object, str, dict[str, str]]:
    """Return the lesson of a link, the key of its moment, and its settings as text, with the time as "t"."""
    parts = urlsplit(link)
    lesson = PAGES[parts.path]
    state, toasts, _ = entered(lesson, parse_qs(parts.query))
    assert toasts == [], (link, toasts)
    texts = {key: knob.text(state[key]) for key, knob in lesson.knobs.items()}
    return lesson, state["moment"] or "no moment", {"t": str(state["t"]), **texts}


def test_list_holds_every_lesson_moment_and_version() -> None:
    links = {line.split(" -> ")[0] for line in LINES}
    assert len(links) == len(LINES) == 248 and len(OLD) == 12
    for page in (NAMES[lesson.key] for lesson in OLD):
        for version in ("", "v=1", "v=2", "v=3"):
            for moment in ("", *(f"moment={k}" for k in range(1, 4))):
                said = "&".join(word for word in (version, moment) if word)
                assert f"{page}{'?' if said else ''}{said}" in links


def test_old_link_opens_what_it_opened() -> None:
    wrong = []
    for line in LINES:
        link, said = line.split(" -> ")
        moment, *settings = said.split("; ")
        lesson, shown, texts = opens(link)
        wanted = dict(one.split("=", 1) for one in settings)
        if "v=" not in link and "moment=" in link:  # without a version a moment says what it is today
            today = lesson.moment(moment)
            now = {**lesson.defaults, **today.values}
            wanted = {"t": str(today.t), **{key: knob.text(now[key]) for key, knob in lesson.knobs.items()}}
        if shown != moment or {key: texts[key] for key in wanted} != wanted:
            wrong.append((line, shown, texts))
    assert wrong == []


def test_key_opens_what_the_number_opens() -> None:
    for lesson in OLD:
        start = f"{NAMES[lesson.key]}?moment="
        numbers = dict(line.removeprefix(start).split(" -> ") for line in LINES if line.startswith(start))
        assert len(numbers) >= 3
        for number, key in numbers.items():
            for version in ([], ["1"], ["2"], ["3"]):
                words = {"v": version} if version else {}
                assert entered(lesson, {**words, "moment": [number]}) == entered(lesson, {**words, "moment": [key]})
