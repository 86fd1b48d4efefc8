"""The browser reads a film as it was written: numbers to half a step of their code, texts as they are."""

from __future__ import annotations

import numpy as np

from answers.film_format import LEAST, STEPS, encode
from figures.film import Film, PackedFigure, Track
from lessons.record import Pick
from tests.lessons.shown import decode


def read(*messages: bytes) -> list[dict]:
    """Return what is read of messages; that the browser's decoder reads alike, tests/js/computed.test.js says."""
    return [decode(raw) for raw in messages]


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


def figure(**more: object) -> PackedFigure:
    return PackedFigure(
        [{"type": "scatter", "x": np.arange(20.0), "y": np.zeros(20)} | more], {"yaxis": {"range": [0, 1]}}
    )


def moving(attribute: str, values: np.ndarray, drawn: PackedFigure | None = None) -> bytes:
    """Return a film with one track."""
    return encode({"n": len(values)}, {"main": Film(drawn or figure(), (Track(0, attribute, values),))})


def curve(seed: int) -> np.ndarray:
    """Return (9, 20) values of any size with gaps."""
    rng = np.random.default_rng(seed)
    sent = np.cumsum(rng.normal(size=(9, 20)), axis=0) * 10.0 ** rng.integers(-6, 7)
    sent[rng.random(sent.shape) < 0.1] = np.nan
    sent[0, :3] = np.inf
    return sent


def test_moving_values_come_back_at_every_frame() -> None:
    wide = [np.array([[0, most // 3, most], [most, 1, 2]]) for most in (STEPS, STEPS + 1, 2 * STEPS, 10**6)]
    few = [np.zeros((3, 0)), np.full((3, 4), np.nan), np.full((3, 4), 7.25)]
    exact = np.array([[0, 65_000, 1], [3, 4, 40_001]])
    small = np.array([[1e-6, 1.0, 1e6], [0.0, 2e-6, -1.0]])
    drawn = PackedFigure(
        [{"type": "scatter", "y": small[0], "yaxis": "y2"}], {"yaxis2": {"type": "log", "range": [-6, 6]}}
    )
    near_all = [*(curve(seed) for seed in range(6)), *wide, *few]
    films = [moving("customdata" if one.dtype == int else "y", one) for one in near_all]
    *found, whole, log = read(*films, moving("customdata", exact), moving("y", small, drawn))
    for film, sent in zip(found, near_all, strict=True):
        near(film["charts"][0]["tracks"][0]["shown"], sent.astype(float))
    np.testing.assert_array_equal(whole["charts"][0]["tracks"][0]["shown"], exact)
    near(log["charts"][0]["tracks"][0]["shown"], small, log=True)


def test_heat_maps_return_to_half_a_step() -> None:
    z = np.random.default_rng(0).random((5, 4, 3)).astype(np.float32)
    drawn = PackedFigure([{"type": "contour", "x": np.arange(3.0), "y": np.arange(4.0), "z": z[0]}], {})
    film = encode({"n": 5}, {"main": Film(drawn, (Track(0, "z", z, steps=250),))})
    shown = numbers(read(film)[0]["charts"][0]["tracks"][0]["shown"])
    assert shown.shape == z.shape
    assert np.abs(shown - z).max() <= 0.5 * np.ptp(z) / 250 + 1e-6  # float32 adds the last


def test_texts_picks_and_still_arrays_return() -> None:
    words = (("a", "ν = ∞"), ("b", "<b>c</b>"), ("a", "ν = ∞"))
    still = np.array([True, False])
    tracks = (Track(0, "text", words), Track(0, "y", np.arange(9.0).reshape(3, 3), glides=still))
    pick = Pick(time="x", place="y", along=("x2",), zeros={"x2": 1.0}, knobs={"V": "y"}, places={"V": (0.0, 1.0)})
    rows, few = np.random.default_rng(0).random((4, 30)), np.array([1.5, np.nan, 2.0])
    drawn = PackedFigure(
        [{"type": "heatmap", "z": rows}, {"type": "scatter", "x": few, "marker": {"size": np.arange(30)}}], {}
    )
    head = {"n": 3, "sentences": ["V = 2"]}
    film, arrays = read(
        encode(head, {"main": Film(figure(), tracks)}, {"main": pick}), encode({"n": 1}, {"main": Film(drawn)})
    )
    (chart,) = film["charts"]
    text, row = chart["tracks"]
    assert text["shown"] == [list(one) for one in words] and text["texts"] == [["a", "ν = ∞"], ["b", "<b>c</b>"]]
    assert list(row["shown"][1]) == [3, 4, 5] and row["cuts"] == [1] and film["sentences"] == ["V = 2"]
    said = {"t": "x", "x": "y", "along": ["x2"], "zeros": {"x2": 1}, "knobs": {"V": "y"}, "places": {"V": [0, 1]}}
    assert chart["pick"] == said
    one, two = arrays["charts"][0]["figure"]["data"]
    near(one["z"], rows)
    assert two["x"] == [1.5, None, 2.0] and len(few) <= LEAST and list(two["marker"]["size"]) == list(range(30))


def test_equal_array_is_sent_once() -> None:
    once = np.random.default_rng(1).random((30, 40))
    twice = Film(figure(), (Track(0, "y", once), Track(0, "x", once.copy())))
    assert len(encode({"n": 30}, {"main": twice})) - len(moving("y", once)) < 100
