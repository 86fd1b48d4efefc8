"""Drawers below the figure: charts with captions, texts, tables; each computed when it is opened."""

from __future__ import annotations

from functools import cache
from typing import Any

from answers.state import State
from common.escape import safe_cells
from lessons.record import ROOT, Lesson, Picture

LOOKING, KNOW, MATHS, OWN = "looking", "know", "maths", "own"  # keys of the help texts
TITLES = {"What am I looking at": LOOKING, "Now you know": KNOW, "The maths, symbol by symbol": MATHS}
QUESTION = "question"  # begins the keys of the others: a question is the title, and its answer the text
YOUR_OWN = "Your own"  # title of the text on how the reader's policy, band or table takes part


@cache
def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def help_texts(lesson: Lesson) -> dict[str, tuple[str, str]]:
    """Return key -> title and text of the help (Markdown in our letters), one a section of the lesson's file."""
    _, *parts = _text(lesson.words).split("\n## ")
    found = {}
    for number, part in enumerate(parts):
        title, text = part.split("\n", 1)
        found[TITLES.get(title, f"{QUESTION}_{number}")] = (title, text)
    return found | ({OWN: (YOUR_OWN, _text(lesson.own))} if lesson.own else {})


def listed(state: State) -> dict[str, Any]:
    """Return "drawers", those of charts in their order, with nothing of what they hold; and "tables", titles of the
    data tables.
    """
    scene, charts = state.scene, state.pictures
    found = [
        {
            "key": keys[0],
            "title": state.text(charts[keys[0]].title),
            "charts": {key: charts[key].alt for key in keys},
            "knobs": list(charts[keys[0]].knobs),
        }
        for keys in scene.drawers
    ]
    return {"drawers": found, "tables": list(scene.tables)}


def drawer(state: State, key: str) -> dict[str, Any]:
    """Return what a drawer holds at the state's time: its charts with captions, or a part of the help text.

    Returns:
        "title"; "charts": of each "key", "alt", "caption", "moves" (it comes in the film, else as an answer of its own)
        and "as_of" (the time at which one that stands still was drawn); "text" (Markdown).

    Raises:
        KeyError: there is no such drawer.
    """
    if key in (texts := help_texts(state.lesson)):
        title, text = texts[key]
        return {"title": state.text(title), "charts": [], "text": state.text(text)}
    keys = {keys[0]: keys for keys in state.scene.drawers}[key]
    return {
        "title": state.text(state.pictures[key].title),
        "charts": [_chart(state, one, state.pictures[one]) for one in keys],
        "text": "",
    }


def _chart(state: State, key: str, picture: Picture) -> dict[str, Any]:
    return {
        "key": key,
        "alt": picture.alt,
        "caption": state.text(picture.caption(state.frame)),
        "moves": key in state.scene.films,
        "as_of": f" (as of {state.label})" if picture.follows else "",
    }


def table(state: State, title: str) -> list[dict[str, Any]]:
    """Return the rows of a data table at the state's time: plain values, and no text that a spreadsheet takes for a
    formula.

    Raises:
        KeyError: there is no such table.
    """
    rows = safe_cells(state.scene.tables[title](state.frame))
    return [{name: _plain(cell) for name, cell in row.items()} for row in rows]


def _plain(cell: object) -> object:
    found = cell.item() if hasattr(cell, "item") else cell
    return found if found == found else None  # JSON has no NaN
