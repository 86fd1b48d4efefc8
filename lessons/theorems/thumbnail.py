"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

import tvbo_core as tv
from lessons.record import Sketch, Stroke, Values
from lessons.shared.sketch import FRAMES, unit


def thumbnail(values: Values) -> Sketch:
    """Return powers of T against smoothness, with a dot on each at the swept one."""
    d = int(values["d"])
    nus = np.geomspace(0.75, 10, FRAMES)
    keys = {"zhou-r": "R-GP-UCB", "hong-ada": "OPKB", "iwazaki-5-matern": "R-PERP"}
    powers = {
        role: np.array([float(tv.THEOREMS[key].exponent(nu=float(nu), d=d)[0]) for nu in nus])
        for key, role in keys.items()
    }
    x = unit(np.log(nus), np.log(nus[0]), np.log(nus[-1]))
    lines = tuple(Stroke(x, np.clip(unit(p, 0.5, 1.15), 0, 1), role) for role, p in powers.items())
    ceiling = Stroke(np.array([0.0, 1.0]), unit(np.array([1.0, 1.0]), 0.5, 1.15), "rule")
    dots = (tuple(Stroke(s.x[[i]], s.y[[i]], s.role, "dots") for s in lines) for i in range(FRAMES))
    return Sketch((ceiling, *lines), tuple(dots)[::-1], 6)
