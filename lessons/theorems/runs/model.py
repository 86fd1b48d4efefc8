"""A theorem with explicit constants beside its algorithm, played at several horizons, and beside the lower bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from common.cache import shared
from common.failure import Failure
from lessons.shared import stored_runs, worlds
from lessons.shared.play_jobs import PlayJob
from lessons.theorems.knobs import MARKOV, RUNS_WORLD
from tvbo_core import World, adversary
from tvbo_core.theory.against import CASES, Case
from tvbo_core.theory.finite import FiniteBound, markov_floor
from tvbo_core.worlds import make_problem

SHORTEST_HORIZON, MOST_HORIZONS = 50, 9
FILE = stored_runs.FILE.with_name("theorems.npz")


@dataclass(frozen=True)
class RunSetting:
    """The reader's choices for the runs: plain values."""

    case: str
    world: World
    seeds: int

    @property
    def rule(self) -> Case:
        """The theorem with its algorithm."""
        return CASES[self.case]

    @property
    def has_norm(self) -> bool:
        """True where the reward has a norm bound B: no algorithm can lose more than 2BT, and an adversary moves it."""
        return "markov" not in self.rule.kinds

    @property
    def horizons(self) -> tuple[int, ...]:
        """Horizons from 50 upwards by doubling, and the longest."""
        top = self.world.horizon
        steps = [SHORTEST_HORIZON * 2**i for i in range(MOST_HORIZONS - 1) if SHORTEST_HORIZON * 2**i < 0.75 * top]
        return (*steps, top)

    def stage(self, horizon: int, seed: int | None = None) -> World:
        """Return the world that is played at one horizon."""
        kind = "adversary" if self.has_norm else "markov"
        own = replace(self.world, horizon=horizon, seed=self.world.seed if seed is None else seed)
        world = self.rule.world(own, kind)
        # For a theorem about a still world the adversary hides its bump once.
        return replace(world, budget=0.0) if "still" in self.rule.kinds else world


@dataclass(frozen=True, eq=False)
class Proved:
    """Proved values at each horizon.

    Attributes:
        bounds: (h,) one a horizon.
        floor: (h,) explicit lower bound, averaged over the adversary's hidden place or over the Markov reward.
        trivial: (h,) what regret cannot exceed: 2BT, or in a world without a norm bound what the worst choices lose.
        chance: (h,) what uniform random play loses in expectation; a mean over the very worlds of the runs.
    """

    bounds: tuple[FiniteBound, ...]
    floor: np.ndarray
    trivial: np.ndarray
    chance: np.ndarray


@dataclass(frozen=True, eq=False)
class BoundVsRegret:
    """Measured and proved regret at each horizon.

    Attributes:
        setting: of the runs.   proved: bounds at each horizon.
        regret: horizon -> final regret of each seed, of the runs that are done.
        done, total: numbers of runs.   refused: sentences of runs that could not be.
    """

    setting: RunSetting
    proved: Proved
    regret: Mapping[int, np.ndarray]
    done: int
    total: int
    refused: tuple[str, ...]

    @property
    def horizons(self) -> tuple[int, ...]:
        return self.setting.horizons

    @property
    def mean(self) -> np.ndarray:
        """(h,) mean over the seeds, NaN where nothing is done: the lower bound is a statement about the mean."""
        return np.array([self.regret[T].mean() if T in self.regret else np.nan for T in self.horizons])


def setting_from(values: Mapping[str, Any]) -> RunSetting:
    """Return the setting that these values of the page's knobs describe."""
    other = {"alpha"} if values["case"] in MARKOV else {"alpha", "eps"}  # of the other views
    world = worlds.build({key: value for key, value in values.items() if key not in other}, RUNS_WORLD)
    return RunSetting(str(values["case"]), world, int(values["seeds"]))


@shared(64)
def jobs(setting: RunSetting) -> Sequence[tuple[int, PlayJob]]:
    """Return every run with its horizon, short ones first."""
    found = []
    for T in setting.horizons:
        for seed in range(setting.world.seed, setting.world.seed + setting.seeds):
            stage = setting.stage(T, seed)
            found.append((T, PlayJob(setting.rule.name, setting.rule.policy(stage), stage)))
    return found


@shared(64)
def proved(setting: RunSetting) -> Proved:
    """Return the bounds, the lower bound and the trivial bound at each horizon.

    Raises:
        ValueError: a world that cannot be.
    """
    bounds, floor, trivial, chance = [], [], [], []
    for T in setting.horizons:
        world = setting.stage(T)
        p = make_problem(world)
        bounds.append(setting.rule.bound(p, world))
        seeds = range(setting.world.seed, setting.world.seed + setting.seeds)
        tables = [make_problem(setting.stage(T, seed)).f for seed in seeds]
        chance.append(float(np.mean([(f.max(axis=1) - f.mean(axis=1)).sum() for f in tables])))
        if setting.has_norm:
            floor.append(float(adversary.lower_bound(world, p.x)[-1]))
            trivial.append(2.0 * world.norm_bound * T)
        else:
            floor.append(markov_floor(p.kernel, p.x, T, world.epsilon))
            trivial.append(float(np.mean([(f.max(axis=1) - f.min(axis=1)).sum() for f in tables])))
    return Proved(tuple(bounds), np.array(floor), np.array(trivial), np.array(chance))


def seconds(setting: RunSetting) -> float:
    """Return about how long the runs take on one core."""
    return stored_runs.duration(job for _, job in jobs(setting))


def gather(setting: RunSetting, results: Mapping[PlayJob, Any]) -> BoundVsRegret:
    """Return what is proved, and the runs as far as they have come."""
    regret: dict[int, list[float]] = {}
    refused, plan = [], jobs(setting)
    for T, job in plan:
        result = results.get(job)
        if isinstance(result, Failure):
            refused.append(str(result))
        elif result is not None:
            regret.setdefault(T, []).append(float(result.regret.sum()))
    measured = {T: np.array(r) for T, r in regret.items()}
    return BoundVsRegret(setting, proved(setting), measured, len(results), len(plan), tuple(dict.fromkeys(refused)))


def facts(found: BoundVsRegret, i: int) -> dict[str, float | None]:
    """Return the numbers of a horizon, under the names that they have in the table: `Scene.facts`."""
    T, p = found.horizons[i], found.proved
    runs = found.regret.get(T)
    return {
        "T": T,
        "measured, mean": None if runs is None else float(runs.mean()),
        "measured, largest": None if runs is None else float(runs.max()),
        "bound": p.bounds[i].total,
        "cannot exceed": float(p.trivial[i]),
        "random play": float(p.chance[i]),
        "lower bound (mean)": float(p.floor[i]),
    }


def table(found: BoundVsRegret) -> list[dict]:
    """Return the numbers behind the figure, a row a horizon."""
    return [
        {"T": T, "runs": len(found.regret.get(T, ()))}
        | facts(found, i)
        | {f"bound: {name}": value for name, value in found.proved.bounds[i].terms}
        for i, T in enumerate(found.horizons)
    ]
