"""A limit of one BLAS thread, for small matrices: more threads only wait for each other."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any


@cache
def _controller() -> Any:
    """Return the switch of the BLAS libraries of this process; None where none can be found (WebAssembly has none)."""
    try:
        from threadpoolctl import ThreadpoolController

        return ThreadpoolController()  # looks through all loaded libraries, some milliseconds: once
    except (ImportError, OSError):
        return None


def one_thread() -> AbstractContextManager:
    """Return a context in which BLAS uses one thread, as far as that can be asked for."""
    controller = _controller()
    return nullcontext() if controller is None else controller.limit(limits=1, user_api="blas")
