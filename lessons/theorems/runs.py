"""Bounds meet runs: a theorem with explicit constants, its algorithm played at several horizons, and the floor.

Everything is kept by frozen records of plain values. Runs that take longer than a moment are ordered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from lessons.shared.cache import shared
from lessons.shared.durations import duration
from shell.run_panel import RunSet, panel, run_set
from shell.runs import RUNS
from tvbo_core import World, adversary
from tvbo_core.jobs import Failure, Job
from tvbo_core.theory.against import CASES, Case, still_or_hidden
from tvbo_core.theory.finite import FiniteBound
from tvbo_core.worlds import make_problem

BASE = World(kind="jumps", kernel="matern", nu=2.5, norm_bound=3.0, budget=4.0, switches=1, seed=3)
SHORTEST = 50
# Milliseconds of a run of 400 rounds, only to decide whether a reader would wait.
COST = {"rperp": 12, "kernelucb": 20, "tv": 12, "rgp": 9, "wgp": 60}
# Seconds of play for which a reader waits: when the page opens, and after a slider has been moved.
AT_FIRST, LATER = 0.25, 0.05
LONG_SECONDS = 60.0  # runs that take longer wait for a button that says so
BY_NAME = {case.name: word for word, case in CASES.items()}


@dataclass(frozen=True)
class Setting:
    """What the reader chose for the runs: plain values."""

    case: str
    arena: str
    world: World
    seeds: int

    @property
    def rule(self) -> Case:
        return CASES[self.case]

    @property
    def adversarial(self) -> bool:
        """Whether the runs meet the adversary: a Markov reward has none here."""
        return self.arena == "adversary" and "adversary" in self.rule.kinds

    @property
    def horizons(self) -> tuple[int, ...]:
        """From 50 upwards by doubling, and the longest."""
        top = self.world.horizon
        steps = [SHORTEST * 2**i for i in range(8) if SHORTEST * 2**i < 0.75 * top]
        return (*steps, top)

    def stage(self, horizon: int, seed: int | None = None) -> World:
        """The world that is played at one horizon."""
        kind = "adversary" if self.adversarial else self.rule.kinds[0]
        own = replace(self.world, horizon=horizon, seed=self.world.seed if seed is None else seed)
        return still_or_hidden(self.rule, own, kind)


@dataclass(frozen=True, eq=False)
class Meeting:
    """Measured and proved at each horizon.

    Attributes:
        setting: of the runs.   horizons: (h,).   bounds: one a horizon.
        floor: (h,) explicit lower bound, averaged over the hidden place; None outside the adversary's world.
        regret: horizon -> final regret of each seed, of the runs that are done.
        most: (h,) what regret cannot exceed: T times the largest range of the reward, at most 2B.
        done, total: runs.   refused: sentences of runs that could not be.
    """

    setting: Setting
    horizons: tuple[int, ...]
    bounds: tuple[FiniteBound, ...]
    floor: np.ndarray | None
    regret: Mapping[int, np.ndarray]
    most: np.ndarray
    done: int
    total: int
    refused: tuple[str, ...]

    @property
    def mean(self) -> np.ndarray:
        """(h,) mean over the seeds, NaN where nothing is done: the floor is a statement about the mean."""
        return np.array([self.regret[T].mean() if T in self.regret else np.nan for T in self.horizons])


def chosen(values: Mapping[str, object], build) -> Setting:
    """The setting that the page's knobs describe."""
    world = build(values, BASE)
    return Setting(str(values["case"]), str(values["arena"]), world, int(values["seeds"]))


def jobs(setting: Setting) -> list[tuple[int, Job]]:
    """Every run with its horizon, short ones first."""
    found = []
    for T in setting.horizons:
        for seed in range(setting.world.seed, setting.world.seed + setting.seeds):
            stage = setting.stage(T, seed)
            found.append((T, Job(setting.rule.name, setting.rule.policy(stage), stage)))
    return found


@shared(64)
def _proved(setting: Setting) -> tuple[tuple[FiniteBound, ...], np.ndarray | None, np.ndarray]:
    bounds, floor, most = [], [], []
    for T in setting.horizons:
        world = setting.stage(T)
        p = make_problem(world)
        bounds.append(setting.rule.bound(p, world))
        drawn = float((p.f.max(axis=1) - p.f.min(axis=1)).sum())  # a Markov reward has no norm to bound it
        most.append(drawn if p.norm_bound is None else 2.0 * p.norm_bound * T)
        if setting.adversarial:
            floor.append(float(adversary.lower_bound(world, p.x)[-1]))
    return tuple(bounds), np.array(floor) if floor else None, np.array(most)


@shared(64)
def _jobs(setting: Setting) -> list[tuple[int, Job]]:
    return jobs(setting)


def seconds(setting: Setting) -> float:
    """About how long the runs take on one core."""
    return sum(1e-3 * COST[setting.case] * T / 400 for T in setting.horizons) * setting.seeds


def follow(setting: Setting) -> tuple[Meeting, RunSet]:
    """Return what is proved at once, and the runs as far as they have come.

    Raises:
        ValueError: a world that cannot be.
    """
    bounds, floor, most = _proved(setting)
    plan = _jobs(setting)
    moment = LATER if "meeting" in st.session_state.get("_run_sets", {}) else AT_FIRST
    runs = run_set("meeting", setting, lambda: _run_set(setting, moment))
    runs.look()
    runs.begin(job_seconds, LONG_SECONDS)
    return _gather(setting, plan, runs.results, bounds, floor, most), runs


def _run_set(setting: Setting, moment: float) -> RunSet:
    """Return the runs, all of them played where that takes only a moment."""
    runs = RunSet(setting, tuple(job for _, job in _jobs(setting)))
    runs.look()
    if seconds(setting) <= moment:
        runs.play(runs.missing)
    return runs


def job_seconds(jobs: Iterable[Job]) -> float:
    """Return about how long these runs take on one core."""
    return sum(1e-3 * COST[BY_NAME[job.name]] * job.world.horizon / 400 for job in jobs)


def _gather(setting: Setting, plan, results: Mapping[Job, object], bounds, floor, most) -> Meeting:
    regret: dict[int, list[float]] = {}
    refused = []
    for T, job in plan:
        result = results.get(job)
        if isinstance(result, Failure):
            refused.append(str(result))
        elif result is not None:
            regret.setdefault(T, []).append(float(result.regret.sum()))
    return Meeting(setting, setting.horizons, bounds, floor, {T: np.array(r) for T, r in regret.items()}, most,
                   len(results), len(plan), tuple(dict.fromkeys(refused)))  # fmt: skip


def watch(meeting: Meeting, runs: RunSet) -> None:
    """Draw the progress while runs are under way; the page is drawn anew when they are done."""
    name, cost = meeting.setting.rule.name, job_seconds(runs.missing) / RUNS.workers
    panel(
        "meeting",
        runs,
        paused=f"{meeting.done} of {meeting.total} runs are there.",
        start=f"Run the rest: {len(runs.missing)} runs, {duration(cost)}",
        seconds=job_seconds,
        progress=lambda done, left: f"Playing {name}: {done}/{meeting.total} runs done, {duration(left)}",
    )


@dataclass(frozen=True, eq=False)
class Hidden:
    """The adversary of the longest run: the class of bumps, and where it hides.

    Attributes:
        x: (m,) actions.   bumps: (M, m) rewards.   start: (n,) first round of each interval, and the horizon last.
        place: (n,) hidden place of each interval.   peak, width: of a bump.   length: H.   moved: V_T of this draw.
    """

    world: World
    x: np.ndarray
    bumps: np.ndarray
    start: np.ndarray
    place: np.ndarray
    peak: float
    width: float
    length: int
    moved: float


@shared(64)
def hidden(setting: Setting) -> Hidden:
    """The adversary with this kernel, norm, noise, budget and horizon, whether or not the runs meet it."""
    kernel = {"kernel": "se", "nu": math.inf} if setting.rule.se_only else {}
    world = replace(setting.world, kind="adversary", **kernel)
    if "still" in setting.rule.kinds:
        world = replace(world, budget=0.0)
    p = make_problem(world)
    plan = adversary.plan(world)
    seats = adversary.seats(plan.bumps, len(p.x))
    values = plan.bumps.values(p.x, p.x[seats])
    start = np.concatenate([[0], np.cumsum(plan.lengths)])
    place = p.x[p.f[start[:-1]].argmax(axis=1), 0]
    return Hidden(world, p.x[:, 0], values, start, place, 2.0 * plan.bumps.eps, plan.bumps.width, plan.length,
                  p.sup_variation)  # fmt: skip


def table(meeting: Meeting) -> list[dict]:
    """The numbers behind the figure, a row a horizon."""
    rows = []
    for i, T in enumerate(meeting.horizons):
        runs = meeting.regret.get(T, np.array([]))
        row = {"T": T, "runs": len(runs), "measured, mean": float(runs.mean()) if len(runs) else 0.0,
               "measured, largest": float(runs.max()) if len(runs) else 0.0, "bound": meeting.bounds[i].total,
               "cannot exceed": float(meeting.most[i])}  # fmt: skip
        if meeting.floor is not None:
            row["lower bound (mean)"] = float(meeting.floor[i])
        rows.append(row | {f"bound: {name}": value for name, value in meeting.bounds[i].terms})
    return rows


def race_link(hidden: Hidden) -> dict[str, str]:
    """The link that opens the race in the adversary's world."""
    w = hidden.world
    nu = "∞" if math.isinf(w.nu) or w.kernel == "se" else {0.5: "1/2", 1.5: "3/2", 2.5: "5/2"}[w.nu]
    return {"kind": "adversary", "pair": "none", "V": f"{w.budget:g}", "T": f"{w.horizon}", "nu": nu,
            "ell": f"{w.lengthscale:g}", "sigma": f"{w.noise_sd:g}", "B": f"{w.norm_bound:g}",
            "seed": f"{w.seed}"}  # fmt: skip
