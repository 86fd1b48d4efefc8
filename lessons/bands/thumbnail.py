"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

from lessons.bands import model as bands_model
from lessons.bands.knobs import BANDS_WORLD
from lessons.record import Sketch, Stroke, Values
from lessons.shared.sketch import rows, thin, unit


def thumbnail(values: Values) -> Sketch:
    """The tightest band, and the truth that leaves it."""
    show = bands_model.band_show(BANDS_WORLD, bands_model.Assumed())
    film, x = show.films["CMM"], np.linspace(0, 1, show.truth.shape[1])
    low, high = show.truth.min() - 0.5, show.truth.max() + 0.5
    frames = []
    for row in rows(90, 8):
        lower, upper, truth = (np.clip(unit(v[row], low, high), 0, 1) for v in (film.lower, film.upper, show.truth))
        missed = np.where(show.misses["CMM"][row], truth, np.nan)
        band = Stroke(np.r_[thin(x), thin(x)[::-1]], np.r_[thin(lower), thin(upper)[::-1]], "band", "area")
        frames.append((band, Stroke(thin(x), thin(truth), "truth"), Stroke(thin(x), thin(missed), "missed")))
    return Sketch((), tuple(frames), 9)
