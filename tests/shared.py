"""The caches that all visitors share, found by walking the modules of the lab."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path

from cachetools import Cache

ROOT = Path(__file__).resolve().parent.parent


MARKS = (
    re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(#term-[\w-]+(?: \"[^\"]*\")?\)"),
    re.compile(r'<a class="term" href="#[\w-]+">(.*?)</a>'),
    re.compile(r'<span class="points" tabindex="0" data-mark="[^"]*">(.*?)</span>'),
)


def unmarked(text: str) -> str:
    """Return a drawn text without the marks of the glossary's terms, and without pointers to the figure."""
    for mark in MARKS:
        text = mark.sub(r"\1", text)
    return text


def shared_caches() -> dict[str, Callable]:
    """Return every function with a shared cache (lessons/shared/cache.py), under the name of its module and its own."""
    for path in sorted((ROOT / "lessons").rglob("*.py")):
        if path.name != "__main__.py":
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    return {
        f"{name}.{key}": value
        for name, module in list(sys.modules.items())
        if name.startswith(("lessons.", "shell."))
        for key, value in list(vars(module).items())
        if isinstance(getattr(value, "cache", None), Cache)
    }


def forget() -> None:
    """Empty them."""
    for function in shared_caches().values():
        function.cache_clear()
