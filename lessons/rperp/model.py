"""What the R-PERP page asks of the core: both runs, the film's steps, the shuffles, the coverage of eq. 9."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lessons.rperp.coverage import Setting, rule, staged
from lessons.rperp.knobs import RPERP_WORLD
from lessons.shared import problems
from lessons.shared import worlds as world
from lessons.shared.cache import keyed, shared
from tvbo_core import Problem
from tvbo_core.designs import play_rng
from tvbo_core.policies.elimination.batch import Batch
from tvbo_core.policies.elimination.schedule import least_variation, restart_length
from tvbo_core.policies.elimination.shuffles import ShuffleSpread, shuffle_spread
from tvbo_core.policies.elimination.steps import Step, events, steps, variance_path
from tvbo_core.policies.width import resolve_ridge
from tvbo_core.threads import one_thread

ORDER_STREAM, SPREAD_STREAM = 17, 13  # of a world's seed; the core and the other pages use others
DRAWS = 400  # shuffles of one batch
_drawn = keyed(1500)  # small arrays that the panels show of a batch
FOLLOWER = "follower"
NAMES = {"fixed": ("PE",), "shuffled": ("R-PERP",), "both": ("PE", "R-PERP")}


class _Each(Sequence):
    """One value a batch, made when it is looked at: most films show a few batches of a run."""

    def __init__(self, batches: Sequence[Batch], make: Callable[[int, Batch], object]) -> None:
        self._batches, self._make = batches, make

    def __len__(self) -> int:
        return len(self._batches)

    def __getitem__(self, i: int) -> object:
        return self._make(i, self._batches[i])


class _Runs(dict):
    """The runs by their names, each made when it is asked for: the film of one order shows one of them."""

    def __init__(self, make: Callable[[str], tuple[Batch, ...]]) -> None:
        self._make = make

    def __missing__(self, name: str) -> tuple[Batch, ...]:
        self[name] = made = self._make(name)
        return made


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
    runs: Mapping[str, tuple[Batch, ...]]

    @property
    def batches(self) -> tuple[Batch, ...]:
        return self.runs["R-PERP"]

    @cached_property
    def spreads(self) -> Sequence[ShuffleSpread]:
        """The errors of each batch of R-PERP over many shuffles."""
        name, seed = repr(self.setting), self.setting.world.seed

        def draw(i: int, batch: Batch) -> ShuffleSpread:
            rng = np.random.default_rng([seed, SPREAD_STREAM, i])
            with one_thread():
                return shuffle_spread(self.problem, batch, self.ridge, DRAWS, rng)

        return _Each(self.batches, lambda i, batch: _drawn((name, i), lambda: draw(i, batch)))

    @cached_property
    def variances(self) -> Sequence[np.ndarray]:
        """Of each batch of R-PERP, the posterior variance after every pick."""
        name, x = repr(self.setting), self.problem.x
        gram = self.problem.kernel(x, x)

        def path(_: int, batch: Batch) -> np.ndarray:
            # A restart picks what the one before picked, until an elimination differs.
            return _drawn((name, batch.picks.tobytes()), lambda: variance_path(gram, batch, self.ridge))

        return _Each(self.batches, path)

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


@shared(12)
def show(setting: Setting) -> Show:
    """Both runs of this setting.

    Raises:
        ValueError: a world that cannot be, or a width that its rewards do not allow.
    """
    problem, H, swing = stage(setting)
    known, step = problem.known, float(problem.steps.max(initial=0.0))
    seed = setting.world.seed

    def play(name: str) -> tuple[Batch, ...]:
        orders = np.random.default_rng([seed, ORDER_STREAM, setting.shuffle]) if setting.shuffle else None
        made = rule(setting, H, step, problem.noise_sd, shuffled=name == "R-PERP")
        return tuple(made.batches(problem, play_rng(seed), orders))

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
        ridge=resolve_ridge(rule(setting, H, step, problem.noise_sd).ridge, known),
        step=step,
        runs=_Runs(play),
    )
    _ = found.batches  # a width that its rewards do not allow is refused now
    return found


def stage(setting: Setting) -> tuple[Problem, int, float]:
    """The world of a setting, the restart H in it, and the swing of the follower (0 in other worlds)."""
    return _staged(replace(setting, width="2", delta=0.1, shuffle=0))  # none of these decides the world


@shared(12)
def _staged(setting: Setting) -> tuple[Problem, int, float]:
    return staged(setting, problems.problem(setting.world))


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
            "action x": problems.place_name(x, int(arm)),
            "s that chose it": float(batch.sds[m]),
            "asked at t": int(batch.times[m]) + 1,
            "reward heard": float(batch.rewards[m]),
            "its expectation": float(x.f[batch.times[m], arm]),
            "batch average there": float(batch.truth[arm]),
        }
        for m, arm in enumerate(batch.picks)
    ]


def chosen(values: Mapping[str, object]) -> Setting:
    """The setting that these values of the page's knobs describe."""
    follows = values["kind"] == FOLLOWER
    built = world.build({**values, "kind": "still"} if follows else values, RPERP_WORLD)
    return Setting(
        world=replace(built, arms=int(values["arms"])),
        follows=follows,
        swing=float(values["swing"]) if follows else 0.0,
        restart=int(values["H"]),
        width=str(values["beta"]),
        ridge=float(values["lam"]),
        delta=float(values["delta"]),
        shuffle=int(values["shuffle"]),
    )
