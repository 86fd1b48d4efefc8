"""The adversary of the lower bound: the bumps that might be real, and the place of the real one over time."""

from __future__ import annotations

import numpy as np

from common.formats import plural
from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet, chained, strokes
from figures.theme import Theme
from lessons.theorems.runs.adversary import HiddenBump


def adversary(found: HiddenBump, theme: Theme) -> Film:
    """Return all the bumps that might be real, and where the real one hides from interval to interval."""
    sheet = Sheet(theme, 0, 430 if theme.lecture else 300)
    sheet.margins(4.8 * theme.tick, theme.tick, 1.9 * theme.label, 3.0 * theme.label)
    x, peak = found.x, found.peak
    place = {"range": [float(x.min()), float(x.max())], "title": "action x", "nticks": 6}
    y = {"range": [-0.15 * peak, 1.12 * peak], "title": "reward", "nticks": 5}
    sheet.panel("bumps", [0.0, 0.4], [0.0, 1.0], place, y)
    sheet.curve("bumps", *chained(x, found.bumps), style.faded(theme.grey, 0.55), 1.2)
    here = int(np.abs(x[found.bumps.argmax(axis=1)] - found.place[0]).argmin())
    sheet.curve("bumps", x, found.bumps[here], theme.ink, theme.truth_line)
    sheet.headline("bumps", f"<b>{len(found.bumps)} places</b>, one is real", size=theme.label)
    T = float(found.start[-1])
    t = {"range": [0.0, T], "title": "time t", "nticks": 6}
    pad = 0.04 * float(x.max() - x.min())
    tall = {**place, "range": [float(x.min()) - pad, float(x.max()) + pad], "title": "hidden place x"}
    sheet.panel("path", [0.5, 1.0], [0.0, 1.0], t, tall)
    left, right = found.start[:-1].astype(float), found.start[1:].astype(float)
    sheet.curve("path", strokes(left, right), strokes(found.place, found.place), theme.ink, theme.truth_line)
    n = len(left) - 1
    texts = f"<b>{plural(n, 'move')}</b>, paid from V<sub>T</sub>" if n else "<b>It never moves</b>"
    sheet.headline("path", texts, size=theme.label)
    return sheet.film()
