"""A stranger's table, written to do harm: it is shown as text, everywhere; and numbers too large are refused."""

from __future__ import annotations

import math
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from answers import points
from common.escape import escaped, no_formula, plain
from tests.lessons.real_data.test_page import PAGE, pasted
from tests.lessons.shown import film, opened, sentences, specs
from tests.lessons.test_pages import NOT_A_NUMBER, faults, words
from tests.shared import session_of
from tests.strategies import LAW

NASTY = (
    "<img src=x onerror=alert(1)>",
    "=cmd|' /C calc'!A0",
    "$x^2$ **b** `c`",
    "[l](http://evil.example)",
    ":material/delete: :red[r] :smile:",
    "\u202egnp.exe\u2066\u200b\ufeff",
    "www.evil.example",
    "https://evil.example/a",
    "me@evil.example",
    "&lt;b&gt; &amp; AT&T",
    "%{customdata} {x} %s",
    "__proto__",
    "# head",
    "-2+3",
)
# Tags that a figure would draw as such, and names that it would turn into signs.
MARKUP = re.compile(r"<(a|img|script|svg|iframe|object|style)\b|&#?\w+;", re.IGNORECASE)


def hostile_text() -> str:
    """A table with a nasty name over every column, nasty times, and odd cells here and there."""
    heads = ['"' + n.replace('"', '""') + '"' for n in NASTY]
    head = ",".join(["t<a href=//evil>", *heads])
    rows = []
    for i in range(48):
        time = f"<a href=//e>{i}</a>" if i % 2 else f"\u202e{i:03d}&lt;"
        rows.append(",".join([time, *(f"{(i * (j + 3)) % 17 + 0.5}" for j in range(len(NASTY)))]))
    return "\n".join([head, *rows])


@pytest.fixture(scope="module")
def raced() -> AppTest:
    """The page with the hostile table loaded, mapped, run, and every drawer open."""
    at = pasted(opened(PAGE, drawers=True, table="own", algos="rnd.tv", seeds="2"), hostile_text())
    at.button(key="own_run").click().run()
    for key in ("drawer_looking", "drawer_maths", "drawer_link", "table_data"):
        at.session_state[key] = True
    return at.run()


def test_hostile_table_races_as_plain_text(raced: AppTest) -> None:
    assert faults(raced) == [] and len(specs(raced)) == 4
    assert session_of(raced).runs.values["trial"][1].problem.f.shape[1] == len(NASTY)
    drawn = [t for spec in specs(raced) for t in words(spec)]
    assert sum("img src" in t for t in drawn) >= 2  # the name is there, as text
    assert [t for t in drawn if MARKUP.search(t)] == []
    signs = [t.replace("\n", "").replace("\u200c", "") for t in drawn]
    assert [t for t in signs if any(unicodedata.category(c) in ("Cc", "Cf") for c in t)] == []
    said = [*sentences(raced), *film(raced)["labels"]]
    assert [t for t in said if re.search(r"<(?!/?b>|span class=.[a-z]+.>|/span>)|&lt;a|\u202e", t)] == []
    assert len(said) > 20 and not any(NOT_A_NUMBER.search(t) for t in said)
    kinds = ("markdown", "caption", "info", "warning", "header", "subheader")
    text = "\n".join(e.value for kind in kinds for e in raced.get(kind))
    assert [name for name in NASTY[:9] if name in text] == []  # no Markdown holds a name as it was written


@pytest.mark.parametrize("name", NASTY)
def test_escaped_name_has_no_sign_and_no_address(name: str) -> None:
    text = escaped(name)
    assert not re.search(r"(?<!\\)[<>\[\]`*_$#|~&=]", re.sub(r"\\\\", "", text))
    assert not re.search(r"://|www\.|[\w.]@[\w]", text.replace("\\", ""))
    # What a reader sees is what was written: nothing is lost but signs without ink.
    assert text.replace("\u2060", "").replace("\\", "") == name.replace("\\", "")


@LAW
@given(st.text(max_size=80))
def test_plain_text_stays_plain(text: str) -> None:
    shown = plain(text)
    assert plain(shown) == shown
    assert not MARKUP.search(shown) and "<" not in shown and ">" not in shown
    assert all(c in "\u200c\u200d" or unicodedata.category(c)[0] != "C" for c in shown)
    # Letters, figures and signs with ink of their own are all still there.
    assert [c for c in text if c.isalnum()] == [c for c in shown if c.isalnum()]


FORMULAS = ("=cmd|' /C calc'!A0", "@SUM(1)", "-cmd", "+x", "+12 re-asks", "+1+HYPERLINK(0)", "＝1+1", "－1＋x", "＠A1",
            "⁺1a", "−2+3")  # fmt: skip
WRITTEN = {  # a text -> what a download holds
    **{said: f"'{said}" for said in FORMULAS},
    **{said: said for said in ("-0.5", "a = b", "−0.5", "+1e-5", "1e5+1", "-", "")},
    "a;=1+1": "a;'=1+1",
    "a, -x": "a, '-x",
    '"=1"': '"\'=1"',
}


def test_no_text_of_a_download_begins_a_formula() -> None:
    for said, written in WRITTEN.items():
        trace = {"type": "scatter", "name": said, "x": [1], "y": [2], "text": [said]}
        (row,) = points.points({"data": [trace], "layout": {"xaxis": {"title": {"text": said}}}}, "main")
        assert row["text"] == row["name"] == row["x_axis"] == written
        for axis, other in ("xy", "yx"):  # an axis of words, such as the times of a table
            (row,) = points.points({"data": [{"type": "scatter", axis: [said], other: [2]}], "layout": {}}, "main")
            assert row[axis] == written


@LAW
@given(text=st.text(max_size=12), end=st.sampled_from(",;\t"), sign=st.sampled_from("=+-@＝＋－＠"))
def test_only_numbers_begin_with_a_sign(text: str, end: str, sign: str) -> None:
    safe = no_formula(f"{text}{end} {sign}{text}")
    assert no_formula(safe) == safe and safe.replace("'", "") == f"{text}{end} {sign}{text}".replace("'", "")
    for cell in re.split("[,;\t\r\n]", safe):
        shown = cell.strip().lstrip('"').strip()
        if shown[:1] in tuple("=+-@＝＋－＠") and len(shown) > 1:
            assert math.isfinite(float(shown.strip()))
