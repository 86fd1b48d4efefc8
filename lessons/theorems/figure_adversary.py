"""The adversary of the lower bound: the bumps that might be real, and the place of the real one over time."""

from __future__ import annotations

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.theorems.adversary import HiddenBump


def adversary(found: HiddenBump, theme: Theme) -> Film:
    """Return all the bumps that might be real, and where the real one hides from interval to interval."""
    sheet = Sheet(theme, 0, look.layout(theme, 430 if theme.lecture else 300))
    sheet.frame["margin"] = {"l": int(4.8 * theme.tick), "r": int(theme.tick), "t": int(1.9 * theme.label),
                             "b": int(3.0 * theme.label)}  # fmt: skip
    x, peak = found.x, found.peak
    place = {"range": [float(x.min()), float(x.max())], "title": "action x", "nticks": 6}
    y = {"range": [-0.15 * peak, 1.12 * peak], "title": "reward", "nticks": 5}
    sheet.panel("bumps", [0.0, 0.4], [0.0, 1.0], place, y)
    gap = np.pad(found.bumps, ((0, 0), (0, 1)), constant_values=np.nan)
    many = np.tile(np.append(x, np.nan), len(found.bumps))
    sheet.still("bumps", look.line(many, gap.ravel(), look.faded(theme.grey, 0.55), 1.2))
    here = int(np.abs(x[found.bumps.argmax(axis=1)] - found.place[0]).argmin())
    sheet.still("bumps", look.line(x, found.bumps[here], theme.ink, theme.truth_line))
    sheet.headline("bumps", f"<b>{len(found.bumps)} places</b>, one is real", size=theme.label)
    T = float(found.start[-1])
    t = {"range": [0.0, T], "title": "time t", "nticks": 6}
    pad = 0.04 * float(x.max() - x.min())
    tall = {**place, "range": [float(x.min()) - pad, float(x.max()) + pad], "title": "hidden place x"}
    sheet.panel("path", [0.5, 1.0], [0.0, 1.0], t, tall)
    left, right = found.start[:-1].astype(float), found.start[1:].astype(float)
    nan = np.full(len(left), np.nan)
    steps = np.stack([left, right, nan], axis=1).ravel()
    height = np.stack([found.place, found.place, nan], axis=1).ravel()
    sheet.still("path", look.line(steps, height, theme.ink, theme.truth_line))
    n = len(left) - 1
    said = f"<b>{n} move{'s' if n > 1 else ''}</b>, paid from V<sub>T</sub>" if n else "<b>It never moves</b>"
    sheet.headline("path", said, size=theme.label)
    return sheet.film()
