r"""Best memory against drift: regret against memory for several drift budgets, and the two terms of Theorem 5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

import tvbo_core as tv
from common.cache import shared
from lessons.forgetting import experiment
from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.forgetting.model import MemorySweep, RegretVsMemory
from lessons.shared import problems
from tvbo_core import World

OWN = "own drift"  # names that of a world in which it cannot be set
PAPER_H = "Theorem 5: H"  # fact: the interval between restarts that R-PERP's theorem sets


@dataclass(frozen=True, eq=False)
class BestMemory:
    """Regret against memory, a curve a drift budget, as far as its runs have come.

    Attributes:
        sweep: the runs, a world a budget.   yours: index of the reader's budget.
        places: (k,) where the memories of the grid stand; those with which the method is the same stand together.
        stale, noise: (k,) the two terms of Theorem 5 with H = 2m, constants and logarithms left out, reward units.
        H: interval between restarts that the theorem sets, rounds.
    """

    sweep: MemorySweep
    yours: int
    places: tuple[int, ...]
    stale: np.ndarray
    noise: np.ndarray
    H: int

    @property
    def several(self) -> bool:
        """Return whether there are several drift budgets to compare."""
        return len(self.sweep.setting.worlds) > 1

    @property
    def names(self) -> list[str]:
        """Names of the drift of each curve in facts, from the least."""
        worlds = self.sweep.setting.worlds
        return [of_budget(float(world.budget or 0.0)) for world in worlds] if self.several else [OWN]

    @property
    def other(self) -> int:
        """Index of the budget that the reader's is compared with: the least, or the largest beside the least."""
        return 0 if self.yours else len(self.names) - 1

    @property
    def curves(self) -> list[RegretVsMemory | None]:
        """Regret against memory with each budget, None while it has no run yet."""
        return [self.sweep.front(w) for w in range(len(self.names))]

    @property
    def whole(self) -> bool:
        """Return whether every run has come."""
        return all(curve is not None and curve.seeds == self.sweep.setting.seeds for curve in self.curves)

    @property
    def terms(self) -> np.ndarray:
        """(k,) sum of both terms."""
        return self.stale + self.noise


def best_memory(sweep: MemorySweep, world: World) -> BestMemory:
    """Return the curves of a sweep over drift budgets, with the terms of the reader's own world."""
    setting = sweep.setting
    yours = setting.worlds.index(world)
    return BestMemory(sweep, yours, experiment.places(setting), *_terms(setting.worlds[yours]))


@shared(32)
def _terms(world: World) -> tuple[np.ndarray, np.ndarray, int]:
    r"""Return $V_TH$ and $T\sqrt{\Gamma_H/H}$ with $H=2m$ at the memories of the grid, and Theorem 5's H.

    The gain is that of the greedy design on the world's actions, a lower bound of the largest one.

    Source: Iwazaki & Takeno, Theorem 5 and eq. 101.
    """
    p = problems.problem(world)
    T, ridge = p.horizon, max(p.noise_sd**2, 1e-6)
    H = np.minimum(2 * np.asarray(MEMORY_STEPS), T)
    gains = {int(h): tv.greedy_information_gain(p.kernel, p.x, T=int(h), ridge=ridge) for h in np.unique(H)}
    gain = np.array([gains[int(h)] for h in H])
    return p.sup_variation * H, T * np.sqrt(gain / H), tv.RPERP().restart_rounds(p.known)


def facts(found: BestMemory, row: int) -> dict[str, float | None]:
    """Return the numbers of a round: `Scene.facts`."""
    named: dict[str, float | None] = {"t": row + 1, PAPER_H: found.H}
    for w, (name, curve) in enumerate(zip(found.names, found.curves, strict=True)):
        if curve is None:
            continue
        k = curve.best(row)
        named[f"{name}: best m"] = MEMORY_STEPS[k]
        named[f"{name}: least regret"] = float(curve.median[k, row])
        if w == found.yours:
            named["seeds"] = curve.seeds
    return named


def of_budget(budget: float) -> str:
    """Return how facts name a drift budget."""
    return f"V_T = {budget:g}"


def table(found: BestMemory) -> list[Mapping]:
    """Return regret against memory at the horizon, a row a budget and memory."""
    return [
        {
            "drift": name,
            "m": memory,
            "seeds": curve.seeds,
            "median regret": float(curve.median[k, -1]),
        }
        for name, curve in zip(found.names, found.curves, strict=True)
        if curve is not None
        for k, memory in enumerate(MEMORY_STEPS)
    ]
