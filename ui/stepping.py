"""What the R-PERP page asks of the core: both runs, the film's steps, the shuffles, the coverage of eq. 9."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tvbo_core import Problem
from tvbo_core.batch import Batch
from tvbo_core.film import one_thread
from tvbo_core.observe import play_rng
from tvbo_core.phases import least_variation, restart_length
from tvbo_core.shuffles import Spread, shuffle_spread
from tvbo_core.stepping import Step, events, steps, variance_path
from tvbo_core.width import resolve_ridge
from ui import compute
from ui.promises import DRIFT as DRIFT
from ui.promises import Setting, rule, staged
from ui.shelf import shelved

ORDER_STREAM, SPREAD_STREAM = 17, 13  # of a world's seed; the core and the other pages use others
DRAWS = 400  # shuffles of one batch
FOLLOWER = "follower"
NAMES = {"fixed": ("PE",), "shuffled": ("R-PERP",), "both": ("PE", "R-PERP")}


@dataclass(frozen=True, eq=False)
class Show:
    """Both runs in one world: what the page draws.

    Attributes:
        problem: the world.   H: rounds of a restart.   theorem: H of Theorem 5, before it is cut to the horizon; None
            where the kernel has no smoothness.   enough: the drift from which on it is at most T.
        unknown: H of Theorem 5 when the drift is not known.
        swing: of the follower, 0 in other worlds.   ridge: reward^2.   step: longest movement of one round.
        runs: "R-PERP" and "PE" (the same restarts, fixed order) -> batches.
    """

    setting: Setting
    problem: Problem
    H: int
    theorem: float | None
    unknown: float | None
    enough: float | None
    swing: float
    ridge: float
    step: float
    runs: dict[str, tuple[Batch, ...]]

    @property
    def batches(self) -> tuple[Batch, ...]:
        return self.runs["R-PERP"]

    @cached_property
    def spreads(self) -> tuple[Spread, ...]:
        """The errors of each batch of R-PERP over many shuffles."""
        seed, found = self.setting.world.seed, []
        with one_thread():
            for i, batch in enumerate(self.batches):
                rng = np.random.default_rng([seed, SPREAD_STREAM, i])
                found.append(shuffle_spread(self.problem, batch, self.ridge, DRAWS, rng))
        return tuple(found)

    @cached_property
    def variances(self) -> tuple[np.ndarray, ...]:
        """Of each batch of R-PERP, the posterior variance after every pick."""
        x = self.problem.x
        gram, same = self.problem.kernel(x, x), {}
        for batch in self.batches:  # a restart picks what the one before picked, until an elimination differs
            key = batch.picks.tobytes()
            if key not in same:
                same[key] = variance_path(gram, batch, self.ridge)
        return tuple(same[batch.picks.tobytes()] for batch in self.batches)

    @property
    def theorem_rounds(self) -> int | None:
        """H of Theorem 5 in whole rounds of this world; None where it does not speak."""
        T, world = self.problem.horizon, self.setting.world
        if self.theorem is None or (world.kernel == "matern" and world.nu <= 0.5):
            return None
        return T if self.theorem >= T else max(2, math.ceil(self.theorem))

    def survivors(self, name: str, batch: int) -> list[int]:
        """How many actions are left, from the start of the restart to the end of this batch."""
        batches = self.runs[name]
        mine = [b for b in batches[: batch + 1] if b.interval == batches[batch].interval]
        return [int(mine[0].alive.sum()), *(int(b.survivors.sum()) for b in mine if not b.last)]


@shelved(35)
def show(setting: Setting) -> Show:
    """Both runs of this setting.

    Raises:
        ValueError: a world that cannot be, or a width that its rewards do not allow.
    """
    problem, H, swing = stage(setting)
    known, step = problem.known, float(problem.steps.max(initial=0.0))
    runs, seed = {}, setting.world.seed
    for name, shuffled in (("R-PERP", True), ("PE", False)):
        orders = np.random.default_rng([seed, ORDER_STREAM, setting.shuffle]) if setting.shuffle else None
        made = rule(setting, H, step, problem.noise_sd, shuffled)
        runs[name] = tuple(made.batches(problem, play_rng(seed), orders))
    smooth = hasattr(problem.kernel, "lengthscale")
    nu, d = float(getattr(problem.kernel, "nu", np.inf)), problem.x.shape[-1]
    T, V = problem.horizon, known.sup_variation
    found = Show(
        setting=setting,
        problem=problem,
        H=H,
        theorem=restart_length(T, V, nu, d) if smooth else None,
        unknown=restart_length(T, 1.0, nu, d) if smooth else None,
        enough=least_variation(T, nu, d) if smooth else None,
        swing=swing,
        ridge=resolve_ridge(made.ridge, known),
        step=step,
        runs=runs,
    )
    _ = found.spreads, found.variances  # drawn at once, and weighed with the rest
    return found


def stage(setting: Setting) -> tuple[Problem, int, float]:
    """The world of a setting, the restart H in it, and the swing of the follower (0 in other worlds)."""
    return staged(setting, compute.problem(setting.world))


@dataclass(frozen=True, eq=False)
class Film:
    """The steps of a show at one grain, with what each of them stops at."""

    show: Show
    grain: str
    steps: tuple[Step, ...]
    events: list[int]

    @property
    def interval(self) -> int:
        """The restart of the first frame."""
        return self.show.batches[self.steps[0].batch].interval

    @property
    def rounds(self) -> list[int]:
        """The round (from 1; 0 before the first) that each step has reached."""
        return [self.show.batches[s.batch].start + s.heard for s in self.steps]


def film(chosen: Show, grain: str, interval: int) -> Film:
    found = steps(chosen.batches, grain, interval)
    return Film(chosen, grain, tuple(found), events(found, chosen.batches, grain))


def table(chosen: Show, one: Film, t: int) -> list[dict]:
    """The batch on screen, a row a question."""
    step = one.steps[t]
    batch = chosen.batches[step.batch]
    x = chosen.problem
    return [
        {
            "pick": m + 1,
            "action x": compute.place_name(x, int(arm)),
            "s that chose it": float(batch.sds[m]),
            "asked at t": int(batch.times[m]) + 1,
            "reward heard": float(batch.rewards[m]),
            "its expectation": float(x.f[batch.times[m], arm]),
            "batch average there": float(batch.truth[arm]),
        }
        for m, arm in enumerate(batch.picks)
    ]
