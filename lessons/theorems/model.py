r"""What page 5 draws: every method's exponent along a sweep, its rate, and where its theorem speaks.

A sweep is the film of this page: smoothness $\nu$ from $\infty$ down to 1/2, or the drift exponent $\alpha$ from 0
to 2. Everything here is closed form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import streamlit as st

from tvbo_core.theory import THEOREMS, for_kernel

SMOOTH = (math.inf, 10.0, 9.0, 8.0, 7.5, 7.0, 6.25, 5.5, 5.0, 4.5, 4.0, 3.75, 3.5, 3.25, 3.0, 2.75, 2.5, 2.4, 2.3,
          2.2, 2.1, 2.0, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.25, 1.2, 1.1, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5)  # fmt: skip
ALPHAS = tuple(round(0.05 * i, 2) for i in range(41))
ALPHAS = tuple(sorted({*ALPHAS, 1 / 3}))
AS_INFINITE = 14.0  # where the squared exponential stands on the axis of smoothness
OPENS = {"budget": SMOOTH.index(2.5), "alpha": ALPHAS.index(1.0), "epsilon": SMOOTH.index(2.5)}
GRID = 31  # points of a curve: they bend with the logarithms and end where a theorem does


@dataclass(frozen=True)
class Asked:
    """What the reader chose: plain values.

    Attributes:
        measure: "budget", "alpha" or "epsilon".   d: dimension.   v: V = T^v.   log_T: the horizon is 10^log_T.
        logs: whether rates carry their powers of ln T.   window: the window exponent.   eps: rate of a Markov world.
        bet: "off", "cover" (the method that is bet on is hidden), or a power of T as text.
    """

    measure: str = "budget"
    d: int = 2
    v: float = 0.0
    log_T: float = 4.0
    logs: bool = False
    window: float = 0.25
    eps: float = 0.01
    bet: str = "off"

    @property
    def sweep(self) -> tuple[float, ...]:
        return ALPHAS if self.measure == "alpha" else SMOOTH

    @property
    def T(self) -> float:
        return 10.0**self.log_T

    def place(self, frame: int) -> dict[str, object]:
        """The arguments of a theorem at one frame."""
        value = self.sweep[frame]
        if self.measure == "alpha":
            return {"alpha": value, "d": self.d, "window_exponent": self.window}
        return {"nu": value, "d": self.d}

    def drift(self, T: float) -> float:
        """The amount of drift at a horizon, in the budget of this measure."""
        return {"budget": T**self.v, "epsilon": self.eps}.get(self.measure, 1.0)


# measure -> (label, stem of the record, method whose colour it has; "floor" is ink)
RUNGS = {
    "budget": (("lower bound", "iwazaki-1", "floor"), ("R-, SW-, WGP-UCB", "zhou-r", "R-GP-UCB"),
               ("OPKB", "hong-ada", "OPKB"), ("R-PERP", "iwazaki-5", "R-PERP")),
    "alpha": (("floor, no re-asks", "mauduit-2.6", "floor"), ("GP-UCB, no re-asks", "mauduit-2.2", "GP-UCB"),
              ("W-SparQ", "mauduit-3.10", "W-SparQ"), ("SparQ", "mauduit-3.3", "SparQ")),
    "epsilon": (("lower bound", "bogunovic-4.1", "floor"), ("R-GP-UCB", "bogunovic-4.2", "R-GP-UCB"),
                ("TV-GP-UCB", "bogunovic-4.3", "TV-GP-UCB")),
}  # fmt: skip
# Below a drift of T^(-nu/(2 nu + d)) the still world's rate is the larger one: these join it there.
JOINS = ("iwazaki-1", "iwazaki-5", "hong-ada")


@dataclass(frozen=True, eq=False)
class Rung:
    """One line of the figure along the sweep (F frames) and along the horizon (n points).

    Attributes:
        name, method: its label and the owner of its colour.   power: (F,) exponent that is drawn.
        ok: (F,) whether its theorem allows this smoothness.   rate: (F, n) log10 of the rate.
        inside: (F, n) where the theorem holds.
    """

    name: str
    method: str
    power: np.ndarray
    ok: np.ndarray
    rate: np.ndarray
    inside: np.ndarray


@dataclass(frozen=True, eq=False)
class Border:
    """A line of the map, with the owner of its colour: (n,) x and (F, n) y."""

    name: str
    method: str
    x: np.ndarray
    y: np.ndarray
    dash: str = "solid"


@dataclass(frozen=True, eq=False)
class Sweep:
    """What the film shows; all coordinates of the map are log10 except on an exponent axis.

    Attributes:
        asked: what was chosen.   across: (F,) place of each frame on the axis of the sweep.
        rungs: the floor and, over it, the promises.   x: (n,) log10 of the horizontal axis of the rates.
        holds: ((n,) x, (F, n) low, (F, n) high) area where the main theorem holds.
        borders: of the map.   here: (x, y) of the reader's own setting; None on the map of side queries and where
            nothing drifts.
    """

    asked: Asked
    across: np.ndarray
    rungs: tuple[Rung, ...]
    x: np.ndarray
    holds: tuple[np.ndarray, np.ndarray, np.ndarray]
    borders: tuple[Border, ...]
    here: tuple[float, float] | None

    @property
    def frames(self) -> int:
        return len(self.across)

    @cached_property
    def by_name(self) -> Mapping[str, Rung]:
        return {r.name: r for r in self.rungs}


def sweep(asked: Asked) -> Sweep:
    """The whole film for these settings."""
    F, values = len(asked.sweep), np.array(asked.sweep)
    across = values if asked.measure == "alpha" else np.where(np.isinf(values), AS_INFINITE, values)
    x = np.linspace(-5.0, 0.0, GRID) if asked.measure == "epsilon" else np.linspace(2.0, 7.0, GRID)
    rungs = tuple(_rung(asked, x, *row) for row in RUNGS[asked.measure] if not _covered(asked, row[0]))
    horizons = np.linspace(2.0, 7.0, GRID)
    drift = asked.drift(asked.T)  # a rate of 0 has no place on a logarithmic axis
    here = (asked.log_T, math.log10(drift)) if drift > 0 else None
    if asked.measure == "budget":
        return Sweep(asked, across, rungs, x, _restart_area(asked, horizons), _promises(asked, horizons), here)
    if asked.measure == "epsilon":
        area, borders = _markov_map(asked, horizons)
        return Sweep(asked, across, rungs, x, area, borders, here)
    area, borders = _query_map(F)
    return Sweep(asked, across, rungs, x, area, (*borders, _asked_line(asked)), None)


def _covered(asked: Asked, name: str) -> bool:
    """Whether a bet on this method is still open."""
    return asked.bet == "cover" and name == "R-, SW-, WGP-UCB"


def _rung(asked: Asked, x: np.ndarray, name: str, stem: str, method: str) -> Rung:
    power, ok, rate, inside = [], [], [], []
    joins = asked.measure == "budget" and stem in JOINS
    # A rate per round against epsilon, or a total against the horizon.
    T = np.full(GRID, asked.T) if asked.measure == "epsilon" else 10.0**x
    V = 10.0**x if asked.measure == "epsilon" else np.array([asked.drift(t) for t in T])
    horizons = tuple(T.tolist())
    for frame in range(len(asked.sweep)):
        place = asked.place(frame)
        theorem = for_kernel(stem, place.get("nu", math.inf))
        a, b = (float(p) for p in theorem.exponent(**place))
        power.append(b if asked.measure == "epsilon" else a + asked.v * b if asked.measure == "budget" else a)
        value = np.log10(theorem.curve(T=T, V=V, logs=asked.logs, **place))
        if joins:
            still = for_kernel("scarlett", place.get("nu", math.inf))
            power[-1] = max(power[-1], float(still.exponent(**place).T))
            value = np.maximum(value, np.log10(still.curve(T=T, logs=asked.logs, **place)))
        rate.append(value - (asked.log_T if asked.measure == "epsilon" else 0.0))
        least, most = _limits(theorem.key, horizons, tuple(place.items()))
        ok.append(bool(float(place.get("nu", math.inf)) > theorem.smooth_above))
        inside.append((most >= V) & ((least <= V) | (joins and method == "floor")))  # a still world has a floor too
    return Rung(name, method, np.array(power), np.array(ok), np.array(rate), np.array(inside))


@lru_cache(maxsize=4096)
def _limits(key: str, horizons: tuple[float, ...], place: tuple[tuple[str, object], ...]) -> np.ndarray:
    """(2, n) least and most drift for which a theorem speaks; most sliders leave it as it is."""
    found = {T: THEOREMS[key].limits(T=T, **dict(place)) for T in set(horizons)}
    return np.array([found[T] for T in horizons]).T


def _restart_area(asked: Asked, horizons: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where R-PERP's theorem holds, log10 of the budget."""
    low, high = np.empty((2, len(asked.sweep), GRID))
    for frame in range(len(asked.sweep)):
        place = asked.place(frame)
        theorem = for_kernel("iwazaki-5", place["nu"])
        if float(place["nu"]) <= theorem.smooth_above:
            low[frame] = high[frame] = np.nan
            continue
        limits = _limits(theorem.key, tuple((10.0**horizons).tolist()), tuple(place.items()))
        low[frame], high[frame] = np.log10(limits)
    return horizons, np.minimum(low, high), high


def _promises(asked: Asked, horizons: np.ndarray) -> tuple[Border, ...]:
    """Below its line a bound grows more slowly than T: T^a V^b < T when V < T^((1-a)/b)."""
    lines = []
    for name, stem, method in (row for row in RUNGS["budget"][1:3] if not _covered(asked, row[0])):
        slope = []
        for frame in range(len(asked.sweep)):
            a, b = for_kernel(stem, asked.place(frame)["nu"]).exponent(**asked.place(frame))
            slope.append(float((1 - a) / b))
        lines.append(Border(name, method, horizons, np.outer(slope, horizons)))
    still = np.array([for_kernel("iwazaki-1", n).exponent(nu=n, d=asked.d) for n in asked.sweep], dtype=float)
    lines.append(Border("everybody", "floor", horizons, np.outer((1 - still[:, 0]) / still[:, 1], horizons)))
    return tuple(lines)


def _markov_map(asked: Asked, horizons: np.ndarray) -> tuple[tuple, tuple[Border, ...]]:
    """Where the part of the bound that grows with epsilon is the larger one."""
    borders, times = [], tuple(float(10.0**h) for h in horizons)
    for name, stem, method in RUNGS["epsilon"][1:]:
        y = np.full((len(asked.sweep), GRID), np.nan)
        for frame in range(len(asked.sweep)):
            place = asked.place(frame)
            theorem = for_kernel(stem, place["nu"])
            if float(place["nu"]) > theorem.smooth_above:
                least, _ = _limits(theorem.key, times, tuple(place.items()))
                y[frame] = [math.log10(least_at) for least_at in least.tolist()]
        borders.append(Border(name, method, horizons, y))
    area = (horizons, borders[1].y, np.where(np.isnan(borders[1].y), np.nan, 0.0))
    return area, tuple(borders)


def _query_map(F: int) -> tuple[tuple, tuple[Border, ...]]:
    """Powers of T in the number of side queries, against alpha: below the area nothing can be learned."""
    alphas = np.linspace(1.0, 2.0, GRID)
    few = alphas / (alphas + 1.0)
    flat = np.repeat(few[None, :], F, axis=0)
    return (alphas, np.zeros_like(flat), flat), (Border("too few", "floor", alphas, flat),)


def _asked_line(asked: Asked) -> Border:
    alphas = np.linspace(0.02, 2.0, 2 * GRID)
    many = np.maximum(1.0 - asked.window / alphas, 0.0)
    return Border("W-SparQ", "W-SparQ", alphas, np.repeat(many[None, :], len(asked.sweep), axis=0))


def asked(value: Mapping[str, object]) -> Asked:
    """What these values of the page's knobs ask for."""
    return Asked(
        measure=str(value["measure"]),
        d=int(value["d"]),
        v=float(value["growth"]),
        log_T=float(value["log_T"]),
        logs=bool(value["lnT"]),
        window=float(value["atil"]),
        eps=float(value["eps"]),
        bet=str(value["wager"]) if value["measure"] == "budget" else "off",
    )


def opening(asked: Asked, now: int, reset: str) -> int:
    """Where the film opens: another sweep begins at its own telling place, else where the reader is."""
    before = st.session_state.get("_sweep")
    st.session_state["_sweep"] = (asked.measure, reset)
    turned = before is not None and before[1] == reset and before[0] != asked.measure
    return OPENS[asked.measure] if turned else now
