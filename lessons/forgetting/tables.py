"""The numbers behind the figures as rows: regret against memory, and the weights of the past."""

from __future__ import annotations

from lessons.forgetting.knobs import MEMORY_STEPS, WITH_MEMORY
from lessons.forgetting.memories import MemoryViews
from lessons.forgetting.model import Legend, MemorySweep
from lessons.shared import problems
from lessons.shared.knobs import METHODS


def regret(sweep: MemorySweep, legend: Legend) -> list[dict]:
    """Return regret against memory at the horizon, a row a world, method and memory."""
    rows = []
    for (m, w), curve in sorted(sweep.curves.items(), key=lambda item: item[0][0] == "gp"):  # GP-UCB last
        for k, memory in enumerate(MEMORY_STEPS if m in WITH_MEMORY else ["∞" if m == "gp" else "none"]):
            row = {
                "world": legend.worlds[w],
                "method": METHODS[m],
                "m": str(memory),
                "seeds": curve.seeds,
                "median regret": float(curve.median[k, -1]),
            }
            if m not in sweep.setting.levels:
                low, high = curve.quartiles[:, k, -1].tolist()
                row |= {"lower quartile": low, "upper quartile": high}
            rows.append(row)
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
