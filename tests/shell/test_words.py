"""Links as mail, chats and advertising hand them on: trackers go without a word, damage is forgiven."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs, quote

import pytest
from hypothesis import given
from hypothesis import strategies as hs

from lessons import BY_KEY, LESSONS
from shell.course import walk
from shell.links import address, permalink
from shell.links.words import STREAMLITS, TRACKER, words_of
from tests.fuzz.test_the_door_under_fuzz import DoorParams, entered
from tests.lessons import test_pages as pages
from tests.node import node
from tests.shared import session_of
from tests.strategies import LAW

# Of the documentation of each tracker: Google, Meta, Microsoft, X, TikTok, Yandex, Mailchimp, HubSpot, Matomo.
KNOWN = (
    *("utm_source", "utm_medium", "utm_campaign", "utm_id", "gclid", "GCLID", "gbraid", "wbraid", "dclid", "srsltid"),
    *("gad_source", "_ga", "_gl", "fbclid", "igshid", "igsh", "msclkid", "twclid", "ttclid", "yclid", "li_fat_id"),
    *("mc_cid", "mc_eid", "_hsenc", "_hsmi", "mtm_campaign"),
)
OURS = {key for lesson in LESSONS for key in lesson.knobs} | {*permalink.WORDS, *walk.WORDS, *STREAMLITS, address.BACK}
WORDS = hs.text(alphabet="abcmpt;_-. ", min_size=1, max_size=8)


def test_trackers_are_dropped_without_a_toast() -> None:
    state, toasts, said = entered(BY_KEY["bands"], {"V": ["2"], **{name: ["x.1"] for name in KNOWN}})
    assert toasts == [] and state["V"] == 2 and said == {"V": "2"}


def test_no_word_of_ours_is_a_tracker() -> None:
    assert not [word for word in {*OURS, "t", "moment", "ref", "source"} if TRACKER.fullmatch(word)]


def test_unknown_words_are_still_named() -> None:
    _, toasts, _ = entered(BY_KEY["bands"], {"banana": ["1"], "utm": ["1"], "fbclid": ["1"]})
    assert len(toasts) == 1 and "banana" in toasts[0] and "“utm”" in toasts[0] and "fbclid" not in toasts[0]


@pytest.mark.parametrize("times", [1, 2])
def test_escaped_ampersands_are_forgiven(times: int) -> None:
    link = "v=4&moment=missed&symbols=deng&embed=true&lecture=true"
    for _ in range(times):
        link = escape(link)
    state, toasts, said = entered(BY_KEY["bands"], parse_qs(link))
    assert toasts == [] and said["moment"] == "missed" and said["symbols"] == "deng" and state["lecture"]


@pytest.mark.parametrize("raw", ["missed%20", "+missed", "%20missed%0A", "missed%C2%A0"])
def test_spaces_around_a_value_are_forgiven(raw: str) -> None:
    state, toasts, _ = entered(BY_KEY["bands"], parse_qs(f"moment={raw}&%20V=2+"))
    assert toasts == [] and (state["moment"], state["V"]) == ("missed", 2)


def test_a_damaged_link_opens_its_course() -> None:
    at = pages.opened("home.py", **{"course": "twenty ", "amp;stop": " 0", "amp;theme": "dark", "fbclid": "x"})
    assert not at.toast and session_of(at).course == {"course": "twenty", "stop": "0"}
    at = pages.opened("home.py", stops="forgetting.bowl, race.bet ")
    assert not at.toast and session_of(at).course["stops"] == "forgetting.bowl,race.bet"


@LAW
@given(hs.lists(hs.tuples(WORDS, hs.lists(WORDS, min_size=1, max_size=2)), max_size=4))
def test_tidying_twice_changes_nothing(pairs: list[tuple[str, list[str]]]) -> None:
    found = words_of(DoorParams(dict(pairs)))
    assert words_of(DoorParams(found)) == found  # a second time nothing is left to do
    assert not [word for word in found if word != word.strip() or word.startswith("amp;")]


def test_the_browser_puts_the_words_right() -> None:
    links = ["v=4&amp;moment=missed+&amp;amp;embed=true%20&%20t=3", "moment=missed", "a=+&=1", quote("ä b") + "=c"]
    script = 'import { wordsOf } from "./assets/shared/words.js"; '
    script += f"for (const one of {links!r}) console.log(`${{wordsOf(one)}}`);"
    assert node("--input-type=module", "-", text=script).splitlines() == [
        "v=4&moment=missed&embed=true&t=3",
        "moment=missed",
        "a=&=1",
        "%C3%A4+b=c",
    ]
