r"""Formulas as a person says them, for names that a screen reader reads out: $V_T$ is "V T"."""

from __future__ import annotations

import re

FORMULA = re.compile(r"\$([^$]+)\$")
# TeX -> words, in this order.
SAID = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\\(hat|tilde|mathring)\s*\{?(\\?[A-Za-z]+)\}?", r"\2 \1"),
        (r"mathring", "ring"),
        (r"\\mathcal|\|", ""),
        (r"\^\{1/2\}", " to the power one half"),
        (r"\^2", " squared"),
        (r"\^\{?(\w+)\}?", r" to the power \1"),
        (r"\\sqrt", " root of "),
        (r"/", " over "),
        (r"\\var(?=epsilon)", r"\\"),
        (r"\\ell", "l"),
        (r"[\\_{}]", " "),
        (r"\s*=\s*", " = "),
        (r"\s+(?=,)|(?<=\s)\s+|^\s+|\s+$", ""),
    )
)


def spoken(text: str) -> str:
    """Return a text whose formulas (TeX between dollars) are words."""
    return FORMULA.sub(lambda found: _say(found[1]), text)


def _say(tex: str) -> str:
    for pattern, words in SAID:
        tex = pattern.sub(words, tex)
    return tex
