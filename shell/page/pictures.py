"""Small pictures of lessons and terms: SVG files in the colours of assets/colours.css.

A picture that moves has twelve groups of class "frame", numbered by --i; the one of class "rest" too stands still.
assets/style.css runs through them under the pointer or the keyboard's focus.
"""

from __future__ import annotations

import html
from functools import lru_cache

import streamlit as st

from shell.server.scripts import ASSETS, asset

PLAIN = "lessons/plain"  # of a lesson that has no picture of its own


def svg(name: str, alt: str) -> str:
    """Return a picture as SVG text.

    Args:
        name: path of its file in assets/pictures, without the ending.   alt: alternative text.
    """
    return asset(f"pictures/{name}.svg").replace("<svg ", f'<svg role="img" aria-label="{html.escape(alt)}" ', 1)


def thumbnail(key: str, title: str) -> str:
    """Return the picture of the lesson of this key and title as SVG text."""
    own = f"lessons/{key}"
    return svg(own if (ASSETS / f"pictures/{own}.svg").exists() else PLAIN, f"Thumbnail of {title}")


@lru_cache(maxsize=64)
def _component(key: str, title: str) -> st.components.v2.types.ComponentRenderer:
    return st.components.v2.component(f"tvbo_thumb_{key}", html=thumbnail(key, title), isolate_styles=False)


def show(key: str, title: str) -> None:
    """Draw the picture of a lesson."""
    _component(key, title)(key=f"thumb_{key}")
