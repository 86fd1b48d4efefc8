"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

from lessons.bands import model
from lessons.bands.knobs import BANDS_WORLD
from lessons.bands.model import BandSetting
from lessons.record import Sketch, Stroke, Values
from lessons.shared.sketch import rows, thin, unit


def thumbnail(values: Values) -> Sketch:
    """Return the tightest band, and the truth that leaves it."""
    run = model.bands_over_time(BandSetting(BANDS_WORLD))
    film, x = run.films["CMM"], np.linspace(0, 1, run.truth.shape[1])
    low, high = run.truth.min() - 0.5, run.truth.max() + 0.5
    frames = []
    for row in rows(90, 8):
        lower, upper, truth = (np.clip(unit(v[row], low, high), 0, 1) for v in (film.lower, film.upper, run.truth))
        missed = np.where(run.misses["CMM"][row], truth, np.nan)
        band = Stroke(np.r_[thin(x), thin(x)[::-1]], np.r_[thin(lower), thin(upper)[::-1]], "band", "area")
        frames.append((band, Stroke(thin(x), thin(truth), "truth"), Stroke(thin(x), thin(missed), "missed")))
    return Sketch((), tuple(frames), 9)
