"""What the server puts in order after a run of a page."""

from __future__ import annotations

import ctypes
import gc
import itertools
from collections.abc import Iterator
from contextlib import suppress

import streamlit as st

EVERY = 256  # runs between two looks at everything, which take a third of a second with many visitors
HEAPS, ARENA_MAX = 2, -8  # how many heaps, and what glibc calls that setting


@st.cache_resource
def _runs() -> Iterator[int]:
    """Counts the runs of all visitors."""
    few_heaps()
    return itertools.count()


def few_heaps() -> bool:
    """Let all threads share two heaps; whether this C library knows the setting.

    Every run of a page is a thread of its own. glibc would give up to eight heaps a core to them, and what one thread
    frees stays in its heap: a third of the memory of a server with sixty visitors.
    """
    return _libc("mallopt", ARENA_MAX, HEAPS)


def _libc(name: str, *values: int) -> bool:
    """Ask glibc; whether it did so. Another C library has no such door, and needs none."""
    with suppress(OSError, AttributeError, TypeError):
        return getattr(ctypes.CDLL(None), name)(*values) == 1
    return False


def settle() -> None:
    """Now and then look at everything, so that nothing that has died stays, and give free memory back.

    What lives then is put out of the way: Python's own collections in between look at what is young. (Streamlit would
    collect after every run, with every object of all visitors to walk; the settings switch that off.)
    """
    if next(_runs()) % EVERY == 0:
        gc.unfreeze()
        gc.collect()
        _libc("malloc_trim", 0)
        gc.freeze()
