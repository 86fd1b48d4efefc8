"""Films as the browser receives them: texts as JSON, numbers as 16-bit codes, each shared array once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from figures.film import Film, Track
from lessons.record import Pick

STEPS, GAP = 65_000, -32_768  # codes run from -STEPS/2 to STEPS/2; player.js has the same two numbers


def pack(films: Mapping[str, Film], redraw: Iterable[str] = (), picks: Mapping[str, Pick] | None = None) -> dict:
    """Return the films of a page packed for the browser: "charts", "buffers", "words" (JSON), "bytes" and "films".

    An array that several tracks share (the truth in five panels) is sent once. The JSON is written here and not at
    every run, because a page keeps the result.

    Args:
        redraw: keys of charts that the player draws anew at each frame.   picks: key -> meaning of a click.
    """
    buffers: list[dict] = []
    blob = bytearray()
    places: dict[tuple[int, bool], int] = {}
    charts = []
    for key, film in films.items():
        tracks = []
        spec = film.figure.to_dict() if film.figure else None
        for track in film.tracks:
            entry: dict = {"trace": track.trace, "attribute": track.attribute, "tiles": track.tiles}
            if isinstance(track.values, np.ndarray):
                place = (id(track.values), spec is not None and _on_log_axis(spec, track))
                if place not in places:
                    places[place] = len(buffers)
                    buffers.append(_buffer(track.values, blob, log=place[1]))
                entry["buffer"] = places[place]
                if track.glides is not None:
                    entry["cuts"] = np.flatnonzero(~track.glides).tolist()  # frames after which nothing glides
            else:
                entry["text"] = [list(row) for row in track.values]
            tracks.append(entry)
        pick = (picks or {}).get(key)
        charts.append(
            {
                "key": key,
                "mark": film.figure.mark if film.figure else None,  # without one the film moves any chart of its key
                "figure": spec,
                "tracks": tracks,
                "redraw": key in set(redraw),
                "pick": _meaning(pick) if pick else None,
            }
        )
    words = json.dumps({"buffers": buffers, "charts": charts}).encode()
    return {"buffers": buffers, "charts": charts, "words": words, "bytes": bytes(blob), "films": dict(films)}


def _meaning(pick: Pick) -> dict:
    places = {key: list(places) for key, places in pick.places.items()}
    return {"t": pick.time, "x": pick.place, "along": list(pick.along), "zeros": dict(pick.zeros),
            "knobs": dict(pick.knobs), "places": places}  # fmt: skip


def _on_log_axis(spec: Mapping, track: Track) -> bool:
    """Return whether a track moves its trace along a logarithmic axis."""
    axis = spec["data"][track.trace].get(f"{track.attribute}axis", track.attribute)  # "y2", or "y" where none is named
    return spec["layout"].get(f"{track.attribute}axis{axis[1:]}", {}).get("type") == "log"


def _buffer(values: np.ndarray, blob: bytearray, log: bool = False) -> dict:
    """Append an array to the blob as 16-bit codes; return its place there and how to read it.

    A code c stands for low + (c + STEPS / 2) * step, with step = (high - low) / STEPS; `GAP` for a missing value.

    Args:
        log: whether the codes stand for log10 of the values: even steps would lose what is small beside the largest.
    """
    flat = np.asarray(values, dtype=np.float64).reshape(len(values), -1)
    if log:
        flat = np.log10(np.where(flat > 0, flat, np.nan))
    low, high = _ends(flat)
    step = (high - low) / STEPS or 1.0
    codes = flat - low
    codes /= step
    np.rint(codes, out=codes)
    codes -= STEPS / 2
    np.copyto(codes, GAP, where=~np.isfinite(flat))
    start = len(blob)
    blob += codes.astype(np.int16).tobytes()
    return {
        "start": start,
        "frames": flat.shape[0],
        "width": flat.shape[1],
        "low": low,
        "step": step,
        "log": log,
    }


def _ends(flat: np.ndarray) -> tuple[float, float]:
    """Return the smallest and the largest finite number, (0, 0) without any."""
    if flat.size:
        low, high = np.fmin.reduce(flat, axis=None), np.fmax.reduce(flat, axis=None)  # both ignore NaN
        if np.isfinite(low) and np.isfinite(high):
            return float(low), float(high)
    finite = flat[np.isfinite(flat)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def fingerprint(*values: object) -> str:
    """Return a short name for a state of the page, the same on every server."""
    return hashlib.sha256(repr(values).encode()).hexdigest()[:12]


def message(head: Mapping[str, object], film: bytes, numbers: bytes) -> bytes:
    """Return the message that player.js reads: lengths and JSON of this run and of the film, then the numbers."""
    words = json.dumps(head).encode()
    return b"".join((_length(words), words, _length(film), film, numbers))


def _length(part: bytes) -> bytes:
    """Return the length as four bytes, the lowest first."""
    return len(part).to_bytes(4, "little")


def indexed(sentences: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the different sentences, and the index of each frame's: a repeated one is sent once."""
    unique = list(dict.fromkeys(sentences))
    where = {text: i for i, text in enumerate(unique)}
    return unique, [where[text] for text in sentences]
