"""Texts in the letters of a paper: every formula, label and slider of ours in theirs.

All letters of a text are replaced in one pass, because one quantity's letter here may be another quantity's letter
there. Our own letters need no pass and no copy.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from answers.quantities import ALL_PAPERS, ROWS, SAME_AS_NOISE
from common.markup import plain_html

QUOTING_LESSON = "microscope"  # shows each paper in its own letters
NAMES = r"\b(?:Iwazaki|Takeno|Deng|Bogunovic|Mauduit|Flynn|Reeb)(?: et al\.)?"
# Parts that stay as they are, in this order: tables of letters, quotations of a paper's letters, code, addresses, tags
# and templates; and formulas, which have patterns of their own.
PIECES = re.compile(
    r"(?P<kept>^\|[^\n]*\|? ?(?:here|ours) ?\|[^\n]*\n(?:\|[^\n]*(?:\n|\Z))+"
    rf"|{NAMES}(?::|'s|’s) (?:\$[^$]*\$|[^\s,;()]+)"
    r"|\(their [^)]*\)|`[^`]*`|\]\([^)]*\)|%\{[^}]*\}|</?(?!su[bp]>)[a-zA-Z][^>]*>)"
    r"|(?<!\\)(?P<math>\$\$.*?\$\$|\$[^$\n]+?(?<!\\)\$)",
    re.DOTALL | re.MULTILINE,
)
TWICE = re.compile(r"\{([^{}]+)\}=\1(?==)")  # two of our letters for one of theirs: "B_T = B_T = ..."


def in_letters(figure: Any, paper: str) -> Any:
    """Return a figure or a film in the letters of a paper, a key of `PAPERS`."""
    return figure if paper == "ours" or not hasattr(figure, "reworded") else figure.reworded(_translator(paper), paper)


@cache
def _translator(paper: str) -> Callable[[str], str]:
    return lambda text: translate(text, paper, "html")


def translate(text: str, paper: str, kind: str) -> str:
    """Return a text in the letters of a paper.

    Args:
        paper: a key of `PAPERS`.   kind: "markdown" (formulas between dollars), "html" (<sub>, <sup>) or "plain".
    """
    return text if paper == "ours" else _translated(text, paper, kind)


@lru_cache(maxsize=2000)
def _translated(text: str, paper: str, kind: str) -> str:
    noisy = any(word in text for word in SAME_AS_NOISE)
    done, at = [], 0
    for piece in PIECES.finditer(text):
        if kind != "markdown" and piece["math"]:
            continue
        done += [_letters(text[at : piece.start()], paper, kind, noisy), _formula(piece, paper, noisy)]
        at = piece.end()
    return "".join([*done, _letters(text[at:], paper, kind, noisy)])


def _formula(piece: re.Match | None, paper: str, noisy: bool) -> str:
    """Return a piece of text, its formula translated."""
    assert piece is not None
    if not piece["math"]:
        return piece["kept"]
    pattern, theirs = _table(paper, "tex", noisy)
    if pattern is None:
        return piece["math"]

    def letter(found: re.Match) -> str:
        tex = theirs[int(str(found.lastgroup)[1:])][0]
        raised = found.string[found.end() : found.end() + 1] == "^" and "^" in tex
        return tex if re.fullmatch(r"\\[a-z]+", tex) else f"{{({tex})}}" if raised else f"{{{tex}}}"

    return TWICE.sub(r"\1", pattern.sub(letter, piece["math"]))


def _letters(words: str, paper: str, kind: str, noisy: bool) -> str:
    """Return text outside formulas, its letters translated."""
    pattern, theirs = _table(paper, "text", noisy)
    if pattern is None or not words:
        return words

    def letter(found: re.Match) -> str:
        tex, marked = theirs[int(str(found.lastgroup)[1:])]
        if found.string[found.end() : found.end() + 1] == "²" and ("<sup>" in marked or "√" in marked):
            tex, marked = f"({tex})", f"({marked})"
        if kind == "markdown" and "<" in marked:
            return f"${tex}$"
        return plain_html(marked) if kind == "plain" else marked

    return pattern.sub(letter, words)


@cache
def _table(paper: str, how: str, noisy: bool) -> tuple[re.Pattern | None, list[tuple[str, str]]]:
    """Return one pattern for all our letters that a paper writes in another way, and its letters for each group.

    Args:
        how: "tex" or "text".   noisy: whether the text names the noise variance too.
    """
    signs = [s for row in ROWS for s in row.signs if paper in s.theirs and getattr(s, how)]
    if noisy:  # Bogunovic et al. regularise with the noise variance: ours is kept where a text names both
        signs = [s for s in signs if s.theirs[paper][0] not in SAME_AS_NOISE]
    if not signs:
        return None, []
    whole = "|".join(f"(?P<g{i}>{getattr(sign, how)})" for i, sign in enumerate(signs))
    return re.compile(whole), [sign.theirs[paper] for sign in signs]


def differences(paper: str) -> list[str]:
    """Return the letters that a paper writes in another way, as "noise scale $\\sigma$ → $\\rho$"."""
    found = []
    for row in ROWS:
        theirs = _formula(PIECES.match(f"${row.ours}$"), paper, False)
        if theirs != f"${row.ours}$" and paper in row.papers:
            found.append(f"{row.meaning} ${row.ours}$ → {theirs}")
    return found


def missing_letters(paper: str) -> list[str]:
    """Return the quantities that a paper has no letter for, with our letter (ringed where the paper also uses it)."""
    return [
        f"{row.meaning} {_formula(PIECES.match(f'${row.ours}$'), paper, False)}"
        for row in ROWS
        if paper in ALL_PAPERS and paper not in row.papers
    ]
