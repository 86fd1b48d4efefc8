"""The explanations in the browser: hidden beside every page, opened at a mark, and listed on a page of their own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from shell.glossary.terms import ALL, GROUPS, Term
from shell.notation import translate as symbols
from shell.page import pictures
from shell.server.modules import loader

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "glossary"


@cache
def _component() -> object:
    html, css = ((ASSETS / f"glossary.{part}").read_text(encoding="utf-8") for part in ("html", "css"))
    return st.components.v2.component(
        "tvbo_glossary", html=html, css=css, js=loader("glossary/glossary.js", "default"), isolate_styles=False
    )


@cache
def entries(chosen: str) -> str:
    """Return all entries as HTML, in the letters of a paper."""
    found = []
    for group in GROUPS:
        listed = "".join(_entry(term, chosen) for term in sorted(ALL, key=_by_name) if term.group == group)
        found.append(f"<section><h2>{group}</h2><dl>{listed}</dl></section>")
    return "".join(found)


def _by_name(term: Term) -> str:
    return term.name.lower()


def _entry(term: Term, chosen: str) -> str:
    says = symbols.translate(term.says.replace("&", "&amp;"), chosen, "html")
    letters = f" <i>{term.letters}</i>" if term.letters else ""
    picture = pictures.svg(f"glossary/{term.picture}", f"Picture: {term.name}") if term.picture else ""
    return f'<div id="{term.key}" class="term-entry"><dt>{term.name}{letters}</dt><dd>{says}{picture}</dd></div>'


def mount(listed: bool = False) -> None:
    """Put the explanations beside the page, or list them on it.

    Args:
        listed: whether they are the page's own text.
    """
    words = entries(symbols.paper())
    _component()(
        key="glossary_list" if listed else "glossary", data=f"{'listed' if listed else 'hidden'}\n{words}".encode()
    )
