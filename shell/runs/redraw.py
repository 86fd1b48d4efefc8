"""Drawing a page anew from within a fragment."""

from __future__ import annotations

import streamlit as st

from shell.session import session


def redraw() -> None:
    """Draw the whole page anew; where the visitor has turned to another page meanwhile, that one is drawn.

    `st.rerun` puts itself in the place of a request that waits, also of one for another page. Streamlit looks for such
    requests at each access to the session, so one is made first.
    """
    session()
    st.rerun()
