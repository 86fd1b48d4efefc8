"""Foreign words as text, on the page and in a spreadsheet: from a link, a file's name, a column's head."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

SHOWN = 20  # characters of a link's value that a message repeats
_ADDRESS = re.compile(r"(:(?=//)|www(?=\.)|@)", re.IGNORECASE)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+|~$:!&=-])")
_NUMBER = re.compile(r"[+\-−]?(\d+\.?\d*|\.\d+|inf)([eE][+-]?\d+)?", re.ASCII)
# Where some spreadsheet begins a cell: also behind a tab, or a semicolon where numbers are written with commas.
_CELL_ENDS = re.compile(r"([,;\t\r\n])")
_INLINE = re.compile(r"([\\`*_\[\]<>|~$:!&])")
_LOOK_ALIKE = str.maketrans({"<": "‹", ">": "›"})
_OF_EVERY_OBJECT = frozenset(
    (
        "__proto__",
        "constructor",
        "toString",
        "toLocaleString",
        "valueOf",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
    )
)
_ENTITY = re.compile(r"&(?=#?\w+;)")


def escaped(text: str) -> str:
    """A text in which no character is read as Markdown, and no address becomes a link.

    A backslash does not stop the search for addresses, which reads the finished text: an invisible joiner does.
    """
    return _MARKDOWN.sub(r"\\\1", _ADDRESS.sub("\\1\u2060", text))


def quoted(text: str) -> str:
    """The beginning of foreign words, inside a sentence: nothing in it is read as Markdown or turns the line.

    A sign without ink is shown as �: without it a value that is refused would read like one that is allowed.
    """
    seen = "".join("\ufffd" if _has_no_ink(c) and not c.isspace() else c for c in text[: 10 * SHOWN])
    return _INLINE.sub(r"\\\1", _ADDRESS.sub("\\1\u2060", plain(seen, SHOWN)))


def plain(text: str, most: int = 1000) -> str:
    """The beginning of a foreign text as a figure may show it: no markup, no control, nothing that turns the line.

    A figure takes `<` and `&name;` for markup, so the one becomes a sign that looks alike and the other is parted by
    an invisible joiner; a word that every object of JavaScript knows gets a space behind it, or the figure would
    show what that object answers; line breaks become spaces; what else has no ink of its own (but the joiners that
    scripts and emoji need) is left out.
    """
    visible = " ".join(_ENTITY.sub("&\u200c", text[: 10 * most].translate(_LOOK_ALIKE)).split())
    visible = "".join(c for c in visible if not _has_no_ink(c))[:most].strip()
    return f"{visible}\u00a0" if visible in _OF_EVERY_OBJECT else visible


def _has_no_ink(sign: str) -> bool:
    """Return whether a sign is not seen, but for the joiners that scripts and emoji need."""
    return sign not in "\u200c\u200d" and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn")


def unlinked(text: str, most: int) -> str:
    """The beginning of foreign Markdown: emphasis and formulas stay, no link, picture or address does."""
    return _ADDRESS.sub("\\1\u2060", plain(text, most)).translate(str.maketrans("[]", "()"))


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
