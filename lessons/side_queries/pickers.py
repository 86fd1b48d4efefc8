"""The same schedule with two ways to pick the old questions: what each leaves open, and the regret that it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from common.cache import keyed
from lessons.shared import stored_runs
from lessons.shared.nystrom import coordinates, nystrom_left
from lessons.shared.play_jobs import PlayJob
from lessons.side_queries import model
from lessons.side_queries.model import PICKERS, FirstSeed, MethodRegrets, SideQueriesSetting
from tvbo_core.race_results import PairedDifference, Run

WITHOUT = "GP-UCB"  # no side queries
AT_RANDOM = "W-SparQ, random picks"
_left_open = keyed(16)


@dataclass(frozen=True, eq=False)
class TwoPickers:
    """W-SparQ with two ways to pick its old questions.

    Attributes:
        runs: picker -> the first seed, the k-DPP first.   open: picker -> (W,) see `left_open`.
        regrets: of either picker and of `WITHOUT`, over the same seeds.
    """

    runs: Mapping[str, FirstSeed]
    open: Mapping[str, np.ndarray]
    regrets: MethodRegrets

    def difference(self, row: int | Sequence[int]) -> PairedDifference:
        """Return the regret so far of the first picker minus that of the second, seed by seed."""
        return self.regrets.difference(*self.runs, row)


def facts(found: TwoPickers, rows: Sequence[int]) -> list[dict[str, float | None]]:
    """Return the numbers of these rounds with two ways to pick: `Scene.facts`."""
    one, two = found.runs.values()
    names = dict(zip((WITHOUT, *PICKERS), (WITHOUT, "W-SparQ", AT_RANDOM), strict=True))
    losses = {names[picker]: loss for picker, loss in found.regrets.medians(rows).items()}
    runs = {WITHOUT: one.runs[WITHOUT], "W-SparQ": one.runs["W-SparQ"], AT_RANDOM: two.runs["W-SparQ"]}
    return model.facts_of(runs, losses, rows)


def jobs(setting: SideQueriesSetting) -> list[PlayJob]:
    """Return W-SparQ's runs with random picks; those with the k-DPP are among `model.jobs`."""
    policy = _other(setting).policies["W-SparQ"]
    return [PlayJob("W-SparQ", policy, replace(setting.world, seed=seed)) for seed in setting.numbers]


def _other(setting: SideQueriesSetting) -> SideQueriesSetting:
    return replace(setting, picker=PICKERS[1])


def first_seeds(first: FirstSeed, compute: Callable = stored_runs.in_place) -> dict[str, FirstSeed]:
    """Return picker -> the first seed, the k-DPP first.

    Args:
        compute: plays the other one, as in `model.first_seed`.
    """
    return dict(zip(PICKERS, (first, model.first_seed(_other(first.setting), compute, ("W-SparQ",))), strict=True))


def left_open(first: FirstSeed) -> np.ndarray:
    r"""(W,) share of the prior variance, over all actions, that the questions asked at each window leave open.

    $\sum_x(k(x,x)-k_Z(x)^\top K_{ZZ}^+k_Z(x))/\sum_xk(x,x)$ with Z the places that are asked again: 1 is all of it.
    """

    def found() -> np.ndarray:
        sets = [first.plays["W-SparQ"].asked_before(start)[0] for start in first.starts]
        left = [float(nystrom_left(first.gram, coordinates(first.gram, one)).sum()) for one in sets]
        return np.array(left) / max(float(first.gram.trace()), 1e-300)

    return _left_open(first.setting, found)


def first_runs(setting: SideQueriesSetting, runs: Mapping[str, FirstSeed]) -> dict[PlayJob, Run]:
    """Return the run of the first seed with random picks, which was played whole."""
    return {jobs(setting)[0]: runs[PICKERS[1]].runs["W-SparQ"]}


def two_pickers(
    setting: SideQueriesSetting, runs: Mapping[str, FirstSeed], results: Mapping[PlayJob, object]
) -> TwoPickers:
    """Return both ways to pick from the finished runs; a seed that one of them has not finished is left out.

    Args:
        runs: of `first_seeds`.   results: of `model.jobs` and `jobs`.
    """
    played = model.jobs(setting)
    named = {job: PICKERS[0] for job in played if job.name == "W-SparQ"}
    named |= dict.fromkeys(jobs(setting), PICKERS[1])
    named |= {job: WITHOUT for job in played if job.name == WITHOUT}
    regrets = model.whole_seeds(named, results, setting.seeds)
    return TwoPickers(runs, {picker: left_open(one) for picker, one in runs.items()}, regrets)
