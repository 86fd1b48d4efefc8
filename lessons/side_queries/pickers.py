"""The same schedule with two ways to pick the old questions: what each leaves open, and the regret that it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from common.cache import keyed
from lessons.shared import stored_runs
from lessons.side_queries import model
from lessons.side_queries.model import FirstSeed, SideQueriesSetting
from lessons.side_queries.sparse_stacks import stacked_nystrom_left
from tvbo_core.jobs import PlayJob
from tvbo_core.race_results import PairedDifference, Run, paired_difference

WITHOUT = "GP-UCB"  # no side queries
_left_open = keyed(16)


@dataclass(frozen=True, eq=False)
class TwoPickers:
    """W-SparQ with two ways to pick its old questions.

    Attributes:
        runs: picker -> the first seed, the page's own way first.   open: picker -> (W,) see `left_open`.
        regret: picker, and `WITHOUT`, -> (k, T) regret so far of the seeds that are through, the same seeds for all.
    """

    runs: Mapping[str, FirstSeed]
    open: Mapping[str, np.ndarray]
    regret: Mapping[str, np.ndarray]

    def difference(self, row: int | Sequence[int]) -> PairedDifference:
        """Return the regret so far of the first picker minus that of the second, seed by seed."""
        own, other = self.runs
        return paired_difference(self.regret[own][:, row], self.regret[other][:, row])

    def medians(self, rows: Sequence[int]) -> dict[str, np.ndarray]:
        """Return picker, and `WITHOUT`, -> (F,) median regret so far in these rows."""
        return {name: np.median(regret[:, list(rows)], axis=0) for name, regret in self.regret.items()}


def rival(picker: str) -> str:
    """Return the way to pick that this one is compared with: by chance, and chance with the k-DPP."""
    return "exact" if picker == "random" else "random"


def name_of(picker: str) -> str:
    """Return what W-SparQ is called with the other way to pick; with the page's own way it is W-SparQ."""
    return f"W-SparQ, {picker} picks"


def facts(found: TwoPickers, rows: Sequence[int]) -> list[dict[str, float | None]]:
    """Return the numbers of these rounds with two ways to pick: `Scene.facts`."""
    (own, one), (other, two) = found.runs.items()
    names = {WITHOUT: WITHOUT, own: "W-SparQ", other: name_of(other)}
    losses = {names[picker]: loss for picker, loss in found.medians(rows).items()}
    runs = {WITHOUT: one.runs[WITHOUT], "W-SparQ": one.runs["W-SparQ"], names[other]: two.runs["W-SparQ"]}
    asked = {name: run.extra_queries.cumsum() for name, run in runs.items()}
    return [
        {
            "t": row + 1,
            **{f"{name}: side queries": int(total[row]) for name, total in asked.items()},
            **{f"{name}: regret": float(loss[at]) for name, loss in losses.items()},
        }
        for at, row in enumerate(rows)
    ]


def jobs(setting: SideQueriesSetting) -> list[PlayJob]:
    """Return W-SparQ's runs with the other way to pick; those with the page's own way are among `model.jobs`."""
    policy = _other(setting).policies["W-SparQ"]
    return [PlayJob("W-SparQ", policy, replace(setting.world, seed=seed)) for seed in setting.numbers]


def _other(setting: SideQueriesSetting) -> SideQueriesSetting:
    return replace(setting, picker=rival(setting.picker))


def first_seeds(first: FirstSeed, compute: Callable = stored_runs.in_place) -> dict[str, FirstSeed]:
    """Return picker -> the first seed, the page's own way first.

    Args:
        compute: plays the other one, as in `model.first_seed`.
    """
    other = _other(first.setting)
    return {first.setting.picker: first, other.picker: model.first_seed(other, compute, ("W-SparQ",))}


def left_open(first: FirstSeed) -> np.ndarray:
    r"""(W,) share of the prior variance, over all actions, that the questions asked at each window leave open.

    $\sum_x(k(x,x)-k_Z(x)^\top K_{ZZ}^+k_Z(x))/\sum_xk(x,x)$ with Z the places that are asked again: 1 is all of it.
    """

    def found() -> np.ndarray:
        sets = [first.plays["W-SparQ"].asked_before(start)[0] for start in first.starts]
        return stacked_nystrom_left(first.gram, sets).sum(axis=1) / max(float(first.gram.trace()), 1e-300)

    return _left_open(first.setting, found)


def first_runs(setting: SideQueriesSetting, runs: Mapping[str, FirstSeed]) -> dict[PlayJob, Run]:
    """Return the run of the first seed with the other way to pick, which was played whole."""
    return {jobs(setting)[0]: runs[rival(setting.picker)].runs["W-SparQ"]}


def two_pickers(
    setting: SideQueriesSetting, runs: Mapping[str, FirstSeed], results: Mapping[PlayJob, object]
) -> TwoPickers:
    """Return both ways to pick from the finished runs; a seed that one of them has not finished is left out.

    Args:
        runs: of `first_seeds`.   results: of `model.jobs` and `jobs`.
    """
    named = [job for job in model.jobs(setting) if job.name in ("W-SparQ", WITHOUT)] + jobs(setting)
    rival_policy = named[-1].policy
    names = {True: rival(setting.picker), False: setting.picker}
    by_seed: dict[int, dict[str, Run]] = {seed: {} for seed in setting.numbers}
    for job in named:
        name = WITHOUT if job.name == WITHOUT else names[job.policy == rival_policy]
        if isinstance(results.get(job), Run):
            by_seed[job.world.seed][name] = results[job]
    whole = [found for found in by_seed.values() if len(found) == len(runs) + 1]
    regret = {name: np.array([found[name].regret.cumsum() for found in whole]) for name in (*runs, WITHOUT)}
    return TwoPickers(runs, {picker: left_open(one) for picker, one in runs.items()}, regret)
