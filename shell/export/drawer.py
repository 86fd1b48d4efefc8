"""The export drawer: every figure as a picture and as points, the page as a film that plays offline, the words to
print with them, and the lecture pack. Everything is made when its button is pressed."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from shell.export import bibtex as papers
from shell.export import captions
from shell.export import csv as points
from shell.export import lecture_pack as pack
from shell.export import offline_page as offline
from shell.export.pack_process import BUSY, Packer, Packing
from shell.export.snapshot import Shelf, current

if TYPE_CHECKING:
    from lessons.record import Lesson

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "export"
MOST_ROWS = 2000  # of a table on the page
ORDER = "_packing"  # where a session keeps its lecture pack


@st.cache_resource
def _component() -> object:
    read = {kind: (ASSETS / f"export.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")}
    return st.components.v2.component("tvbo_export", **read)


@st.cache_resource
def _packer() -> Packer:
    return Packer()


def fill(lesson: Lesson, link: str) -> None:
    """Draw what the open drawer holds."""
    shelf = current()
    if shelf is not None and shelf.charts:
        shelf.settings = captions.chosen(lesson.knobs, st.session_state)
        _figures(shelf, stem(lesson))
    else:
        st.info("There is no figure on this page to export at the moment.", icon="🧭")
    st.markdown("**Lecture pack**: prepared moments as pages that play offline, with an index, in one zip")
    _lecture(lesson)
    if shelf is not None and shelf.charts:
        st.markdown("**Caption** with settings, seed and version")
        st.code(captions.full(shelf, link), language=None, wrap_lines=True)
    _citable(lesson, int(st.session_state["_t"]))


def _figures(shelf: Shelf, name: str) -> None:
    """A row a figure, and the page as one file."""
    for key, chart in shelf.charts.items():
        _figure(shelf, key, chart.alt, f"{name}-{key}")
    st.markdown("**The whole page as a film that plays without a network**, with the keys of the app")
    st.download_button("HTML, about 5 MB", partial(_page, shelf), f"{name}.html", "text/html", key="export_html",
                       icon=":material/movie:", on_click="ignore")  # fmt: skip


def stem(lesson: Lesson) -> str:
    """How the files of a page begin."""
    return f"lesson-{lesson.number:02d}-" + re.sub(r"[^a-z0-9]+", "-", lesson.title.lower()).strip("-")


def _page(shelf: Shelf) -> bytes:
    return offline.page(shelf).encode()


def _figure(shelf: Shelf, key: str, alt: str, name: str) -> None:
    """One row: what it is, PNG, SVG, CSV, and the points as a table."""
    labels = list(shelf.reel.head["labels"]) if shelf.film(key) is not None else None
    with st.container(horizontal=True, vertical_alignment="center", key=f"export_row_{key}"):
        st.markdown(alt, width="stretch")
        height = shelf.figure(key)["layout"].get("height")
        data = {"key": key, "alt": alt, "name": name, "caption": captions.under(shelf, key), "label": shelf.label,
                "labels": labels, "hall": shelf.lecture, "height": height}  # fmt: skip
        _component()(key=f"export_{key}", data=data, width="content")
        st.download_button("CSV", lambda: points.table(shelf, key).encode("utf-8-sig"), f"{name}.csv", "text/csv",
                           key=f"export_csv_{key}", on_click="ignore")  # fmt: skip
        listed = st.toggle("Table", key=f"export_table_{key}", help="The same points as a table, to read them here.")
    if listed:
        columns, rows = points.listed(shelf, key)
        # A cell that stays empty is a gap; every value as text, so that a column may hold numbers and words.
        cells = [{name: str(row.get(name, "")) for name in columns if name != "chart"} for row in rows[:MOST_ROWS]]
        st.dataframe(cells, hide_index=True, height=260)
        if len(rows) > MOST_ROWS:
            st.caption(f"The first {MOST_ROWS:,} of {len(rows):,} points; the CSV has them all.")


def _citable(lesson: Lesson, t: int) -> None:
    """Draw the script that reproduces the numbers, and what to cite."""
    state = {key: st.session_state[key] for key in lesson.knobs if key in st.session_state}
    script = lesson.recipe(lesson.settings(state), t)
    if script:
        st.markdown("**This figure as Python**, on the core alone")
        st.code(script, language="python")
    st.markdown("**BibTeX** of the results used here")
    st.code(papers.bibtex(lesson), language="bibtex", wrap_lines=True, height=280)


def _lecture(lesson: Lesson) -> None:
    """Choose moments, order the pack, watch it, take it."""
    order: Packing | None = st.session_state.get(ORDER)
    if order is not None and not order.over:
        _watch(order)
        return
    known = pack.spots()
    own = [name for name, spot in known.items() if spot.lesson.number == lesson.number]
    every = st.toggle("All moments of all lessons", key="pack_all")
    names = list(known)
    if not every:
        names = st.multiselect("Moments", names, own, lambda name: known[name].title, key="pack_moments")
    count = f"{len(names)} moment{'s' if len(names) != 1 else ''}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(f"Make the pack of {count}", on_click=_order, args=(names,), disabled=not names, key="pack_make",
                  icon=":material/inventory_2:")  # fmt: skip
        if order is not None and order.result is not None:
            st.download_button(f"Save the last pack ({len(order.result) / 1e6:.1f} MB)", order.result, "lecture.zip",
                               "application/zip", key="pack_save", icon=":material/download:", type="primary",
                               on_click="ignore")  # fmt: skip
    if order is not None and order.problem:
        st.info(order.problem, icon="🧭")
    if st.session_state.pop("_pack_busy", False):
        st.info(BUSY, icon="🧭")


def _order(names: list[str]) -> None:
    order = _packer().order(names)
    if order is None:
        st.session_state["_pack_busy"] = True
    else:
        st.session_state[ORDER] = order


def _watch(order: Packing) -> None:
    """Progress twice a second, by the name of the moment that is being opened, and a button that stops it."""

    @st.fragment(run_every=0.5)
    def watch() -> None:
        order.look()
        if order.over:
            st.rerun()
        bar, button = st.columns([5, 1], vertical_alignment="center")
        at = f"{min(order.done + 1, order.total)} of {order.total} moments: {order.name}" if order.name else "Starting…"
        bar.progress(order.done / max(order.total, 1), text=at)
        button.button("Cancel", on_click=order.cancel, key="pack_cancel", icon=":material/stop:")

    watch()
