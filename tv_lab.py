"""The lab in a notebook, from a checkout: `import tv_lab; tv_lab.show("bands", moment="missed", V=3)`.

Jupyter and marimo show what `show` returns: a frame with the page of one view, which plays without a network. `figures`
returns the same view's charts as Plotly figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from lessons import BY_KEY, LESSONS
from lessons.record import number_of
from shell.hall.course.own import TIME, base_of
from shell.static.pages import one_file
from shell.static.view import View, with_words


@dataclass(frozen=True)
class Frame:
    """A view as a notebook shows it.

    Attributes:
        view: what it shows.   height: in pixels.
    """

    view: View
    height: int

    def _repr_html_(self) -> str:
        """Return the frame as HTML, for Jupyter and marimo."""
        page = escape(one_file(self.view, plotly=False), quote=False).replace("'", "&#39;")  # scripts are full of "
        look = f'title="{self.view.lesson.title}" style="width: 100%; height: {self.height}px; border: 0"'
        return f"<iframe srcdoc='{page}' sandbox=\"allow-scripts\" {look}></iframe>"


def show(lesson: str, moment: str = "", *, height: int = 720, **settings: object) -> Frame:
    """Return a lesson's page as a frame.

    Args:
        lesson, moment: keys, as links have them.   settings: as links have them, on top of the moment's; t is the time.

    Raises:
        ValueError: there is no such lesson, moment or setting; in one sentence.
    """
    return Frame(_view(lesson, moment, settings), height)


def figures(lesson: str, moment: str = "", **settings: object) -> dict[str, go.Figure]:
    """Return key -> figure of every chart of a view at its time, the stage first; see `show`."""
    view = _view(lesson, moment, settings)
    return {key: go.Figure(view.figure_of(key).to_dict()) for key in view.pictures}


def _view(key: str, moment: str, settings: dict[str, object]) -> View:
    if key not in BY_KEY or BY_KEY[key].scene is None:
        raise ValueError(f"There is no lesson {key!r} to show; there are {', '.join(_film_lessons())}.")
    lesson = BY_KEY[key]
    moments = [one.key for one in lesson.moments]
    if moment and moment not in moments:
        raise ValueError(f"{key} has no moment {moment!r}; it has {', '.join(moments)}.")
    base = base_of(lesson, moment)
    values = with_words(lesson, {**lesson.settings(base.values), "t": base.t}, settings, {"t": TIME})
    line, t = base.script if moment else "", values.pop("t")
    number = number_of(lesson, LESSONS)
    return View(lesson, values, t, number=number, title=lesson.title, line=line)


def _film_lessons() -> list[str]:
    return [one.key for one in LESSONS if one.scene]
