"""What Streamlit finds out anew at every run and what cannot change while the server runs is found out once.

Which file each page is: it asks the disk a hundred times, and each question lets go of the interpreter, which
whoever computes elsewhere takes. And the settings of the theme, which it reads one by one for every browser.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from typing import Any


def kept(make: Callable[..., object]) -> Callable[..., object]:
    """The same function, which makes each object once and gives out copies: a run marks the page it may call."""
    made = cache(make)

    @wraps(make)
    def give(page: str | Path, *, default: bool = False) -> object:
        return copy(made(page, default=default))

    return give


def filled(fill: Callable[[Any, str], None]) -> Callable[..., None]:
    """The same function, which reads the settings of each section once."""
    known: dict[str, Any] = {}

    @wraps(fill)
    def again(message: Any, section: str = "theme") -> None:
        if section not in known:
            fill(read := type(message)(), section)
            known[section] = read
        if known[section].ByteSize():  # merging nothing would tell the browser that there is such a section
            message.MergeFrom(known[section])

    return again


@cache
def install() -> None:
    """Let Streamlit use them; once for all."""
    from streamlit.runtime import app_session

    pages = import_module("streamlit.navigation.page")  # by its name: `streamlit.navigation` is also a function
    pages._create_page = kept(pages._create_page)
    app_session._populate_theme_msg = filled(app_session._populate_theme_msg)
