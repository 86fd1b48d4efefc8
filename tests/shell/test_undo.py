"""Undo goes one step at a time; a moment's settings arrive even when the next key cuts the first run short."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from lessons import BY_KEY
from tests.lessons.test_pages import faults, opened, turn, unfolded
from tests.shared import session_of


def page(lesson: str) -> str:
    return BY_KEY[lesson].file


def state(at: AppTest) -> dict:
    """The reader's settings: knobs, moment and time."""
    keys = (*BY_KEY[session_of(at).page].knobs, "moment")
    return {key: at.session_state[key] for key in keys} | {"t": session_of(at).t}


def test_changes_are_taken_back_in_turn() -> None:
    at = opened(page("drift"))
    states = [state(at)]
    assert at.button(key="undo_last").disabled
    for change in (("slider", "V", 8.0), ("select", "kind", "markov"), ("segmented", "moment", "deng")):
        states.append(state(turn(at, *change)))
    assert len({str(one) for one in states}) == 4
    at.button(key="undo_all").click().run()  # a change like others
    assert state(at) == states[0]
    while states:
        at.button(key="undo_last").click().run()
        assert state(at) == states.pop() and faults(at) == []
        if len(states) == 1:
            break
    at.button(key="undo_last").click().run()
    assert state(at) == states[0] and at.button(key="undo_last").disabled
    turn(at, "slider", "V", 8.0)
    session_of(at).t = 30  # where the reader looks
    at.button(key="undo_last").click().run()
    assert at.session_state["V"] == states[0]["V"] and session_of(at).t == 30
    turn(at, "slider", "V", 8.0)
    at.switch_page(page("bands")).run()
    assert at.button(key="undo_last").disabled and not at.exception


def test_film_at_its_end_stays_there() -> None:
    at = opened(page("drift"))
    assert session_of(at).t == at.session_state["T"] == 200
    turn(at, "slider", "T", 300)
    assert session_of(at).t == 300
    turn(at, "slider", "T", 100)
    assert session_of(at).t == 100
    turn(at, "segmented", "moment", "deng")  # stands before its end
    turn(at, "slider", "T", 300)
    assert session_of(at).t == BY_KEY["drift"].moment("deng").t < 300
    at = unfolded(opened(page("bands"), T="50", t="50"))
    turn(at, "slider", "T", 100)
    assert session_of(at).t == 100


PAGE = """
import streamlit as st
from lessons.real_data.knobs import OWN
from lessons.shared.knobs import KNOBS
from shell.page.knobs import draw
from shell.links.pending import discard, prepare, restore

restore()
st.button("prepare", on_click=lambda: prepare({"pin2": "sw", "T": 300}, 7))
draw(KNOBS["T"])
if st.session_state.pop("cut", False):
    st.stop()
draw(OWN["pin2"])
discard()
"""


def test_run_cut_short_keeps_what_it_prepared() -> None:
    at = AppTest.from_string(PAGE, default_timeout=60).run()
    assert at.selectbox(key="pin2").value == "tv"
    at.session_state["cut"] = True
    at.button[0].click().run()
    assert at.slider(key="T").value == 300 and not at.selectbox  # cut before the second control
    at.run()
    assert at.selectbox(key="pin2").value == "sw" and session_of(at).t == 7


LIST = """
import streamlit as st
from lessons.shared.knobs import KNOBS
from shell.links.pending import discard, prepare, restore
from shell.page.knobs import draw

restore()
st.button("prepare", on_click=lambda: prepare({"algos": ["et", "gp"]}, 7))
draw(KNOBS["algos"])
discard()
"""


def test_chosen_algorithms_stand_first() -> None:
    at = AppTest.from_string(LIST, default_timeout=60).run()
    at.button[0].click().run()
    assert at.button_group[0].options[:2] == ["GP-UCB", "ET-GP-UCB"]
    at.button_group[0].set_value(["rnd"]).run()  # under the reader's hand nothing moves
    assert at.button_group[0].options[:2] == ["GP-UCB", "ET-GP-UCB"]


def pause(at: AppTest, t: int, scene: str) -> None:
    """The browser tells a pause, with the old values of the controls as it still knows them."""
    at.session_state["player"] = {"t": {"t": t, "reset": f"{scene}:as the page adds"}}
    at.slider(key="T").set_value(100)
    at.run()


def test_pause_of_the_old_scene_takes_nothing() -> None:
    at = AppTest.from_string(PAGE, default_timeout=60).run()
    at.slider(key="T").set_value(100).run()
    at.button[0].click().run()
    assert at.slider(key="T").value == 300
    pause(at, 3, "0:0:0")  # of the scene before
    assert at.slider(key="T").value == 300 and session_of(at).t == 7
    at.slider(key="T").set_value(150).run()  # the same old pause is still in the browser, but this is a new wish
    assert at.slider(key="T").value == 150
