"""A course of one's own is the same from a link, a file and the moments that a reader keeps."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons import BY_KEY, LESSONS
from lessons.guests import course_files
from shell.hall.course import courses, own
from shell.hall.course.courses import Course, Stop
from shell.hall.course.walk import parse
from shell.links import permalink
from shell.links.share_drawer import TOO_LONG
from tests.lessons.shown import sent
from tests.shared import ROOT
from tests.shell.test_course import opened

FILE = """
title = "Two of mine"
colour = "red"

[[stop]]
lesson = "bands"
title = "Doubled drift"
line = "With $V_T$ doubled, the tightest band misses sooner."
t = 40
minutes = 3
settings = { V = 3, seed = 6, Vee = 2, B = "many" }

[[stop]]
lesson = "race"
moment = "gone"

[[stop]]
lesson = "race"
moment = "bet"
minutes = "4"
"""
KEPT = own.kept_moment("Mine, & yours = 50 %", "A line; with, signs?", 40, {"V": 2.0, "seed": 3})


def stops() -> st.SearchStrategy[Stop]:
    """Stops that name a moment or a bet, or hold a moment of one's own with any letters."""
    numbers = {"minutes": st.integers(1, 99), "begins": st.integers(0, 99), "plays": st.booleans()}
    text = st.text(max_size=40).map(lambda said: own.unlinked(said, own.TITLE))
    made = st.builds(own.kept_moment, text, text, st.integers(0, 200), st.sampled_from([{}, {"V": 2.0, "seed": 7}]))
    listed = st.sampled_from(["race.jumps", "bands.missed", "race.bet", "chase.bet"])
    named = listed.flatmap(lambda name: st.builds(_stop_of, st.just(name), st.fixed_dictionaries(numbers)))
    return named | st.builds(Stop, st.just("bands"), kept=made, **numbers)


def _stop_of(name: str, numbers: dict) -> Stop:
    lesson, place = name.split(".")
    return Stop(lesson, "" if place == "bet" else place, seen=courses.SEEN.get(name, ""), **numbers)


@settings(max_examples=20, deadline=None)
@given(st.lists(stops(), min_size=1, max_size=4))
def test_link_and_file_give_the_course_back(listed: list[Stop]) -> None:
    course = Course("", "Mine: a walk", "", tuple(listed))
    sent_words = dict(parse_qsl(urlencode(course.words()), keep_blank_values=True))  # as an address carries them
    here, wrong = parse(sent_words, LESSONS)
    assert wrong == [] and here is not None and here.course == course
    saved = tomllib.loads(own.toml(course))
    assert own.course_of("", saved["title"], saved["promise"], saved["stop"], LESSONS) == (course, [])


def test_file_gives_its_course_and_names_wrong_words(tmp_path: Path) -> None:
    path = tmp_path / "my course.toml"
    path.write_text(FILE, encoding="utf-8")
    course, wrong = own.load_course(path, LESSONS)
    first, second = course.stops
    assert (course.key, course.title) == ("my_course", "Two of mine") and second.asks and second.minutes == 4
    assert first.kept is not None and first.kept.values == {"V": 3.0, "seed": 6} and first.kept.t == 40
    said = "; ".join(wrong)
    assert all(word in said for word in ("colour", "Vee", "B = “many” (allowed: ", "race.gone")) and len(wrong) == 4
    path.write_text(own.toml(course), encoding="utf-8")
    assert own.load_course(path, LESSONS) == (course, [])


def test_course_says_what_it_leaves_out(tmp_path: Path) -> None:
    course, wrong = own.from_link(",".join(["bands.tight"] * (own.MOST + 2)), "", LESSONS)
    assert len(course.stops) == own.MOST and wrong == [f"stops after number {own.MOST}"]
    with pytest.raises(ValueError, match="give the file a name with ASCII letters"):
        own.load_course(tmp_path / "лекция.toml", LESSONS)


def test_a_lecturer_may_copy_the_labs_files(tmp_path: Path) -> None:
    for key, course in courses.COURSES.items():
        path = tmp_path / f"my_{key}.toml"
        path.write_bytes((ROOT / f"assets/courses/{key}.toml").read_bytes())
        mine, wrong = own.load_course(path, LESSONS)
        assert wrong == [] and (mine.promise, mine.stops) == (course.promise, course.stops)
        assert mine.title == course.title[: own.TITLE]


def test_title_from_a_link_makes_no_link() -> None:
    hostile = "[a](https://evil.example) ![b](//x) www.evil.example <img src=x> a@b.example"
    course, _ = own.from_link(f"bands?{urlencode({'title': hostile, 'line': hostile})}", hostile, LESSONS)
    for said in (course.title, course.stops[0].kept.title, course.stops[0].kept.script):
        assert not set("[]<>") & set(said) and "://" not in said and "www." not in said and "a@b" not in said


def test_changed_stop_keeps_its_moments_settings() -> None:
    told = 0
    for lesson in (one for one in LESSONS if "seed" in one.knobs):
        for moment in lesson.moments:
            course, wrong = own.from_link(f"{lesson.key}.{moment.key}?seed=11", "", LESSONS)
            assert wrong == [] and course.stops[0].kept.values == {**moment.values, "seed": 11}
            told += bool(set(moment.values) - {"seed"})
    assert told > 20


def test_own_stop_opens_as_it_was_kept() -> None:
    course = Course("", "Mine", "", (Stop("bands", kept=KEPT), Stop("race")))
    at = opened(BY_KEY["bands"].file, **course.words(), stop="1", **course.stops[0].query())
    assert (at.session_state["V"], at.session_state["seed"]) == (2.0, 3)
    (bar,) = sent(at, "tvbo_course", "json")
    assert '"1 of 2"' in bar.replace('"where": ', "") and KEPT.title not in bar
    assert at.session_state["kept"].t == KEPT.t


def test_course_too_long_for_a_code_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permalink, "is_local", lambda: False)
    kept = own.kept_moment("Вдвое больше дрейфа", "Самая узкая полоса промахивается раньше.", 40, {"V": 2.0})
    at = opened(**Course("", "Моё", "", (Stop("bands", kept=kept),) * 8).words(), stop="0", lecture="true")
    assert any(TOO_LONG in one.value for one in at.markdown)


def test_kept_page_becomes_a_stop() -> None:
    at = opened(BY_KEY["bands"].file, moment="missed", V="2", t="50")
    at.session_state["drawer_link"] = True
    at.run()
    at.text_input(key="own_title").input("Mine")
    at.button(key="FormSubmitter:own_keep-Keep as my moment").click().run()
    assert not at.exception
    (stop,) = at.session_state["kept"].course.own.stops
    lesson = BY_KEY["bands"]
    assert (stop.kept.title, stop.kept.script, stop.kept.t) == ("Mine", lesson.moment("missed").script, 50)
    assert lesson.settings(stop.kept.values) == {**lesson.settings(lesson.moment("missed").values), "V": 2.0}
    at.number_input(key="own_minutes_0").set_value(7).run()
    at.button(key="own_bet").click().run()
    at.button(key="own_up_1").click().run()
    assert [(one.name.split(".")[1] == "bet", one.minutes) for one in at.session_state["kept"].course.own.stops] == [
        (True, 2),
        (False, 7),
    ]
    at.button(key="own_drop_0").click().run()
    assert not at.exception and len(at.session_state["kept"].course.own.stops) == 1


def test_documented_file_and_link_are_courses(tmp_path: Path) -> None:
    text = (ROOT / "docs/in-the-hall.md").read_text(encoding="utf-8")
    path = tmp_path / "documented.toml"
    path.write_text(re.search(r"```toml\n(.*?)```", text, re.S)[1], encoding="utf-8")
    course, wrong = own.load_course(path, LESSONS)
    assert wrong == [] and [stop.lesson for stop in course.stops] == ["bands", "race"] and course.stops[1].spare
    link = dict(parse_qsl(re.search(r"`/\?(stops=[^`]+title=[^`]+)`", text)[1]))
    here, wrong = parse(link, LESSONS)
    assert wrong == [] and here.course.title == "Mine" and here.course.stops[2].kept.values == {"V": 3.0}


def test_start_alone_names_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courses, "COURSES", dict(courses.COURSES))
    monkeypatch.setattr(own, "COURSES", courses.COURSES)
    path = tmp_path / "mine.toml"
    path.write_text(FILE, encoding="utf-8")
    words = ["--with", "a.py@Greedy", "-S", "window=20", "--with", str(path)]
    assert course_files(words) == [str(path)]
    (said,) = own.add_courses(course_files(words), LESSONS)
    assert "left out were" in said and "mine" in own.COURSES
    for name in (str(path), "../mine", "file:mine.toml"):
        assert parse({"course": name}, LESSONS)[0] is None and parse({"stops": name}, LESSONS)[0] is None
