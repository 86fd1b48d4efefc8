"""Marks on the rewards of a batch: what each question heard, the place of the headline, and the names of the lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures.end_labels import end_labels
from figures.sheet import Sheet
from lessons.rperp.figure_layout import LABEL_ROOM, MAX_HOVERED, DrawnWalkthrough
from lessons.rperp.words import place

NAME_ASIDE, HALF_NAME = 0.17, 0.12  # of the axis of actions: so far from a mark is a name, so wide its half in a hall
HIGHEST_NAME = 0.74  # of the panel's height; above it stands whether the best action is out
LIFTED, LOWERED = "lifted", "lowered"


def pushes(sheet: Sheet, view: DrawnWalkthrough, panel: str) -> None:
    """Stems from the batch average to what was heard: which way each question was answered wrongly."""
    most = min(view.largest, MAX_HOVERED)
    at = np.full((2, len(view.steps), most, 3), np.nan)
    if view.largest <= MAX_HOVERED:
        for i, s in enumerate(view.steps):
            b = view.run[s.batch]
            done = np.flatnonzero(b.permutation < s.heard)
            at[0, i, : len(done), :2] = view.x[b.picks[done], None]
            at[1, i, : len(done), 0], at[1, i, : len(done), 1] = b.truth[b.picks[done]], b.rewards[done]
    flat = at.reshape(2, len(view.steps), -1)
    sheet.curve(panel, *flat, sheet.theme.ink, 2.0)


def headline_place(
    sheet: Sheet, view: DrawnWalkthrough, panel: str, foot: float, top: float, named: bool = False
) -> None:
    """A hairline at the place that the headline speaks of; beside the best action, its name at the top."""
    at = np.array([view.x[view.headline_arm[s.batch]] for s in view.steps])
    below = top - named * 1.1 * sheet.line_share(panel) * (top - foot)  # the name
    ends = np.tile(np.array([foot, below]), (len(at), 1))
    sheet.cursor(panel, at, ends, sheet.theme.soft_ink, 1.5, "dashdot")
    if named:
        best = np.array([view.x[view.best(s, view.run[s.batch])[1]] for s in view.steps])
        low, wide = float(view.x[0]), float(np.ptp(view.x)) or 1.0
        half = HALF_NAME * wide
        left = (at < best) & (best - NAME_ASIDE * wide - half >= low)  # where there is room for it
        aside = np.where(left, -NAME_ASIDE, NAME_ASIDE) * wide
        beside = np.where(np.abs(at - best) < NAME_ASIDE * wide, best + aside, at)
        beside = np.clip(beside, low + half, low + wide - half)
        text = tuple((place(view.walk.runs, view.headline_arm[s.batch]),) for s in view.steps)
        halo = ", ".join([f"0 0 3px {sheet.theme.paper}"] * 6)  # it stands on the hatching of what is thrown out
        font = {"size": sheet.theme.tick, "color": sheet.theme.ink, "shadow": halo}
        sheet.words(panel, beside[:, None], [top], text, None, "bottom center", textfont=font)


def line_names(sheet: Sheet, view: DrawnWalkthrough, panel: str, span: Sequence[float]) -> None:
    """At the right end of each line what it is, with a hairline where the names had to part."""
    theme, (low, high), f = sheet.theme, span, view.problem.f
    ends = np.full((len(view.steps), 4), np.nan)  # average, estimate, reward lifted (or now), reward lowered
    said = []
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
                    (f"{symbol}{LIFTED}", f"{symbol}{LOWERED}") if follows else ("f<sub>t</sub>",) * 2,
                )
        else:
            ends[i, 2], words[2] = f[b.start + max(s.heard - 1, 0), -1], "f<sub>t</sub> now"
        said.append(tuple(words))
    x, wide = float(view.x[-1]), float(np.ptp(view.x)) * LABEL_ROOM
    colours = [theme.ink, view.colour(theme), theme.soft_ink, theme.soft_ink]
    end_labels(
        sheet, panel, (np.full(ends.shape, x + 0.02 * wide), ends), x + 0.16 * wide, said, colours, most=HIGHEST_NAME
    )
