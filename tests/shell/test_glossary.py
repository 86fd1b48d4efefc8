"""Every term that a page uses is marked once, where it is used first, and every mark opens its entry."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from answers.marks import mark, marked_alone
from answers.terms import ALL, GROUPS
from lessons import LESSONS
from lessons.record import Lesson
from tests.lessons.test_pages import mounted, opened
from tests.shared import few, session_of

MARK = re.compile(r'\[((?:[^\[\]]|\[[^\]]*\])*)\]\(#(term-[\w-]+)(?: "[^"]*")?\)')
HTML_MARK = re.compile(r'<a class="term" href="#(term-[\w-]+)">(.*?)</a>')
WHOLE_WORDS = (
    ("Regret, and more regret.", ["term-regret"]),
    ("R-GP-UCB is no GP-UCB; SW-GP-UCB-like is neither.", ["term-r-gp-ucb", "term-gp-ucb"]),
    ("`seed` in code, [a seed](https://x.org/seed) in a link, $\\text{seed}$ in a formula", []),
    ("seedling, unseeded, re-seed", []), ("The best actions, then an action.", ["term-best-action", "term-action"]),
    ("$V_T$ and $V_T = 3$, $B_T$", ["term-drift-budget", "term-drift-budget-in-the-rkhs-norm-b-t"]),
    ("Se and PERSE and SE", ["term-se"]), ("", []),
)  # fmt: skip


def test_whole_words_are_marked_once() -> None:
    for text, keys in WHOLE_WORDS:
        shown, found = mark(text)
        assert [key for _, key in MARK.findall(shown)] == keys and found == set(keys), text
        assert MARK.sub(r"\1", shown) == text
        assert mark(text, done=frozenset(keys))[0] == text
    shown = marked_alone("<b>CMM</b> &amp; <span class='bad'>the band</span>: V<sub>T</sub> = 4", "html")
    assert HTML_MARK.sub(r"\2", shown) == "<b>CMM</b> &amp; <span class='bad'>the band</span>: V<sub>T</sub> = 4"
    assert [key for key, _ in HTML_MARK.findall(shown)] == ["term-cmm", "term-confidence-band", "term-drift-budget"]


@pytest.mark.parametrize("lesson", few(LESSONS, "bands", rest=pytest.mark.wide))
def test_every_term_of_a_page_is_marked_once(lesson: Lesson) -> None:
    at = opened(lesson.file, drawers=True)
    at.session_state["drawer_looking"] = at.session_state["drawer_maths"] = True
    at.run(timeout=120)
    assert not at.exception
    texts = [e.proto.body for kind in ("markdown", "caption") for e in getattr(at, kind)]
    marks = [key for text in texts for _, key in MARK.findall(text)]
    assert sorted(marks) == sorted(set(marks)) and len(marks) >= 5
    known = mounted(at, "tvbo_glossary").bytes.decode()
    for said in json.loads(mounted(at, "tvbo_live").json)["sentences"]:
        alone = [key for key, _ in HTML_MARK.findall(said)]
        assert len(alone) == len(set(alone))
        marks += alone
    assert all(f'id="{key}"' in known for key in marks)


def test_glossary_holds_every_entry_in_its_group() -> None:
    at = opened("pages/Glossary.py")
    assert not at.exception and [t.value for t in at.title] == ["What do the words mean?"]
    page = mounted(at, "tvbo_glossary").bytes.decode()
    assert page.startswith("listed\n")
    root = ElementTree.fromstring(f"<div>{page.split(chr(10), 1)[1]}</div>")
    assert [section.find("h2").text for section in root] == list(GROUPS)
    assert [node.get("id") for node in root.iter() if node.get("id")] == [
        t.key for g in GROUPS for t in sorted(ALL, key=lambda one: one.name.lower()) if t.group == g
    ]
    leads = [node.get("href") for node in root.iter("a")]
    assert {"./", "./Confidence_bands"} <= set(leads) and all(
        node.findall("dd/p") for node in root.iter("div") if node.get("id") == "term-ucb"
    )
    session_of(at).look.symbols = "iwazaki"
    at.run()
    theirs = mounted(at, "tvbo_glossary").bytes.decode()
    assert "standard deviation ρ" in theirs and "standard deviation σ" in page
