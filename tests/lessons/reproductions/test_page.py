"""The reproductions page in Streamlit's own driver: the account, its filters, an entry by link, and a small run."""

from __future__ import annotations

from time import sleep

import pytest
from streamlit.testing.v1 import AppTest

from figures.theme import Theme
from lessons.record import Moment
from lessons.reproductions import model, overview, overview_words
from lessons.reproductions.lesson import LESSON
from lessons.reproductions.names import OUTCOMES, REPRODUCTIONS
from tests.lessons.shown import charts, drawn, film, finding, of_scene, opened, sentences, specs
from tests.lessons.test_pages import REPRODUCED, faults

QUICK = "deng-figure-1a"


def said(at: AppTest) -> str:
    return "\n".join(e.value for kind in ("markdown", "caption", "info") for e in getattr(at, kind))


def pressed(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def test_the_account_opens_with_its_sentence_and_steps_through_its_rows():
    at = opened(REPRODUCED, shown="every")
    assert faults(at) == [] and len(specs(at)) == 1
    assert sentences(at)[-1] == overview_words.finding(overview.entries(), 2)[-1]
    score = overview.score(overview.entries())
    assert f"{score.of['yes']} come out, {score.of['no']} do not" in said(at)  # under the figure
    assert f"{score.untried} of {score.entries} tables and figures were not attempted" in said(at)
    assert film(at)["start"] == len(overview.entries()) == film(at)["n"] - 1
    row = next(i for i, e in enumerate(overview.entries()) if not e.attempted)
    at = opened(REPRODUCED, shown="every", t=str(row))
    assert "not attempted" in finding(at)[row] and "not attempted" in said(at)
    assert not [b for b in at.button if b.key == "open_entry"]


def test_a_row_opens_its_figure_and_the_figure_leads_back():
    row = next(i for i, e in enumerate(overview.entries()) if e.name == QUICK)
    at = pressed(opened(REPRODUCED, shown="every", t=str(row)), "open_entry")
    assert faults(at) == [] and at.session_state["shown"] == QUICK
    assert sentences(at) == sentences(opened(REPRODUCED, shown=QUICK))
    at = pressed(at, "open_wall")
    assert at.session_state["shown"] == "every"
    assert sentences(at)[-1] == overview_words.finding(overview.entries(), 2)[-1]


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_outcome_lists_its_rows_or_says_that_there_are_none(outcome: str):
    at = opened(REPRODUCED, shown="every", outcome=outcome, paper="flynn")
    listed = overview.chosen("flynn", "both", outcome)
    assert not at.exception
    if listed:
        assert faults(at) == [] and film(at)["labels"][:-1] == [entry.title for entry in listed]
        assert sentences(at)[-1].startswith("In this selection: ")
    else:
        assert not specs(at) and "choose" in at.info[0].value


def test_the_filters_stay_in_the_link_while_a_figure_is_looked_at():
    at = opened(REPRODUCED, shown="every", paper="deng", outcome="curves")
    at.selectbox(key="shown").set_value(QUICK).run()
    assert faults(at) == [] and at.session_state["paper"] == "deng"
    assert at.query_params["paper"] in ("Deng et al.", ["Deng et al."])
    at.selectbox(key="shown").set_value("every").run()
    assert film(at)["n"] == len(overview.chosen("deng", "both", "curves")) + 1


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_the_first_and_the_last_entry_of_every_board_open_by_link(name: str):
    shown = model.board(name)
    for index in (0, len(shown.parts) - 1):
        at = opened(REPRODUCED, shown=name, view="board", cell=str(index))
        assert faults(at) == [] and not at.toast
        assert at.selectbox(key="cell").value == index and shown.parts[index] in said(at)
    at = opened(REPRODUCED, shown=name, view="board", cell="99")  # beyond the last entry: the last one
    assert faults(at) == [] and at.selectbox(key="cell").value == len(shown.parts) - 1


def test_a_small_run_ends_in_yes_and_leaves_the_stored_figure_alone():
    at = opened(REPRODUCED, shown=QUICK, cell="3")
    before = specs(at)
    pressed(at, "rerun_full")
    for _ in range(400):
        if not at.get("progress") and "Exactly the stored numbers" in said(at):
            break
        sleep(0.05)
        at.run()
    assert faults(at) == []
    assert "Exactly the stored numbers? Yes" in said(at)
    after = specs(at)
    assert after[0] == before[0]  # the board
    stored, again = before[1]["data"], after[1]["data"]
    assert all(trace in again for trace in stored) and len(again) > len(stored)
    assert at.button(key="rerun_full").disabled


def test_the_data_table_comes_with_its_files():
    for link in ({"shown": "every"}, {"shown": QUICK}):
        at = opened(REPRODUCED, **link)
        assert not at.dataframe
        at.session_state["table_data"] = True
        at.run()
        assert faults(at) == [] and len(at.dataframe) == 1
        assert len(at.get("download_button")) >= 2


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_the_scene_of_a_moment_is_what_the_page_draws(moment: Moment):
    at = opened(REPRODUCED, moment=moment.key, lecture="false")
    scene = LESSON.scene(LESSON.settings(moment.values), moment.t, Theme())
    assert drawn(at) == of_scene(scene) and film(at)["start"] == min(scene.start, scene.frames - 1)
    assert list(charts(at)) == [*scene.films, *scene.stills] and finding(at) == list(scene.sentences())


def test_filters_that_list_nothing_and_a_report_that_is_not_stored_have_no_scene():
    values = LESSON.settings({"shown": "every", "paper": "flynn", "sort": "table", "outcome": "untried"})
    with pytest.raises(ValueError, match="choose"):
        LESSON.scene(values, 0, Theme())
    with pytest.raises(ValueError, match="reproductions deng-figure-9"):
        LESSON.scene(values | {"shown": "deng-figure-9"}, 0, Theme())
