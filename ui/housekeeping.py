"""What the server puts in order after a run of a page."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Iterator

import streamlit as st


@st.cache_resource
def _runs() -> Iterator[int]:
    """Counts the runs of all visitors."""
    return itertools.count()


def settle() -> None:
    """Put what is old out of the way of Streamlit's collection, which walks every object after every run.

    Now and then everything is looked at again, so that nothing that has died stays.
    """
    if next(_runs()) % 256 == 0:
        gc.unfreeze()
        gc.collect()
    gc.freeze()
