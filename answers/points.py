"""The plotted points of a chart as CSV, at the frame of the last pause."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from answers import captions
from answers.state import State
from common.escape import no_formula
from common.markup import plain_html
from figures.film import OPACITY

COLUMNS = ("chart", "trace", "name", "kind", "look", "panel", "x_axis", "y_axis", "x", "y", "text")
OPTIONAL_COLUMNS = ("z", "base", "minus", "plus")  # where a chart has them


def table(state: State, key: str) -> str:
    """Return the points of one chart as CSV, below comment lines with caption, time, settings, seed and version.

    A film's chart is listed at the frame of the last pause; a gap in a line is an empty cell.

    Raises:
        ValueError: there is no such chart.
    """
    if key not in state.pictures:
        raise ValueError(f"There is no chart “{key}” here; the charts are {', '.join(state.pictures)}.")
    columns, rows = columns_and_rows(state, key)
    out = io.StringIO()
    for line in _comments(state, key):
        out.write(no_formula(f"# {line}") + "\n")
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def columns_and_rows(state: State, key: str) -> tuple[tuple[str, ...], list[dict]]:
    """Return the columns and the rows of one chart's points."""
    rows = list(points(figure_at_pause(state, key), key))
    return (*COLUMNS, *(name for name in OPTIONAL_COLUMNS if any(name in row for row in rows))), rows


def _comments(state: State, key: str) -> Iterator[str]:
    """Yield the comment lines of a chart's table."""
    yield f"{captions.LAB}, lesson {state.number}: {state.lesson.title}"
    yield f"chart: {key}. {state.pictures[key].alt}"
    yield f"shown: {state.label}"
    yield f"caption: {captions.chart_caption(state, key)}"
    yield f"settings: {captions.settings(state)}"
    yield f"seed: {state.settings.get('seed') or 'none, nothing here is random or the seeds are in the caption'}"
    yield f"version: {captions.VERSION}"
    if state.figure_of(key).spec["layout"].get("images"):
        yield "The pictures below the points (reward as brightness) are not listed."


def figure_at_pause(state: State, key: str) -> dict:
    """Return the figure of a chart with every moving trace at the frame of the last pause."""
    figure, film = state.figure_of(key).spec, state.film(key)
    traces = [dict(trace) for trace in figure["data"]]
    for track in film.tracks if film is not None else ():
        if track.attribute != OPACITY:
            traces[track.trace][track.attribute] = track.row(state.frame)
    return {"data": traces, "layout": figure["layout"]}


def points(figure: Mapping[str, Any], chart: str) -> Iterator[dict[str, str]]:
    """Yield one row for each point of each trace; a heatmap's cells have their value in z."""
    for number, trace in enumerate(figure["data"]):
        x_axis, y_axis = trace.get("xaxis", "x"), trace.get("yaxis", "y")
        row = {
            "chart": chart,
            "trace": str(number),
            "name": _words(trace.get("name")),
            "kind": str(trace.get("type", "scatter")),
            "look": _trace_style(trace),
            "panel": f"{x_axis}/{y_axis}",
            "x_axis": _axis_title(figure["layout"], "x", x_axis),
            "y_axis": _axis_title(figure["layout"], "y", y_axis),
        }
        cells = _cells(trace) if "z" in trace else _marks(trace)
        yield from ({**row, **cell} for cell in cells)


def _trace_style(trace: Mapping[str, Any]) -> str:
    """Return mode, colour, dash and marker of a trace, by which it is found in the picture."""
    line, marker = trace.get("line", {}), trace.get("marker", {})
    parts = (trace.get("mode"), line.get("color"), line.get("dash"), marker.get("symbol"), marker.get("color"))
    look = " ".join(dict.fromkeys(part for part in parts if isinstance(part, str)))
    return look.replace("#", "")  # a comment would begin there


def _cells(trace: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the cells of a heatmap."""
    z = array(trace["z"])
    xs = _texts(trace["x"]) if "x" in trace else list(map(str, range(z.shape[1])))
    ys = _texts(trace["y"]) if "y" in trace else list(map(str, range(z.shape[0])))
    for y, values in zip(ys, z, strict=True):
        for x, value in zip(xs, _texts(values), strict=True):
            yield {"x": x, "y": y, "z": value}


def _marks(trace: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the points of a trace, with the ends of its error bars."""
    columns = {name: _texts(trace[name]) for name in ("x", "y", "base") if name in trace}
    count = max((len(values) for values in columns.values()), default=0)
    for name, other in (("x", "y"), ("y", "x")):
        columns.setdefault(name, list(map(str, range(len(columns.get(other, ()))))))
    text = trace.get("text")
    if text is not None:
        columns["text"] = [_words(text)] * count if isinstance(text, str) else [_words(t) for t in _texts(text)]
    error: Mapping[str, Any] = next((trace[name] for name in ("error_x", "error_y") if name in trace), {})
    if "array" in error:
        columns["plus"] = _texts(error["array"])
        columns["minus"] = _texts(error.get("arrayminus", error["array"]))
    for i in range(count):
        row = {name: values[i] for name, values in columns.items() if i < len(values)}
        if any(row.get(name) for name in ("x", "y", "text")):
            yield row


def array(value: Any) -> np.ndarray:
    """Return an attribute of a figure as an array, from a list or from plotly.js' packed form."""
    if isinstance(value, Mapping):
        flat = np.frombuffer(base64.b64decode(value["bdata"]), np.dtype(value["dtype"]))
        return flat.reshape([int(n) for n in value["shape"].split(",")]) if "shape" in value else flat
    return np.asarray(value)


def _texts(values: Any) -> list[str]:
    """Return each value in the fewest digits that are read back as the same; a gap is empty."""
    found = array(values) if isinstance(values, Mapping) else values
    each = found if np.ndim(found) else [found]
    return ["" if v is None or v != v else no_formula(v) if isinstance(v, str) else str(v) for v in each]


def _axis_title(layout: Mapping[str, Any], letter: str, axis: str) -> str:
    """Return the title of an axis as plain text."""
    title = layout.get(f"{letter}axis{axis[1:]}", {}).get("title", "")
    return _words(title.get("text", "") if isinstance(title, Mapping) else title)


def _words(text: object) -> str:
    """Return Plotly's HTML as plain text; a name or time of an uploaded table may be a formula."""
    return no_formula(plain_html(str(text or "")).strip())
