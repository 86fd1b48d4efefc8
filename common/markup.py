"""Conversions of text with Markdown, TeX or HTML: to plain text, to HTML, to spoken words and to LaTeX."""

from __future__ import annotations

import re
from html import escape

_LETTER_NAMES = "alpha", "beta", "gamma", "delta", "epsilon", "eta", "kappa", "lambda", "nu", "sigma"
GREEK = dict(zip(_LETTER_NAMES, "αβγδεηκλνσ", strict=True))
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
_WITHOUT_SIGN = {r"\tilde": "", r"\mathcal": "", r"\,": " "}
_HAT = re.compile(r"\\hat\s*\{?(\\?[A-Za-z]+)\}?")
_LATEX_SPECIAL = {
    "&": r"\&",
    "–": "--",
    "é": r"{\'e}",
    "è": r"{\`e}",
    "ï": r"{\"\i}",
    "ö": r"{\"o}",
    "⅓": "1/3",
    "%": r"\%",
    "_": r"\_",
    "#": r"\#",
    "*": r"$^*$",
    "√": r"$\surd$",
}
_TO_LATEX = str.maketrans({letter: f"${name}$" for name, letter in TEX.items()} | _LATEX_SPECIAL)
_TEX_NAME = re.compile(r"\\(?:[A-Za-z]+|,)")
_FORMULA = re.compile(r"\$+([^$]+)\$+")
# Pattern of TeX -> words, replaced in this order.
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


# Code and formulas, whose signs are no Markdown.
_CODE_OR_FORMULA = re.compile(r"`([^`]+)`|(?<!\\)\$+([^$]+)\$+")
_INLINE = tuple(
    (re.compile(pattern), html)
    for pattern, html in (
        (r":material/\w+:\s*", ""),
        (r":\w+\[((?:[^\[\]]|\[[^\]]*\])*)\]", r"\1"),
        (r"\[([^\]]+)\]\((#[\w-]+)\)", r'<a class="term" href="\2">\1</a>'),
        (r"\[([^\]]+)\]\([^)]*\)", r"\1"),
        (r"\*\*(.+?)\*\*", r"<b>\1</b>"),
        (r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<i>\1</i>"),
        (r"~~", ""),
        (r"\\([!-/:-@\[-`{-~])", r"\1"),
    )
)
_TEX_TOKEN = re.compile(r"\\[A-Za-z]+ *|\\.|[{}^_]|[^\\{}^_]")
_ACCENTS = {"hat": "\u0302", "tilde": "\u0303", "bar": "\u0304", "mathring": "\u030a"}
_TEX_SIGNS = {
    **dict(zip(("mu", "rho", "xi", "psi", "Phi", "omega", "Omega", "zeta", "pi", "theta"), "μρξψΦωΩζπθ", strict=True)),
    **dict(zip(("sum", "int", "in", "pm", "top", "dots", "lceil", "rceil"), "∑∫∈±⊤…⌈⌉", strict=True)),
    **dict(zip(("langle", "rangle", "lvert", "rvert", "|", "lVert", "rVert", "sim"), "⟨⟩||‖‖‖∼", strict=True)),
    **dict.fromkeys(("mathcal", "mathbb", "mathrm", "text", "Big", "big", "Bigl", "Bigr", "left", "right"), ""),
    **dict.fromkeys((",", ";", " ", "qquad"), "\u00a0"),
}  # fmt: skip


def html_markdown(text: str) -> str:
    """Return Markdown as HTML: formulas with sub- and superscripts, bold, links to the glossary, code, and in a text of
    several lines paragraphs, lists and blocks of code."""
    set_aside: list[str] = []

    def placeholder(found: re.Match) -> str:
        """Set the HTML of code or a formula aside, and return its number between signs that no text has."""
        code, tex = found[1], found[2]
        set_aside.append(f"<code>{escape(code, quote=False)}</code>" if code else html_tex(tex))
        return f"\ue000{len(set_aside) - 1}\ue001"

    if "\n" in text.strip():
        return _html_blocks(text)
    made = escape(_CODE_OR_FORMULA.sub(placeholder, text.strip()), quote=False)
    for pattern, html in _INLINE:
        made = pattern.sub(html, made)
    return re.sub("\ue000(\\d+)\ue001", lambda found: set_aside[int(found[1])], made)


def _html_blocks(text: str) -> str:
    """Return Markdown of several lines as HTML."""
    made, lines = [], iter(text.strip().splitlines())
    for line in lines:
        if line.startswith("```"):
            # The lines up to the closing fence, or to the end of the text.
            code = list(iter(lambda: next(lines, "```"), "```"))
            made.append(f"<pre><code>{escape(chr(10).join(code), quote=False)}</code></pre>")
        elif line.startswith("$$") and not line.endswith("$$", 2):
            tex = list(iter(lambda: next(lines, "$$"), "$$"))
            made.append(f"<p>{html_tex(' '.join(tex))}</p>")
        elif line.startswith(("- ", "* ")):
            made.append(f"<ul><li>{html_markdown(line[2:])}</li></ul>")
        elif line.startswith("|") and not set(line) <= set("|-: "):
            cells = (f"<td>{html_markdown(cell)}</td>" for cell in re.split(r"(?<!\\)\|", line.strip("|")))
            made.append(f"<table><tr>{''.join(cells)}</tr></table>")
        elif line.strip() and not line.startswith("|"):
            made.append(f"<p>{html_markdown(line.lstrip('# '))}</p>")
    # Each point and row made a list or table of its own: neighbours are joined.
    return re.sub("</ul><ul>|</table><table>", "", "".join(made))


def html_tex(formula: str) -> str:
    r"""Return a formula as HTML: `V_T\le\sqrt{\kappa}` is "V<sub>T</sub> ≤ √(κ)"."""
    tokens = iter(_TEX_TOKEN.findall(formula))

    def argument() -> str:
        """Return the next group or sign as HTML; "" at the end of the formula."""
        token = next(tokens, "")
        while token.isspace():
            token = next(tokens, "")
        return group() if token == "{" else sign(token)

    def group() -> str:
        """Return the tokens up to the closing bracket, or to the end of the formula, as HTML."""
        made = []
        for token in tokens:
            if token == "}":
                break
            made.append(group() if token == "{" else sign(token))
        return "".join(made)

    def sign(token: str) -> str:
        """Return a sign or a command with its arguments as HTML; "" for ""."""
        if not token:
            return ""
        if token in "^_":
            tag = "sup" if token == "^" else "sub"
            return f"<{tag}>{argument()}</{tag}>"
        name = token[1:].strip() or " "
        if not token.startswith("\\"):
            return "−" if token == "-" else escape(token, quote=False)
        if name == "frac":
            return f"{_in_brackets_if_long(argument())}/{_in_brackets_if_long(argument())}"
        if name == "sqrt":
            return f"√{_in_brackets_if_long(argument())}"
        if name in _ACCENTS:
            return f"{argument()}{_ACCENTS[name]}"
        found = _TEX_SIGNS.get(name, TEX.get(f"\\{name}", name if len(name) == 1 else f" {name} "))
        return f" {found} " if found in ("≤", "≥", "∈", "∝") else found

    return f'<span class="formula">{group()}</span>'


def _in_brackets_if_long(html: str) -> str:
    """Return a part of a formula, in brackets where it is more than one sign with its sub- and superscripts."""
    return html if re.fullmatch(r"√?(\d+(\.\d+)?|\w[\u0300-\u030a]?)(<su([bp])>[^<]*</su\4>)*", html) else f"({html})"


def plain_tex(formula: str) -> str:
    r"""Return a formula in Unicode letters: `V_T\le\sqrt\kappa` is "V_T ≤ √κ"."""
    signs = TEX | _WITHOUT_SIGN
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
    """Return a text with its formulas (TeX between dollars) as spoken words: $V_T$ is "V T"."""
    return _FORMULA.sub(lambda found: _say(found[1]), text)


def _say(tex: str) -> str:
    for pattern, words in _SPOKEN:
        tex = pattern.sub(words, tex)
    return tex


def latex(text: str) -> str:
    """Return a text with its special letters in LaTeX; parts between dollar signs, which are LaTeX already, stay."""
    return "$".join(part if i % 2 else part.translate(_TO_LATEX) for i, part in enumerate(text.split("$")))
