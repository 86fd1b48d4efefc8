"""A visitor's own table on the page: three steps, a link without data, nothing lost; and a scene that is the page's."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from common.cache import within_bytes
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


def test_table_races_when_its_reader_says_so():
    at = pasted(opened(PAGE, drawers=True, table="own"), EXAMPLE)
    assert faults(at) == [] and not specs(at)
    file, rounds = (frame.value for frame in at.dataframe)
    assert len(file) == len(rounds) == 10 and list(file.iloc[:, 0])[::9] == ["names", "150"]
    assert any("5 arms and 150 times" in m.value for m in at.markdown)
    run_by_hand(at)
    assert faults(at) == [] and len(specs(at)) == 4
    assert " averaged " in sentences(at)[-1] and any("in 60 rounds" in c.value for c in at.caption)
    assert any("all checks passed" in c.value for c in at.caption)
    before = sentences(at), specs(at)
    steps(at)
    at.toggle(key="own_lower").set_value(True).run()
    at.toggle(key="own_lower").set_value(False).run()
    assert not specs(at)  # who has come back to the steps is not sent off again
    assert (sentences(run_by_hand(at)), specs(at)) == before


def test_bad_file_loses_neither_table_nor_settings():
    at = pasted(opened(PAGE, table="own", seeds="4"), EXAMPLE)
    for bad, sentence in (('a,"b', "A quotation mark"), ("1" * 131_073, "Line 1 has a cell")):
        pasted(at, bad)
        assert not at.exception and any(sentence in i.value for i in at.info)
        assert any("5 arms and 150 times" in m.value for m in at.markdown)
    assert faults(run_by_hand(at)) == [] and specs(at) and at.session_state["seeds"] == 4


def test_link_carries_a_fingerprint_and_no_number():
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    at.toggle(key="own_lower").set_value(True).run()
    run_by_hand(at)
    at.session_state["drawer_link"] = True
    at.run()
    link = at.code[0].value
    mark = read(EXAMPLE.encode()).fingerprint[:12]
    said = parse_qs(urlsplit(link).query)
    assert said["file"] == [mark] and said["choices"] == ['{"lower":true}'] and "29.6" not in link
    other = opened(PAGE, **said)
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


def raced_names(at: AppTest) -> tuple[str, ...]:
    return session_of(at).runs.values["trial"][1].problem.arm_names


def test_arms_left_out_stand_in_the_link():
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    assert at.multiselect(key="own_time").value == [0] and at.multiselect(key="own_arms").value == [1, 2, 3, 4, 5]
    at.multiselect(key="own_arms").set_value([1, 3]).run()
    assert at.session_state["choices"] == at.query_params["choices"] == '{"arms":[1,3]}'
    assert faults(run_by_hand(at)) == [] and raced_names(at) == ("north", "centre")
    at.run()  # the form is gone, yet its choice holds
    assert raced_names(at) == ("north", "centre")


def test_fault_is_answered_by_a_choice():
    values = np.random.default_rng(0).normal(size=(60, 3)).cumsum(axis=0)
    text = table(values).splitlines()
    text[8] = "7,1.5,closed,2"
    at = pasted(opened(PAGE, table="own"), "\n".join(["a report", *text]))
    assert at.number_input(key="own_above").value == 1
    assert any("closed" in i.value and "is no number" in i.value for i in at.info)
    assert at.button(key="own_run").disabled and "closed" in at.multiselect(key="own_missing").options
    at.multiselect(key="own_missing").set_value(["closed"]).run()
    assert any("1 cell missing" in m.value for m in at.markdown)
    assert faults(run_by_hand(at)) == [] and len(raced_names(at)) == 3


@pytest.mark.parametrize("choices", ["{]}", '{"arms":[7,900]}'])
def test_links_choices_may_be_any_text(choices: str) -> None:
    mark = read(EXAMPLE.encode()).fingerprint[:12]
    at = pasted(opened(PAGE, table="own", file=mark, choices=choices), EXAMPLE)
    said = "The table has columns 1 to 6" if "7" in choices else "choices about the table cannot be read"
    assert faults(at) == [] and not specs(at) and any(said in one.value for one in at.info)
