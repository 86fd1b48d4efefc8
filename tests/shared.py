"""The caches that all visitors share, found by walking the modules of the lab."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path

from cachetools import Cache

ROOT = Path(__file__).resolve().parent.parent


MARK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(#(term-[\w-]+)\)|<a class=\"term\" href=\"#[\w-]+\">(.*?)</a>")


def unmarked(text: str) -> str:
    """Return a drawn text without the marks of the glossary's terms."""
    return MARK.sub(lambda mark: mark[1] or mark[3], text)


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
