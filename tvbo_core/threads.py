"""A limit of one BLAS thread, for small matrices: more threads only wait for each other."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache


@cache
def _controller():
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()  # looks through all loaded libraries, some milliseconds: once


def one_thread() -> AbstractContextManager:
    """Return a context in which BLAS uses one thread."""
    return _controller().limit(limits=1, user_api="blas")
