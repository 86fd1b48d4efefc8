"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

from lessons.record import Sketch, Stroke, Values
from lessons.reproductions import model
from lessons.shared.sketch import FRAMES, rows, unit


def thumbnail(values: Values) -> Sketch:
    """Return printed and measured numbers of a table, repetition by repetition."""
    board = model.board("flynn-table-1")
    heights = np.linspace(1, 0, len(board.rows))
    paper, ours = np.log(board.paper[0]), np.log(board.mean[:, 0])
    low, high = min(paper.min(), ours.min()), max(paper.max(), ours.max())
    still = Stroke(unit(paper, low, high), heights, "truth", "dots")
    frames = tuple((Stroke(unit(ours[n], low, high), heights, "DMM", "dots"),) for n in rows(board.frames - 1))
    return Sketch((still,), frames, FRAMES - 1)
