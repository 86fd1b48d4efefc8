"""The numbers behind the figures as rows: regret against memory, and the weights of the past."""

from __future__ import annotations

import numpy as np

from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.forgetting.memories import NEVER, MemoryViews
from lessons.forgetting.model import Legend, MemorySweep
from lessons.shared import problems
from lessons.shared.knobs import METHODS


def regret(sweep: MemorySweep, legend: Legend) -> list[dict]:
    """Return regret against memory at the horizon, a row a world, method and memory."""
    rows = []
    for (m, w), curve in sweep.curves.items():
        for k, memory in enumerate(MEMORY_STEPS):
            low, high = curve.quartiles[:, k, -1]
            rows.append(
                {
                    "world": legend.worlds[w],
                    "method": METHODS[m],
                    "m": str(memory),
                    "seeds": curve.seeds,
                    "median regret": float(curve.median[k, -1]),
                    "lower quartile": float(low),
                    "upper quartile": float(high),
                }
            )
    rows += [
        {
            "world": legend.worlds[w],
            "method": name,
            "m": "none",
            "seeds": sweep.setting.seeds,
            "median regret": float(level[-1]),
        }
        for w, levels in sweep.levels.items()
        for name, level in levels.items()
    ]
    for w, total in sweep.gp_ucb.items():
        low, mid, high = np.quantile(total[:, -1], (0.25, 0.5, 0.75))
        rows.append(
            {
                "world": legend.worlds[w],
                "method": NEVER,
                "m": "∞",
                "seeds": len(total),
                "median regret": mid,
                "lower quartile": low,
                "upper quartile": high,
            }
        )
    return rows


def weights(views: MemoryViews, frame: int) -> list[dict]:
    """Return weight and influence of every past observation at this time, newest first."""
    row = views.rows[frame]
    h, p = views.history, views.problem
    rows = []
    for s in range(row - 1, -1, -1):
        one = {"t observed": s + 1, "age": row - s, "x": problems.place_name(p, h.arms[s]), "reward": float(h.y[s])}
        for name, view in views.recalls.items():
            one |= {
                f"{name} weight": float(view.weight[frame, s]),
                f"{name} influence": float(view.influence[frame, s]),
            }
        rows.append(one)
    return rows or [{"t observed": "no observations yet"}]
