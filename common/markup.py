r"""Marked text as plain text: TeX, Markdown and HTML as letters, a formula as words, and plain text as LaTeX."""

from __future__ import annotations

import re

_NAMES = "alpha", "beta", "gamma", "delta", "epsilon", "eta", "kappa", "lambda", "nu", "sigma"
GREEK = dict(zip(_NAMES, "αβγδεηκλνσ", strict=True))
TEX = {rf"\{name}": letter for name, letter in GREEK.items()} | {
    r"\varepsilon": "ε",
    r"\Gamma": "Γ",
    r"\Delta": "Δ",
    r"\le": "≤",
    r"\ge": "≥",
    r"\sqrt": "√",
    r"\cdot": "·",
    r"\ell": "ℓ",
    r"\infty": "∞",
    r"\propto": "∝",
}
_NO_LETTER = {r"\tilde": "", r"\mathcal": "", r"\,": " "}
_HAT = re.compile(r"\\hat\s*\{?(\\?[A-Za-z]+)\}?")
_SPECIAL = {
    "&": r"\&",
    "–": "--",
    "é": r"{\'e}",
    "ï": r"{\"\i}",
    "ö": r"{\"o}",
    "⅓": "1/3",
    "%": r"\%",
    "_": r"\_",
    "#": r"\#",
    "*": r"$^*$",
    "√": r"$\surd$",
}
_LATEX = str.maketrans({letter: f"${name}$" for name, letter in TEX.items()} | _SPECIAL)
_TEX_NAME = re.compile(r"\\(?:[A-Za-z]+|,)")
_FORMULA = re.compile(r"\$+([^$]+)\$+")
# TeX -> words, in this order.
_SPOKEN = tuple(
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


def plain_markdown(text: str) -> str:
    """Return Markdown as plain text: formulas in Unicode letters, no icons, colours, marks or escapes."""
    text = re.sub(r":material/\w+:\s*", "", text)
    text = _FORMULA.sub(lambda found: plain_tex(found[1]), text)
    text = re.sub(r":\w+\[((?:[^\[\]]|\[[^\]]*\])*)\]", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*|~~|`", "", text)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def plain_tex(formula: str) -> str:
    r"""Return a formula in Unicode letters: `V_T\le\sqrt\kappa` is "V_T ≤ √κ"."""
    signs = TEX | _NO_LETTER
    formula = _HAT.sub("\\1\u0302", formula)
    formula = _TEX_NAME.sub(lambda name: signs.get(name[0], name[0]), formula)
    formula = re.sub(r"\^\{([^{}]*)\}", lambda power: _plain_power(power[1]), formula)
    formula = re.sub(r"_\{([^{}]*)\}", r"_\1", formula)
    return formula.replace("{", "").replace("}", "").replace("≤", " ≤ ").replace("≥", " ≥ ")


def _plain_power(power: str) -> str:
    """Return a power, in brackets where it is more than a number or a letter: "^4", "^(-1/2)"."""
    return f"^{power}" if re.fullmatch(r"[-−]?(\d+(\.\d+)?|\w)", power) else f"^({power})"


def plain_html(text: str) -> str:
    """Return HTML as plain text: β<sub>t</sub> is "β_t", a line break a blank."""
    for tag, sign in (("<sub>", "_"), ("<sup>", "^"), ("<br>", " ")):
        text = text.replace(tag, sign)
    return re.sub(r"<[^>]+>", "", text)


def in_words(text: str) -> str:
    """Return a text whose formulas (TeX between dollars) are words, as a person says them: $V_T$ is "V T"."""
    return _FORMULA.sub(lambda found: _say(found[1]), text)


def _say(tex: str) -> str:
    for pattern, words in _SPOKEN:
        tex = pattern.sub(words, tex)
    return tex


def latex(text: str) -> str:
    """Return a text with its special letters in LaTeX; parts between dollar signs are LaTeX already."""
    return "$".join(part if i % 2 else part.translate(_LATEX) for i, part in enumerate(text.split("$")))
