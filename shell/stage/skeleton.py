"""Skeletons: what holds the place of the stage and the sentence, in their size, until they are drawn.

Only the first drawing of a visit has one: later a chart stays where it is while a new one is computed.
"""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from shell.session import session

STAGE, SENTENCE = "skeleton", "skeleton sentence"  # classes of assets/style.css


def is_due(lecture: bool) -> bool:
    """Return whether no stage was drawn yet in this visit and type size."""
    return session().stage.drawn != (session().visit, lecture)


def end(lecture: bool) -> None:
    """Note that the stage is drawn."""
    session().stage.drawn = (session().visit, lecture)


def first(box: DeltaGenerator, kind: str, lecture: bool) -> tuple[DeltaGenerator, tuple[DeltaGenerator, ...]]:
    """Return where to draw in a container, and what is held there.

    While a skeleton is due, that is one place with a skeleton in it, which whatever is drawn there replaces.
    """
    if not is_due(lecture):
        return box, ()
    place = box.empty()
    place.html(f'<div class="{kind}" aria-hidden="true"></div>')
    return place, (place,)
