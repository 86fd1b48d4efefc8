"""The link to exactly this opens what it was made from, also where mail and advertising have changed it."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as hs
from streamlit.testing.v1 import AppTest

from lessons import BY_KEY, LESSONS
from shell import session as sessions
from shell.hall.course import walk
from shell.links import address, permalink
from shell.links.words import STREAMLITS, TRACKER, words_of
from shell.session import KEY, Session
from tests.fuzz.test_the_door_under_fuzz import DoorParams, entered
from tests.lessons import test_pages as pages
from tests.lessons.test_registry import values
from tests.strategies import LAW


def link_words(link: str) -> dict[str, str]:
    return {key: said[-1] for key, said in parse_qs(urlsplit(link).query).items()}


def link_of(at: AppTest) -> str:
    """Return the texts of the drawer of the link."""
    at.session_state["drawer_link"] = True
    at.run()
    return at.code[0].value


def test_unreadable_word_is_named_and_the_page_opens() -> None:
    for word, raw in (
        *(("v", raw) for raw in ("0", "-1", "one", "1234", "²")),
        *(("hide", raw) for raw in ("nothing", "", "nu." * 400)),
        ("theme", "blue"),
        ("symbols", "hong"),
    ):
        state, toasts, _ = entered(BY_KEY["bands"], {word: [raw]})
        assert len(toasts) == 1 and f"{word} = “{raw[:20]}” (allowed: " in toasts[0], (word, raw)
        assert state[KEY]["look"]["hidden"] == frozenset()
    for raw in (["0"], ["9"], ["-1"], ["1.0"], ["٣"], ["Tight"], ["tight and true"], ["budget"], ["tight", "empty"]):
        state, toasts, _ = entered(BY_KEY["bands"], {"moment": raw})
        assert state["moment"] is None and len(toasts) == 1
        assert f"moment = “{raw[-1]}” (allowed: tight, missed, empty, flynn" in toasts[0], raw
        assert (", once)" in toasts[0]) == (len(raw) > 1), raw
    at = pages.opened(pages.BANDS, symbols="hong", moment="9")
    assert not at.exception and len(at.toast) == 1


def test_strangers_words_are_no_markup_in_toasts() -> None:
    hostile = "[a](https://evil.example)<b>`x`"
    course = {"stops": ["bands.tight"]}
    for pairs in (
        {hostile: ["1"]},  # a name is a stranger's word, too
        *({word: [hostile]} for word in ("t", "moment", "V", "nu", "hide", "course", "stops")),
        {**course, "stop": [hostile]},
        {**course, "title": [hostile], "stops": [f"bands.tight?{hostile}=1"]},
    ):
        _, toasts, _ = entered(BY_KEY["bands"], pairs)
        assert len(toasts) == 1 and not re.search(r"(?<!\\)[\[<`]", toasts[0]), (pairs, toasts)


def test_trimmed_page_keeps_values_and_hides_controls() -> None:
    at = pages.opened(pages.BANDS, v="1", sigma="0.2", nu="5/2", moment="missed", hide="sigma.more.moments.gone")
    assert [toast.value for toast in at.toast] and "gone" in at.toast[0].value
    drawn = {w.key for kind in ("slider", "select_slider", "selectbox", "toggle", "button_group") for w in at.get(kind)}
    assert "sigma" not in drawn and "moment" not in drawn and {"V", "Bhat"} <= drawn
    assert (at.session_state["sigma"], at.session_state["nu"], at.session_state["moment"]) == (0.2, "5/2", "missed")
    assert any("σ = 0.2" in c.value and "ν = 2.5" in c.value for c in at.caption)
    again = link_words(link_of(at.run()))
    assert again.items() >= {"sigma": "0.2", "nu": "5/2", "moment": "missed", "hide": "moments.more.sigma"}.items()
    assert at.session_state["sigma"] == 0.2  # after three runs
    assert at.query_params["sigma"] == "0.2"


class Opened:
    """Stands in for Streamlit: an address and a session."""

    def __init__(self, url: str, kept: Session, **session: object) -> None:
        self.session_state = {KEY: kept, **session}
        self.context = type("Context", (), {"url": url, "theme": type("Theme", (), {"type": "light"})})


@LAW
@given(hs.dictionaries(hs.sampled_from(sorted(pages.HAS[pages.BANDS])), hs.integers(0, 5), max_size=6))
def test_link_says_whatever_is_set(picks: dict[str, int]) -> None:
    knobs = pages.HAS[pages.BANDS]
    chosen = {key: values(knobs[key])[i % len(values(knobs[key]))] for key, i in picks.items()}
    session = {**{key: knob.default for key, knob in knobs.items()}, **chosen}
    with pytest.MonkeyPatch.context() as patch:
        for module in (permalink, sessions):
            patch.setattr(module, "st", Opened("http://lab/", Session(page=2), **session))
        said = link_words(permalink.link(BY_KEY["bands"]))
    for key, knob in knobs.items():
        assert (knob.read(said[key]) if key in said else knob.default) == session[key]


# Of the documentation of each tracker: Google, Meta, Microsoft, X, TikTok, Yandex, Mailchimp, HubSpot, Matomo.
KNOWN = (
    *("utm_source", "utm_medium", "utm_campaign", "utm_id", "gclid", "GCLID", "gbraid", "wbraid", "dclid", "srsltid"),
    *("gad_source", "_ga", "_gl", "fbclid", "igshid", "igsh", "msclkid", "twclid", "ttclid", "yclid", "li_fat_id"),
    *("mc_cid", "mc_eid", "_hsenc", "_hsmi", "mtm_campaign"),
)
OURS = {key for lesson in LESSONS for key in lesson.knobs} | {*permalink.LOOKS, *walk.WORDS, *STREAMLITS, address.BACK}
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
