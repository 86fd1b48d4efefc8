"""Both runs of the R-PERP page in one world, the steps that its film shows, and what shuffles do to a batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from common.cache import keyed, shared
from lessons.rperp.knobs import FOLLOWER, RPERP_WORLD, SWING
from lessons.rperp.order_adversary import largest_swing, tuned
from lessons.rperp.pulls import Pulls, pulls
from lessons.rperp.setting import RPERPSetting, rule
from lessons.rperp.steps import Step, steps, variance_path
from lessons.shared import problems, worlds
from tvbo_core import Problem
from tvbo_core.designs import play_rng
from tvbo_core.policies.elimination.batch import Batch
from tvbo_core.policies.elimination.schedule import resolve_restart, restart_length
from tvbo_core.policies.tuning import PAPER
from tvbo_core.policies.width import resolve_ridge
from tvbo_core.threads import one_thread

ORDER_STREAM, SPREAD_STREAM = 17, 13  # of a world's seed; the core and the other pages use others
SHUFFLES = 400  # of one batch
RIDGE = 5.0  # of the estimate, in noise variances
STILL = 1e-9  # reward units, below which nothing has moved: rounding
BATCH_ENTRIES, BATCH_BYTES = 1500, 40_000_000  # arrays of batches that are kept: of 10 kB, or of 640 kB
NAMES = {"fixed": "PE", "shuffled": "R-PERP"}  # order -> run that is drawn
_of_batch = keyed(BATCH_ENTRIES, BATCH_BYTES)


@dataclass(frozen=True, eq=False)
class PairedRuns:
    """R-PERP and the same restarts in the fixed order, in one world with one noise.

    Attributes:
        problem: the world.   H: rounds of a restart.
        theorem_rounds: H of Theorem 5 in whole rounds, at most the horizon; None where the theorem does not hold.
        swing: of the follower, 0 in other worlds.   ridge: reward^2.   longest_step: largest change of one round.
        run: returns the batches of "R-PERP" or of "PE" (the same restarts, fixed order), played at its first call.
        answers: number of those so far in a batch that is not yet finished; None where every batch is.
    """

    setting: RPERPSetting
    problem: Problem
    H: int
    theorem_rounds: int | None
    swing: float
    ridge: float
    longest_step: float
    run: Callable[[str], tuple[Batch, ...]]
    answers: int | None = None

    @property
    def batches(self) -> tuple[Batch, ...]:
        return self.run("R-PERP")

    @cached_property
    def _gram(self) -> np.ndarray:
        return self.problem.kernel(self.problem.x, self.problem.x)

    def variances(self, batch: int) -> np.ndarray:
        """(N+1, m) posterior variance after every pick of a batch of R-PERP."""
        found = self.batches[batch]
        # A restart picks what the one before picked, until an elimination differs.
        name = (repr(self.setting), found.picks.tobytes())
        return _of_batch(name, lambda: variance_path(self._gram, found, self.ridge))

    def pulls(self, batch: int) -> Pulls:
        """Return the pulls of the observations of a batch of R-PERP, in its order and in `SHUFFLES` others.

        Those that are not heard yet pull nothing.
        """
        name, seed = repr(self.setting), self.setting.world.seed

        def draw() -> Pulls:
            rng = np.random.default_rng([seed, SPREAD_STREAM, batch])
            with one_thread():
                return pulls(self.problem, self.batches[batch], self.ridge, SHUFFLES, rng)

        every = _of_batch((name, batch, "pulls"), draw)
        return every if self.answers is None else every.until(self.answers)

    def survivors(self, name: str, batch: int) -> list[int]:
        """Numbers of actions that are left, from the start of the restart to the end of this batch."""
        batches = self.run(name)
        mine = [b for b in batches[: batch + 1] if b.interval == batches[batch].interval]
        return [int(mine[0].alive.sum()), *(int(b.survivors.sum()) for b in mine if not b.last)]


def is_moving(found: Pulls) -> bool:
    """Return whether the reward moves during a batch, so that the order of its queries can bias the estimate."""
    return float(max(np.abs(found.known.pulls).max(), np.abs(found.shuffled.pulls).max())) > STILL


def until(walk: Walkthrough, frame: int) -> Walkthrough:
    """Return the first steps of a batch, question by question, as if no later one had been asked."""
    steps = walk.steps[: frame + 1]
    runs = replace(walk.runs, answers=steps[-1].heard)
    return replace(walk, runs=runs, steps=steps)


def theorem_5(problem: Problem) -> int | None:
    """Return H of Theorem 5 in whole rounds, at most the horizon; None where it does not hold."""
    nu, T = float(getattr(problem.kernel, "nu", math.inf)), problem.horizon
    if not hasattr(problem.kernel, "lengthscale") or nu <= 0.5:
        return None
    return max(2, math.ceil(min(T, restart_length(T, problem.sup_variation, nu, problem.x.shape[-1]))))


@shared(12)
def paired_runs(setting: RPERPSetting) -> PairedRuns:
    """Return both runs of this setting.

    Raises:
        ValueError: a world that cannot be, or a width that its rewards do not allow.
    """
    problem, H, swing = world_of(setting.world_only)
    known, step = problem.known, float(problem.steps.max(initial=0.0))
    seed = setting.world.seed

    def play(name: str) -> tuple[Batch, ...]:
        orders = np.random.default_rng([seed, ORDER_STREAM, setting.shuffle]) if setting.shuffle else None
        made = rule(setting, H, step, problem.noise_sd, shuffled=name == "R-PERP")
        return tuple(made.batches(problem, play_rng(seed), orders))

    found = PairedRuns(
        setting=setting,
        problem=problem,
        H=H,
        theorem_rounds=theorem_5(problem),
        swing=swing,
        ridge=resolve_ridge(rule(setting, H, step, problem.noise_sd).ridge, known),
        longest_step=step,
        run=cache(play),
    )
    _ = found.batches  # a width that its rewards do not allow is refused now
    return found


@shared(12)
def world_of(setting: RPERPSetting) -> tuple[Problem, int, float]:
    """Return the world of a setting, the restart H in it, and the swing of the follower (0 in other worlds).

    Args:
        setting: the `RPERPSetting.world_only` of the page's.
    """
    base, wanted = problems.problem(setting.world), setting.restart or PAPER
    if not setting.follows:
        return base, resolve_restart(wanted, base.known), 0.0
    with one_thread():
        followed = rule(setting, wanted, 0.0, base.noise_sd)
        problem, H = tuned(base, followed, SWING, float(setting.world.budget or 0.0))
        return problem, H, min(SWING, largest_swing(base))


@dataclass(frozen=True, eq=False)
class Walkthrough:
    """The steps of the runs, query by query of one batch or along the whole of Algorithm 1."""

    runs: PairedRuns
    by_query: bool
    steps: tuple[Step, ...]

    @property
    def rounds(self) -> list[int]:
        """The round (from 1; 0 before the first) that each step has reached."""
        return [self.runs.batches[s.batch].start + s.heard for s in self.steps]

    @property
    def events(self) -> list[int]:
        """The frames that "next event" stops at: the ends of batches."""
        return [i for i, step in enumerate(self.steps) if step.is_end or (self.by_query and step.judged)]


def walkthrough(runs: PairedRuns) -> Walkthrough:
    """Return the steps of Algorithm 1: by line in the first restart, then by batch."""
    return Walkthrough(runs, False, tuple(steps(runs.batches)))


def questions(runs: PairedRuns) -> Walkthrough:
    """Return the questions of the first batch one by one, from none to all."""
    n = len(runs.batches[0].picks)
    found = tuple(Step(13, 0, picked=n, heard=k, ordered=True, judged=k == n) for k in range(n + 1))
    return Walkthrough(runs, True, found)


def film(runs: PairedRuns, values: Mapping[str, Any]) -> Walkthrough:
    """Return what these values of the page's knobs show of the runs."""
    return questions(runs) if values["order"] == "both" else walkthrough(runs)


def batch_table(walk: Walkthrough, frame: int) -> list[dict]:
    """Return the batch on screen, a row a question."""
    if walk.by_query:
        return _pulls_table(walk)
    batch, world = walk.runs.batches[walk.steps[frame].batch], walk.runs.problem
    assert batch.truth is not None  # `batches` fills it in
    return [
        {
            "pick": m + 1,
            "action x": problems.place_name(world, int(arm)),
            "s at the pick": float(batch.sds[m]),
            "evaluated at t": int(batch.times[m]) + 1,
            "observation": float(batch.rewards[m]),
            "its expectation": float(world.f[batch.times[m], arm]),
            "batch average there": float(batch.truth[arm]),
        }
        for m, arm in enumerate(batch.picks)
    ]


def _pulls_table(walk: Walkthrough) -> list[dict]:
    batch, found, world = walk.runs.batches[0], walk.runs.pulls(0), walk.runs.problem
    known, shuffled = found.known.path, found.shuffled.path
    return [
        {
            "t": batch.start + k + 1,
            "reward beyond its average": float(found.lifted[k]),
            "x, known order": problems.place_name(world, int(batch.picks[k])),
            "error added": float(found.known.pulls[k]),
            "error so far": float(known[k + 1]),
            "x, shuffle": problems.place_name(world, int(batch.queries[k])),
            "error added, shuffle": float(found.shuffled.pulls[k]),
            "error so far, shuffle": float(shuffled[k + 1]),
        }
        for k in range(len(batch.picks))
    ]


def setting_from(values: Mapping[str, Any]) -> RPERPSetting:
    """Return the setting that these values of the page's knobs describe."""
    follows = values["kind"] == FOLLOWER
    built = worlds.build({**values, "kind": "still"} if follows else values, RPERP_WORLD)
    return RPERPSetting(
        world=built,
        follows=follows,
        restart=int(values["H"]),
        width=str(values["beta"]),
        ridge=RIDGE,
        shuffle=int(values["shuffle"]),
    )
