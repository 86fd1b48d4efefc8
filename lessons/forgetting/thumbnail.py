"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

from lessons.forgetting import model
from lessons.record import Sketch, Stroke, Values
from lessons.shared import stored_runs
from lessons.shared.sketch import FRAMES, unit


def thumbnail(values: Values) -> Sketch:
    """Return regret against memory in the gliding world."""
    _, setting = model.chosen(values)
    held = stored_runs.runs(model.jobs(setting), model.FILE)
    sweep = model.gather(setting, held, (setting.worlds[0].horizon - 1,))
    if sweep.front(0) is None:
        return Sketch((), (), 0)
    y = np.log(sweep.front(0).median[:, -1])
    x, y = np.linspace(0, 1, len(y)), unit(y, y.min() - 0.2, y.max())
    finer = np.linspace(0, 1, FRAMES)
    path = np.interp(finer, x, y)
    dots = tuple((Stroke(finer[[i]], path[[i]], "best", "dots"),) for i in range(FRAMES))
    return Sketch((Stroke(x, y, "R-GP-UCB"),), dots, int(path.argmin()))
