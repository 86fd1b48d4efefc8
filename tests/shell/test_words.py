"""Links as mail, chats and advertising hand them on: trackers go without a word, damage is forgiven."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs, quote

from hypothesis import given
from hypothesis import strategies as hs

from lessons import BY_KEY, LESSONS
from shell.hall.course import walk
from shell.links import address, permalink
from shell.links.words import STREAMLITS, TRACKER, words_of
from tests.fuzz.test_the_door_under_fuzz import DoorParams, entered
from tests.node import node
from tests.strategies import LAW

# Of the documentation of each tracker: Google, Meta, Microsoft, X, TikTok, Yandex, Mailchimp, HubSpot, Matomo.
KNOWN = (
    *("utm_source", "utm_medium", "utm_campaign", "utm_id", "gclid", "GCLID", "gbraid", "wbraid", "dclid", "srsltid"),
    *("gad_source", "_ga", "_gl", "fbclid", "igshid", "igsh", "msclkid", "twclid", "ttclid", "yclid", "li_fat_id"),
    *("mc_cid", "mc_eid", "_hsenc", "_hsmi", "mtm_campaign"),
)
OURS = {key for lesson in LESSONS for key in lesson.knobs} | {*permalink.WORDS, *walk.WORDS, *STREAMLITS, address.BACK}
WORDS = hs.text(alphabet="abcmpt;_-. ", min_size=1, max_size=8)


def test_trackers_alone_are_dropped_without_a_toast() -> None:
    state, toasts, said = entered(BY_KEY["bands"], {"V": ["2"], **{name: ["x.1"] for name in KNOWN}})
    assert toasts == [] and state["V"] == 2 and said == {"V": "2"}
    assert not [word for word in {*OURS, "t", "moment", "ref", "source"} if TRACKER.fullmatch(word)]
    _, toasts, _ = entered(BY_KEY["bands"], {"banana": ["1"], "utm": ["1"], "fbclid": ["1"]})
    assert len(toasts) == 1 and "banana" in toasts[0] and "“utm”" in toasts[0] and "fbclid" not in toasts[0]


def test_escapes_and_spaces_are_forgiven() -> None:
    link = "v=4&moment=missed&symbols=deng&embed=true&lecture=true"
    for escaped in (escape(link), escape(escape(link))):
        state, toasts, said = entered(BY_KEY["bands"], parse_qs(escaped))
        assert toasts == [] and said["moment"] == "missed" and said["symbols"] == "deng" and state["lecture"]
    for raw in ("missed%20", "+missed", "%20missed%0A", "missed%C2%A0"):
        state, toasts, _ = entered(BY_KEY["bands"], parse_qs(f"moment={raw}&%20V=2+"))
        assert toasts == [] and (state["moment"], state["V"]) == ("missed", 2), raw


@LAW
@given(hs.lists(hs.tuples(WORDS, hs.lists(WORDS, min_size=1, max_size=2)), max_size=4))
def test_tidying_twice_changes_nothing(pairs: list[tuple[str, list[str]]]) -> None:
    found = words_of(DoorParams(dict(pairs)))
    assert words_of(DoorParams(found)) == found  # a second time nothing is left to do
    assert not [word for word in found if word != word.strip() or word.startswith("amp;")]


def test_browser_puts_the_words_right() -> None:
    links = ["v=4&amp;moment=missed+&amp;amp;embed=true%20&%20t=3", "a=+&=1", quote("ä b") + "=c"]
    script = 'import { wordsOf } from "./assets/shared/words.js"; '
    script += f"for (const one of {links!r}) console.log(`${{wordsOf(one)}}`);"
    said = node("--input-type=module", "-", text=script).splitlines()
    assert said == ["v=4&moment=missed&embed=true&t=3", "a=&=1", "%C3%A4+b=c"]
