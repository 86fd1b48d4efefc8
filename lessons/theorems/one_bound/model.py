"""One theorem at the reader's numbers: its value along the horizon, its conditions, and where it is non-vacuous."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from common.cache import shared
from lessons.shared.knobs import SMOOTHNESS
from lessons.theorems.knobs import RUNS_WORLD, THEOREM_STEMS
from lessons.theorems.laws import FLOORS, stated
from lessons.theorems.one_bound.letters import DRIFT, STATIC, records
from tvbo_core import World, adversary
from tvbo_core.kernels import ALL as KERNELS
from tvbo_core.records import LearnerInfo
from tvbo_core.theory import LOWER, Theorem
from tvbo_core.theory.against import CASES, Case
from tvbo_core.theory.finite import FiniteBound, markov_floor
from tvbo_core.worlds.make import make_problem

HORIZONS = tuple(100 * 2**i for i in range(44))  # from 100 to 8.8e14
DELTA = 0.1  # failure probability, as of the runs
LONGEST_FLOOR = 4_000_000  # the floor with its constants is worked out round by round


@dataclass(frozen=True)
class OneSetting:
    r"""The reader's numbers: plain values.

    Attributes:
        word: of the theorem in the menu.   V: $V_T$ or $B_T$.   eps, alpha, window: the other measures of drift.
        world: kernel, smoothness, norm B, noise, lengthscale and seed.   d: dimension.
    """

    word: str
    V: float
    eps: float
    alpha: float
    window: float
    world: World
    d: int

    @property
    def stem(self) -> str:
        return THEOREM_STEMS[self.word]

    @property
    def nu(self) -> float:
        return KERNELS[self.world.kernel].smoothness(self.world.nu)

    @property
    def theorem(self) -> Theorem | None:
        """The record for this kernel; None where the papers have none."""
        return stated(self.stem, self.nu)

    @property
    def case(self) -> Case | None:
        """The bound with its constants; None where the lab has only the rate."""
        case = next((one for one in CASES.values() if one.theorem == self.stem), None)
        if case is None or self.d != 1 or (case.se_only and self.world.kernel != "se"):
            return None
        return case

    @property
    def drift(self) -> float:
        """The amount of drift in the theorem's own budget; 1 where it has none that counts."""
        letter = DRIFT.get(self.theorem.budget if self.theorem else "", "")
        return {"V": self.V, "eps": self.eps}.get(letter, 1.0)

    @property
    def place(self) -> dict[str, Any]:
        """Return the arguments of a theorem but for horizon and drift."""
        return {"nu": self.nu, "d": self.d, "alpha": self.alpha, "window_exponent": self.window}


@dataclass(frozen=True)
class Condition:
    """Condition of a theorem: a lower or an upper end of one number, or a kernel.

    Attributes:
        kind: "kernel", "smooth", "static", "least", "most" or "exponent".   end: that it is compared with.
        met: or not.
    """

    kind: str
    end: float
    met: bool


@dataclass(frozen=True, eq=False)
class OneBound:
    """A theorem along the horizon (n,).

    Attributes:
        setting: the reader's numbers.   T: horizons.
        value: the bound with its constants, or the rate with constants and logarithms counted as 1; NaN where nothing
            is stated.
        most: the trivial bound, for a bound with its constants; else T.
        floor: lower bound about the same drift, NaN where there is none.   floor_counts: whether it has its constants.
        conditions: one tuple a horizon.   crossing: horizon from which on value is below most; None for never.
    """

    setting: OneSetting
    T: np.ndarray
    value: np.ndarray
    most: np.ndarray
    floor: np.ndarray
    floor_counts: bool
    conditions: tuple[tuple[Condition, ...], ...]
    crossing: float | None

    @property
    def has_constants(self) -> bool:
        return self.setting.case is not None and bool(np.isfinite(self.value).any())

    @property
    def is_floor(self) -> bool:
        """Return whether the theorem is itself a lower bound."""
        return self.setting.theorem is not None and self.setting.theorem.side == LOWER

    @property
    def holds(self) -> np.ndarray:
        """(n,) whether every condition is met."""
        return np.array([all(one.met for one in some) for some in self.conditions])


def setting_from(values: Mapping[str, Any]) -> OneSetting:
    """Return the setting that these values of the page's knobs describe."""
    kernel, nu = SMOOTHNESS[str(values["nu"])]
    world = replace(
        RUNS_WORLD,
        kind="still",
        kernel=kernel,
        nu=nu,
        lengthscale=float(values["ell"]),
        noise_sd=float(values["sigma"]),
        norm_bound=float(values["B"]),
        seed=int(values["seed"]),
    )
    return OneSetting(
        word=str(values["thm"]),
        V=float(values["V"]),
        eps=float(values["eps"]),
        alpha=float(values["alpha"]),
        window=float(values["atil"]),
        world=world,
        d=int(values["d"]),
    )


def known_at(setting: OneSetting, T: int) -> LearnerInfo:
    """Return what the learner of a bound with constants knows: 100 arms on [0, 1], at this horizon."""
    problem = make_problem(replace(setting.world, horizon=1))
    return replace(problem.known, horizon=T, sup_variation=setting.V, rkhs_variation=None)


def bound_at(setting: OneSetting, case: Case, T: int) -> FiniteBound:
    """Return the bound with its constants at a horizon, with the equation that is evaluated."""
    return case.at(known_at(setting, T), setting.drift, DELTA)


def value_at(setting: OneSetting, T: int) -> float:
    """Return the bound with its constants where the lab has them, else the rate; NaN where nothing is stated."""
    theorem, case = setting.theorem, setting.case
    if theorem is None or not theorem.allows(setting.nu):
        return math.nan
    if case is not None:
        return bound_at(setting, case, T).total
    return theorem.curve(T=float(T), V=setting.drift, **setting.place)


def conditions(setting: OneSetting, T: int) -> tuple[Condition, ...]:
    """Return the theorem's conditions at a horizon."""
    theorem, nu = setting.theorem, setting.nu
    if theorem is None:
        return (Condition("kernel", math.inf, False),)
    found = []
    if theorem.kernels != "any" and len(records(setting.stem)) == 1:
        found.append(Condition("kernel", math.inf, (theorem.kernels == "se") == math.isinf(nu)))
    if theorem.smooth_above:
        found.append(Condition("smooth", theorem.smooth_above, nu > theorem.smooth_above))
    if not theorem.allows(nu):
        return tuple(found)
    if theorem.condition == STATIC:
        found.append(Condition("static", 0.0, setting.V == 0))
    least, most = theorem.limits(T=float(T), V=setting.drift, **setting.place)
    if theorem.budget == "alpha":
        if theorem.condition:
            found.append(Condition("exponent", math.nan, least <= most))
    elif theorem.budget in DRIFT:
        if least > 0:
            found.append(Condition("least", least, setting.drift >= least))
        if math.isfinite(most):
            found.append(Condition("most", most, setting.drift <= most))
    return tuple(found)


@shared(64)
def one_bound(setting: OneSetting) -> OneBound:
    """Return the whole curve of a theorem at these numbers."""
    T = np.array(HORIZONS, dtype=float)
    value = np.array([value_at(setting, T) for T in HORIZONS])
    most, floor, floor_counts = _most(setting, T), *_floor(setting, T)
    return OneBound(
        setting,
        T,
        np.where(value > 0, value, np.nan),
        most,
        np.where(floor > 0, floor, np.nan),
        floor_counts,
        tuple(conditions(setting, T) for T in HORIZONS),
        _crossing(setting, T, value, most),
    )


def _most(setting: OneSetting, T: np.ndarray) -> np.ndarray:
    """Return the trivial bound 2BT, for a Markov reward the mean regret of the worst choices."""
    if setting.case is None:
        return T
    if "markov" not in setting.case.kinds:
        return 2.0 * setting.world.norm_bound * T
    known = known_at(setting, 1)
    return 2.0 * T * markov_floor(known.kernel, known.x, 1, 1.0)


def _floor(setting: OneSetting, T: np.ndarray) -> tuple[np.ndarray, bool]:
    """Return the lower bound about the same drift, and whether it has its constants."""
    theorem, none = setting.theorem, np.full(len(T), np.nan)
    if theorem is None or theorem.side == LOWER:
        return none, False
    if setting.case is not None and "markov" in setting.case.kinds:
        known = known_at(setting, 1)
        first, second = (markov_floor(known.kernel, known.x, n, setting.eps) for n in (1, 2))
        return first + (T - 1) * (second - first), True
    if setting.case is not None:
        V = 0.0 if "still" in setting.case.kinds else setting.V
        x = known_at(setting, 1).x
        worlds = [replace(setting.world, kind="adversary", budget=V, horizon=int(t)) for t in T if t <= LONGEST_FLOOR]
        short = [float(adversary.lower_bound(world, x)[-1]) for world in worlds]
        return np.array(short + [math.nan] * (len(T) - len(short))), True
    floor = stated(FLOORS[theorem.budget], setting.nu)
    if floor is None or not floor.allows(setting.nu):
        return none, False
    rate = np.asarray(floor.curve(T=T, V=setting.drift, **setting.place))
    held = [floor.valid(T=float(t), V=setting.drift, **setting.place) for t in T]
    return np.where(held, rate, np.nan), False


def _crossing(setting: OneSetting, T: np.ndarray, value: np.ndarray, most: np.ndarray) -> float | None:
    """Return the horizon from which on the bound is below the trivial one, halved in five times."""
    if setting.case is None or not np.isfinite(value).all():
        return None
    vacuous = np.flatnonzero(value >= most)
    if len(vacuous) == 0:
        return float(T[0])
    if vacuous[-1] == len(T) - 1:
        return None
    low, high = int(T[vacuous[-1]]), int(T[vacuous[-1] + 1])
    for _ in range(5):
        middle = (low + high) // 2
        below = value_at(setting, middle) < float(_most(setting, np.array([middle], dtype=float))[0])
        low, high = (low, middle) if below else (middle, high)
    return float(high)


def facts(found: OneBound, i: int) -> dict[str, float | None]:
    """Return the numbers of a horizon, under the names that the script prints: `Scene.facts`."""
    numbers: dict[str, float | None] = {"T": int(found.T[i])}
    if found.setting.theorem is None or not found.setting.theorem.allows(found.setting.nu):
        return numbers
    value = None if np.isnan(found.value[i]) else float(found.value[i])
    if found.has_constants:
        return numbers | {"bound": value, "the most": float(found.most[i])}
    setting, T = found.setting, float(found.T[i])
    power = found.setting.theorem.leading(T=T, V=setting.drift, **setting.place).T
    return numbers | {"power of T": float(power), "rate": value}


def table(found: OneBound) -> list[dict]:
    """Return the numbers behind the figure, a row a horizon."""
    name = "bound" if found.has_constants else "rate, constants counted as 1"
    columns = {"T": found.T.astype(int), name: found.value, "conditions met": found.holds}
    if found.has_constants:
        columns["cannot exceed"] = found.most
    if np.isfinite(found.floor).any():
        columns["lower bound"] = found.floor
    return [dict(zip(columns, row, strict=True)) for row in zip(*(c.tolist() for c in columns.values()), strict=True)]
