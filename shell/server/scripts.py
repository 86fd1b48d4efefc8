"""Scripts of the pages: a file of assets/ with the files that it imports, as one text.

A browser asks for one file instead of ten, and an offline page has no server to ask for a second one. Each script is a
module of JavaScript, so that a browser's tools, a linter and tests read it as it stands.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "assets"
PLOTLY = "vendor/plotly/plotly.js"  # its part for charts with two axes, a third of the whole
IMPORT = re.compile(r'^import (?:\{\s*\w+(?:,\s*\w+)*,?\s*\}|\w+) from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?:default )?(?=\w)", re.MULTILINE)

COMMENT = re.compile(r"(?<!\S)//.*$", re.MULTILINE)  # an address in a text, as "http://", has a sign before its slashes
INDENT = re.compile(r"^\s+", re.MULTILINE)


@cache
def text(path: str) -> str:
    """Return a text file of the project."""
    return (ROOT / path).read_text(encoding="utf-8")


def asset(name: str) -> str:
    """Return a text of assets/."""
    return text(f"assets/{name}")


@cache
def script(name: str) -> str:
    """Return a script of assets/ behind everything that it imports, each file once and all in one scope.

    The exports of `name` itself stay, those of the files that it imports become plain declarations: a name is declared
    in one of them only, and a default export is imported under its own name.

    Args:
        name: path below assets/, such as "player/player.js".
    """
    *parts, own = (IMPORT.sub("", text) for text in _read(ASSETS / name, {}).values())
    return "".join(EXPORT.sub("", text) for text in parts) + own


def plain_script(name: str) -> str:
    """Return a script of assets/ with its imports for a `<script>` element of a page, in a scope of its own."""
    return f"(() => {{\n{script(name)}}})();"


def without_comments(text: str) -> str:
    """Return a script without its `//` comments, indents and empty lines.

    It is the same script where its line breaks are lost: its texts of several lines are sheets of styles.
    """
    return INDENT.sub("", COMMENT.sub("", text))


def _read(path: Path, files: dict[Path, str]) -> dict[Path, str]:
    """Return `files` with a script and everything that it imports, each behind what it imports itself."""
    text = path.read_text(encoding="utf-8")
    for found in IMPORT.findall(text):
        part = (path.parent / found).resolve()
        if part not in files:
            _read(part, files)
    files[path] = text
    return files


def plotly_script() -> str:
    """Return the plotly.js of all pages."""
    return script(PLOTLY)
