"""Captions of exports: set-up, time, settings, seed, version."""

from __future__ import annotations

from common.markup import plain_markdown
from shell.export.snapshot import PageSnapshot
from shell.links import VERSION as LINKS_VERSION
from tvbo_core import __version__

LAB = "Drifting rewards lab"
VERSION = f"{LAB} {__version__}, links version {LINKS_VERSION}"


def chart_caption(page: PageSnapshot, key: str) -> str:
    """Return the caption of one chart: the page's own for the stage, which is its first chart."""
    if key == next(iter(page.charts)):
        return stage_caption(page)
    return f"{page.charts[key].alt}. Settings: {settings(page)}. Lesson {page.number}, {VERSION}."


def stage_caption(page: PageSnapshot) -> str:
    """Return the caption of the stage, without the time, which the browser adds."""
    seed = f" Seed {page.seed}." if page.seed and "seed" not in page.caption else ""
    caption = plain_markdown(page.caption)
    stop = "" if caption.endswith((".", "!", "?")) or not caption else "."
    return f"{caption}{stop}{seed} Lesson {page.number}, {VERSION}.".strip()


def settings(page: PageSnapshot) -> str:
    """Return every setting of the page in one line."""
    return "; ".join(f"{key} = {text}" for key, text in page.settings.items())


def full_caption(page: PageSnapshot, link: str) -> str:
    """Return the text to print below the figure in a paper: question, time, caption, settings, link."""
    at = f" Shown: {page.label}." if page.label else ""
    return f"{page.question}{at} {stage_caption(page)}\nSettings: {settings(page)}.\nLink: {link}"
