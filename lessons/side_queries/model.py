"""Side queries: the first seed with every observation, and regret beside side queries over all seeds.

The first seed is played with its whole history, from which the figures of side queries are drawn. The regrets of all
seeds come from single runs, which the server computes once for all visitors.
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
SIDE_QUERYING = COMPARED[2:]
PICKERS = "exact", "random"  # The paper draws old points from a k-DPP; drawing at random is the comparison.
WIDTH = 2.0  # All methods have bands of this many standard deviations, so that widths do not decide.
FILE = stored_runs.FILE.with_name("questions.npz")
_first_seeds, _plays, _estimates = keyed(12), keyed(64), keyed(12)


@dataclass(frozen=True)
class SideQueriesSetting:
    """The reader's choices, as plain values.

    Attributes:
        world: of the first seed.   alpha, window_exponent, q: of the schedule of side queries.
        seeds: number of seeds, from the world's own upwards.
        view: of the stage: "questions" (the side queries), "schedule" (when they are made) or "picks" (how points are
            picked).
        picker: rule that picks old points, see `kdpp`.
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
        """Seeds of the runs, from the world's own upwards."""
        return range(self.world.seed, self.world.seed + self.seeds)

    @property
    def policies(self) -> dict[str, Policy]:
        """The compared policies by name.

        WGP-UCB has the discount of the race, but in the W-SparQ paper's world the tuning of its own paper.
        """
        discount = "paper" if isinstance(self.world, Synthetic) else 0.98
        shared: dict[str, Any] = {"q_const": self.q, "picker": self.picker, "width": WIDTH}
        return {
            "GP-UCB": GPUCB(width=WIDTH),
            "WGP-UCB": WGPUCB(discount=discount, width=WIDTH),
            "SparQ": SparQ(**shared),
            "W-SparQ": WSparQ(alpha=self.alpha, window_exponent=self.window_exponent, **shared),
        }

    @property
    def w_sparq(self) -> WSparQ:
        """W-SparQ, which makes its side queries at the starts of windows."""
        policy = self.policies["W-SparQ"]
        assert isinstance(policy, WSparQ)
        return policy


def setting_from(values: Mapping[str, Any]) -> SideQueriesSetting:
    """Return the setting of these knob values."""
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
    """The compared methods in the first seed, with the histories of the two that make side queries.

    Attributes:
        setting: with one seed.   problem: of the first seed.
        plays: name -> history of SparQ and W-SparQ.
        starts: (W,) rows in which W-SparQ opens a window.
        runs: name -> run of each method.
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
        """W-SparQ's state in each row when it selects an arm, after its side queries are answered."""
        policy, history = self.policy, self.plays["W-SparQ"]
        state, states = policy.init(self.known), []
        for t, (arm, y) in enumerate(zip(history.arms.tolist(), history.y.tolist(), strict=True)):
            states.append(policy.answer(state, t, *history.asked_before(t)))
            state = policy.update(states[-1], t, arm, y)
        return states

    @cached_property
    def evidence(self) -> list[Evidence]:
        """Evidence behind W-SparQ's estimate in each row."""
        return [self.policy.evidence(state, t) for t, state in enumerate(self.states)]

    @cached_property
    def known(self) -> LearnerInfo:
        """Information that the methods get before the first round."""
        return self.problem.known


def first_seed(
    setting: SideQueriesSetting, compute: Callable = stored_runs.in_place, names: Sequence[str] = COMPARED
) -> FirstSeed:
    """Return the methods in the first seed, with the histories of those that make side queries.

    Args:
        compute: calls a function of plain values, in this process as `in_place` does or in another one.
        names: of the methods, with W-SparQ among them.
    Raises:
        ValueError: the world is impossible, or a method refuses it.
    """
    one = replace(setting, seeds=1, view="questions")
    return _first_seeds((one, tuple(names)), lambda: _first_seed(one, compute, names))


def _first_seed(setting: SideQueriesSetting, compute: Callable, names: Sequence[str]) -> FirstSeed:
    p, world, policies = cached_problem(setting.world), setting.world, setting.policies
    plays = {}
    for name, policy in ((n, policies[n]) for n in names):
        seconds = entry_of(policy).seconds(p.horizon, p.f.shape[1])
        # Each policy is cached by itself, so a knob of W-SparQ's schedule replays W-SparQ alone.
        columns = _plays((world, policy), partial(compute, play_columns, world, policy, seconds=seconds))
        plays[name] = History(problem=p, **columns)
    return FirstSeed(
        setting=setting,
        problem=p,
        plays={name: plays[name] for name in SIDE_QUERYING if name in plays},
        starts=np.array([s for s in setting.w_sparq.starts(p.horizon) if s < p.horizon], dtype=int),
        runs={n: run_of(n, world.seed, h) for n, h in plays.items()},
    )


def play_columns(world: World, policy: Policy) -> dict[str, np.ndarray]:
    """Return the arrays of a policy's history in a world: without the problem, which a worker need not send back."""
    history = play(cached_problem(world), policy, play_rng(world.seed))
    columns = {f.name: getattr(history, f.name) for f in fields(history) if f.name != "problem"}
    return {key: np.array(value) for key, value in columns.items() if value is not None}


def jobs(setting: SideQueriesSetting) -> list[PlayJob]:
    """Return the jobs of all methods, seed by seed."""
    policies = setting.policies
    seeded = [replace(setting.world, seed=seed) for seed in setting.numbers]
    return [PlayJob(name, policy, world) for world in seeded for name, policy in policies.items()]


def first_runs(setting: SideQueriesSetting, first: FirstSeed) -> dict[PlayJob, Run]:
    """Return the runs of the first seed by their jobs, so that they are not computed again."""
    return {job: first.runs[job.name] for job in jobs(setting)[: len(COMPARED)]}


@dataclass(frozen=True, eq=False)
class MethodRegrets:
    """Regrets over the seeds in which every method has finished.

    Attributes:
        regret: name -> (k, T) so far, a row a seed.
        done: number of these seeds.   total: number of seeds in the setting.
    """

    regret: Mapping[str, np.ndarray]
    done: int
    total: int

    def median(self, name: str, row: int = -1) -> float:
        """Return the median regret of a method so far."""
        return float(np.median(self.regret[name][:, row]))

    def medians(self, rows: Sequence[int]) -> dict[str, np.ndarray]:
        """Return name -> (F,) median regret so far in these rows."""
        return {name: np.median(regret[:, list(rows)], axis=0) for name, regret in self.regret.items()}

    def difference(self, first: str, second: str, row: int | Sequence[int] = -1) -> PairedDifference:
        """Return the regret so far of the first method minus that of the second, seed by seed."""
        return paired_difference(self.regret[first][:, row], self.regret[second][:, row])


def method_regrets(setting: SideQueriesSetting, results: Mapping[PlayJob, Any]) -> MethodRegrets:
    """Return the regrets of the compared methods from their finished runs."""
    return whole_seeds({job: job.name for job in jobs(setting)}, results, setting.seeds)


def whole_seeds(names: Mapping[PlayJob, str], results: Mapping[PlayJob, Any], total: int) -> MethodRegrets:
    """Return the regrets in the seeds in which every run is finished and none was refused.

    Args:
        names: job -> name of its run in the result.   total: number of seeds in the setting.
    """
    methods = dict.fromkeys(names.values())
    by_seed: dict[int, dict[str, np.ndarray]] = {}
    for job, name in names.items():
        if isinstance(results.get(job), Run):
            by_seed.setdefault(job.world.seed, {})[name] = results[job].regret.cumsum()
    complete = [regrets for regrets in by_seed.values() if len(regrets) == len(methods)]
    return MethodRegrets({name: np.array([one[name] for one in complete]) for name in methods}, len(complete), total)


def facts(first: FirstSeed, costs: MethodRegrets, rows: Sequence[int]) -> list[dict[str, float | None]]:
    """Return the facts of these rows, see `Scene.facts`."""
    return facts_of(first.runs, costs.medians(rows), rows)


def facts_of(
    runs: Mapping[str, Run], regrets: Mapping[str, np.ndarray], rows: Sequence[int]
) -> list[dict[str, float | None]]:
    """Return the facts of these rows from the runs of the first seed.

    Args:
        regrets: name -> (F,) regret so far in these rows.
    """
    queries = {name: run.extra_queries.cumsum() for name, run in runs.items()}
    return [
        {
            "t": row + 1,
            **{f"{name}: side queries": int(total[row]) for name, total in queries.items()},
            **{f"{name}: regret": float(regret[at]) for name, regret in regrets.items()},
        }
        for at, row in enumerate(rows)
    ]


def table(first: FirstSeed) -> list[dict]:
    """Return W-SparQ's side queries in the first seed, a row each."""
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
    """Return mean and sd (F, m) of W-SparQ's estimate in these rows, and the half-width (F,) of its band in sd."""
    return _estimates((first.setting, rows), lambda: _estimate(first, rows))


def _estimate(first: FirstSeed, rows: Sequence[int]) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    mean, sd, width = zip(*(first.policy.index(first.states[row], row) for row in rows), strict=True)
    return (np.array(mean), np.array(sd)), np.array(width)
