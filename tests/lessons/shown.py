"""A lesson's page in Streamlit's test driver, and the charts that it shows."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from functools import lru_cache
from time import monotonic, sleep

import numpy as np
from streamlit.testing.v1 import AppTest

from answers import film as film_message
from answers.address import read
from answers.ask import ask
from answers.film_format import GAP, STEPS
from lessons import BY_KEY
from lessons.record import ROOT, Scene
from tests.shared import open_closers, unmarked

CHART, PLAYER = "tvbo_chart", "tvbo_player"
PATIENCE = 120.0  # seconds; a busy machine is slow, not wrong


def opened(page: str, *, drawers: bool = False, **params: str) -> AppTest:
    """Return a page by a link with these parameters, as a fresh visitor sees it.

    Args:
        drawers: with those below the stage open.
    """
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    if drawers:
        open_closers(at)
    at.switch_page(page)
    at.query_params.update(params)
    return at.run()


def until(done: Callable[[], object], most: float = PATIENCE) -> None:
    """Wait for it; raise AssertionError where it does not come."""
    start = monotonic()
    while not done():
        assert monotonic() - start < most, "it did not happen"
        sleep(0.01)


def settled(at: AppTest) -> AppTest:
    """Return the page once nothing of it is still being played or measured by a worker."""
    until(lambda: not at.get("progress") or (sleep(0.05), not at.run().get("progress"))[1])
    return at


def charts(at: AppTest) -> dict[str, dict]:
    """Return key -> specification of every chart in the order of the page: of a film's, where the film opens."""
    every = (film(at), *(decode(one) for one in still_films(at).values() if one))
    found = {chart["key"]: chart["figure"] for one in every for chart in one["charts"]}
    return {key: as_lists(found[key]) for key in still_films(at) if key in found}


def specs(at: AppTest) -> list[dict]:
    """Return the specification of every chart."""
    return list(charts(at).values())


def still_films(at: AppTest) -> dict[str, bytes]:
    """Return key -> film of one frame of every chart in the order of the page; b"" where it is the player's."""
    found = {head["key"]: packed for head, packed in map(parts, sent(at, CHART, "bytes"))}
    return {key: packed and gzip.decompress(packed) for key, packed in found.items()}


def parts(message: bytes) -> tuple[dict, bytes]:
    """Return the text and the compressed film of a message."""
    size = int.from_bytes(message[:4], "little")
    return json.loads(message[4 : 4 + size]), message[4 + size :]


def sent(at: AppTest, component: str, form: str) -> list:
    """Return what each component of a name was given: its "json" or its "bytes"."""
    return [getattr(c.proto, form) for c in at.get("bidi_component") if c.proto.component_name == component]


def raw_film(at: AppTest) -> bytes:
    """Return the player's film as the browser reads it, from the message or by its address; b"" without a player."""
    found = b""
    for head, found in map(parts, sent(at, PLAYER, "bytes")):
        if head["revision"] is None:
            found = by_address(head["question"]["lesson"], tuple(map(tuple, head["question"]["query"])))
    return found and gzip.decompress(found)


@lru_cache(maxsize=2)
def by_address(key: str, query: tuple[tuple[str, str], ...]) -> bytes:
    """Return a film by its address; a test looks at the same one several times."""
    lesson = BY_KEY[key]
    return ask(read(lesson, query, "film"), "film")


def film(at: AppTest) -> dict:
    """Return the player's message and its film, with every array read and the moving traces where the film opens.

    Without a player there is one without charts.
    """
    found: dict = {"charts": [], "labels": [], "sentences": [], "said": []}
    for head, _ in map(parts, sent(at, PLAYER, "bytes")):
        found = head | decode(raw_film(at))
    for chart in found["charts"]:
        for track in chart["tracks"]:
            shown = track["shown"][min(found["start"], found["n"] - 1)]
            chart["figure"]["data"][track["trace"]][track["attribute"]] = shown
    return found


def finding(at: AppTest) -> list[str]:
    """Return the live sentence of every frame."""
    found = film(at)
    return [unmarked(found["sentences"][i]) for i in found["said"]]


def live(at: AppTest) -> list[str]:
    """Return the sentences that the page sends beside the film: that with which the film opens, without a film all."""
    return [unmarked(said) for data in sent(at, "tvbo_live", "json") for said in json.loads(data)["sentences"]]


def sentences(at: AppTest) -> list[str]:
    """Return the live sentences of the film, or without one those of the page, each once."""
    return list(dict.fromkeys(finding(at) or live(at)))


def as_lists(value: object) -> object:
    """Return a part of a figure in plain values, which can be compared: arrays as lists, a gap as None."""
    if isinstance(value, dict):
        return {name: as_lists(part) for name, part in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [as_lists(part) for part in (value.tolist() if isinstance(value, np.ndarray) else value)]
    return None if value != value else value


def decode(raw: bytes) -> dict:
    """Return a film in the form of answers/film_format.py, with what each track shows at every frame ("shown")."""
    size = int.from_bytes(raw[:4], "little")
    film, at, arrays = json.loads(raw[4 : 4 + size]), 4 + size, []
    for count, width, low, step, log in film["arrays"]:
        n = count * width
        planes = np.frombuffer(raw, np.uint8, 2 * n, at).astype(np.uint16)
        at += 2 * n
        signed = planes[:n] | planes[n:] << 8
        codes = ((signed >> 1) ^ -(signed & 1).astype(np.int16).view(np.uint16)).view(np.int16).reshape(count, width)
        codes = np.cumsum(np.cumsum(codes, axis=0, dtype=np.int16), axis=1, dtype=np.int16)
        values = low + (codes.astype(float) + STEPS / 2) * step
        arrays.append(np.where(codes == GAP, np.nan, 10**values if log else values))

    def whole(part: object) -> object:
        if isinstance(part, dict) and "array" in part:
            return arrays[part["array"]] if part.get("rows") else arrays[part["array"]][0]
        return {name: whole(one) for name, one in part.items()} if isinstance(part, dict) else part

    for chart in film["charts"]:
        chart["figure"]["data"] = [whole(trace) for trace in chart["figure"]["data"]]
        for track in chart["tracks"]:
            rows = [track["texts"][i] for i in track["text"]] if "texts" in track else arrays[track["array"]]
            if track["attribute"] == "z":
                rows = rows.reshape(len(rows), -1, len(chart["figure"]["data"][track["trace"]]["x"]))
            track["shown"] = list(rows)
    return film


def page_films(at: AppTest) -> tuple[bytes, dict[str, bytes]]:
    """Return all that the page draws, as the browser reads it: `raw_film` and `still_films`."""
    return raw_film(at), still_films(at)


def of_scene(scene: Scene, t: int) -> tuple[bytes, dict[str, bytes]]:
    """Return what a page `drawn` from a scene sends to the browser, at a time."""
    at = scene.at_time(t)
    still = {key: gzip.decompress(film_message.still(key, one.draw(at).figure)) for key, one in scene.stills.items()}
    return film_message.film(scene, at, "ours", marked=True), dict.fromkeys(scene.films, b"") | still
