"""Space-time pictures: brightness is reward, in a palette that survives greyscale."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from figures import spacetime
from tests.strategies import LAW

LAWS = settings(LAW, max_examples=40)


def levels_of(source: str) -> np.ndarray:
    """The palette levels of a PNG data URI, read back chunk by chunk with the checksums verified."""
    raw = base64.b64decode(source.removeprefix("data:image/png;base64,"))
    assert raw[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(raw):
        (length,) = struct.unpack(">I", raw[at : at + 4])
        kind, body = raw[at + 4 : at + 8], raw[at + 8 : at + 8 + length]
        assert struct.unpack(">I", raw[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        chunks[kind] = body
        at += 12 + length
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    assert len(chunks[b"PLTE"]) == 3 * 256
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), dtype=np.uint8).reshape(height, width + 1)
    assert (rows[:, 0] == 2).all()  # the filter "up": each byte less the one above it
    return np.cumsum(rows[:, 1:], axis=0, dtype=np.uint8)


@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 99))
@LAWS
def test_a_picture_shows_every_value_in_order_of_brightness(rows: int, columns: int, seed: int):
    values = np.random.default_rng(seed).normal(size=(rows, columns))
    low, high = float(values.min()), float(values.max())
    levels = levels_of(spacetime.picture(values, low, high))
    assert 200 <= levels.shape[0] <= 500 and 200 <= levels.shape[1] <= 500  # crisp, and small to send
    r = np.minimum((np.arange(levels.shape[0]) + 0.5) * rows / levels.shape[0], rows - 1).astype(int)
    if rows <= spacetime.MAX_PIXELS and columns <= spacetime.MAX_PIXELS:
        c = np.minimum((np.arange(levels.shape[1]) + 0.5) * columns / levels.shape[1], columns - 1).astype(int)
        expected = 255 * (values[np.ix_(r, c)] - low) / (high - low) if high > low else np.full(levels.shape, 127.5)
        assert np.abs(levels - expected).max() <= 0.5 + 1e-9  # rounding to 256 levels


def test_the_ramp_of_brightness_never_gets_darker():
    rgb = np.frombuffer(spacetime.palette(), dtype=np.uint8).reshape(256, 3).astype(float) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    # Eight bits a channel: a rounded colour may be darker than its neighbour by half a level.
    assert np.diff(luminance).min() > -0.003 and luminance[-1] > luminance[0] + 0.5
