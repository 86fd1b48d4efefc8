"""The words that go with whatever leaves the page: set-up, time, settings, seed, version."""

from __future__ import annotations

import re
from collections.abc import Mapping

import tvbo_core
from shell.bets import bet as bets
from shell.export.snapshot import Shelf
from shell.knobs import Knob
from shell.links import permalink

LAB = "Drifting rewards lab"
VERSION = f"{LAB} {tvbo_core.__version__}, links version {permalink.VERSION}"

TEX = {r"\le": "≤", r"\ge": "≥", r"\sqrt": "√", r"\kappa": "κ", r"\varepsilon": "ε", r"\alpha": "α", r"\nu": "ν",
       r"\sigma": "σ", r"\gamma": "γ", r"\Gamma": "Γ", r"\lambda": "λ", r"\beta": "β", r"\delta": "δ",
       r"\Delta": "Δ", r"\tilde": "", r"\,": " ", r"\cdot": "·", r"\ell": "ℓ", r"\infty": "∞"}  # fmt: skip


def plain(markdown: str) -> str:
    """A caption without its markdown: formulas in letters, no icons, colours, marks or escapes."""
    text = re.sub(r":material/\w+:\s*", "", markdown)
    text = re.sub(r"\$+([^$]+)\$+", lambda found: _letters(found.group(1)), text)
    text = re.sub(r":\w+\[((?:[^\[\]]|\[[^\]]*\])*)\]", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*|~~|`", "", text)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def _letters(formula: str) -> str:
    for name, letter in sorted(TEX.items(), key=lambda pair: -len(pair[0])):
        formula = re.sub(re.escape(name) + r"(?![A-Za-z])", letter, formula)
    formula = re.sub(r"([_^])\{([^{}]*)\}", r"\1\2", formula)
    return formula.replace("{", "").replace("}", "").replace("≤", " ≤ ").replace("≥", " ≥ ")


def under(shelf: Shelf, key: str) -> str:
    """The line at the foot of a chart's picture: the page's caption is about its stage, the first chart."""
    if key == next(iter(shelf.charts)):
        return foot(shelf)
    return f"{shelf.charts[key].alt}. Settings: {settings(shelf)}. Lesson {shelf.number}, {VERSION}."


def foot(shelf: Shelf) -> str:
    """The line at the foot of the stage, without the time (which the browser knows)."""
    seed = f" Seed {shelf.seed}." if shelf.seed and "seed" not in shelf.caption else ""
    caption = plain(shelf.caption)
    stop = "" if caption.endswith((".", "!", "?")) or not caption else "."
    return f"{caption}{stop}{seed} Lesson {shelf.number}, {VERSION}.".strip()


def settings(shelf: Shelf) -> str:
    """Every setting of the page in one line."""
    return "; ".join(f"{key} = {text}" for key, text in shelf.settings.items())


def full(shelf: Shelf, link: str) -> str:
    """What to print below the figure in a paper or on a slide: question, caption, time, settings, link."""
    at = f" Shown: {shelf.label}." if shelf.label else ""
    return f"{shelf.question}{at} {foot(shelf)}\nSettings: {settings(shelf)}.\nLink: {link}"


def chosen(knobs: Mapping[str, Knob], state: Mapping[str, object]) -> dict[str, str]:
    """What the screen writes for every knob of a page; a bet that nobody has placed is no setting."""
    here = {key: knob for key, knob in knobs.items() if key in state}
    return {k: knob.shown(state[k]) for k, knob in here.items() if k not in bets.KEYS or state[k] != knob.default}
