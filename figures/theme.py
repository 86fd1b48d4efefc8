"""Theme of all figures, and builders of traces, axes and layouts in it; colours by name stand in palette.py."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from figures.palette import (
    BANDS_DARK,
    BANDS_LIGHT,
    METHODS,
    ORDERS_DARK,
    ORDERS_LIGHT,
    ROLES_DARK,
    ROLES_LIGHT,
    WORLDS_DARK,
    WORLDS_LIGHT,
    heat_ramp,
)

HANG = 64  # pixels in which the numbers of the first axis hang left of the page's left edge (assets/style.css)
FONT = "Source Sans, Source Sans Pro, DejaVu Sans, Arial, sans-serif"


@dataclass(frozen=True)
class Theme:
    """Colours and sizes of a light or dark page, in normal or in lecture type (sizes in pixels)."""

    dark: bool = False
    lecture: bool = False

    @property
    def paper(self) -> str:
        return "#0E1117" if self.dark else "#FFFFFF"

    @property
    def ink(self) -> str:
        return "#FFFFFF" if self.dark else "#111111"

    @property
    def soft_ink(self) -> str:
        return "#C8CCD4" if self.dark else "#4A4F57"

    @property
    def grey(self) -> str:
        return "#8A8A8A" if self.dark else "#737373"

    @property
    def grid(self) -> str:
        return "rgba(255,255,255,.13)" if self.dark else "rgba(0,0,0,.10)"

    @property
    def missed(self) -> str:
        """Red of a truth outside its band; nothing else has this colour."""
        return self.role("broken")

    @property
    def covered(self) -> str:
        return self.role("shuffles")

    @property
    def tick(self) -> int:
        return 22 if self.lecture else 14

    @property
    def label(self) -> int:
        return 26 if self.lecture else 16

    @property
    def line(self) -> float:
        return 4.0 if self.lecture else 2.5

    @property
    def truth_line(self) -> float:
        return 5.0 if self.lecture else 4.0

    @property
    def marker(self) -> int:
        return 14 if self.lecture else 10

    def band(self, name: str) -> str:
        """Colour of a confidence band."""
        return (BANDS_DARK if self.dark else BANDS_LIGHT)[name]

    def method(self, name: str) -> str:
        """Colour of a method: that of its role."""
        return METHODS[name].dark if self.dark else METHODS[name].light

    def order(self, name: str) -> str:
        """Colour of an order in which a batch is asked, "fixed" or "shuffled"."""
        return (ORDERS_DARK if self.dark else ORDERS_LIGHT)[name]

    def role(self, name: str) -> str:
        """Colour of a role: "keeps", "forgets", "asks" (again), "shuffles", "drift" or "broken" (a promise)."""
        return (ROLES_DARK if self.dark else ROLES_LIGHT)[name]

    def world(self, kind: str) -> str:
        """Colour of a kind of world, the same wherever it stands."""
        return (WORLDS_DARK if self.dark else WORLDS_LIGHT)[kind]


# Of an axis without numbers, grid and line.
BARE = {"showgrid": False, "showticklabels": False, "ticks": "", "showline": False}


def faded(colour: str, alpha: float) -> str:
    """Return a hex colour with an opacity as rgba()."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{alpha})"


def axis(theme: Theme, title: str = "", **more: Any) -> dict:
    """Return an axis; every caller fixes its range."""
    return {
        "title": {"text": title, "font": {"size": theme.label}, "standoff": 6},
        "tickfont": {"size": theme.tick},
        "gridcolor": theme.grid,
        "linecolor": theme.soft_ink,
        "zeroline": False,
        "automargin": False,
        "fixedrange": True,
        **more,
    }


def layout(theme: Theme, height: int | None, **more: Any) -> dict:
    """Return the layout that all figures share: fonts, background, no legend (lines have labels at their ends).

    Args:
        height: in pixels, or None to fill the height that the page gives.   more: further attributes.
    """
    return {
        **({"height": height} if height else {}),
        "paper_bgcolor": theme.paper,
        "plot_bgcolor": theme.paper,
        "font": {"family": FONT, "size": theme.tick, "color": theme.ink},
        "hoverlabel": {"font": {"size": theme.tick}},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "margin": {"l": HANG, "r": 12, "t": 12, "b": 48},
        **more,
    }


def stroke(colour: str, width: float, dash: str = "solid") -> dict:
    """Return the style of a line that keeps every point: Plotly's simplification would show corners."""
    return {"color": colour, "width": width, "dash": dash, "simplify": False}


def line(x: object, y: object, colour: str, width: float, dash: str = "solid", **more: Any) -> dict:
    """Return a trace of lines with the style of `stroke`; they ignore the mouse unless `more` says otherwise."""
    style = {"type": "scatter", "mode": "lines", "line": stroke(colour, width, dash), "hoverinfo": "skip"}
    return {**style, "x": x, "y": y, **more}


def marker(
    colour: object, size: object, symbol: object = None, rim: object = None, opacity: float | None = None
) -> dict:
    """Return the style of markers; what is None is left to Plotly.

    Args:
        colour, size, symbol: one for all markers, or a list.   rim: width of their edge, or its (width, colour).
    """
    width, edge = rim if isinstance(rim, tuple) else (rim, None)
    line = {key: value for key, value in (("width", width), ("color", edge)) if value is not None}
    style = {"color": colour, "size": size, "symbol": symbol, "opacity": opacity, "line": line or None}
    return {key: value for key, value in style.items() if value is not None}


def dots(
    x: object,
    y: object,
    colour: object,
    size: object,
    symbol: object = None,
    rim: object = None,
    opacity: float | None = None,
    **more: Any,
) -> dict:
    """Return a trace of markers with the style of `marker`; they ignore the mouse unless a hover template is given."""
    style = {"type": "scatter", "mode": "markers", "marker": marker(colour, size, symbol, rim, opacity)}
    return {**style, **({} if "hovertemplate" in more else {"hoverinfo": "skip"}), "x": x, "y": y, **more}


def filled(x: object, y: object, colour: str | None, edge: tuple | None = None) -> dict:
    """Return a trace of the outline through x and y, filled unless `colour` is None.

    Args:
        edge: colour, width and dash of the outline; None for none.
    """
    fill = {} if colour is None else {"fill": "toself", "fillcolor": colour}
    style = {"type": "scatter", "mode": "lines", "line": stroke(*edge) if edge else {"width": 0}, "hoverinfo": "skip"}
    return {**style, **fill, "x": x, "y": y}


def heat(x: object, y: object, z: object, between: tuple[float, float], lines: int, colour: str, **more: Any) -> dict:
    """Return a trace of a heat map with so many contour lines between the numbers of its end colours."""
    low, high = between
    size = (high - low) / (lines + 1)
    return {
        "type": "contour",
        "x": x,
        "y": y,
        "z": z,
        "zmin": low,
        "zmax": high,
        "colorscale": heat_ramp(),
        "showscale": False,
        "autocontour": False,
        "contours": {"coloring": "heatmap", "start": low + size, "end": high - size, "size": size},
        "line": {"color": colour, "width": 1, "smoothing": 0},
        "hoverinfo": "skip",
        **more,
    }


def hatch(colour: str, ground: str, solidity: float) -> dict:
    """Return the pattern of a hatched area as an attribute of its trace."""
    return {"fillpattern": {"shape": "/", "size": 9, "solidity": solidity, "fgcolor": colour, "bgcolor": ground}}


def words(x: object, y: object, text: object, colour: object, size: float, place: object, **more: Any) -> dict:
    """Return a trace of texts inside the axes, such as a label at a line; `colour` and `place` may be lists."""
    return {
        "type": "scatter",
        "mode": "text",
        "x": x,
        "y": y,
        "text": text,
        "textposition": place,
        "textfont": {"color": colour, "size": size},
        "hoverinfo": "skip",
        "cliponaxis": False,
        **more,
    }


def halo(theme: Theme) -> dict:
    """Return what has a text stand out from lines under it, as attributes of its trace."""
    return {"shadow": ", ".join([f"0 0 2px {theme.paper}"] * 6)}


def margins(left: float, right: float, top: float, bottom: float) -> dict:
    """Return the margins of a figure in whole pixels."""
    return {"l": int(left), "r": int(right), "t": int(top), "b": int(bottom)}


def ticks(values: Iterable[float], texts: Iterable[str] | None = None) -> dict:
    """Return the ticks of an axis at these values, with their texts or as short as they can be written."""
    values = list(values)
    return {"tickvals": values, "ticktext": [f"{v:g}" for v in values] if texts is None else list(texts)}


def decades(low: float, high: float, most: int = 20) -> list[int]:
    """Return the exponents of the ticks of an axis of powers of ten, from log10 `low` to `high`: at most so many."""
    every = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)  # rounding must not lose an end
    return list(every[:: max(1, -(-len(every) // most))])


def elsewhere(frame: dict, screen: str, part: str, other: dict) -> None:
    """Give a part of a layout, such as "xaxis", other attributes on a screen that `assets/stage/chart.js` knows.

    A list, such as "annotations", is given other entries, by their number. What was said before of the part stays.

    Args:
        screen: "medium", "swiped" (it is wider than the screen, which swipes it), "narrow" or "low"; what a later one
            says of a part takes the place of what an earlier one does.
    """
    frame.setdefault("meta", {}).setdefault(screen, {}).setdefault(part, {}).update(other)


def make_swipeable(frame: dict, names: Sequence[str], ranges: Sequence[Sequence[float]], point: int) -> None:
    """Have a narrow screen show one of several panels on the x axis, and a swipe the next one.

    Args:
        names: of the panels, beside their dots.   ranges: of the axis, one a panel.   point: which is first in view.
    """
    panels = {"names": list(names), "ranges": [list(one) for one in ranges], "point": point}
    frame.setdefault("meta", {})["panels"] = panels
