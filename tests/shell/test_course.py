"""A course is a walk from its title to its last page that stands in the address alone."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from lessons import BY_KEY, LESSONS
from lessons.record import OPEN
from shell.course import bar, courses
from shell.course.bar import LAST
from shell.course.courses import COURSES, Course
from shell.course.pages import seen
from shell.course.walk import Walk, parse
from tests.lessons.shown import PLAYER, parts, sent

MOST_HANDS = 5  # answers that a hall can show hands for
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("course", COURSES.values(), ids=COURSES)
def test_every_stop_is_a_moment_or_a_bet_and_comes_once(course: Course) -> None:
    names = [stop.name for stop in course.stops]
    assert len(set(names)) == len(names)
    for stop in course.stops:
        lesson = BY_KEY[stop.lesson]
        if stop.asks:
            assert lesson.bet is not None and len(lesson.bet.options) <= MOST_HANDS
        else:
            assert lesson.moment(stop.moment).t > 0 or not stop.plays
    assert own_of(course) == [(stop.lesson, stop.moment) for stop in course.stops]


def own_of(course: Course) -> list[tuple[str, str]]:
    """The stops of a course as a link of one's own lists them, read back."""
    found, wrong = courses.own(",".join(stop.name for stop in course.stops), LESSONS)
    assert wrong == []
    return [(stop.lesson, stop.moment) for stop in found.stops]


def test_a_course_takes_the_minutes_that_it_promises_and_says_what_to_leave_out() -> None:
    minutes = {key: course.minutes for key, course in COURSES.items()}
    assert 18 <= minutes["twenty"] <= 20 and 55 <= minutes["hour"] <= 60 and 40 <= minutes["gpucb"] <= 45
    assert all(any(stop.spare for stop in course.stops) for course in COURSES.values())


def test_the_teacher_has_a_page_for_each_course_with_its_stops_in_their_order_and_three_questions() -> None:
    pages = (ROOT / "docs/teaching.md").read_text(encoding="utf-8").split("\n## ")[1:]
    by_title = {page.partition("\n")[0]: page for page in pages}
    for course in COURSES.values():
        page = by_title[course.title]
        assert re.findall(r"^\| ([a-z_]+\.[a-z_]+) \| \S", page, re.M) == [stop.name for stop in course.stops]
        asked = re.findall(r"^(\d)\. .*\?.*\*\(.+\)\*$", page, re.M)
        assert asked == ["1", "2", "3"], "three questions, each with what a good answer says"


def test_the_speaker_window_knows_the_stops_where_we_are_and_what_comes_next() -> None:
    course = COURSES["twenty"]
    for at in range(course.last + 1):
        told = bar.told(Walk(course, at), LESSONS)
        assert (told["at"], [minutes for _, minutes, _ in told["stops"]]) == (at, [s.minutes for s in course.stops])
        after = Walk(course, at).after.stop
        assert (told["next"] == "") == (at == course.last) and (told["line"] == "") == (after is None)
    assert "Which of them has paid less" in bar.told(Walk(course, 1), LESSONS)["line"]


def test_a_walk_goes_from_title_to_last_page_and_back_and_no_further() -> None:
    course = COURSES["twenty"]
    here = Walk(course, 0)
    assert here.before == here and here.stop is None
    for stop in course.stops:
        here = here.after
        assert here.stop == stop and parse(here.words(), LESSONS) == (here, [])
    last = here.after
    assert last.stop is None and last.after == last and last.before == here
    assert parse(last.words(), LESSONS) == (last, [])


@pytest.mark.parametrize(
    ("words", "at", "said"),
    [
        ({"course": "twenty", "stop": "99"}, COURSES["twenty"].last, "allowed: 0 to 6"),
        ({"course": "twenty", "stop": "two"}, 0, "allowed: 0 to 6"),
        ({"course": "twenty", "stop": "-1"}, 0, "allowed: 0 to 6"),
        ({"course": "<b>", "stop": "1"}, None, "allowed: twenty"),
        ({"stops": "race.gone,nobody.bet,,race.jumps"}, 0, "race.gone"),
        ({"stops": "nothing"}, None, "allowed: lesson.moment"),
    ],
)
def test_a_wrong_course_or_stop_is_said_and_the_nearest_thing_opens(words: dict, at: int | None, said: str) -> None:
    here, wrong = parse(words, LESSONS)
    assert (here.at if here else None) == at and said in "; ".join(wrong)


def test_a_course_of_ones_own_keeps_its_stops_and_its_words() -> None:
    raw = "forgetting.bowl,race.bet,race.jumps"
    here, wrong = parse({"stops": raw, "stop": "2"}, LESSONS)
    assert wrong == [] and here.stop.asks and here.words() == {"stops": raw, "stop": "2"}
    assert len(courses.own(",".join(["race.jumps"] * 99), LESSONS)[0].stops) == courses.MOST


def opened(file: str = "home.py", **words: str) -> AppTest:
    """A page of the app by a link; every other page is reached from the front page, as its links are."""
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=120)
    if file != "home.py":
        at.run()
        at.switch_page(file)
    for key, value in words.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    return at


def word(at: AppTest, key: str) -> str | None:
    """A word of the address, as it was set or as it was written."""
    found = at.query_params.get(key)
    return found[-1] if isinstance(found, list) else found


def test_the_title_says_promise_and_stops_and_leads_to_the_first() -> None:
    course = COURSES["twenty"]
    at = opened(course="twenty")
    assert at.title[0].value == course.title
    said = " ".join(m.value for m in at.markdown)
    assert course.promise in said and all(BY_KEY[stop.lesson].title in said for stop in course.stops)
    assert word(at, "course") == "twenty"


def test_the_last_page_says_what_each_stop_has_shown() -> None:
    course = COURSES["twenty"]
    at = opened(course="twenty", stop=str(course.last))
    said = " ".join(m.value for m in at.markdown)
    assert at.title[0].value == LAST
    for stop in course.stops:
        assert seen(stop, BY_KEY[stop.lesson])[:25] in said


def test_the_last_page_says_how_many_hands_were_right_where_they_were_counted() -> None:
    course = COURSES["twenty"]
    at = opened(course="twenty", stop="2", guess=OPEN, reveal="true", hands="2.1.0")
    told = next(found for m in at.markdown if (found := re.search(r"(\d) of 3 hands had it right", m.value)))
    for key, value in {"guess": None, "reveal": None, "hands": None, "stop": str(course.last)}.items():
        if value is None:
            del at.query_params[key]
        else:
            at.query_params[key] = value
    at.run()
    said = [m.value for m in at.markdown]
    assert at.title[0].value == LAST and f"{told[0]}. {seen(course.stops[1], BY_KEY['chase'])}" in said
    assert sum("hands" in one for one in said) == 1


@pytest.mark.parametrize("course", COURSES.values(), ids=COURSES)
def test_what_a_stop_has_shown_is_a_statement_without_a_number_that_other_settings_change(course: Course) -> None:
    for stop in course.stops:
        said = seen(stop, BY_KEY[stop.lesson])
        assert said.endswith(".") and "?" not in said and not re.search(r"\d", said), (stop.name, said)
        assert not re.search(r"(^|[.:;] )(Step|Watch|Look|See|Try)\b", said, re.I), (stop.name, said)
    mine, _ = courses.own(",".join(stop.name for stop in course.stops), LESSONS)
    assert [seen(stop, BY_KEY[stop.lesson]) for stop in mine.stops] == [
        seen(stop, BY_KEY[stop.lesson]) for stop in course.stops
    ]


def links(at: AppTest) -> list[dict[str, list[str]]]:
    """The words of the two links that the bar goes by, back and next."""
    found = [parse_qs(e.proto.query_string) for e in at.get("page_link")]
    return [words for words in found if "stop" in words][:2]


def test_a_stop_leads_back_and_on_and_keeps_its_course_when_a_knob_moves() -> None:
    at = opened("pages/Confidence_bands.py", course="twenty", stop="5", moment="missed", lecture="true")
    back, on = (words for words in links(at))
    assert (back["stop"], back["moment"], on["stop"]) == (["4"], ["jumps"], ["6"])
    assert back["lecture"] == on["lecture"] == ["true"]
    at.slider(key="V").set_value(2.0).run()
    assert not at.exception and word(at, "course") == "twenty" and word(at, "stop") == "5"


def test_the_title_reads_lecture_type_as_the_lessons_do_and_says_what_it_dropped() -> None:
    for raw, on in (("1", True), ("true", True), ("0", False), ("false", False), ("large", False)):
        at = opened(course="twenty", lecture=raw)
        assert not at.exception and at.session_state["lecture"] is on
        assert ["lecture = “large”" in one.value for one in at.toast] == [True] * (raw == "large")


def test_a_question_of_a_course_stays_in_it_after_its_reveal_and_leads_back_to_the_question() -> None:
    at = opened(course="twenty", stop="2", guess=OPEN)
    at.button(key="bet_reveal").click().run()
    assert not at.exception and word(at, "stop") == "2" and word(at, "reveal") == "true"
    back, on = links(at)
    assert (back["stop"], back["guess"], on["stop"]) == (["2"], [OPEN], ["3"])


def of_the_bar(at: AppTest) -> dict:
    """Return what the bar of a course is told."""
    (data,) = sent(at, "tvbo_course", "json")
    return json.loads(data)


def test_hands_belong_to_one_question_of_one_course_and_come_back_from_the_address_of_its_answer() -> None:
    asked = of_the_bar(opened(course="twenty", stop="2", guess=OPEN))
    told = of_the_bar(opened(course="twenty", stop="2", guess=OPEN, reveal="true", hands="2.1.0"))
    assert (asked["hands"], told["hands"]) == ([], [2, 1, 0]) and asked["question"] == told["question"] != ""
    elsewhere = of_the_bar(opened(course="hour", stop="2", guess=OPEN))
    assert elsewhere["question"] not in ("", asked["question"])


@pytest.mark.parametrize("moment", [one.key for one in BY_KEY["race"].moments])
def test_another_moment_is_a_look_aside_from_its_stop_to_which_a_step_back_leads(moment: str) -> None:
    at = opened("pages/The_race.py", course="twenty", stop="4", moment=moment, t="0")
    told, (back, on) = of_the_bar(at), links(at)
    aside = moment != COURSES["twenty"].stops[3].moment
    assert told["where"] == ("back to 4 of 5" if aside else "4 of 5") and (told["plays"] is None) == aside
    assert (back["stop"], on["stop"]) == (["4" if aside else "3"], ["5"])
    assert back["moment"] == (["jumps"] if aside else ["bowl"])


def test_a_bet_that_was_left_is_a_look_aside_from_its_stop() -> None:
    at = opened(course="twenty", stop="2", guess=OPEN)
    at.button(key="bet_leave").click().run()
    back, on = links(at)
    assert of_the_bar(at)["where"] == "back to 2 of 5"
    assert (back["stop"], back["guess"], on["stop"]) == (["2"], [OPEN], ["3"])


def test_outside_a_course_there_is_no_bar() -> None:
    at = opened("pages/Confidence_bands.py")
    assert links(at) == [] and "course" not in at.query_params


@pytest.mark.wide
def test_the_film_that_is_fetched_ahead_is_the_one_that_the_next_stop_asks_for() -> None:
    every = {stop.name: stop for course in COURSES.values() for stop in course.stops}  # each once
    asks_first = sorted(every.values(), key=lambda stop: not stop.asks)
    ahead, met = None, 0
    for at, stop in enumerate(asks_first, start=1):
        file = BY_KEY[stop.lesson].file
        page = opened(file, stops=",".join(one.name for one in asks_first), stop=str(at), **stop.query())
        players = sent(page, PLAYER, "bytes")
        question = parts(players[0])[0]["question"] if players else None
        if ahead is not None:
            assert question is not None and dict(question["query"]) == dict(map(tuple, ahead["query"])), stop.name
            assert ahead["lesson"] == stop.lesson and question["query"] == ahead["query"]
            met += 1
        (bar_data,) = sent(page, "tvbo_course", "json")
        ahead = json.loads(bar_data)["ahead"]
        assert ahead is None or not stop.asks  # while a question is open the next film may hold its answer
    assert met >= 8
