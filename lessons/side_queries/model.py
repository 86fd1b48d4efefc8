"""What the page on side queries asks of the core: who re-asks what, what it tells, and what it costs.

The two methods that re-ask are played once here with everything they heard (the bar-codes, the picks, the
evidence); the regret of all seeds comes from single runs that all visitors share (lessons/side_queries/panel.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from lessons.shared import stored_runs, worlds
from lessons.shared.cache import shared
from lessons.side_queries.knobs import QUERIES_WORLD
from shell.run_panel import computed
from tvbo_core import History, Problem, World
from tvbo_core.gp import grid_posteriors
from tvbo_core.gp.sparse import SparseSds, growing_sds, stacked_sparse_sds
from tvbo_core.jobs import Job, cached_problem, play_all, run_of
from tvbo_core.policies import GPUCB, WGPUCB
from tvbo_core.policies.side_queries.policy import SparQ, WSparQ, evidence_of
from tvbo_core.policies.width import THEORY, LogWidth, Width, resolve_ridge
from tvbo_core.race_results import Run
from tvbo_core.records import LearnerInfo, Policy
from tvbo_core.worlds.mauduit import Stale, Synthetic

METHODS = ("GP-UCB", "WGP-UCB", "SparQ", "W-SparQ")
FILE = stored_runs.FILE.with_name("questions.npz")
# Milliseconds of a run of 500 rounds with 100 arms, only to say in advance how long it will take.
COST = {"GP-UCB": 8, "WGP-UCB": 30, "SparQ": 170, "W-SparQ": 120}
OF_THE_WORLD = {"kind", "data", "scale", "V", "ell", "nu", "eps", "B"}  # what the paper's own world decides


@dataclass(frozen=True)
class Setting:
    """What the reader chose: plain values.

    Attributes:
        world: with the first seed.   alpha, window_exponent, q: of the schedule.   picker: see `kdpp`.
        width: a number as text, "log" or "theory".   inputs: where the points of the pick come from: "own"
            (W-SparQ's own past), "random" or "clustered".   seeds: how many, from the world's own upwards.
    """

    world: World
    alpha: float
    window_exponent: float
    q: float
    picker: str
    width: str
    inputs: str
    seeds: int

    @property
    def numbers(self) -> range:
        """The seeds."""
        return range(self.world.seed, self.world.seed + self.seeds)

    @property
    def policies(self) -> dict[str, Policy]:
        """The four that are compared; WGP-UCB as the race has it, in the paper's world as its own paper says."""
        w: Width = {"log": LogWidth(2.0), "theory": THEORY}.get(self.width) or float(self.width)
        discount = "paper" if isinstance(self.world, Synthetic) else 0.98
        asks = {"q_const": self.q, "picker": self.picker, "width": w}
        return {
            "GP-UCB": GPUCB(width=w),
            "WGP-UCB": WGPUCB(discount=discount, width=w),
            "SparQ": SparQ(**asks),
            "W-SparQ": WSparQ(alpha=self.alpha, window_exponent=self.window_exponent, **asks),
        }


def chosen(values: Mapping[str, object]) -> Setting:
    """The setting that these values of the page's knobs describe."""
    if values["papers"]:
        world: World = Synthetic(horizon=int(values["T"]), noise_sd=float(values["sigma"]), seed=int(values["seed"]))
    else:
        world = worlds.build(values, QUERIES_WORLD)
        if world.kind == "rough" and values["scale"] == "drawn":
            world = Stale(**{f.name: getattr(world, f.name) for f in fields(World)})
    return Setting(world, float(values["alpha"]), float(values["atil"]), float(values["q"]), str(values["picker"]),
                   str(values["beta"]), str(values["inputs"]), int(values["seeds"]))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Asked:
    """The two methods that re-ask, in the first seed.

    Attributes:
        setting: what was chosen.   problem: the world.   plays: SparQ's and W-SparQ's histories.
        starts: (W,) rows in which W-SparQ opens a window.   ridge: noise variance that both assume.
        runs: all four methods' runs of the first seed, for the board.
    """

    setting: Setting
    problem: Problem
    plays: Mapping[str, History]
    starts: np.ndarray
    ridge: float
    runs: Mapping[str, Run]

    @cached_property
    def gram(self) -> np.ndarray:
        """(m, m) prior covariance of the arms."""
        return self.problem.kernel(self.problem.x, self.problem.x)

    @cached_property
    def x(self) -> np.ndarray:
        """(m,) the coordinate that is drawn: the action, or the number of the arm of a table."""
        table = self.problem.arm_names is not None
        return np.arange(len(self.problem.x), dtype=float) if table else self.problem.x[:, 0]

    @property
    def horizon(self) -> int:
        return self.problem.horizon

    @cached_property
    def policy(self) -> WSparQ:
        return self.setting.policies["W-SparQ"]

    def window(self, row: int) -> int:
        """Number of the window (from 1) that this row belongs to; 0 before the first."""
        return int(np.searchsorted(self.starts, row, side="right"))

    def length(self, window: int) -> int:
        """Rounds of a window (from 1)."""
        following = self.starts[window] if window < len(self.starts) else self.horizon
        return int(following - self.starts[window - 1])

    @cached_property
    def evidence(self) -> list:
        """What the estimate of every row rests on."""
        return evidence_of(self.policy, self.plays["W-SparQ"], range(self.horizon))

    @cached_property
    def known(self) -> LearnerInfo:
        """What the methods were told."""
        return self.problem.known

    @cached_property
    def trust(self) -> list[SparseSds]:
        """At every window: the three sds, as if all old questions, or only the chosen ones, were asked now."""
        arms, m = self.plays["W-SparQ"].arms, len(self.gram)
        counts = np.array([np.bincount(arms[:s], minlength=m) for s in self.starts]).reshape(-1, m)
        full = growing_sds(self.gram, arms, self.starts, self.ridge)
        sets = [self.plays["W-SparQ"].asked_before(s)[0] for s in self.starts]
        return stacked_sparse_sds(self.gram, counts, sets, self.ridge, full)


def asked(setting: Setting) -> Asked:
    """The four methods in the first seed, with all that the two that re-ask have heard."""
    return _asked(replace(setting, seeds=1, inputs="own"))


@shared(12)
def _asked(setting: Setting) -> Asked:
    p = cached_problem(setting.world)
    policies, size = setting.policies, (p.horizon / 500) ** 1.3 * (p.f.shape[1] / 100)
    plays = {
        name: History(problem=p, **_heard(setting.world, policy, 1e-3 * COST[name] * size))
        for name, policy in policies.items()
    }
    starts = np.array([s for s in policies["W-SparQ"].starts(p.horizon) if s < p.horizon], dtype=int)
    return Asked(
        setting=setting,
        problem=p,
        plays={name: plays[name] for name in ("SparQ", "W-SparQ")},
        starts=starts,
        ridge=resolve_ridge(None, p.known),
        runs={n: run_of(n, setting.world.seed, h) for n, h in plays.items()},
    )


@shared(64)
def _heard(world: World, policy: Policy, seconds: float) -> dict[str, np.ndarray]:
    """Return what one policy pulled and heard, without the world's table, which every play would carry along."""
    history = computed(_play, world, policy, seconds=seconds)
    columns = {f.name: getattr(history, f.name) for f in fields(history) if f.name != "problem"}
    return {key: np.array(value) for key, value in columns.items() if value is not None}


def _play(world: World, policy: Policy) -> History:
    return play_all(cached_problem(world), {"": policy}, world.seed)[""]


def jobs(setting: Setting) -> list[Job]:
    """Every run, seed by seed."""
    policies = setting.policies
    stages = [replace(setting.world, seed=seed) for seed in setting.numbers]
    return [Job(name, policy, stage) for stage in stages for name, policy in policies.items()]


@dataclass(frozen=True, eq=False)
class Board:
    """Regret beside the number of questions, over the seeds that are through with all four methods.

    Attributes:
        regret: name -> (k, T) so far, a row a seed.   questions: name -> (k, T) re-asked so far.
        done, total: seeds that are through, and seeds there will be.
    """

    regret: Mapping[str, np.ndarray]
    questions: Mapping[str, np.ndarray]
    done: int
    total: int

    def median(self, name: str, row: int = -1) -> float:
        return float(np.median(self.regret[name][:, row]))

    def medians(self, rows: Sequence[int]) -> dict[str, list[float]]:
        """`median` of every method in these rows."""
        return {name: np.median(regret[:, list(rows)], axis=0).tolist() for name, regret in self.regret.items()}

    def asks(self, name: str, row: int = -1) -> float:
        return float(np.median(self.questions[name][:, row]))


def board(setting: Setting, results: Mapping[Job, object]) -> Board:
    """The board from the finished runs; a run that was refused leaves its seed out."""
    by_seed: dict[int, dict[str, Run]] = {}
    for job in jobs(setting):
        if isinstance(results.get(job), Run):
            by_seed.setdefault(job.world.seed, {})[job.name] = results[job]
    whole = [runs for runs in by_seed.values() if len(runs) == len(METHODS)]
    rows = {n: [runs[n] for runs in whole] for n in METHODS}
    return Board(
        regret={n: np.array([r.regret.cumsum() for r in found]) for n, found in rows.items()},
        questions={n: np.array([r.extra_queries.cumsum(dtype=int) for r in found]) for n, found in rows.items()},
        done=len(whole),
        total=setting.seeds,
    )


def table(show: Asked) -> list[dict]:
    """The schedule as it was played: one row a question."""
    h = show.plays["W-SparQ"]
    rounds = np.repeat(np.arange(show.horizon), h.extra_queries)
    name = show.problem.arm_names
    return [
        {"window": show.window(int(t)), "asked before t": int(t) + 1,
         "x": name[a] if name else f"{show.x[a]:.4g}", "answer": float(y)}
        for t, a, y in zip(rounds, h.asked, h.answers, strict=True)
    ]  # fmt: skip


def estimate(show: Asked, rows: Sequence[int]) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Mean and sd (F, m) of W-SparQ's estimate in these rows, and the width (F,) it is played with."""
    found = grid_posteriors(show.gram, [(e.arms, e.y, e.noise) for e in (show.evidence[row] for row in rows)])
    return found, np.array([width(show, row) for row in rows])


def width(show: Asked, row: int) -> float:
    """W-SparQ's multiplier of the sd in this row."""
    return show.policy.width_of(show.known, show.evidence[row], row)


def trusted(show: Asked) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Times of the windows, and at each the largest variance ratios and the residual over the noise variance."""
    sds = show.trust
    return show.starts + 1, {
        "subset": np.array([s.subset_ratio.max() for s in sds]),
        "variational": np.array([s.variational_ratio.max() for s in sds]),
        "residual": np.array([s.residual / show.ridge for s in sds]),
    }
