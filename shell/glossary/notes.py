"""The explanations in the browser: hidden beside every page, opened at a mark, and listed on a page of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from answers.marks import mark
from answers.terms import ALL, GROUPS, Term
from common.cache import kept
from lessons.record import ROOT, Lesson, label_of
from shell.notation import translate as symbols
from shell.page import pictures
from shell.server.modules import component

MOST_LINKS = 3  # of an entry: a term as "regret" is used in every lesson


@cache
def entries(paper: str, links: tuple[tuple[str, str], ...] = ()) -> str:
    """Return all entries as HTML, in the letters of a paper.

    Args:
        links: key of a term and the links to the lessons that use it.
    """
    found, used = [], dict(links)
    for group in GROUPS:
        terms = sorted((term for term in ALL if term.group == group), key=lambda term: term.name.lower())
        listed = "".join(_entry(term, paper, used.get(term.key, "")) for term in terms)
        found.append(f"<section><h2>{group}</h2><dl>{listed}</dl></section>")
    return "".join(found)


def _page(lesson: Lesson) -> str:
    """Return the address of a lesson's page beside the glossary's."""
    return f"./{'' if lesson.file == 'home.py' else Path(lesson.file).stem}"


def used_in(lessons: Sequence[Lesson], address: Callable[[Lesson], str]) -> tuple[tuple[str, str], ...]:
    """Return for each term its key, and links to the first lessons whose help text or moments use it.

    Args:
        address: of a lesson, as seen from the glossary.
    """
    found: dict[str, list[str]] = {}
    for lesson in lessons:
        words = (ROOT / lesson.words).read_text(encoding="utf-8")
        # A tab of its own: a session keeps what the reader has set.
        link = f'<a href="{address(lesson)}" target="_blank">{label_of(lesson, lessons)}</a>'
        for key in mark("\n".join([words, *(moment.script for moment in lesson.moments)]))[1]:
            found.setdefault(key, []).append(link)
    return tuple((key, f"<p>Used in {', '.join(links[:MOST_LINKS])}</p>") for key, links in sorted(found.items()))


def _entry(term: Term, paper: str, links: str) -> str:
    says = symbols.translate(term.says.replace("&", "&amp;"), paper, "html")
    letters = f" <i>{term.letters}</i>" if term.letters else ""
    picture = pictures.svg(f"glossary/{term.picture}", f"Picture: {term.name}") if term.picture else ""
    return f'<div id="{term.key}" class="term-entry"><dt>{term.name}{letters}</dt><dd>{says}{links}{picture}</dd></div>'


def mount(lessons: Sequence[Lesson] = ()) -> None:
    """Put the explanations beside the page, or list them on it.

    Args:
        lessons: to which each entry links, on the page that lists them; none beside another page.
    """
    listed = bool(lessons)
    words = entries(symbols.paper(), kept("used in", lambda: used_in(lessons, _page)) if listed else ())
    component("tvbo_glossary", "glossary/glossary", isolated=False)(
        key="glossary_list" if listed else "glossary", data=f"{'listed' if listed else 'hidden'}\n{words}".encode()
    )
