"""What the server puts in order after a run of a page."""

from __future__ import annotations

import ctypes
import gc
import itertools
from collections.abc import Iterator
from contextlib import suppress

import streamlit as st

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
    """Put what is old out of the way of Streamlit's collection, which walks every object after every run.

    Now and then everything is looked at again, so that nothing that has died stays, and free memory goes back.
    """
    if next(_runs()) % 256 == 0:
        gc.unfreeze()
        gc.collect()
        _libc("malloc_trim", 0)
    gc.freeze()
