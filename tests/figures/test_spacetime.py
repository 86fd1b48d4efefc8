"""Space-time pictures: brightness is reward, in a palette that survives greyscale."""

from __future__ import annotations

import base64
import io

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from figures import spacetime
from tests.strategies import LAW

LAWS = settings(LAW, max_examples=40)


def levels_of(source: str) -> np.ndarray:
    """Return the palette levels of a PNG data URI."""
    with Image.open(io.BytesIO(base64.b64decode(source.removeprefix("data:image/png;base64,")))) as image:
        assert image.format == "PNG" and image.mode == "P"
        return np.array(image)


@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 99))
@LAWS
def test_pictures_show_values_in_order_of_brightness(rows: int, columns: int, seed: int):
    values = np.random.default_rng(seed).normal(size=(rows, columns))
    low, high = float(values.min()), float(values.max())
    levels = levels_of(spacetime.picture(values, low, high))
    assert 200 <= levels.shape[0] <= 500 and 200 <= levels.shape[1] <= 500  # crisp, and small to send
    r = np.minimum((np.arange(levels.shape[0]) + 0.5) * rows / levels.shape[0], rows - 1).astype(int)
    if rows <= spacetime.MAX_PIXELS and columns <= spacetime.MAX_PIXELS:
        c = np.minimum((np.arange(levels.shape[1]) + 0.5) * columns / levels.shape[1], columns - 1).astype(int)
        expected = 255 * (values[np.ix_(r, c)] - low) / (high - low) if high > low else np.full(levels.shape, 127.5)
        assert np.abs(levels - expected).max() <= 0.5 + 1e-9  # rounding to 256 levels


def test_brightness_never_falls_along_the_palette():
    rgb = np.frombuffer(spacetime.palette(), dtype=np.uint8).reshape(256, 3).astype(float) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    # Eight bits a channel: a rounded colour may be darker than its neighbour by half a level.
    assert np.diff(luminance).min() > -0.003 and luminance[-1] > luminance[0] + 0.5
