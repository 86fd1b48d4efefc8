"""The symbols switch: the page in the letters of a chosen paper.

Texts are translated (answers/letters.py) where they are drawn: knobs in shell/page/knobs.py, words in `caption`
and `markdown`, figures and films with their sentences in answers/.
"""

from __future__ import annotations

import streamlit as st

from answers.letters import QUOTING_LESSON, differences, missing_letters, translate
from answers.marks import mark
from answers.page import plain
from answers.quantities import PAPERS
from shell.session import session

MENU_PIXELS = 340  # width of the menu that holds the switch


def paper() -> str:
    """Return the paper in whose letters the page is shown, a key of `PAPERS`."""
    symbols = session().look.symbols
    return "ours" if symbols == "ours" or session().page == QUOTING_LESSON else symbols


def to_markdown(text: str) -> str:
    """Return Markdown with formulas in the chosen letters."""
    return translate(text, paper(), "markdown")


def to_html(text: str) -> str:
    """Return a text in HTML in the chosen letters."""
    return translate(text, paper(), "html")


def to_plain(text: str) -> str:
    """Return Markdown as plain text in the chosen letters."""
    return plain(text, paper())


def markdown(text: str) -> None:
    """Draw Markdown in the chosen letters, with marks on the glossary's terms."""
    st.markdown(to_markdown(marked(text)))


def caption(text: str) -> None:
    """Draw a caption in the chosen letters, with marks on the glossary's terms."""
    st.caption(to_markdown(marked(text)))


def link_words() -> dict[str, str]:
    """Return the word that links to other pages take along, none with our own letters."""
    symbols = session().look.symbols
    return {} if symbols == "ours" else {"symbols": symbols}


def note(letters: str) -> str:
    """Return the line below the switch."""
    if session().page == QUOTING_LESSON:
        return "This page quotes each paper in its own letters, whatever is chosen here."
    if letters == "ours":
        return "One letter, one meaning; the maths drawer lists the papers' own."
    missing = ", ".join(missing_letters(letters))
    ring = ", with a ring where their letter means something else" if "mathring" in missing else ""
    return f"{PAPERS[letters]} have no {missing}; ours is shown{ring}."


def switch() -> None:
    """Draw the choice of a paper, and the line below it."""

    def choose() -> None:
        session().look.symbols = st.session_state["symbols_shown"]

    symbols = session().look.symbols
    st.session_state["symbols_shown"] = symbols
    theirs = "".join(f"\n- {line}" for line in differences(symbols))
    st.selectbox(
        "Symbols of",
        list(PAPERS),
        format_func=PAPERS.get,
        key="symbols_shown",
        on_change=choose,
        help=f"Shows every formula, label and slider in the letters of one paper.{theirs}",
    )
    st.caption(note(symbols))


def marked(text: str) -> str:
    """Return Markdown with the terms marked that this page has not marked yet, abbreviations spelled out.

    A text that is drawn again, as in a fragment, keeps its marks.
    """
    where = session().marked
    done = frozenset(key for key, first in where.items() if first != text)
    linked, found = mark(text, "markdown", done, spells=True)
    where |= dict.fromkeys(found, text)
    return linked
