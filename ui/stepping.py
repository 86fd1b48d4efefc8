"""What the R-PERP page asks of the core: both runs, the film's steps, the shuffles, the coverage of eq. 9."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import streamlit as st

from tvbo_core import Problem, World
from tvbo_core.batch import Batch
from tvbo_core.elimination import RPERP
from tvbo_core.film import one_thread
from tvbo_core.follower import follower, largest_swing
from tvbo_core.observe import play_rng
from tvbo_core.phases import least_variation, resolve_restart, restart_length
from tvbo_core.shuffles import Spread, shuffle_spread
from tvbo_core.stepping import Step, events, steps, variance_path
from tvbo_core.tuning import PAPER
from tvbo_core.width import THEORY, resolve_ridge
from ui import compute
from ui.compute import BY_TEXT

ORDER_STREAM, SPREAD_STREAM = 17, 13  # of a world's seed; the core and the other pages use others
DRAWS = 400  # shuffles of one batch
FOLLOWER, DRIFT = "follower", "drift"
NAMES = {"fixed": ("PE",), "shuffled": ("R-PERP",), "both": ("PE", "R-PERP")}
ROUNDS_OF_TUNING = 6  # Theorem 5 needs the drift, and a follower that cannot spend its budget drifts less


@dataclass(frozen=True)
class Setting:
    """What the reader chose: plain values.

    Attributes:
        world: the world, or the still base of the one that follows the learner.   follows: whether it does.
        swing: of the follower, reward units.   restart: H, 0 for Theorem 5.
        width: a number as text, "theory" (eq. 8) or "drift" (derived here).
        ridge: multiple of the noise variance.   delta: failure probability.   shuffle: which shuffle, 0 is the race's.
    """

    world: World
    follows: bool
    swing: float = 1.0
    restart: int = 25
    width: str = "2"
    ridge: float = 1.0
    delta: float = 0.1
    shuffle: int = 0


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


def rule(setting: Setting, H: int | str, step: float, noise_sd: float, shuffled: bool = True) -> RPERP:
    """R-PERP, or the same in the fixed order, as this page tunes it."""
    told = setting.width in (THEORY, DRIFT)
    return RPERP(
        restart=H,
        width=THEORY if told else float(setting.width),
        shuffle=shuffled,
        ridge=setting.ridge * noise_sd**2 if noise_sd > 0 else None,
        delta=setting.delta,
        form=DRIFT if setting.width == DRIFT else "paper",
        step=step if setting.width == DRIFT else None,
    )


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={**BY_TEXT, Setting: repr})
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
    return Show(
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


def stage(setting: Setting) -> tuple[Problem, int, float]:
    """The world of a setting, the restart H in it, and the swing of the follower (0 in other worlds)."""
    base = compute.problem(setting.world)
    if not setting.follows:
        return base, resolve_restart(setting.restart or PAPER, base.known), 0.0
    with one_thread():
        swing = min(setting.swing, largest_swing(base))
        budget = float(setting.world.budget or 0.0)
        H = resolve_restart(setting.restart or PAPER, replace(base.known, sup_variation=budget))
        followed = rule(replace(setting, width="2"), H, 0.0, base.noise_sd)
        problem = follower(base, followed, swing, budget)
        for _ in range(0 if setting.restart else ROUNDS_OF_TUNING):
            wanted = resolve_restart(PAPER, problem.known)
            if wanted == H:
                break
            H = wanted
            problem = follower(base, replace(followed, restart=H), swing, budget)
    return problem, H, swing


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
