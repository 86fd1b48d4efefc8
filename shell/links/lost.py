"""Addresses that name no page: the page that was meant, opened or offered."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote, urlsplit

import streamlit as st

from common.escape import quoted


def unknown_name(url: str, base: str = "") -> str:
    """Return the name of a page in an address, "" on the front page.

    Args:
        base: path that the pages lie under.
    """
    path = unquote(urlsplit(url).path).strip("/")
    below = base.strip("/")
    return path.removeprefix(below).strip("/") if path == below or path.startswith(f"{below}/") or not below else path


def meant(name: str, files: Sequence[str]) -> tuple[str | None, bool]:
    """Return the file of the page that a name means, None without one like it, and whether only its case differs."""
    names = {Path(file).stem.lower().replace("-", "_"): file for file in files}
    said = name.lower().replace("-", "_").replace(" ", "_")
    if said in names:
        return names[said], True
    close = get_close_matches(said, names, 1)
    return (names[close[0]], False) if close else (None, False)


def look(files: Sequence[str]) -> None:
    """On the front page: open the page that its address means, or say that there is none and offer one like it.

    Args:
        files: of all pages but the front page.
    """
    name = unknown_name(st.context.url or "", st.get_option("server.baseUrlPath"))
    if not name:
        return
    file, same = meant(name, files)
    if same:
        st.switch_page(file, query_params=st.query_params.to_dict())
    says = f"This lab has no page “{quoted(name)}”, and this is its front page: its pages are in the menu Lessons."
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(says, width="content")
        if file:
            label = f"Open {Path(file).stem.replace('_', ' ')}"
            st.page_link(file, label=label, query_params=st.query_params.to_dict() or None)
