"""A reader's place on the page of real data: the table, the race with its progress, and what is kept of them."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

import streamlit as st

from lessons.real_data import model as data_lab
from lessons.real_data import upload as own_data
from lessons.real_data import words as data_words
from lessons.real_data.model import OWN, Setting, Trial
from shell.run_panel import page_value
from tvbo_core.data import Checked, Table

PATIENCE = 0.4  # seconds after which a wait is named


def chosen(value: Mapping[str, object]) -> tuple[Setting, Table | None]:
    """The setting, and the visitor's own table if it is that which races; stops the page while there is none."""
    own_data.hold()
    mark, checked = "", None
    if value["table"] == OWN:
        mark, checked = own_data.table()
        if checked is None:
            st.stop()
    else:
        own_data.forget_link()
    return Setting.of(value, mark), _table(checked)


def _table(checked: Checked | None) -> Table | None:
    return None if checked is None else checked.table


def run(setting: Setting, own: Table | None) -> Trial:
    """The race; whatever takes longer than a moment says what it is doing, what takes long asks first.

    Raises:
        ValueError: the table cannot race.
    """

    def make() -> Trial:
        table, *_ = data_lab.parts(setting, own)
        cost = data_lab.seconds(table, data_lab.LEARNING + setting.seeds * len(setting.methods))
        if cost > data_lab.LONG and st.session_state.get("_long") != setting:
            st.info("This race takes a while.", icon="🧭")
            st.button(data_words.trials(cost), key="long_run", icon=":material/play_arrow:",
                      on_click=lambda: st.session_state.update(_long=setting))  # fmt: skip
            st.stop()
        spot, start = st.empty(), monotonic()

        def tell(text: str, share: float) -> None:
            if monotonic() - start > PATIENCE:
                spot.progress(share, text=text)

        found = data_lab.run(setting, own, tell)
        spot.empty()
        return found

    return page_value("trial", setting, make)  # a pause or a pill does not look everything up again
