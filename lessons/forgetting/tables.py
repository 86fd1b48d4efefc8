"""The numbers behind the figures as rows: regret against memory, and the weights of the past."""

from __future__ import annotations

import numpy as np

from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.forgetting.memories import MemoryViews
from lessons.forgetting.model import MemorySweep
from lessons.shared import problems
from lessons.shared.knobs import METHODS


def regret(sweep: MemorySweep) -> list[dict]:
    """Return regret against memory at the horizon, a row a memory; last the methods without one to set."""
    rows = []
    for method in (sweep.setting.front, *sweep.setting.beside):
        curve = sweep.curves.get((method, 0))
        memories = MEMORY_STEPS if method == sweep.setting.front else ["∞" if method == "gp" else "none"]
        for k, memory in enumerate(memories if curve else ()):
            low, middle, high = np.quantile(curve.total[k, :, -1], (0.25, 0.5, 0.75)).tolist()
            row = {"method": METHODS[method], "m": str(memory), "seeds": curve.seeds, "median regret": middle}
            rows.append(row | {"lower quartile": low, "upper quartile": high})
    return rows


def weights(views: MemoryViews, frame: int) -> list[dict]:
    """Return weight and influence of every past observation at this time, newest first."""
    row = views.rows[frame]
    h, p, weight = views.history, views.problem, {name: views.weight(name) for name in views.tuning.memories}
    rows = []
    for s in range(row - 1, -1, -1):
        one = {"t observed": s + 1, "age": row - s, "x": problems.place_name(p, h.arms[s]), "reward": float(h.y[s])}
        for name, influence in views.influences.items():
            one |= {f"{name} weight": float(weight[name][frame, s]), f"{name} influence": float(influence[frame, s])}
        rows.append(one)
    return rows or [{"t observed": "no observations yet"}]
