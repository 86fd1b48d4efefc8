r"""Exponents of every method along a sweep, and where their theorems hold.

A sweep is the film of this page: smoothness $\nu$ from $\infty$ down to 1/2, or the drift exponent $\alpha$ from 0
to 2. Everything here is closed form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from common.cache import shared
from lessons.theorems.laws import JOINING_LAWS, POWER_LAWS, stated
from tvbo_core.theory import THEOREMS, for_kernel

NUS = (math.inf, 10.0, 9.0, 8.0, 7.5, 7.0, 6.25, 5.5, 5.0, 4.5, 4.0, 3.75, 3.5, 3.25, 3.0, 2.75, 2.5, 2.4, 2.3,
       2.2, 2.1, 2.0, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.25, 1.2, 1.1, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5)  # fmt: skip
ALPHAS = tuple(sorted({*(round(0.05 * i, 2) for i in range(41)), 1 / 3}))
LOG_T = 4.0  # of the horizon at which the drift budget is set and theorems hold or not
T = 10.0**LOG_T
INFINITE_NU = 14.0  # where the squared exponential stands on the axis of smoothness
OPENING_FRAMES = {"budget": NUS.index(2.5), "alpha": ALPHAS.index(1.0)}
CURVE_POINTS = 31  # borders bend, and end where a theorem does


@dataclass(frozen=True)
class SweepSetting:
    """The reader's choices for the sweep: plain values.

    Attributes:
        measure: "budget" or "alpha".   d: dimension.   v: V = T^v.   window: the window exponent.
    """

    measure: str = "budget"
    d: int = 2
    v: float = 0.0
    window: float = 0.25

    @property
    def sweep(self) -> tuple[float, ...]:
        return ALPHAS if self.measure == "alpha" else NUS

    def place(self, frame: int) -> dict[str, Any]:
        """Return the arguments of a theorem at one frame."""
        value = self.sweep[frame]
        if self.measure == "alpha":
            return {"alpha": value, "d": self.d, "window_exponent": self.window}
        return {"nu": value, "d": self.d}

    @property
    def drift(self) -> float:
        """The amount of drift, in the budget of this measure."""
        return T**self.v if self.measure == "budget" else 1.0


@dataclass(frozen=True, eq=False)
class PowerLaw:
    """The exponent of one method along the sweep (S places).

    Attributes:
        name, method: its label and the owner of its colour.
        needs_drift: whether the method needs the amount of drift as an input; False for a lower bound.
        power: (S,) exponent that is drawn, NaN where no theorem is stated for the kernel.
        ok: (S,) whether its theorem allows this smoothness.
    """

    name: str
    method: str
    needs_drift: bool
    power: np.ndarray
    ok: np.ndarray


@dataclass(frozen=True, eq=False)
class Border:
    """A line of the map, with the owner of its colour: (n,) x and (F, n) y."""

    name: str
    method: str
    x: np.ndarray
    y: np.ndarray


Area = tuple[np.ndarray, np.ndarray, np.ndarray]  # (n,) x, (F, n) low and (F, n) high


@dataclass(frozen=True, eq=False)
class Sweep:
    """The film; all coordinates of the map are log10 except on an exponent axis.

    Attributes:
        setting: of the reader.   frames: F, the first places of the sweep, all of them or up to one.
        across: (S,) the places on the axis of the sweep.
        laws: the lower bound and, over it, the upper bounds.
        holds: area where the main theorem holds.
        borders: of the map.
    """

    setting: SweepSetting
    frames: int
    across: np.ndarray
    laws: tuple[PowerLaw, ...]
    holds: Area
    borders: tuple[Border, ...]

    @property
    def now(self) -> np.ndarray:
        """(F,) place of each frame on the axis of the sweep."""
        return self.across[: self.frames]

    @cached_property
    def by_name(self) -> Mapping[str, PowerLaw]:
        return {r.name: r for r in self.laws}


@shared(32)
def sweep(setting: SweepSetting) -> Sweep:
    """Return the whole film for this setting."""
    return _frames(setting, len(setting.sweep))


def _frames(setting: SweepSetting, F: int) -> Sweep:
    """Return the first F frames of the film."""
    values = np.array(setting.sweep)
    across = values if setting.measure == "alpha" else np.where(np.isinf(values), INFINITE_NU, values)
    places = [setting.place(i) for i in range(F)]
    laws = tuple(_law(setting, *row) for row in POWER_LAWS[setting.measure])
    horizons = np.linspace(2.0, 7.0, CURVE_POINTS)
    if setting.measure == "alpha":
        return Sweep(setting, F, across, laws, *_query_map(setting, F))
    return Sweep(setting, F, across, laws, _restart_area(places, horizons), _upper_bounds(places, horizons))


def sweep_until(setting: SweepSetting, frame: int) -> Sweep:
    """Return the film up to a frame: of the exponents, too, nothing later is known."""
    found = _frames(setting, frame + 1)
    later = np.arange(len(setting.sweep)) > frame
    laws = tuple(replace(law, power=np.where(later, np.nan, law.power), ok=law.ok & ~later) for law in found.laws)
    return replace(found, laws=laws)


def _law(setting: SweepSetting, name: str, stem: str, method: str) -> PowerLaw:
    joins = setting.measure == "budget" and stem in JOINING_LAWS
    power, ok = zip(*(_power(setting, setting.place(i), stem, joins) for i in range(len(setting.sweep))), strict=True)
    needs_drift = any(
        theorem.knows not in ("", "nothing") for theorem in map(stated, (stem, stem), (math.inf, 2.5)) if theorem
    )
    return PowerLaw(name, method, needs_drift, np.array(power), np.array(ok))


def facts(sweep: Sweep, frame: int) -> dict[str, float | None]:
    """Return the numbers of a frame, the power of every law that is stated for its kernel: `Scene.facts`."""
    setting = sweep.setting
    place, value = setting.place(frame), float(setting.sweep[frame])
    found: dict[str, float | None] = {"α" if setting.measure == "alpha" else "ν": value, "d": setting.d}
    if setting.measure == "budget":
        found["v"] = setting.v
    if setting.measure == "alpha":
        found["side queries of W-SparQ"] = max(1 - setting.window / value, 0.0) if value else 0.0
    stems = {name: stem for name, stem, _ in POWER_LAWS[setting.measure]}
    for law in sweep.laws:
        if theorem := stated(stems[law.name], float(place.get("nu", math.inf))):
            found[law.name] = float(law.power[frame])
            found[f"{law.name} holds"] = int(theorem.valid(T=T, V=setting.drift, **place))
    return found


def _power(setting: SweepSetting, place: Mapping[str, Any], stem: str, joins: bool) -> tuple[float, bool]:
    """Return the exponent that is drawn at a place, and whether its theorem allows the smoothness there.

    The exponent is NaN where no theorem is stated for the kernel.
    """
    nu = place.get("nu", math.inf)
    theorem = stated(stem, float(nu))
    if theorem is None:
        return math.nan, False
    a, b = (float(p) for p in theorem.exponent(**place))
    power = a + setting.v * b if setting.measure == "budget" else a
    if joins:
        power = max(power, float(for_kernel("scarlett", nu).exponent(**place).T))
    return power, theorem.allows(nu)


@lru_cache(maxsize=4096)
def _limits(key: str, horizons: tuple[float, ...], place: tuple[tuple[str, object], ...]) -> np.ndarray:
    """Return (2, n) the least and the most drift for which a theorem holds; most sliders leave it as it is."""
    found = {T: THEOREMS[key].limits(T=T, **dict(place)) for T in set(horizons)}
    return np.array([found[T] for T in horizons]).T


def _restart_area(places: Sequence[dict], horizons: np.ndarray) -> Area:
    """Return where R-PERP's theorem holds, log10 of the budget."""
    low, high = np.full((2, len(places), CURVE_POINTS), np.nan)
    times = tuple((10.0**horizons).tolist())
    for frame, place in enumerate(places):
        theorem = for_kernel("iwazaki-5", place["nu"])
        if theorem.allows(place["nu"]):
            low[frame], high[frame] = np.log10(_limits(theorem.key, times, tuple(place.items())))
    return horizons, np.minimum(low, high), high


def _upper_bounds(places: Sequence[dict], horizons: np.ndarray) -> tuple[Border, ...]:
    """Return the lines below which a bound grows more slowly than T: T^a V^b < T when V < T^((1-a)/b)."""
    borders = []
    floor, *upper = POWER_LAWS["budget"][:3]
    for name, stem, method in (*upper, floor):
        powers = [for_kernel(stem, place["nu"]).exponent(**place) for place in places]
        borders.append(Border(name, method, horizons, np.outer([float((1 - a) / b) for a, b in powers], horizons)))
    return tuple(borders)


def _query_map(setting: SweepSetting, F: int) -> tuple[Area, tuple[Border, ...]]:
    """Return powers of T in the number of side queries against alpha: too few, and those of W-SparQ."""
    alphas, every = np.linspace(1.0, 2.0, CURVE_POINTS), np.linspace(0.02, 2.0, 2 * CURVE_POINTS)
    few = np.tile(alphas / (alphas + 1.0), (F, 1))  # below it regret is linear
    many = np.tile(np.maximum(1.0 - setting.window / every, 0.0), (F, 1))
    borders = Border("too few", "floor", alphas, few), Border("W-SparQ", "W-SparQ", every, many)
    return (alphas, np.zeros_like(few), few), borders


def setting_from(values: Mapping[str, Any]) -> SweepSetting:
    """Return the setting that these values of the page's knobs describe."""
    return SweepSetting(
        measure=str(values["measure"]),
        d=int(values["d"]),
        v=float(values["growth"]),
        window=float(values["atil"]),
    )
