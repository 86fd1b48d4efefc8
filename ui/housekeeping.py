"""What the server puts in order after a run of a page."""

from __future__ import annotations

import ctypes
import gc
import itertools
import sys
from collections.abc import Iterator
from contextlib import suppress

import streamlit as st

EVERY = 1024  # runs between two looks at everything, which take half a second with many visitors
YOUNG = (50_000, 20, 100)  # new objects between two of Python's own collections; most of a run's are gone by then
SWITCH = 0.0003  # seconds that a thread computes on while another one waits for the interpreter
HEAPS, ARENA_MAX = 2, -8  # how many heaps, and what glibc calls that setting


@st.cache_resource
def _runs() -> Iterator[int]:
    """Counts the runs of all visitors."""
    few_heaps()
    short_pauses()
    return itertools.count()


def few_heaps() -> bool:
    """Let all threads share two heaps; whether this C library knows the setting.

    Every run of a page is a thread of its own. glibc would give up to eight heaps a core to them, and what one thread
    frees stays in its heap: a third of the memory of a server with sixty visitors.
    """
    return _libc("mallopt", ARENA_MAX, HEAPS)


def short_pauses() -> None:
    """Collect seldom, and let nobody wait long for the interpreter.

    Python collects after 700 new objects, more than once in a run of a page, and everybody stands still meanwhile. And
    its threads take turns of 5 ms, for which also the one waits that speaks with the browsers.
    """
    gc.set_threshold(*YOUNG)
    sys.setswitchinterval(SWITCH)


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
