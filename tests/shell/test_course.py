"""A course is a walk from its title to its last page that stands in the address alone."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from lessons import BY_KEY, LESSONS
from lessons.record import OPEN
from shell.hall.course import own
from shell.hall.course.bar import LAST
from shell.hall.course.courses import COURSES
from shell.hall.course.walk import Walk, parse
from tests.lessons.shown import PLAYER, parts, sent
from tests.shared import ROOT

MOST_HANDS = 5  # answers that a hall can show hands for
STOPS = ["", *(stop.name for stop in COURSES["twenty"].stops)]  # by their numbers
BET = STOPS.index("chase.bet")


def test_stops_are_moments_or_bets_and_come_once() -> None:
    minutes = {key: course.minutes for key, course in COURSES.items()}  # as they promise
    assert 18 <= minutes["twenty"] <= 20 and 55 <= minutes["hour"] <= 60 and 40 <= minutes["gpucb"] <= 45
    for course in COURSES.values():
        names = [stop.name for stop in course.stops]
        assert len(set(names)) == len(names) and any(stop.spare for stop in course.stops)
        mine, wrong = own.from_link(",".join(names), "", LESSONS)  # as a link of one's own lists them
        assert wrong == [] and [stop.name for stop in mine.stops] == names
        for stop, listed in zip(course.stops, mine.stops, strict=True):
            lesson = BY_KEY[stop.lesson]
            if stop.asks:
                assert lesson.bet is not None and len(lesson.bet.options) <= MOST_HANDS
            else:
                assert lesson.moment(stop.moment).t > 0 or not stop.plays
            said = stop.finding(lesson)  # a statement without a number that other settings change
            assert said == listed.finding(lesson)
            free = re.sub(
                r"\b[Ii]n \d+ of 100 \w+", "", said
            )  # the share belongs to the claim at the stop's own settings
            assert said.endswith(".") and "?" not in said and not re.search(r"\d", free), (stop.name, said)
            assert not re.search(r"(^|[.:;] )(Step|Watch|Look|See|Try)\b", said, re.I), (stop.name, said)


def test_walk_goes_from_title_to_last_page() -> None:
    course = COURSES["twenty"]
    here = Walk(course, 0)
    assert here.before == here and here.stop is None
    for stop in course.stops:
        here = here.after
        assert here.stop == stop and parse(here.words(), LESSONS) == (here, [])
    last = here.after
    assert last.stop is None and last.after == last and last.before == here
    assert parse(last.words(), LESSONS) == (last, [])


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


def test_last_page_says_how_many_were_right() -> None:
    course = COURSES["twenty"]
    at = opened(course="twenty", stop=str(BET), guess=OPEN, reveal="true", hands="2.1.0")
    told = next(found for m in at.markdown if (found := re.search(r"(\d) of 3 votes had it right", m.value)))
    for key, value in {"guess": None, "reveal": None, "hands": None, "stop": str(course.last)}.items():
        if value is None:
            del at.query_params[key]
        else:
            at.query_params[key] = value
    at.run()
    said = [m.value for m in at.markdown]
    assert at.title[0].value == LAST and f"{told[0]}. {course.stops[BET - 1].finding(BY_KEY['chase'])}" in said
    assert sum("votes" in one for one in said) == 1


def links(at: AppTest) -> list[dict[str, list[str]]]:
    """The words of the two links that the bar goes by, back and next."""
    found = [parse_qs(e.proto.query_string) for e in at.get("page_link")]
    return [words for words in found if "stop" in words][:2]


def test_stop_leads_on_and_keeps_its_course() -> None:
    here = STOPS.index("forgetting.best")
    at = opened("pages/Forgetting.py", course="twenty", stop=str(here), moment="best", lecture="true")
    back, on = (words for words in links(at))
    assert (back["stop"], back["moment"], on["stop"]) == ([str(here - 1)], ["bowl"], [str(here + 1)])
    assert "t" not in back  # its film is over: it is not played again from the start
    assert back["lecture"] == on["lecture"] == ["true"]
    at.slider(key="V").set_value(4.0).run()
    assert not at.exception and word(at, "course") == "twenty" and word(at, "stop") == str(here)


@pytest.mark.parametrize("hall", [False, True])
def test_title_asks_who_walks_it(hall: bool) -> None:
    at = opened(course="twenty", stop="0", **({"lecture": "true"} if hall else {}))
    asked = [one for one in at.markdown if one.value == "**Alone or in a hall?**"]
    larger = [words for words in links_to(at, "0") if words.get("lecture")]
    assert len(asked) == (not hall) and (hall or len(larger) == 1)
    assert all(words.get("lecture") for words in links_to(at, "1")) == hall
    assert [one.key for one in at.button if one.key == "room_open_title"] == ["room_open_title"] * hall


def test_title_reached_from_the_lab_turns_large() -> None:
    at = opened()
    for step in ({"course": ["twenty"]}, {"lecture": ["true"]}):  # the front page's link, then that of the title page
        words = next(one for one in links_to(at, "0") if one.items() >= step.items())
        at.query_params.clear()
        at.query_params.update(words)
        at.run()
    assert not at.exception and at.session_state["lecture"]


def links_to(at: AppTest, stop: str) -> list[dict[str, list[str]]]:
    """The words of the links to a stop."""
    found = [parse_qs(e.proto.query_string) for e in at.get("page_link")]
    return [words for words in found if words.get("stop") == [stop]]


def of_the_bar(at: AppTest) -> dict:
    """Return what the bar of a course is told."""
    (data,) = sent(at, "tvbo_course", "json")
    return json.loads(data)


def test_question_stays_in_its_course_and_counts_hands() -> None:
    at = opened(course="twenty", stop=str(BET), guess=OPEN)
    before = of_the_bar(at)
    at.button(key="bet_reveal").click().run()
    assert not at.exception and word(at, "stop") == str(BET) and word(at, "reveal") == "true"
    back, on = links(at)
    assert (back["stop"], back["guess"], on["stop"]) == ([str(BET)], [OPEN], [str(BET + 1)])
    at.button(key="bet_leave").click().run()  # a look aside from its stop
    assert of_the_bar(at)["where"] == f"back to {BET} of {len(STOPS) - 1}" and links(at)[0]["guess"] == [OPEN]
    told = of_the_bar(opened(course="twenty", stop=str(BET), guess=OPEN, reveal="true", hands="2.1.0"))
    assert (before["hands"], told["hands"]) == ([], [2, 1, 0]) and before["question"] == told["question"] != ""
    elsewhere = of_the_bar(opened(course="hour", stop="4", guess=OPEN))
    assert elsewhere["question"] not in ("", before["question"])


@pytest.mark.wide
def test_film_fetched_ahead_is_the_next_stops() -> None:
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
