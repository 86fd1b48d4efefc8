"""Marks on the rewards of a batch: the error of each observation, and the names of the lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures.end_labels import end_labels
from figures.sheet import Sheet
from lessons.rperp.figure_layout import LABEL_ROOM, MAX_STEMS, DrawnWalkthrough

HIGHEST_NAME = 0.74  # of the panel's height; above it stands whether the best action is out
LIFTED, LOWERED = "lifted", "lowered"


def pushes(sheet: Sheet, view: DrawnWalkthrough, panel: str) -> None:
    """Stems from the batch average to each observation."""
    most = min(view.largest, MAX_STEMS)
    at = np.full((2, len(view.steps), most, 3), np.nan)
    if view.largest <= MAX_STEMS:
        for i, s in enumerate(view.steps):
            b = view.run[s.batch]
            done = np.flatnonzero(b.permutation < s.heard)
            at[0, i, : len(done), :2] = view.x[b.picks[done], None]
            at[1, i, : len(done), 0], at[1, i, : len(done), 1] = b.truth[b.picks[done]], b.rewards[done]
    flat = at.reshape(2, len(view.steps), -1)
    sheet.curve(panel, *flat, sheet.theme.ink, 2.0)


def line_names(sheet: Sheet, view: DrawnWalkthrough, panel: str, span: Sequence[float]) -> None:
    """At the right end of each line what it is, with a hairline where the names had to part."""
    theme, (low, high), f = sheet.theme, span, view.problem.f
    ends = np.full((len(view.steps), 4), np.nan)  # average, estimate, reward lifted (or now), reward lowered
    texts = []
    follows = view.walk.runs.setting.follows
    symbol = "" if theme.lecture else "f<sub>t</sub> "  # whose foot meets the name below it in large type
    for i, s in enumerate(view.steps):
        b = view.run[s.batch]
        words = ["f̄ average", "band μ ± βs", "", ""]
        if s.judged:
            rows = f[b.start : b.end, -1]
            ends[i, :2] = b.truth[-1], b.band.mean[-1]
            if np.ptp(rows) > 0.05 * (high - low):
                ends[i, 2:], words[2:] = (
                    (rows.max(), rows.min()),
                    [f"{symbol}{end}" for end in ((LIFTED, LOWERED) if follows else ("highest", "lowest"))],
                )
        else:
            ends[i, 2], words[2] = f[b.start + max(s.heard - 1, 0), -1], "f<sub>t</sub> now"
        texts.append(tuple(words))
    x, wide = float(view.x[-1]), float(np.ptp(view.x)) * LABEL_ROOM
    colours = [theme.ink, view.colour(theme), theme.soft_ink, theme.soft_ink]
    end_labels(
        sheet, panel, (np.full(ends.shape, x + 0.02 * wide), ends), x + 0.16 * wide, texts, colours, most=HIGHEST_NAME
    )
