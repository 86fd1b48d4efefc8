"""A stranger's words as text, on the page and in a spreadsheet: from a link, a file's name, a column's head."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from tvbo_core.data.cells import plain

SHOWN = 20  # characters of a link's value that a message repeats
_ADDRESS = re.compile(r"(:(?=//)|www(?=\.)|@)", re.IGNORECASE)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+|~$:!&=-])")
_NUMBER = re.compile(r"[+\-−]?(\d+\.?\d*|\.\d+|inf)([eE][+-]?\d+)?", re.ASCII)
# Where some spreadsheet begins a cell: also behind a tab, or a semicolon where numbers are written with commas.
_CELL_ENDS = re.compile(r"([,;\t\r\n])")
_INLINE = re.compile(r"([\\`*_\[\]<>|~$:!&])")


def escaped(text: str) -> str:
    """A text in which no character is read as Markdown, and no address becomes a link.

    A backslash does not stop the search for addresses, which reads the finished text: an invisible joiner does.
    """
    return _MARKDOWN.sub(r"\\\1", _ADDRESS.sub("\\1\u2060", text))


def quoted(text: str) -> str:
    """The beginning of a stranger's words, inside a sentence: nothing in it is read as Markdown or turns the line."""
    return _INLINE.sub(r"\\\1", _ADDRESS.sub("\\1\u2060", plain(text, SHOWN)))


def no_formula(text: str) -> str:
    """A text in which no spreadsheet finds a formula: an apostrophe before a sign that begins a cell.

    Signs are =, +, -, @ and what looks like them (full width, superscript), also behind blanks and quotation marks.
    What is wholly a number stays as it is.
    """
    return "".join(map(_no_formula, _CELL_ENDS.split(text)))


def safe_cells(rows: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    """Rows of a table whose texts and heads hold no formula: Streamlit's own download writes them as they are."""
    return [{no_formula(k): no_formula(v) if isinstance(v, str) else v for k, v in row.items()} for row in rows]


def _no_formula(cell: str) -> str:
    for i, sign in enumerate(cell):
        if sign.isspace() or sign == '"' or unicodedata.category(sign) in ("Cc", "Cf"):
            continue
        signs = unicodedata.normalize("NFKC", sign)[0] in "=+-@" or sign == "−"
        if signs and len(cell) > i + 1 and not _NUMBER.fullmatch(cell.strip()):
            return f"{cell[:i]}'{cell[i:]}"
        break
    return cell
