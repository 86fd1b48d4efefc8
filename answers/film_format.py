"""The form in which a film, or one frame of it, travels by its address: a text (JSON), then its arrays.

    length of the text, four bytes, the lowest first | text | array 0 | array 1 | ...

The text has the keys of `encode`, and "arrays": of each its rows, its width, low, step and whether it is logarithmic.
An array is written as 16-bit codes c for low + (c + STEPS / 2) step, `GAP` for a missing number; of the codes the
differences along the rows, then from row to row, because neighbours and neighbouring times are alike; each difference
with its sign in the lowest bit; first all low bytes, then all high ones. So written the numbers of a film shrink to a
fifth under gzip. assets/stage/decode.js reads it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from figures.film import Film, Track
from lessons.record import Pick

STEPS, GAP = 65_000, -32_768  # codes run from -STEPS/2 to STEPS/2; decode.js has the same two numbers
LEAST = 8  # numbers of an array of a still trace; fewer are shorter as text


def encode(head: Mapping[str, object], films: Mapping[str, Film], picks: Mapping[str, Pick] | None = None) -> bytes:
    """Return films in this form, not compressed.

    Args:
        head: what else the text holds, such as "n", "labels" and "sentences": plain values.
        films: key -> chart.   picks: key of a chart -> meaning of a click on it.
    """
    arrays = Arrays()
    charts = [_chart(key, film, (picks or {}).get(key), arrays) for key, film in films.items()]
    text = json.dumps({**head, "charts": charts, "arrays": arrays.heads}, separators=(",", ":")).encode()
    return b"".join((len(text).to_bytes(4, "little"), text, *arrays.bodies))


class Arrays:
    """The arrays of a message, each once however often it is drawn.

    Attributes:
        heads: [rows, width, low, step, 1 where logarithmic else 0] of each.   bodies: their bytes.
    """

    def __init__(self) -> None:
        self.heads: list[list[float]] = []
        self.bodies: list[bytes] = []
        self._places: dict[tuple, int] = {}

    def place(self, values: np.ndarray, log: bool = False, steps: int = STEPS) -> int:
        """Return the number of an array, (n,) or (rows, width), which is added where it is new.

        Args:
            log: whether its codes stand for log10 of the values: even steps would lose what is small.
            steps: between its least and its largest number.
        """
        name = (values.shape, values.dtype.str, log, steps, values.tobytes())
        if name not in self._places:
            self._places[name] = len(self.heads)
            head, body = packed(values, log, steps)
            self.heads.append(head)
            self.bodies.append(body)
        return self._places[name]


def packed(values: np.ndarray, log: bool = False, steps: int = STEPS) -> tuple[list[float], bytes]:
    """Return head and bytes of an array; see the top of this file."""
    flat = np.asarray(values, dtype=np.float64)
    flat = flat.reshape(len(flat), -1) if flat.ndim > 1 else flat.reshape(1, -1)
    if log:
        flat = np.log10(np.where(flat > 0, flat, np.nan))
    finite = np.isfinite(flat)
    low, high = (float(flat[finite].min()), float(flat[finite].max())) if finite.any() else (0.0, 0.0)
    step = (high - low) / steps or 1.0
    if high - low <= STEPS and not log and np.array_equal(flat[finite], np.rint(flat[finite])):
        step = 1.0  # whole numbers stay exact
    with np.errstate(invalid="ignore"):
        codes = np.where(finite, np.rint((flat - low) / step) - STEPS // 2, GAP).astype(np.int16)
    codes[:, 1:] -= codes[:, :-1].copy()  # differences wrap around, and so do their sums
    codes[1:] -= codes[:-1].copy()
    signed = ((codes << 1) ^ (codes >> 15)).view(np.uint16)
    planes = np.stack([signed & 0xFF, signed >> 8]).astype(np.uint8)
    return [*flat.shape, low, step, int(log)], planes.tobytes()


def _chart(key: str, film: Film, pick: Pick | None, arrays: Arrays) -> dict[str, object]:
    """Return one chart: its figure without what moves, its tracks, and what a click means."""
    spec = film.figure.spec
    moving = {(track.trace, track.attribute) for track in film.tracks}
    data = [
        {name: _still(part, arrays) for name, part in trace.items() if (i, name) not in moving}
        for i, trace in enumerate(spec["data"])
    ]
    found: dict[str, object] = {
        "key": key,
        "figure": {"data": data, "layout": spec["layout"]},
        "tracks": [_track(one, spec, arrays) for one in film.tracks],
    }
    if pick:
        meaning: dict[str, object] = {
            "t": pick.time,
            "x": pick.place,
            "along": list(pick.along),
            "zeros": dict(pick.zeros),
            "knobs": dict(pick.knobs),
            "places": {name: list(places) for name, places in pick.places.items()},
        }
        meaning |= {"ask": asdict(pick.ask)} if pick.ask else {}
        meaning |= {"handles": {key: asdict(one) for key, one in pick.handles.items()}} if pick.handles else {}
        found["pick"] = meaning
    return found


def _track(track: Track, spec: Mapping, arrays: Arrays) -> dict[str, object]:
    found: dict[str, object] = {"trace": track.trace, "attribute": track.attribute}
    if not isinstance(track.values, np.ndarray):
        rows = list(dict.fromkeys(tuple(row) for row in track.values))
        number = {row: i for i, row in enumerate(rows)}
        return found | {"texts": rows, "text": [number[tuple(row)] for row in track.values]}
    found["array"] = arrays.place(track.values, on_log_axis(spec, track), track.steps or STEPS)
    if track.glides is not None:
        found["cuts"] = np.flatnonzero(~track.glides).tolist()  # rows after which nothing glides
    if track.between:
        found["between"] = track.between
    return found


def on_log_axis(spec: Mapping, track: Track) -> bool:
    """Return whether a track moves its trace along a logarithmic axis."""
    axis = spec["data"][track.trace].get(f"{track.attribute}axis", track.attribute)  # "y2", or "y" where none is named
    return spec["layout"].get(f"{track.attribute}axis{axis[1:]}", {}).get("type") == "log"


def _still(value: Any, arrays: Arrays) -> Any:
    """Return a part of a still trace with its arrays given away, or as lists where they are short."""
    if isinstance(value, dict):
        return {name: _still(part, arrays) for name, part in value.items()}
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiu":
        return value
    if value.ndim > 1:
        return {"array": arrays.place(value), "rows": True}
    if len(value) > LEAST:
        return {"array": arrays.place(value)}
    return [None if number != number else number for number in value.tolist()]
