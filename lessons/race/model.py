"""The race's use of the core: the methods in each world, the runs still to do, and the table so far.

A race is a list of single runs (lessons/shared/play_jobs.py), seed by seed, so that whole seeds are there to be shown
while the rest is played. Runs are kept one by one: another pill or more seeds asks only for what is new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from common.cache import shared
from common.failure import Failure
from lessons.race.knobs import RACE_WORLD
from lessons.race.standings import lead_changes
from lessons.race.summary import Lane
from lessons.shared import worlds as world
from lessons.shared.knobs import METHODS
from lessons.shared.play_jobs import PlayJob, cached_problem
from lessons.shared.policies import policy
from tvbo_core import Problem, World, policies
from tvbo_core.designs import play_rng
from tvbo_core.policies.elimination.policy import PE
from tvbo_core.race_results import ABOUT_EQUAL, RaceTable, tabulate
from tvbo_core.worlds import events

LASTING = 10  # rounds that a new leader stays, to be worth a stop


@dataclass(frozen=True)
class RaceSetting:
    """The reader's settings: plain values.

    Attributes:
        worlds: one or two; the seed of each is the first of the race.
        methods: words of `knobs.METHODS`.   memory: m, 0 for the papers' own tuning.
        width: a number as text, "log" or "theory".   seeds: how many, from the worlds' own upwards.
    """

    worlds: tuple[World, ...]
    methods: tuple[str, ...]
    memory: int
    width: str
    seeds: int

    @property
    def stages(self) -> tuple[World, ...]:
        """The worlds that are played: small and short where a slow method takes part."""
        entries = [policies.ALL[word] for word in self.methods]
        arms = min((e.max_arms for e in entries if e.max_arms), default=None)
        horizon = min((e.max_horizon for e in entries if e.max_horizon), default=None)
        shorter: dict[str, Any] = {"arms": arms} if arms else {}
        return tuple(replace(w, horizon=min(w.horizon, horizon or w.horizon), **shorter) for w in self.worlds)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(METHODS[m] for m in self.methods)

    @property
    def numbers(self) -> range:
        """The seeds."""
        return range(self.worlds[0].seed, self.worlds[0].seed + self.seeds)


def _cost(method: str) -> float:
    return policies.ALL[method].ms


@shared(32)  # a page asks for it a dozen times
def plan(setting: RaceSetting) -> tuple[tuple[int, PlayJob], ...]:
    """Return every run with the index of its world, seed by seed, the quick methods first, and guests last."""
    order = sorted(setting.methods, key=_cost)
    # Nobody waits for a guest, nor for one that was named after it.
    parts = [[m for m in order if not policies.ALL[m].own], *([m] for m in order if policies.ALL[m].own)]
    made = {m: policy(m, setting.memory, setting.width) for m in order}
    worlds = {seed: [replace(stage, seed=seed) for stage in setting.stages] for seed in setting.numbers}
    return tuple(
        (w, PlayJob(METHODS[m], made[m], world))
        for part in parts
        for seed in setting.numbers
        for m in part
        for w, world in enumerate(worlds[seed])
    )


@shared(32)
def jobs(setting: RaceSetting) -> tuple[PlayJob, ...]:
    """Return the different runs, in order: two worlds that are the same are played once."""
    return tuple(dict.fromkeys(job for _, job in plan(setting)))


def starter(setting: RaceSetting) -> tuple[PlayJob, ...]:
    """Return the first runs: the two quickest methods in the first seed."""
    return jobs(replace(setting, methods=tuple(sorted(setting.methods, key=_cost)[:2]), seeds=1))


@dataclass(frozen=True, eq=False)
class Race:
    """A race as far as it has come.

    Attributes:
        setting: of the race.   lanes: one a world.   table: of the runs that are shown.
        seeds: seeds that are shown (all methods are through with them, or only the first has begun).
        complete: every run is finished.
        refused: name -> sentence of a method that cannot race here, the first of its runs that failed.
    """

    setting: RaceSetting
    lanes: tuple[Lane, ...]
    table: RaceTable
    seeds: int
    complete: bool
    refused: Mapping[str, str]


def whole_seeds(setting: RaceSetting, results: Mapping[PlayJob, Any]) -> list[int]:
    """Return the seeds with which every method is through; guests count where none but guests race."""
    guests = all(policies.ALL[m].own for m in setting.methods)
    begun = {job.world.seed for _, job in plan(setting) if job not in results and (guests or not job.own)}
    return [seed for seed in setting.numbers if seed not in begun]


def guests_through(setting: RaceSetting, results: Mapping[PlayJob, Any]) -> frozenset[str]:
    """The guests that are through with all their runs, or failed in one."""
    mine = [job for job in jobs(setting) if job.own]
    failed = {job.name for job in mine if isinstance(results.get(job), Failure)}
    return frozenset({job.name for job in mine} - {job.name for job in mine if job not in results} | failed)


def gather(
    setting: RaceSetting, results: Mapping[PlayJob, Any], draw: Callable[[World], Problem] = cached_problem
) -> Race | None:
    """Return the race so far; before the first whole seed, its finished runs. None when there is nothing to show.

    `draw` makes a world's table, or has it already.
    """
    seeds = whole_seeds(setting, results) or [setting.numbers[0]]
    refused = {job.name: str(r) for job in reversed(jobs(setting)) if isinstance(r := results.get(job), Failure)}
    finished = [(w, job) for w, job in plan(setting) if job in results and job.world.seed in seeds]
    found = [(w, job.name, results[job]) for w, job in finished]
    runs = [replace(r, problem=w) if r.problem != w else r for w, name, r in found if name not in refused]
    stages = setting.stages
    played = Counter((r.name, r.problem) for r in runs)
    names = [n for n in setting.names if all(played[n, w] == len(seeds) for w in range(len(stages)))]
    if not names and not refused:
        return None
    problems = [draw(replace(s, seed=seeds[0])) for s in stages]
    table = tabulate([r for r in runs if r.name in names], names, [p.horizon for p in problems], seeds)
    worlds = enumerate(problems) if names else ()
    lanes = tuple(_lane(replace(stages[w], seed=seeds[0]), p, table, w) for w, p in worlds)
    return Race(setting, lanes, table, len(seeds), all(job in results for job in jobs(setting)), refused)


def _lane(world: World, problem: Problem, table: RaceTable, w: int) -> Lane:
    asked = np.median(table.extra_queries[:, w, :, : problem.horizon].cumsum(axis=-1), axis=1)
    found, total = events(problem), {name: table.curves(name, w) for name in table.names}
    medians = {name: np.median(curves, axis=0) for name, curves in total.items()}
    step_seconds = np.median(table.seconds[:, w].sum(axis=-1) / problem.horizon, axis=1)
    return Lane(
        world=world,
        problem=problem,
        total=total,
        asked=dict(zip(table.names, asked, strict=True)),
        seconds=dict(zip(table.names, step_seconds.tolist(), strict=True)),
        arms={name: table.arms[p, w, 0, : problem.horizon] for p, name in enumerate(table.names)},
        jumps=tuple(sorted(e.t for e in found.jumps[:12])),
        lead=lead_changes(medians, LASTING),
    )


def facts(race: Race, titles: Sequence[str], row: int) -> dict[str, float | None]:
    """Return the numbers of a round, those of each world after its title: `Scene.facts`."""
    found: dict[str, float | None] = {"t": row + 1, "seeds": race.seeds, "methods": len(race.lanes[0].names)}
    for title, lane in zip(titles, race.lanes, strict=True):
        leader = lane.at_place(1, row)
        near = list(lane.contenders(row).values())
        found[f"{title}, about equal with the leader"] = near.count(ABOUT_EQUAL)
        found[f"{title}, undecided beside the leader"] = len(near) - near.count(ABOUT_EQUAL)
        found[f"{title}, side queries of the leader"] = int(lane.asked[leader][row])
        for name in lane.names:
            found[f"{title}, {name}"] = float(lane.median[name][row])
            found[f"{title}, place of {name}"] = int(lane.rank[name][row])
    return found


def table(race: Race, titles: Sequence[str]) -> list[dict]:
    """Return the numbers behind the figures at the horizon, a row a method and world."""
    rows = []
    for title, lane in zip(titles, race.lanes, strict=True):
        beside = lane.beside_leader
        mean, error, said = map(np.asarray, (beside.mean, beside.error, beside.verdict))
        for name in sorted(lane.names, key=lambda n: lane.rank[n][-1]):
            at, first = (lane.names.index(name), -1), lane.rank[name][-1] == 1
            rows.append(
                {
                    "world": title,
                    "method": name,
                    "rank": int(lane.rank[name][-1]),
                    "median regret": float(lane.median[name][-1]),
                    "mean difference from the leader": None if first else float(mean[at]),
                    "its standard error": None if first or race.seeds == 1 else float(error[at]),
                    "beside the leader": "" if first else str(said[at]),
                    "seeds": len(lane.total[name]),
                    "side queries": lane.side_queries[name],
                    "µs a step": 1e6 * lane.seconds[name],
                }
            )
    return rows + [{"world": "", "method": name, "left out": reason} for name, reason in race.refused.items()]


def lost_for_good(setting: RaceSetting, lane: Lane) -> int | None:
    """Return the time at which PE eliminates the action that is best at the end (first seed), None if it keeps it."""
    if "PE" not in lane.names:
        return None
    return _eliminated(policy("pe", setting.memory, setting.width), lane.world)


@shared(64)
def _eliminated(rule: PE, world: World) -> int | None:
    problem = cached_problem(world)
    target = int(problem.best[-1])
    for batch in rule.batches(problem, play_rng(world.seed)):
        if not batch.survivors[target]:
            return int(batch.start + len(batch.picks))
    return None


def setting_from(values: Mapping[str, Any]) -> RaceSetting:
    """Return the race that these values of the page's knobs describe."""
    worlds = tuple(world.pair(values, RACE_WORLD))
    methods, memory = tuple(values["algos"]), int(values["m"])
    return RaceSetting(worlds, methods, memory, str(values["beta"]), int(values["seeds"]))
