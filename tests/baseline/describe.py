"""Scenes, figures, bets and pages as lines of plain text: "what it is" -> "what is shown".

A row of many numbers is written as its length, five of them and a mean in which each place has a weight of its own: a
row that moved by one, lost its last number or swapped two is another line. A colour is written as the name of its role.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from figures import palette
from figures.film import Film
from figures.theme import Theme
from lessons.record import Scene, Strip

Lines = dict[str, str]
ROW = 6  # numbers or texts that are written one by one
ZERO = 1e-6  # of the largest number of a row: what is smaller is what rounding left
# Attributes that say nothing: those of the whole lab, held by tests/figures, and what Plotly is told not to do.
SILENT = {
    "hoverinfo",
    "simplify",
    "cliponaxis",
    "automargin",
    "fixedrange",
    "zeroline",
    "paper_bgcolor",
    "plot_bgcolor",
    "hoverlabel",
    "showlegend",
    "hovermode",
    "dragmode",
    "family",
    "gridcolor",
    "linecolor",
    "standoff",
    "align",
}
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\b|rgba?\([^)]*\)")
MOVES = ("x", "y", "text")


@cache
def roles(theme: Theme) -> dict[str, str]:
    """Return the names of each colour of a theme: hex -> role, or all that have the colour."""
    shades, places = "dark" if theme.dark else "light", {"ink": theme.ink, "paper": theme.paper, "grey": theme.grey}
    tables = {
        "": palette.ROLES_DARK if theme.dark else palette.ROLES_LIGHT,
        "method ": {name: getattr(one, shades) for name, one in palette.METHODS.items()},
        "spare ": {str(i): getattr(one, shades) for i, one in enumerate(palette.SPARE_METHODS, start=1)},
        "band ": palette.BANDS_DARK if theme.dark else palette.BANDS_LIGHT,
        "world ": palette.WORLDS_DARK if theme.dark else palette.WORLDS_LIGHT,
    }
    found = {shade.upper(): name for name, shade in places.items()}
    found |= {theme.soft_ink.upper(): "soft ink", theme.grid: "grid"}
    first = set(found) | {shade.upper() for shade in tables[""].values()}
    for kind, table in tables.items():
        for name, shade in table.items():
            shade = shade.upper()
            if not kind or shade not in first:
                found[shade] = f"{found[shade]}|{kind}{name}" if shade in found else kind + name
    return found


def by_role(text: str, theme: Theme) -> str:
    """Return a text with the names of roles in place of their colours; one without a role stays."""

    def name(found: re.Match) -> str:
        shade = found[0]
        if shade in roles(theme):
            return roles(theme)[shade]
        if shade.startswith("#"):
            return roles(theme).get(shade.upper(), shade)
        *rgb, alpha = [*re.findall(r"[\d.]+", shade), "1"][:4]
        whole = "#{:02X}{:02X}{:02X}".format(*(int(float(part)) for part in rgb))
        return f"{roles(theme).get(whole, whole)}/{alpha}"

    return COLOUR.sub(name, text)


def number(value: float) -> str:
    """Return a number in five digits."""
    return f"{value:.5g}" if np.isfinite(value) else "-"


def row(values: np.ndarray) -> str:
    """Return a row of numbers, or of several rows, in short."""
    flat = np.asarray(values, dtype=float).ravel()
    there = flat[np.isfinite(flat)]
    scale = np.abs(there).max(initial=0.0)
    there, flat = (np.where(np.abs(some) <= ZERO * scale, 0.0, some) for some in (there, flat))
    if len(flat) <= ROW:
        return f"[{' '.join(map(number, flat))}]"
    size = "x".join(map(str, np.shape(values))) + (f" {len(flat) - len(there)} gaps" if len(there) < len(flat) else "")
    if not len(there):
        return f"[{size}]"
    some = there[np.linspace(0, len(there) - 1, 3).astype(int)]
    # Each place has a weight of its own; beside the largest number, so that what cancels is as exact as what does not.
    mixed = scale + float(np.sum(there * np.sin(np.arange(1, len(there) + 1))))
    return f"[{size}: {' '.join(map(number, some))} ~{number(mixed)}]"


def texts(values: Sequence[str]) -> str:
    """Return a row of texts in short: equal neighbours once, of many the first and the last with a checksum."""
    runs: list[list] = []
    for one in values:
        if runs and runs[-1][0] == one:
            runs[-1][1] += 1
        else:
            runs.append([one, 1])
    said = [f"{one}" + (f" ×{count}" if count > 1 else "") for one, count in runs]
    if len(said) > 2 * ROW:
        said = [said[0], f"… {len(said)} {zlib.crc32(chr(0).join(values).encode()):08x} …", said[-1]]
    return f"[{' | '.join(said)}]"


def value(part: Any, theme: Theme) -> str:
    """Return any part of a figure in short."""
    if isinstance(part, Mapping) and "bdata" in part:
        array = np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])
        return row(array.reshape([int(n) for n in str(part["shape"]).split(",")]) if "shape" in part else array)
    if isinstance(part, Mapping):
        return "{" + ", ".join(f"{k} {value(one, theme)}" for k, one in attributes(part)) + "}"
    if isinstance(part, np.ndarray) and part.dtype.kind in "fiub":
        return row(part)
    if isinstance(part, list | tuple | np.ndarray):
        items = list(part)
        if items and all(isinstance(one, int | float | None) and not isinstance(one, bool) for one in items):
            return row(np.array([np.nan if one is None else one for one in items], dtype=float))
        if items and all(isinstance(one, str) for one in items):
            return texts([by_role(one, theme) for one in items])
        return "[" + ", ".join(value(one, theme) for one in items) + "]"
    if isinstance(part, bool) or part is None:
        return str(part).lower()
    if isinstance(part, int | float | np.number):
        return number(float(part))
    return plain(by_role(str(part), theme))


def attributes(part: Mapping) -> Iterator[tuple[str, Any]]:
    """Yield the attributes of a part that say something, in the order of their names."""
    for name, one in sorted(part.items()):
        if name not in SILENT and one not in ("", None) if isinstance(one, str | None) else name not in SILENT:
            yield name, one


def plain(text: str) -> str:
    """Return a text in one line."""
    return text.replace("\r", "").replace("\n", "⏎").replace("\N{NO-BREAK SPACE}", " ").strip()


def figure(name: str, film: Film, theme: Theme) -> Lines:
    """Return what a chart shows in every frame: axes, size, notes, shapes, and of its traces what does not move."""
    spec, found = film.figure.to_dict(), {}
    moving = {(track.trace, track.attribute) for track in film.tracks}
    frame = dict(spec["layout"])
    for kind in ("annotations", "shapes", "images"):
        for i, one in enumerate(frame.pop(kind, ())):
            found[f"{name} {kind.removesuffix('s')} {i}"] = value(one, theme)
    for key in [key for key in frame if re.fullmatch(r"[xy]axis\d*", key)]:
        found[f"{name} {key}"] = value(frame.pop(key), theme)
    found[f"{name} layout"] = value(frame, theme)
    for i, trace in enumerate(spec["data"]):
        still = {key: one for key, one in trace.items() if (i, key) not in moving}
        found[f"{name} trace {i}"] = value(still, theme)
    return found


def moved(film: Film, frame: int, theme: Theme) -> Lines:
    """Return what each track of a chart shows at a frame."""
    return {
        f"{track.trace}.{track.attribute}": row(now)
        if isinstance(now := track.row(frame), np.ndarray)
        else texts([plain(one) for one in now])
        for track in film.tracks
    }


def points(spec: Mapping, theme: Theme) -> Lines:
    """Return the points of every trace of a figure, and the texts of its notes."""
    traces = enumerate(spec["data"])
    rows = {f"{i}.{key}": value(trace[key], theme) for i, trace in traces for key in MOVES if key in trace}
    return rows | {"notes": texts([plain(str(one.get("text", ""))) for one in spec["layout"].get("annotations", ())])}


def facts(found: Mapping[str, float | None]) -> str:
    """Return names and numbers of a frame's facts."""
    return ", ".join(f"{name} = {'none' if one is None else number(one)}" for name, one in found.items())


def scene(made: Scene, at: int, theme: Theme, frames: Sequence[int], charts: bool = True) -> Lines:
    """Return what a scene shows: words, and at these frames its sentence, its facts and its charts.

    Args:
        at: the frame at which it opens.   charts: whether the charts below the stage are drawn, too.
    """
    main = next(iter(made.films))
    found = {
        "frames": f"{made.frames}, opens at {at}, next event {value(list(made.events), theme)}",
        "caption": plain(made.caption),
        "odds": plain(made.odds_line),
        "drawers": value(made.drawers, theme),
    }
    if list(made.times) != list(range(made.frames)):
        found["times"] = value(list(made.times), theme)
    if isinstance(strip := made.odds, Strip):
        found["strip"] = f"{value(list(strip.numbers), theme)} limit {strip.limit}, here {strip.here}"
    found |= {f"note {i}": plain(note) for i, note in enumerate(made.notes(at))}
    labels, sentences = made.labels(), made.sentences()
    pictures = {**made.films, **made.stills} if charts else {main: made.films[main]}
    films = {key: picture.draw(at) for key, picture in pictures.items()}
    for frame in frames:
        found[f"frame {frame}"] = f"{plain(labels[frame])} · {plain(sentences[frame])}"
        found[f"frame {frame} facts"] = facts(made.facts(frame))
        for key, film in films.items():
            if film.tracks and key in made.films:
                found |= {f"frame {frame} {key} {name}": said for name, said in moved(film, frame, theme).items()}
            if words := pictures[key].caption(frame):
                found[f"frame {frame} {key} caption"] = plain(words)
    for key, picture in pictures.items():
        found[f"{key}"] = f"{picture.title} · {picture.alt} · shows {sorted(films[key].shows)}"
        if picture.pick:
            found[f"{key} pick"] = str(picture.pick).replace(", ask=None, handles={}", "")
        found |= figure(key, films[key], theme)
    return {key: said for key, said in found.items() if said}
