"""A visitor's own table on the page: three steps, a link without data, nothing lost; and a scene that is the page's."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from common.cache import kept, within_bytes
from figures.theme import Theme
from lessons.real_data import panel, upload
from lessons.real_data.lesson import LESSON
from lessons.real_data.tables import TableError, read
from lessons.real_data.upload import OwnTable
from lessons.record import Moment
from tests.lessons.real_data.own_table import table
from tests.lessons.shown import charts, drawn, film, finding, of_scene, opened, sentences, specs
from tests.lessons.test_pages import faults
from tests.shared import ROOT, forget, session_of

PAGE = "pages/Real_data.py"
EXAMPLE = (ROOT / "assets" / "example_table.csv").read_text(encoding="utf-8")


def pasted(at: AppTest, text: str) -> AppTest:
    return at.text_area(key="paste").set_value(text).run()


def steps(at: AppTest) -> AppTest:
    """Leave the race for the three steps."""
    return next(b for b in at.button if b.label == "Change the table").click().run()


def run_by_hand(at: AppTest) -> AppTest:
    return at.button(key="own_run").click().run()


def test_without_a_table_the_page_says_what_to_do_and_where_the_file_goes():
    at = opened(PAGE, table="own")
    assert faults(at) == [] and not specs(at)
    assert "one row for every time" in at.info[0].value
    assert any("stays in this session and is not stored" in c.value for c in at.caption)


def test_a_table_whose_checks_are_green_races_by_itself_and_its_steps_are_one_click_away():
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    assert faults(at) == [] and len(specs(at)) == 5
    assert "a round" in sentences(at)[-1] and any("in 60 rounds" in c.value for c in at.caption)
    assert any("all checks passed" in c.value for c in at.caption)
    before = sentences(at), specs(at)
    steps(at)
    assert faults(at) == [] and not specs(at) and len(at.dataframe[0].value) == 8
    assert any("5 arms and 150 times" in m.value for m in at.markdown)
    at.toggle(key="lower").set_value(True).run()
    at.toggle(key="lower").set_value(False).run()
    assert not specs(at)  # who has come back to the steps is not sent off again
    assert (sentences(run_by_hand(at)), specs(at)) == before


def test_a_table_with_a_remark_waits_with_its_checks_until_it_is_run():
    lines = EXAMPLE.split("\n")
    lines[4] = re.sub(r",[^,]*$", ",", lines[4])  # one cell missing
    at = pasted(opened(PAGE, table="own"), "\n".join(lines))
    assert faults(at) == [] and not specs(at) and any("1 cell missing" in m.value for m in at.markdown)
    assert faults(run_by_hand(at)) == [] and len(specs(at)) == 5 and any("1 remark" in c.value for c in at.caption)


def test_a_table_that_came_by_itself_is_not_lost_to_a_bad_one_and_keeps_its_settings():
    at = pasted(opened(PAGE, table="own", seeds="4"), EXAMPLE)
    kept_there = sentences(at)
    pasted(steps(at), "<html></html>")
    assert not at.exception and any("web page" in i.value for i in at.info)
    assert sentences(run_by_hand(at)) == kept_there and at.session_state["seeds"] == 4


def test_the_link_carries_settings_and_a_fingerprint_and_no_number_of_the_table():
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


def test_another_file_than_the_link_is_about_is_named_and_its_columns_are_guessed():
    at = pasted(opened(PAGE, table="own", file="0123456789ab", armcols="1.2"), EXAMPLE)
    assert any("0123456789ab" in i.value and "guessed anew" in i.value for i in at.info)
    assert at.session_state["armcols"] == "auto" and not specs(at)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ("<html></html>", "web page"),
        ("{}", "JSON"),
        ("day,a,b", "nothing below it"),
        ("1" * 100_001, "One line has 100,001"),
    ],
)
def test_a_bad_table_is_one_sentence_and_the_good_one_before_it_is_not_lost(bad, sentence):
    at = steps(pasted(opened(PAGE, table="own"), EXAMPLE))
    pasted(at, bad)
    assert not at.exception and any(sentence in i.value for i in at.info)
    assert any("5 arms and 150 times" in m.value for m in at.markdown)
    at.button(key="own_run").click().run()
    assert faults(at) == [] and specs(at)


def test_a_strangers_table_is_read_by_another_process(monkeypatch):
    def stopped(*_: object) -> None:
        raise TableError("Reading was stopped.")

    monkeypatch.setattr(upload, "read_isolated", stopped)
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    assert not at.exception and any("Reading was stopped" in i.value for i in at.info) and not specs(at)


def test_a_session_holds_one_table_and_what_was_made_from_it():
    """Five pastes of 10 MB held half a gigabyte."""
    at = opened(PAGE, table="own")
    for shift in range(3):
        at = pasted(at, EXAMPLE.replace("29.6", f"{shift}.5"))
        assert faults(at) == [] and specs(at)
        marks = {key[1] for key in session_of(at).parts[OwnTable].results if key[0] == "checked"}
        assert len(marks) == 1
        steps(at)


def test_what_a_session_keeps_of_its_table_is_bounded_in_bytes():
    kept_here = within_bytes(1_000_000)
    for i in range(20):
        kept_here[i] = np.zeros(20_000)  # 160 kB
    assert 4 <= len(kept_here) <= 6 and 19 in kept_here
    kept_here["unpicklable"] = lambda: None
    assert len(kept_here) <= 6


def test_a_text_longer_than_the_box_takes_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(upload, "read_isolated", lambda *_: pytest.fail("it was read"))
    at = opened(PAGE, table="own")
    assert at.text_area(key="paste").max_chars == upload.MAX_PASTED_CHARACTERS
    pasted(at, "1,2\n" * upload.MAX_PASTED_CHARACTERS)
    assert not at.exception and any("load it as a file" in i.value for i in at.info)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Dear Sir,\n\nwe wrote, as you know, in May.\nYours,\nA. B.\n", "no column of numbers"),
        (
            "Dear Sir,\nWe met on May 3, 2024, in Paris.\nIt was 1,200 euros, or 1,300, I forget.\n",
            "only one arm, ‘column 4’",
        ),
        ("apples,pears\n" + "red,green\n" * 30, "no column of numbers"),
        ("t,a\n" + "\n".join(f"{t},{t % 5}" for t in range(40)), "only one arm, ‘a’, nothing to choose"),
        (EXAMPLE[:200], "only 5 rows"),
    ],
    ids=["letter", "letter with commas", "words", "one arm", "few rows"],
)
def test_what_is_no_table_is_told_so_in_one_sentence_before_anything_else(text, said):
    at = pasted(opened(PAGE, table="own"), text)
    assert not at.exception and not specs(at)
    first = at.info[0]
    assert first.value.startswith("This is no table") and said in first.value.replace("\\", "")
    assert first.value.count(". ") == 0 and "press Run" not in " ".join(i.value for i in at.info)
    spoken = [one.value for one in at if one.type in ("alert", "info", "markdown", "text_area")]
    assert spoken.index(first.value) < spoken.index("##### 1 · Load a table")


def test_a_table_that_cannot_race_says_why_and_cannot_be_run():
    at = pasted(opened(PAGE, table="own"), "t,a\n" + "\n".join(f"{t},{t % 5}" for t in range(40)))
    assert not at.exception and at.button(key="own_run").disabled
    assert any("Only one arm" in m.value for m in at.markdown)


def test_arms_can_be_left_out_and_the_mapping_is_in_the_link():
    at = steps(pasted(opened(PAGE, table="own"), EXAMPLE))
    roles = {one.label.partition(":")[0]: one for one in at.multiselect}
    assert roles["Time"].value == [0] and roles["Arms"].value == [1, 2, 3, 4, 5]
    roles["Arms"].set_value([1, 3]).run()
    assert at.session_state["armcols"] == "1.3" and at.query_params["armcols"] == "1.3"
    at.button(key="own_run").click().run()
    assert faults(at) == [] and session_of(at).page_values["trial"][1].problem.arm_names == ("north", "centre")
    at.run()  # the wizard is gone, yet its choice holds
    assert at.session_state["armcols"] == "1.3"


def test_switches_are_offered_only_where_a_sentence_asks_for_them():
    plain = steps(pasted(opened(PAGE, table="own"), EXAMPLE))
    keys = {w.key for kind in ("toggle", "button_group") for w in getattr(plain, kind)}
    assert {"lower"} <= keys and not {"std", "fill", "thin"} & keys
    values = np.cumsum(np.random.default_rng(0).normal(size=(60, 3)), axis=0) * [1, 1, 1e6]
    lines = table(values).split("\n")
    lines[6] = "5,,1,1"
    rough = pasted(opened(PAGE, table="own"), "\n".join(lines))
    keys = {w.key for kind in ("toggle", "button_group") for w in getattr(rough, kind)}
    assert {"std", "fill"} <= keys and "thin" not in keys
    rough.toggle(key="std").set_value(True).run()
    rough.button(key="own_run").click().run()
    assert faults(rough) == []
    assert np.ptp(session_of(rough).page_values["trial"][1].table.rewards.std(axis=0)) < 10


def raced_names(at: AppTest) -> tuple[str, ...]:
    return session_of(at).page_values["trial"][1].problem.arm_names


def ids() -> str:
    values = 65 + np.cumsum(np.random.default_rng(0).normal(size=(40, 3)), axis=0)
    return "\n".join(["773869,767541,767542", *(",".join(f"{v:.1f}" for v in row) for row in values)])


def prices() -> str:
    walk = np.exp(np.cumsum(0.01 * np.random.default_rng(1).normal(size=(90, 3)), axis=0)) * [10, 100, 900]
    return table(walk)


def on_its_side() -> str:
    values = np.random.default_rng(0).normal(size=(4, 60)).cumsum(axis=1)
    rows = (f"s{j}," + ",".join(f"{v:.2f}" for v in row) for j, row in enumerate(values))
    return "\n".join(["sensor," + ",".join(f"h{t}" for t in range(60)), *rows])


def coded() -> str:
    values = np.random.default_rng(0).normal(size=(60, 3)).cumsum(axis=0)
    values[7, 1] = -9999
    return table(values)


@pytest.mark.parametrize(
    ("make", "key", "arms"),
    [
        (on_its_side, "turned", ("s0", "s1", "s2", "s3")),
        (prices, "returns", ("a0", "a1", "a2")),
    ],
)
def test_a_table_that_is_not_what_it_seems_offers_a_switch_and_races_with_it(make, key, arms):
    at = pasted(opened(PAGE, table="own"), make())
    at.toggle(key=key).set_value(True).run()
    assert not at.exception and at.query_params[key] == "true"
    assert at.toggle(key=key).value  # it stays, to be taken back
    at.button(key="own_run").click().run()
    assert faults(at) == []
    assert session_of(at).page_values["trial"][1].problem.arm_names == arms


def test_rows_of_names_and_codes_are_fields_and_stand_in_the_link():
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


@pytest.mark.parametrize(("make", "said"), [(ids, {"firstrow": "true"}), (coded, {"keep": "true"})])
def test_links_made_before_still_say_names_and_codes(make, said):
    mark = read(make().encode()).fingerprint[:12]
    at = pasted(opened(PAGE, table="own", file=mark, **said), make())
    assert faults(at) == [] and not at.toast
    trial = session_of(at).page_values["trial"][1]
    assert len(trial.table.times) == (40 if "firstrow" in said else 60) and trial.table.filled is None


def test_the_preview_says_what_each_column_is():
    table = "id,day,a,b\n" + "\n".join(f"{t},2024-01-{t + 1:02d},{t % 7},{t % 5}" for t in range(30))
    at = pasted(opened(PAGE, table="own"), table)
    roles = {name: role for role, name in at.dataframe[0].value.columns}
    assert roles == {"id": "left out", "day": "time", "a": "arm", "b": "arm"}


def test_names_of_a_strangers_columns_cannot_change_the_page():
    nasty = EXAMPLE.replace("north", "**b** $x^2$ <img src=x onerror=alert(1)> [l](http://e)", 1)
    at = pasted(opened(PAGE, table="own"), nasty)
    assert faults(at) == []
    said = " ".join(c.value for c in at.caption) + " ".join(sentences(at)) + " ".join(m.value for m in at.markdown)
    assert "<img" not in said and "](http" not in said


def test_an_own_table_is_kept_in_its_session_and_in_no_cache_of_the_server():
    """The caches are emptied first: full ones drop what was used longest ago, so their size tells nothing."""

    def entries() -> set:
        return {*kept.cache, *panel._shipped.cache}

    forget()
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    assert specs(at) and session_of(at).parts[OwnTable].results and entries() == set()
    opened(PAGE, table="stocks-weekly", seeds="1", seed="77")
    assert any("stocks-weekly" in repr(key) for key in entries())  # a shipped table is everybody's


def test_going_back_to_a_shipped_table_takes_the_file_out_of_the_link_and_keeps_it_in_the_session():
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    at.selectbox(key="table").set_value("stocks-weekly").run()
    assert faults(at) == [] and "file" not in at.query_params
    at.selectbox(key="table").set_value("own").run()
    assert faults(at) == [] and len(specs(at)) == 5 and "file" in at.query_params


@pytest.mark.parametrize("column", ["timecol", "armcols"])
@pytest.mark.parametrize("far", ["99", "99.98"])
def test_a_link_whose_columns_the_file_does_not_have_still_opens(column, far):
    mark = read(EXAMPLE.encode()).fingerprint[:12]
    at = pasted(opened(PAGE, table="own", file=mark, **{column: far if column == "armcols" else "99"}), EXAMPLE)
    assert not at.exception


# --- the scene


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_the_scene_of_a_moment_is_what_the_page_draws(moment: Moment):
    at = opened(PAGE, moment=moment.key, lecture="false")
    scene = LESSON.scene(LESSON.settings(moment.values), moment.t, Theme())
    assert drawn(at) == of_scene(scene) and film(at)["start"] == scene.start
    assert list(charts(at)) == [*scene.films, *scene.stills] and finding(at) == list(scene.sentences())
    said = [c.value for c in at.caption]
    assert all(one.caption(scene.start) in said for one in scene.stills.values())


def test_a_visitors_own_table_has_no_scene_outside_its_session():
    with pytest.raises(ValueError, match="fingerprint 0123456789ab"):
        LESSON.scene(LESSON.settings({"table": "own", "file": "0123456789ab"}), 1, Theme())
    with pytest.raises(ValueError, match="Load a table"):
        LESSON.scene(LESSON.settings({"table": "own"}), 1, Theme())
