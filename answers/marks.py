"""Marks of the glossary's terms in texts: the first use becomes a link to #term-..., which opens the explanation.

Texts are marked where they are drawn, in our letters; shell/notation/translate.py leaves links as they are. A page's
standing text marks each term once; a text that comes and goes by itself (a live sentence, a tooltip) has its own marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from answers.terms import ALL, BY_KEY, Term

# What is left as it is: code, links and their addresses, templates, icons, tags. Formulas too, unless they are a term.
KEPT = {
    "markdown": r"```.*?```|`[^`]*`|!?\[[^\]]*\]\([^)]*\)|:material/\w+:|\$\$.*?\$\$|(?<!\\)\$[^$\n]+?(?<!\\)\$|<[^>]+>|https?://\S+",
    "html": r"<a\b.*?</a>|<[^>]+>|&\w+;",
}
# A formula has no words of its own that a screen reader could take for the name of a link.
LINK = {"markdown": "[{}](#{})", "formula": '[{}](#{} "{}")', "html": '<a class="term" href="#{1}">{0}</a>'}
WORD = r"(?<![\w\-/])[^\W\d_][\w\-]*"  # a term begins and ends with a word, and hyphens hold a word together


def _spellings(term: Term, kind: str) -> Iterable[tuple[str, str]]:
    """Return the first word or sign of each spelling of a term, in small letters, and the spelling as a pattern."""
    for word in (term.name, *term.spelled):
        plain = re.escape(word).replace(r"\ ", r"\s")
        capitals = any(letter.isupper() for letter in word[1:]) or word.isupper() or word in ("sd", "Matérn")
        yield word.split()[0].lower(), f"{plain}(?![\\w-])" if capitals else f"(?i:{plain}s?)(?![\\w-])"
    for sign in term.signs if kind == "markdown" else term.html:
        whole = f"${sign}$" if kind == "markdown" else sign
        yield (whole if kind == "markdown" else sign[0]).lower(), re.escape(whole)


@cache
def _terms(kind: str) -> tuple[re.Pattern, dict[str, list[tuple[re.Pattern, str]]]]:
    """Return the pattern of all words and kept parts; and first word -> spellings with keys, the longest first."""
    starts: dict[str, list[tuple[re.Pattern, str]]] = {}
    for term in ALL:
        for first, spelled in _spellings(term, kind):
            for start in {first, first + "s"}:
                starts.setdefault(start, []).append((re.compile(spelled), term.key))
    for found in starts.values():
        found.sort(key=lambda pair: -len(pair[0].pattern))
    return re.compile(f"(?P<kept>{KEPT[kind]})|{WORD}", re.DOTALL), starts


@lru_cache(maxsize=2000)
def mark(
    text: str, kind: str = "markdown", done: frozenset[str] = frozenset(), *, spells: bool = False
) -> tuple[str, frozenset[str]]:
    """Return a text whose first use of each term is a link, and the keys of the terms that were marked.

    Args:
        kind: "markdown" or "html".   done: keys of terms that are not to be marked any more.
        spells: an abbreviation is spelled out behind its mark.
    """
    pieces, starts = _terms(kind)
    found: set[str] = set()
    parts, at, free = [], 0, 0
    for piece in pieces.finditer(text):
        if piece.start() < free:  # inside the last term
            continue
        for spelled, key in starts.get(piece[0].lower(), ()):
            if use := spelled.match(text, piece.start()):
                free = use.end()
                if key not in found and key not in done:
                    found.add(key)
                    link = LINK["formula" if piece["kept"] else kind].format(use[0], key, BY_KEY[key].name)
                    if spells and (letters := BY_KEY[key].letters) and letters.lower() not in text.lower():
                        link += f" ({letters})"
                    parts += [text[at : use.start()], link]
                    at = free
                break
    return "".join([*parts, text[at:]]), frozenset(found)


def marked_alone(text: str, kind: str = "markdown") -> str:
    """Return a text with the first use of each term marked, whatever else the page says."""
    return mark(text, kind)[0]
