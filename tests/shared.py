"""Parts that tests share: the caches of all visitors, found by walking the modules, and what a session keeps."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cachetools import Cache
from streamlit.testing.v1 import AppTest

from answers.terms import ALL

if TYPE_CHECKING:
    from shell.session import Session

ROOT = Path(__file__).resolve().parent.parent
# Drawers below the stage, by the chart that comes first in them; tests/lessons/test_closer_look.py.
CLOSERS = [
    "adversary",
    "bounds",
    "bowl",
    "coverage",
    "curves",
    "glass",
    "indices",
    "likelihood",
    "looks",
    "paths",
    "picks",
    "plan",
    "trust",
    "wall",
    "weights",
    "widths",
    "worlds",
]


SPELLED = "|".join(re.escape(term.letters) for term in ALL if term.letters)  # behind the mark of an abbreviation
MARKS = (
    re.compile(rf"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(#term-[\w-]+(?: \"[^\"]*\")?\)(?: \((?:{SPELLED})\))?"),
    re.compile(r'<a class="term" href="#[\w-]+">(.*?)</a>'),
)


def few(cases: Iterable, *first: str, rest: pytest.MarkDecorator = pytest.mark.slow) -> list:
    """Return a walk over lessons or names as parameters, of which all but the first ones are of another ring."""
    named = [(one, getattr(one, "key", one)) for one in cases]
    return [pytest.param(one, id=name, marks=() if name in first else rest) for one, name in named]


def unmarked(text: str) -> str:
    """Return a drawn text without marks of terms and what spells them out."""
    for mark in MARKS:
        text = mark.sub(r"\1", text)
    return text


def shared_caches() -> dict[str, Callable]:
    """Return every function with a shared cache (common/cache.py), under the name of its module and its own."""
    for path in sorted(path for room in ("lessons", "shell") for path in (ROOT / room).rglob("*.py")):
        if path.name != "__main__.py" and not path.name.startswith("script"):  # scripts run when they are imported
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    return {
        f"{name}.{key}": value
        for name, module in list(sys.modules.items())
        if name.startswith(("common.", "lessons.", "shell."))
        for key, value in list(vars(module).items())
        if isinstance(getattr(value, "cache", None), Cache)
    }


def forget() -> None:
    """Empty them."""
    for function in shared_caches().values():
        function.cache_clear()


def forget_all() -> None:
    """Empty every cache of the lab's modules but those of shipped files and texts."""
    forget()
    for name, module in list(sys.modules.items()):
        if name.startswith(("lessons.", "figures.", "tvbo_core.")):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_parameters") and value.cache_parameters()["maxsize"] is not None:
                    value.cache_clear()


def session_of(at: AppTest) -> Session:
    """Return what the session of a page under test keeps, also before its first run."""
    from shell.session import KEY, Session  # here: the tests of the core alone have no shell

    if KEY not in at.session_state:
        at.session_state[KEY] = Session()
    return at.session_state[KEY]


def open_closers(at: AppTest) -> AppTest:
    """Open every drawer below the stage of a page under test, before its first run."""
    for key in CLOSERS:
        at.session_state[f"closer_{key}"] = True
    return at
