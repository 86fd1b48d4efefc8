"""Side queries: the first seed with every observation, and regret beside side queries over all seeds.

The first seed is played whole (the bar-codes, the picks, the evidence); the regret of all seeds comes from single runs
that all visitors share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from common.cache import keyed
from lessons.shared import stored_runs, worlds
from lessons.shared.play_jobs import PlayJob, cached_problem, run_of
from lessons.shared.problems import coordinates
from lessons.side_queries.knobs import PAPERS, QUERIES_WORLD
from tvbo_core import History, Problem, World
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.policies import GPUCB, WGPUCB, entry_of
from tvbo_core.policies.side_queries.policy import Evidence, SparQ, SparQState, WSparQ
from tvbo_core.race_results import PairedDifference, Run, paired_difference
from tvbo_core.records import LearnerInfo, Policy
from tvbo_core.worlds.mauduit import Stale, Synthetic

COMPARED = ("GP-UCB", "WGP-UCB", "SparQ", "W-SparQ")
RE_ASKING = COMPARED[2:]
PICKERS = "exact", "random"  # the k-DPP of the paper, and what it is compared with
WIDTH = 2.0  # of every method's band, in standard deviations
FILE = stored_runs.FILE.with_name("questions.npz")
_first_seeds, _plays, _estimates = keyed(12), keyed(64), keyed(12)


@dataclass(frozen=True)
class SideQueriesSetting:
    """The reader's settings: plain values.

    Attributes:
        world: with the first seed.   alpha, window_exponent, q: of the schedule.
        seeds: how many, from the world's own upwards.
        view: on the stage, "questions", "schedule" (when they are made) or "picks" (two ways to pick them).
        picker: of old points, see `kdpp`.
    """

    world: World
    alpha: float
    window_exponent: float
    q: float
    seeds: int
    view: str = "questions"
    picker: str = PICKERS[0]

    @property
    def numbers(self) -> range:
        """The seeds."""
        return range(self.world.seed, self.world.seed + self.seeds)

    @property
    def policies(self) -> dict[str, Policy]:
        """The four that are compared; WGP-UCB as the race has it, in the paper's world as its own paper says."""
        discount = "paper" if isinstance(self.world, Synthetic) else 0.98
        asks: dict[str, Any] = {"q_const": self.q, "picker": self.picker, "width": WIDTH}
        return {
            "GP-UCB": GPUCB(width=WIDTH),
            "WGP-UCB": WGPUCB(discount=discount, width=WIDTH),
            "SparQ": SparQ(**asks),
            "W-SparQ": WSparQ(alpha=self.alpha, window_exponent=self.window_exponent, **asks),
        }

    @property
    def w_sparq(self) -> WSparQ:
        """The method with side queries at the starts of windows."""
        policy = self.policies["W-SparQ"]
        assert isinstance(policy, WSparQ)
        return policy


def setting_from(values: Mapping[str, Any]) -> SideQueriesSetting:
    """Return the setting that these values of the page's knobs describe."""
    if values["kind"] == PAPERS:
        world: World = Synthetic(horizon=int(values["T"]), noise_sd=float(values["sigma"]), seed=int(values["seed"]))
    elif values["kind"] == "rough":
        drawn = worlds.build({**values, "scale": "drawn"}, QUERIES_WORLD)
        world = Stale(**{f.name: getattr(drawn, f.name) for f in fields(World)})
    else:
        world = worlds.build(values, QUERIES_WORLD)
    return SideQueriesSetting(
        world,
        float(values["alpha"]),
        float(values["atil"]),
        float(values["q"]),
        int(values["seeds"]),
        str(values["view"]),
    )


@dataclass(frozen=True, eq=False)
class FirstSeed:
    """The four methods in the first seed, with all observations of the two that make side queries.

    Attributes:
        setting: with one seed.   problem: the world.
        plays: SparQ's and W-SparQ's histories.
        starts: (W,) rows in which W-SparQ opens a window.
        runs: of the methods, all four by default.
    """

    setting: SideQueriesSetting
    problem: Problem
    plays: Mapping[str, History]
    starts: np.ndarray
    runs: Mapping[str, Run]

    @cached_property
    def gram(self) -> np.ndarray:
        """(m, m) prior covariance of the arms."""
        return self.problem.kernel(self.problem.x, self.problem.x)

    @cached_property
    def x(self) -> np.ndarray:
        """(m,) the coordinates of the actions."""
        return coordinates(self.problem)

    @property
    def horizon(self) -> int:
        return self.problem.horizon

    @cached_property
    def policy(self) -> WSparQ:
        return self.setting.w_sparq

    @cached_property
    def states(self) -> list[SparQState]:
        """W-SparQ's state with which each row is decided, once its questions are answered."""
        policy, history = self.policy, self.plays["W-SparQ"]
        state, found = policy.init(self.known), []
        for t, (arm, y) in enumerate(zip(history.arms.tolist(), history.y.tolist(), strict=True)):
            found.append(policy.answer(state, t, *history.asked_before(t)))
            state = policy.update(found[-1], t, arm, y)
        return found

    @cached_property
    def evidence(self) -> list[Evidence]:
        """Evidence of the estimate of every row."""
        return [self.policy.evidence(state, t) for t, state in enumerate(self.states)]

    @cached_property
    def known(self) -> LearnerInfo:
        """Knowledge that the methods are given."""
        return self.problem.known


def first_seed(
    setting: SideQueriesSetting, compute: Callable = stored_runs.in_place, names: Sequence[str] = COMPARED
) -> FirstSeed:
    """Return the methods in the first seed, with all observations of those that make side queries.

    Args:
        compute: calls a function of plain values, as `in_place` does, or in another process.
        names: of the methods; W-SparQ among them.
    Raises:
        ValueError: a world that cannot be, or what a method refuses.
    """
    one = replace(setting, seeds=1, view="questions")
    return _first_seeds((one, tuple(names)), lambda: _first_seed(one, compute, names))


def _first_seed(setting: SideQueriesSetting, compute: Callable, names: Sequence[str]) -> FirstSeed:
    p, world, policies = cached_problem(setting.world), setting.world, setting.policies
    plays = {}
    for name, policy in ((n, policies[n]) for n in names):
        seconds = entry_of(policy).seconds(p.horizon, p.f.shape[1])
        # Another schedule plays W-SparQ anew, and the others not.
        columns = _plays((world, policy), partial(compute, played, world, policy, seconds=seconds))
        plays[name] = History(problem=p, **columns)
    return FirstSeed(
        setting=setting,
        problem=p,
        plays={name: plays[name] for name in RE_ASKING if name in plays},
        starts=np.array([s for s in setting.w_sparq.starts(p.horizon) if s < p.horizon], dtype=int),
        runs={n: run_of(n, world.seed, h) for n, h in plays.items()},
    )


def played(world: World, policy: Policy) -> dict[str, np.ndarray]:
    """Return the pulls and observations of a policy in a world, without the world's table."""
    history = play(cached_problem(world), policy, play_rng(world.seed))
    columns = {f.name: getattr(history, f.name) for f in fields(history) if f.name != "problem"}
    return {key: np.array(value) for key, value in columns.items() if value is not None}


def jobs(setting: SideQueriesSetting) -> list[PlayJob]:
    """Return every run, seed by seed."""
    policies = setting.policies
    stages = [replace(setting.world, seed=seed) for seed in setting.numbers]
    return [PlayJob(name, policy, stage) for stage in stages for name, policy in policies.items()]


def first_runs(setting: SideQueriesSetting, first: FirstSeed) -> dict[PlayJob, Run]:
    """Return the runs of the first seed, which was played whole."""
    return {job: first.runs[job.name] for job in jobs(setting)[: len(COMPARED)]}


@dataclass(frozen=True, eq=False)
class MethodRegrets:
    """Regret over the seeds that are through with all four methods.

    Attributes:
        regret: name -> (k, T) so far, a row a seed.
        done, total: seeds that are through, and seeds there will be.
    """

    regret: Mapping[str, np.ndarray]
    done: int
    total: int

    def median(self, name: str, row: int = -1) -> float:
        """Return the median regret of a method so far."""
        return float(np.median(self.regret[name][:, row]))

    def medians(self, rows: Sequence[int]) -> dict[str, np.ndarray]:
        """Return `median` (F,) of every method in these rows."""
        return {name: np.median(regret[:, list(rows)], axis=0) for name, regret in self.regret.items()}

    def difference(self, first: str, second: str, row: int | Sequence[int] = -1) -> PairedDifference:
        """Return the regret so far of the first method minus that of the second, seed by seed."""
        return paired_difference(self.regret[first][:, row], self.regret[second][:, row])


def method_regrets(setting: SideQueriesSetting, results: Mapping[PlayJob, Any]) -> MethodRegrets:
    """Return regret from the finished runs of the four."""
    return whole_seeds({job: job.name for job in jobs(setting)}, results, setting.seeds)


def whole_seeds(named: Mapping[PlayJob, str], results: Mapping[PlayJob, Any], total: int) -> MethodRegrets:
    """Return regret from the finished runs by name; a run that is missing or was refused leaves its seed out."""
    names = dict.fromkeys(named.values())
    by_seed: dict[int, dict[str, np.ndarray]] = {}
    for job, name in named.items():
        if isinstance(results.get(job), Run):
            by_seed.setdefault(job.world.seed, {})[name] = results[job].regret.cumsum()
    whole = [found for found in by_seed.values() if len(found) == len(names)]
    return MethodRegrets({name: np.array([found[name] for found in whole]) for name in names}, len(whole), total)


def facts(first: FirstSeed, costs: MethodRegrets, rows: Sequence[int]) -> list[dict[str, float | None]]:
    """Return the numbers of these rounds: `Scene.facts`."""
    return facts_of(first.runs, costs.medians(rows), rows)


def facts_of(
    runs: Mapping[str, Run], losses: Mapping[str, np.ndarray], rows: Sequence[int]
) -> list[dict[str, float | None]]:
    """Return the side queries so far of these runs, and the regrets (F,), in these rounds."""
    asked = {name: run.extra_queries.cumsum() for name, run in runs.items()}
    return [
        {
            "t": row + 1,
            **{f"{name}: side queries": int(total[row]) for name, total in asked.items()},
            **{f"{name}: regret": float(loss[at]) for name, loss in losses.items()},
        }
        for at, row in enumerate(rows)
    ]


def table(first: FirstSeed) -> list[dict]:
    """Return the schedule as it was played: one row a side query."""
    h = first.plays["W-SparQ"]
    assert h.extra_queries is not None and h.asked is not None and h.answers is not None  # W-SparQ has them
    rounds = np.repeat(np.arange(first.horizon), h.extra_queries)
    return [
        {
            "window": int(np.searchsorted(first.starts, t, side="right")),
            "before round": int(t) + 1,
            "x": f"{first.x[a]:.4g}",
            "observation": float(y),
        }
        for t, a, y in zip(rounds, h.asked, h.answers, strict=True)
    ]


def estimate(first: FirstSeed, rows: Sequence[int]) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Return mean and sd (F, m) of W-SparQ's estimate in these rows, and the width (F,) it is played with."""
    return _estimates((first.setting, rows), lambda: _estimate(first, rows))


def _estimate(first: FirstSeed, rows: Sequence[int]) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    mean, sd, width = zip(*(first.policy.index(first.states[row], row) for row in rows), strict=True)
    return (np.array(mean), np.array(sd)), np.array(width)
