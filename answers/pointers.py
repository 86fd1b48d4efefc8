"""Words of a finding that point at marks of the figure: the browser lights one when the pointer is on the other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape

INSIDE = r"(?<![\w-])", r"(?![\w-])"  # a word does not begin or end inside another one


def pointed(sentence: str, marks: Mapping[str, str]) -> str:
    """Return a sentence (HTML) in which each use of a word is an element that names its mark.

    Args:
        marks: word as the sentence writes it -> name of the mark, which traces of the figure have as "meta".
    """
    if not marks:
        return sentence
    return _words(tuple(marks)).sub(lambda use: use[0] if use["tag"] else _element(use[0], marks[use[0]]), sentence)


def _element(word: str, mark: str) -> str:
    return f'<span class="points" tabindex="0" data-mark="{escape(mark)}">{word}</span>'


@lru_cache(maxsize=64)
def _words(words: tuple[str, ...]) -> re.Pattern:
    """Return the pattern of these words, the longest first, and of tags."""
    spelled = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(f"(?P<tag><[^>]+>)|{INSIDE[0]}(?:{spelled}){INSIDE[1]}")
