"""Captions of exports: set-up, time, settings, seed, version."""

from __future__ import annotations

import re

from shell.export.snapshot import PageSnapshot
from shell.links import VERSION as LINKS_VERSION
from tvbo_core import __version__

LAB = "Drifting rewards lab"
VERSION = f"{LAB} {__version__}, links version {LINKS_VERSION}"

TEX = {
    r"\le": "≤",
    r"\ge": "≥",
    r"\sqrt": "√",
    r"\kappa": "κ",
    r"\varepsilon": "ε",
    r"\alpha": "α",
    r"\nu": "ν",
    r"\sigma": "σ",
    r"\gamma": "γ",
    r"\Gamma": "Γ",
    r"\lambda": "λ",
    r"\beta": "β",
    r"\delta": "δ",
    r"\Delta": "Δ",
    r"\tilde": "",
    r"\,": " ",
    r"\cdot": "·",
    r"\ell": "ℓ",
    r"\infty": "∞",
}


def without_markdown(markdown: str) -> str:
    """Return a caption as plain text: formulas in Unicode letters, no icons, colours, marks or escapes."""
    text = re.sub(r":material/\w+:\s*", "", markdown)
    text = re.sub(r"\$+([^$]+)\$+", lambda found: _letters(found.group(1)), text)
    text = re.sub(r":\w+\[((?:[^\[\]]|\[[^\]]*\])*)\]", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*|~~|`", "", text)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def _letters(formula: str) -> str:
    """Return a formula in TeX as Unicode letters."""
    for name, letter in sorted(TEX.items(), key=lambda pair: -len(pair[0])):
        formula = re.sub(re.escape(name) + r"(?![A-Za-z])", letter, formula)
    formula = re.sub(r"([_^])\{([^{}]*)\}", r"\1\2", formula)
    return formula.replace("{", "").replace("}", "").replace("≤", " ≤ ").replace("≥", " ≥ ")


def chart_caption(page: PageSnapshot, key: str) -> str:
    """Return the caption of one chart: the page's own for the stage, which is its first chart."""
    if key == next(iter(page.charts)):
        return stage_caption(page)
    return f"{page.charts[key].alt}. Settings: {settings(page)}. Lesson {page.number}, {VERSION}."


def stage_caption(page: PageSnapshot) -> str:
    """Return the caption of the stage, without the time, which the browser adds."""
    seed = f" Seed {page.seed}." if page.seed and "seed" not in page.caption else ""
    caption = without_markdown(page.caption)
    stop = "" if caption.endswith((".", "!", "?")) or not caption else "."
    return f"{caption}{stop}{seed} Lesson {page.number}, {VERSION}.".strip()


def settings(page: PageSnapshot) -> str:
    """Return every setting of the page in one line."""
    return "; ".join(f"{key} = {text}" for key, text in page.settings.items())


def full_caption(page: PageSnapshot, link: str) -> str:
    """Return the text to print below the figure in a paper: question, time, caption, settings, link."""
    at = f" Shown: {page.label}." if page.label else ""
    return f"{page.question}{at} {stage_caption(page)}\nSettings: {settings(page)}.\nLink: {link}"
