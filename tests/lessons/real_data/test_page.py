"""A visitor's own table on the page: three steps, a link without data, nothing lost; and a scene that is the page's."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from common.cache import within_bytes
from lessons.real_data import upload
from lessons.real_data.tables import read
from tests.lessons.real_data.own_table import table
from tests.lessons.shown import opened, sentences, specs
from tests.lessons.test_pages import faults
from tests.shared import ROOT, session_of

PAGE = "pages/Real_data.py"
EXAMPLE = (ROOT / "assets" / "example_table.csv").read_text(encoding="utf-8")


def pasted(at: AppTest, text: str) -> AppTest:
    return at.text_area(key="paste").set_value(text).run()


def steps(at: AppTest) -> AppTest:
    """Leave the race for the three steps."""
    return next(b for b in at.button if b.label == "Change the table").click().run()


def run_by_hand(at: AppTest) -> AppTest:
    return at.button(key="own_run").click().run()


def test_page_without_a_table_says_what_to_do():
    at = opened(PAGE, table="own")
    assert faults(at) == [] and not specs(at)
    assert "one row for every time" in at.info[0].value
    assert any("stays in this session and is not stored" in c.value for c in at.caption)


def test_green_table_races_by_itself():
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    assert faults(at) == [] and len(specs(at)) == 4
    assert "an average round" in sentences(at)[-1] and any("in 60 rounds" in c.value for c in at.caption)
    assert any("all checks passed" in c.value for c in at.caption)
    before = sentences(at), specs(at)
    steps(at)
    assert faults(at) == [] and not specs(at) and len(at.dataframe[0].value) == 8
    assert any("5 arms and 150 times" in m.value for m in at.markdown)
    at.toggle(key="lower").set_value(True).run()
    at.toggle(key="lower").set_value(False).run()
    assert not specs(at)  # who has come back to the steps is not sent off again
    assert (sentences(run_by_hand(at)), specs(at)) == before


def test_bad_file_loses_neither_table_nor_settings():
    at = steps(pasted(opened(PAGE, table="own", seeds="4"), EXAMPLE))
    for bad, sentence in (("{}", "JSON"), ("day,a,b", "nothing below it"), ("1" * 100_001, "One line has 100,001"),
                          ("<html></html>", "web page")):  # fmt: skip
        pasted(at, bad)
        assert not at.exception and any(sentence in i.value for i in at.info)
        assert any("5 arms and 150 times" in m.value for m in at.markdown)
    assert faults(run_by_hand(at)) == [] and specs(at) and at.session_state["seeds"] == 4


def test_link_carries_a_fingerprint_and_no_number():
    at = steps(pasted(opened(PAGE, table="own"), EXAMPLE))
    at.toggle(key="lower").set_value(True).run()
    run_by_hand(at)
    at.session_state["drawer_link"] = True
    at.run()
    link = at.code[0].value
    mark = read(EXAMPLE.encode()).fingerprint[:12]
    assert f"file={mark}" in link and "lower=true" in link and "29.6" not in link
    other = opened(PAGE, **parse_qs(urlsplit(link).query))
    assert not other.toast and mark in other.info[0].value and "Load the file" in other.info[0].value
    again = pasted(other, EXAMPLE)  # the same bytes: it races at once, with the settings of the link
    assert faults(again) == [] and sentences(again) == sentences(at) and specs(again) == specs(at)


def test_what_a_session_keeps_is_bounded():
    kept_here = within_bytes(1_000_000)
    for i in range(20):
        kept_here[i] = np.zeros(20_000)  # 160 kB
    assert 4 <= len(kept_here) <= 6 and 19 in kept_here
    kept_here["unpicklable"] = lambda: None
    assert len(kept_here) <= 6


def test_long_text_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(upload, "read_isolated", lambda *_: pytest.fail("it was read"))
    at = opened(PAGE, table="own")
    assert at.text_area(key="paste").max_chars == upload.MAX_PASTED_CHARACTERS
    pasted(at, "1,2\n" * upload.MAX_PASTED_CHARACTERS)
    assert not at.exception and any("Load it as a file" in i.value for i in at.info)


def test_arms_left_out_stand_in_the_link():
    at = steps(pasted(opened(PAGE, table="own"), EXAMPLE))
    roles = {one.label.partition(":")[0]: one for one in at.multiselect}
    assert roles["Time"].value == [0] and roles["Arms"].value == [1, 2, 3, 4, 5]
    roles["Arms"].set_value([1, 3]).run()
    assert at.session_state["armcols"] == "1.3" and at.query_params["armcols"] == "1.3"
    at.button(key="own_run").click().run()
    assert faults(at) == [] and session_of(at).runs.values["trial"][1].problem.arm_names == ("north", "centre")
    at.run()  # the wizard is gone, yet its choice holds
    assert at.session_state["armcols"] == "1.3"


def raced_names(at: AppTest) -> tuple[str, ...]:
    return session_of(at).runs.values["trial"][1].problem.arm_names


def ids() -> str:
    values = 65 + np.cumsum(np.random.default_rng(0).normal(size=(40, 3)), axis=0)
    return "\n".join(["773869,767541,767542", *(",".join(f"{v:.1f}" for v in row) for row in values)])


def coded() -> str:
    values = np.random.default_rng(0).normal(size=(60, 3)).cumsum(axis=0)
    values[7, 1] = -9999
    return table(values)


def test_names_and_codes_are_fields_of_the_link():
    at = pasted(opened(PAGE, table="own"), ids())
    at.selectbox(key="headrows").set_value("1").run()
    assert at.query_params["headrows"] == "1" and "773869" in str(at.dataframe[0].value.columns)
    assert faults(run_by_hand(at)) == [] and raced_names(at) == ("773869", "767541", "767542")
    at = pasted(opened(PAGE, table="own"), coded())
    assert at.text_input(key="own_codes").value == "-9999"
    at.text_input(key="own_codes").set_value("").run()
    assert at.query_params["codes"] == "none" and not any("1 cell missing" in m.value for m in at.markdown)
    at.text_input(key="own_codes").set_value("-9999 closed").run()
    assert at.session_state["codes"] == "-9999 closed" and any("1 cell missing" in m.value for m in at.markdown)
    at.text_input(key="own_codes").set_value("'" * 30).run()
    assert any("up to ten words" in i.value for i in at.info) and at.session_state["codes"] == "-9999 closed"
    assert faults(run_by_hand(at)) == []


# --- the scene
