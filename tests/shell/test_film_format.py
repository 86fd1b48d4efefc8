"""What the browser reads of a film is what was written: numbers to half a step of their code, texts as they are."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from figures.film import Drawn, Film, Track
from figures.theme import Theme
from lessons import LESSONS
from lessons.record import Pick
from shell.film_format import LEAST, STEPS, encode, on_log_axis

DECODER = Path(__file__).resolve().parents[2] / "assets" / "stage" / "decode.js"
# The browser's own decoder in Node: it prints what it read, with every value of every track at every frame.
READ = """
import { readFileSync } from "node:fs";
const source = readFileSync(process.argv[1]).toString("base64");
const { decode, values } = await import(`data:text/javascript;base64,${source}`);
const raw = readFileSync(0), film = decode(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
for (const chart of film.charts) for (const track of chart.tracks)
  track.shown = Array.from({ length: film.n }, (_, frame) => values(film, track, frame));
const shown = (one) => (Number.isNaN(one) ? null : one);
const plain = (_, value) => (ArrayBuffer.isView(value) ? [...value].map(shown) : value);
console.log(JSON.stringify(film, plain));
"""


def read(raw: bytes) -> dict:
    """What the browser's decoder makes of a message."""
    node = shutil.which("node")
    assert node, "this test runs the browser's decoder in Node: install Node 20 or newer (Debian's package nodejs)"
    words = [node, "--input-type=module", "-e", READ, str(DECODER)]
    return json.loads(subprocess.run(words, input=raw, capture_output=True, check=True).stdout)


def numbers(values: object) -> np.ndarray:
    return np.array(values, dtype=float)


def near(got: object, sent: np.ndarray, log: bool = False, whole: np.ndarray | None = None) -> None:
    """Within half a step of the code, and what float32 adds; on a logarithmic axis, of the logarithm.

    Args:
        whole: the array that was written, where `sent` is a part of it.
    """
    got, sent = numbers(got), np.asarray(sent, dtype=float)
    whole = sent if whole is None else np.asarray(whole, dtype=float)
    assert got.shape == sent.shape
    if log:
        got, sent, whole = np.log10(got), *(np.log10(np.where(one > 0, one, np.nan)) for one in (sent, whole))
    assert (np.isnan(got) == ~np.isfinite(sent)).all()
    kept = whole[np.isfinite(whole)]
    if np.isfinite(sent).any():
        allowed = 0.5 * np.ptp(kept) / STEPS + 2 * np.finfo(np.float32).eps * np.abs(kept).max() + 1e-30
        assert np.abs(got - sent)[np.isfinite(sent)].max() <= allowed


def figure(**more: object) -> Drawn:
    return Drawn([{"type": "scatter", "x": np.arange(20.0), "y": np.zeros(20)} | more], {"yaxis": {"range": [0, 1]}})


@pytest.mark.parametrize("seed", range(6))
def test_a_moving_curve_comes_back_at_every_frame_with_its_gaps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sent = np.cumsum(rng.normal(size=(9, 20)), axis=0) * 10.0 ** rng.integers(-6, 7)
    sent[rng.random(sent.shape) < 0.1] = np.nan
    sent[0, :3] = np.inf
    film = read(encode({"n": 9}, {"main": Film(figure(), (Track(0, "y", sent),))}))
    near(film["charts"][0]["tracks"][0]["shown"], sent)


def test_whole_numbers_come_back_exactly() -> None:
    sent = np.array([[0, 65_000, 1], [3, 4, 40_001]])
    film = read(encode({"n": 2}, {"main": Film(figure(), (Track(0, "customdata", sent),))}))
    assert film["charts"][0]["tracks"][0]["shown"] == sent.tolist()


@pytest.mark.parametrize("most", [STEPS, STEPS + 1, 2 * STEPS, 10**6])
def test_whole_numbers_of_a_wider_range_come_back_to_half_a_step(most: int) -> None:
    sent = np.array([[0, most // 3, most], [most, 1, 2]])
    film = read(encode({"n": 2}, {"main": Film(figure(), (Track(0, "customdata", sent),))}))
    near(film["charts"][0]["tracks"][0]["shown"], sent.astype(float))


def test_on_a_logarithmic_axis_the_small_is_as_fine_as_the_large() -> None:
    sent = np.array([[1e-6, 1.0, 1e6], [0.0, 2e-6, -1.0]])
    drawn = Drawn([{"type": "scatter", "y": sent[0], "yaxis": "y2"}], {"yaxis2": {"type": "log", "range": [-6, 6]}})
    film = read(encode({"n": 2}, {"main": Film(drawn, (Track(0, "y", sent),))}))
    near(film["charts"][0]["tracks"][0]["shown"], sent, log=True)


def test_texts_tiles_and_places_where_nothing_glides_come_back() -> None:
    words = (("a", "ν = ∞"), ("b", "<b>c</b>"), ("a", "ν = ∞"))
    still = np.array([True, False])
    tracks = (Track(0, "text", words), Track(0, "y", np.arange(9.0).reshape(3, 3), tiles=2, glides=still))
    text, row = read(encode({"n": 3}, {"main": Film(figure(), tracks)}))["charts"][0]["tracks"]
    assert text["shown"] == [list(one) for one in words] and text["texts"] == [["a", "ν = ∞"], ["b", "<b>c</b>"]]
    assert row["shown"][1] == [3, 4, 5, 3, 4, 5] and row["cuts"] == [1]


def test_arrays_of_still_traces_come_back_in_their_place() -> None:
    rows, few = np.random.default_rng(0).random((4, 30)), np.array([1.5, np.nan, 2.0])
    drawn = Drawn(
        [{"type": "heatmap", "z": rows}, {"type": "scatter", "x": few, "marker": {"size": np.arange(30)}}], {}
    )
    one, two = read(encode({"n": 1}, {"main": Film(drawn)}))["charts"][0]["figure"]["data"]
    near(one["z"], rows)
    assert two["x"] == [1.5, None, 2.0] and len(few) <= LEAST and two["marker"]["size"] == list(range(30))


def test_an_equal_array_is_sent_once() -> None:
    curve = np.random.default_rng(1).random((30, 40))
    one = encode({"n": 30}, {"main": Film(figure(), (Track(0, "y", curve),))})
    two = encode({"n": 30}, {"main": Film(figure(), (Track(0, "y", curve), Track(0, "x", curve.copy())))})
    assert len(two) - len(one) < 100


@pytest.mark.parametrize("sent", [np.zeros((3, 0)), np.full((3, 4), np.nan), np.full((3, 4), 7.25)])
def test_nothing_nothing_known_and_one_number_alone_come_back(sent: np.ndarray) -> None:
    near(
        read(encode({"n": 3}, {"main": Film(figure(), (Track(0, "y", sent),))}))["charts"][0]["tracks"][0]["shown"],
        sent,
    )


def test_what_a_click_means_and_the_head_come_along() -> None:
    pick = Pick(time="x", place="y", along=("x2",), zeros={"x2": 1.0}, knobs={"V": "y"}, places={"V": (0.0, 1.0)})
    film = read(encode({"n": 1, "sentences": ["V = 2"]}, {"main": Film(figure())}, {"main": pick}))
    assert film["sentences"] == ["V = 2"]
    assert film["charts"][0]["pick"] == {
        "t": "x",
        "x": "y",
        "along": ["x2"],
        "zeros": {"x2": 1},
        "knobs": {"V": "y"},
        "places": {"V": [0, 1]},
    }


def unpacked(part: object) -> object:
    """A part of a figure with its arrays as lists of numbers."""
    if isinstance(part, Mapping) and "bdata" in part:
        flat = np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])
        return flat.reshape([int(n) for n in str(part["shape"]).split(",")]) if "shape" in part else flat
    return {k: unpacked(v) for k, v in part.items()} if isinstance(part, Mapping) else part


def same(got: object, sent: object) -> None:
    """A part of a figure as the browser has it, beside the one that was written."""
    if isinstance(sent, np.ndarray):
        near(got, sent)
    elif isinstance(sent, Mapping):
        assert isinstance(got, Mapping) and got.keys() == sent.keys()
        for name in sent:
            same(got[name], sent[name])
    else:
        assert got == json.loads(json.dumps(sent))


QUICK = [lesson for lesson in LESSONS if lesson.scene and lesson.frame]  # their films need no stored runs


@pytest.mark.parametrize("lesson", QUICK, ids=lambda lesson: lesson.title)
def test_every_chart_of_an_opening_is_read_as_it_was_drawn(lesson) -> None:
    scene = lesson.scene(lesson.defaults, lesson.t, Theme())
    films = {key: one.draw(scene.start) for key, one in scene.films.items()}
    found = read(encode({"n": scene.frames}, films))
    for chart, film in zip(found["charts"], films.values(), strict=True):
        if film.figure is None:
            continue
        spec, moving = film.figure.to_dict(), {(track.trace, track.attribute) for track in film.tracks}
        for i, (got, sent) in enumerate(zip(chart["figure"]["data"], spec["data"], strict=True)):
            same(got, unpacked({name: part for name, part in sent.items() if (i, name) not in moving}))
        same(chart["figure"]["layout"], spec["layout"])
        for got, track in zip(chart["tracks"], film.tracks, strict=True):
            for frame in {0, scene.start, scene.frames - 1}:
                sent = track.row(frame)
                if isinstance(sent, list):
                    assert got["shown"][frame] == sent
                    continue
                near(got["shown"][frame], np.asarray(sent), on_log_axis(spec, track), np.asarray(track.values))
