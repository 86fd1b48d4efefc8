"""The export drawer: figures as pictures, animations and points, offline pages, captions, scripts, lecture packs.

Each file is made when its button is pressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from answers import bibtex, captions
from answers import points as csv
from answers.ask import SCRIPT, ask
from answers.state import State
from lessons.record import Values, number_of
from shell.server.modules import address, component
from shell.session import session
from shell.static import pack_panel, pages
from shell.static.template import ENCODERS
from shell.static.view import view_of
from tvbo_core.guests import ADMITTED

if TYPE_CHECKING:
    from lessons.record import Lesson

CHECKOUT = "-r requirements.txt"  # all that the lab needs
MAX_ROWS = 2000  # of a table on the page


def draw(lesson: Lesson, lessons: Sequence[Lesson], link: str) -> None:
    """Draw the contents of the open drawer.

    Args:
        lessons: all of them.   link: to the state of the page.
    """
    view = session().view
    if view is not None:
        _draw_figures(view, f"lesson-{lesson.key.replace('_', '-')}")
    else:
        what = "figure to export now" if lesson.scene else "figure, CSV or script to export"
        st.info(f"This page has no {what}; a lecture pack can be made.", icon=":material/info:")
    st.markdown("**Lecture pack**: prepared moments as pages that play offline, with an index, in one zip")
    pack_panel.draw(lesson, lessons)
    if view is not None:
        st.markdown("**Caption** with settings, seed and version")
        st.code(captions.full_caption(view, link), language=None, wrap_lines=True)
    _draw_script_and_bibtex(lesson, lessons, session().t)


def _draw_figures(view: State, name: str) -> None:
    """Draw one row a figure, and the button of the offline page.

    Args:
        name: beginning of the page's file names.
    """
    for key in view.shown:
        _draw_figure(view, key, view.pictures[key].alt, f"{name}-{key}")
    st.markdown("**The whole page as one interactive HTML file**: it plays without a network, with the keys of the app")
    st.download_button(
        "HTML, about 2 MB",
        lambda: pages.one_file(view_of(view)).encode(),
        f"{name}.html",
        "text/html",
        key="export_html",
        icon=":material/movie:",
        on_click="ignore",
    )


def _draw_figure(view: State, key: str, alt: str, name: str) -> None:
    """Draw one row: alternative text, buttons for PNG, SVG, animations and CSV, and the points as a table."""
    labels = list(view.labels) if key in view.scene.films else None
    moves = labels is not None and len(labels) > 1
    with st.container(horizontal=True, vertical_alignment="center", key=f"export_row_{key}"):
        st.markdown(alt, width="stretch")
        height = view.figure_of(key).spec["layout"].get("height")
        data = {
            "key": key,
            "alt": alt,
            "name": name,
            "caption": captions.chart_caption(view, key),
            "label": view.label,
            "labels": labels,
            "hall": view.theme.lecture,
            "height": height,
            "encoders": {kind: address(name) for kind, name in ENCODERS.items()} if moves else None,
        }
        component("tvbo_export", "export/export")(key=f"export_{key}", data=data, width="content")
        st.download_button(
            "CSV",
            lambda: csv.table(view, key).encode("utf-8-sig"),
            f"{name}.csv",
            "text/csv",
            key=f"export_csv_{key}",
            on_click="ignore",
        )
        listed = st.toggle("Table", key=f"export_table_{key}", help="The same points as a table, to read them here.")
    if listed:
        columns, rows = csv.columns_and_rows(view, key)
        # An empty cell is a gap. Values are texts, because a column may hold numbers and words.
        cells = [{name: str(row.get(name, "")) for name in columns if name != "chart"} for row in rows[:MAX_ROWS]]
        st.dataframe(cells, hide_index=True, height=260)
        if len(rows) > MAX_ROWS:
            st.caption(f"The first {MAX_ROWS:,} of {len(rows):,} points; the CSV has them all.")


def _draw_script_and_bibtex(lesson: Lesson, lessons: Sequence[Lesson], t: int) -> None:
    """Draw the Python script that reproduces the numbers, and the BibTeX entries."""
    values = lesson.settings({key: st.session_state[key] for key in lesson.knobs if key in st.session_state})
    if script := ask(State(lesson, values, t, number=number_of(lesson, lessons)), SCRIPT):
        needs = packages(script)
        core = needs != CHECKOUT
        st.markdown("**This figure as Python**: its numbers" + (", on the core alone" if core else ""))
        st.code(
            f"# Install once, in the folder of the lab: pip install {needs}\n{script}",
            language="python",
            wrap_lines=True,
        )
    if lesson.scene and session().view is not None:
        st.markdown("**This figure as Python**: drawn with Plotly")
        st.code(drawing(lesson, values, t), language="python", wrap_lines=True)
    st.markdown("**BibTeX** of the results used here")
    st.code(bibtex.bibtex(lesson), language="bibtex", wrap_lines=True)


def packages(script: str) -> str:
    """Return what `pip install` takes in the lab's folder for a script: the core, with its tables, or everything."""
    if "checkout" in script:
        return CHECKOUT
    return '".[data]"' if "tv.data." in script else "."  # tables are other packages' own


def drawing(lesson: Lesson, values: Values, t: int) -> str:
    """Return lines of Python that draw the page's stage as a Plotly figure, in a checkout of the lab.

    Figures stand in the checkout alone, and these lines call them: a second form of each, on the core and Plotly, would
    have to be kept like the first.
    """
    moved = {key: value for key, value in values.items() if value != lesson.knobs[key].default}
    guests = [f'load_guest("{one.file}@{one.name}", {one.settings!r})' for one in ADMITTED.values()]
    listed = (
        ["from tvbo_core.guests import admit, load_guest", "", f"admit([{', '.join(guests)}])", ""] if guests else []
    )
    lines = [
        "# The figure itself, in a checkout of the lab. Install once: pip install -r requirements.txt",
        *(listed if guests else ()),
        "import plotly.graph_objects as go",
        "",
        "from figures.theme import Theme",
        "from lessons import BY_KEY",
        "",
        f'lesson = BY_KEY["{lesson.key}"]',
        f"scene = lesson.scene(lesson.settings({moved!r}), Theme())",
        f"go.Figure(scene.stage.draw(scene.at_time({t})).figure.to_dict()).show()",
    ]
    return "\n".join(lines)
