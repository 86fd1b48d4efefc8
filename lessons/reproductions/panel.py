"""The reproductions on their page: the way from the overview to an experiment, and the words below the figure."""

from __future__ import annotations

import streamlit as st

from lessons.reproductions import words
from lessons.reproductions.knobs import LAST
from lessons.reproductions.model import StoredExperiment
from lessons.reproductions.overview import Entry
from shell.links import pending
from shell.notation.translate import markdown


def open_button(entry: Entry) -> None:
    """Draw a button from the overview to a table or figure that has a figure of its own."""
    if entry.attempted:
        st.button(
            f"Open {entry.title}",
            on_click=pending.prepare,
            args=({"shown": entry.name}, LAST),
            key="open_entry",
            type="primary",
            icon=":material/open_in_full:",
        )


def sections(experiment: StoredExperiment) -> None:
    """Draw the statements about the figure, and its set-up."""
    with st.container(key="sections"):
        st.markdown("#### Statements of the paper, questions of this lab, and what was measured")
        markdown(words.statements(experiment))
        st.markdown("#### Set-up")
        markdown(words.choices(experiment))
