"""Confidence bands over time on one history: what each covers and misses, from plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

import tvbo_core as tv
from common.cache import shared
from lessons.bands.setting import BandSetting, listed_bands
from lessons.shared.problems import coordinates, first_rounds, observations, place_name, problem
from tvbo_core import History, Problem
from tvbo_core.bands.base import Bound
from tvbo_core.bands.over_time import missed
from tvbo_core.guests import ADMITTED, failure
from tvbo_core.records import BandFilm

LONG_GRID, EVERY = 40, 5  # arms; of a longer grid the table lists every fifth


@dataclass(frozen=True, eq=False)
class BandsOverTime:
    """The bands on one history of n observations, one frame a time.

    Attributes:
        setting: of the page.   history: the n observations.
        bands: name -> band.   films: name -> its film with n+1 frames.
        truth: (n+1, m) reward of each frame.   misses: name -> (n+1, m) bool, where the truth is outside.
        only: the one time at which the bands `searched` are known, None where all are.
        searched: names of the bands whose every time is a search of its own.
        refused: name of a guest that raised -> what it raised.
    """

    setting: BandSetting
    history: History
    bands: Mapping[str, Bound]
    films: Mapping[str, BandFilm]
    truth: np.ndarray
    misses: Mapping[str, np.ndarray]
    only: int | None = None
    searched: frozenset[str] = frozenset()
    refused: Mapping[str, str] = field(default_factory=dict)

    def known(self, name: str) -> np.ndarray:
        """Return (n+1,) whether a band is known at each time."""
        if self.only is None or name not in self.searched:
            return np.ones(self.frames, dtype=bool)
        return np.arange(self.frames) == self.only

    @property
    def problem(self) -> Problem:
        return self.history.problem

    @property
    def frames(self) -> int:
        return len(self.truth)

    @property
    def x(self) -> np.ndarray:
        """(m,) the coordinates of the actions."""
        return coordinates(self.problem).astype(np.float32)

    @property
    def span(self) -> tuple[float, float]:
        """The first and the last place."""
        return float(self.problem.x[0, 0]), float(self.problem.x[-1, 0])

    @property
    def norm_bound(self) -> float:
        """The assumed norm bound."""
        return next(iter(self.bands.values())).B

    @property
    def cmm(self) -> tv.CMM:
        """The band that the search over alpha belongs to."""
        band = self.bands["CMM"]
        assert isinstance(band, tv.CMM)
        return band

    @cached_property
    def true_norm(self) -> float | None:
        """The largest RKHS norm of the reward, None where it is not known."""
        norms = self.problem.norms
        return None if norms is None else float(norms.max())

    @cached_property
    def first_miss(self) -> dict[str, int | None]:
        """Name -> frame at which the truth is outside for the first time."""
        return {name: _first(np.asarray(miss.any(axis=1))) for name, miss in self.misses.items()}

    @cached_property
    def first_empty(self) -> dict[str, int | None]:
        """Name -> frame at which no function fits for the first time."""
        return {name: _first(film.empty) for name, film in self.films.items()}

    @cached_property
    def verdicts(self) -> dict[str, list[str]]:
        """Name -> at every frame "covers" (the whole curve), "misses" or "empty" (no function fits)."""
        return {
            name: np.select([self.films[name].empty, miss.any(axis=1)], ["empty", "misses"], "covers").tolist()
            for name, miss in self.misses.items()
        }

    def until(self, t: int) -> BandsOverTime:
        """Return the film up to time t, as if no later observation had been heard."""
        n, heard = t + 1, first_rounds(self.history, t)
        films = {
            name: replace(one, mean=one.mean[:n], lower=one.lower[:n], upper=one.upper[:n], empty=one.empty[:n])
            for name, one in self.films.items()
        }
        misses = {name: miss[:n] for name, miss in self.misses.items()}
        return replace(self, history=heard, films=films, truth=self.truth[:n], misses=misses)

    @property
    def events(self) -> list[int]:
        """Frames worth stopping at: first misses and first empty sets."""
        found = [*self.first_miss.values(), *self.first_empty.values()]
        return sorted({t for t in found if t is not None})


def _first(flags: np.ndarray) -> int | None:
    return int(flags.argmax()) if flags.any() else None


@shared(24)
def bands_over_time(setting: BandSetting) -> BandsOverTime:
    """Play the world once and film the bands over it.

    Raises:
        ValueError: a world that cannot be.
    """
    return _bands(setting, None)


def bands_at(setting: BandSetting, t: int) -> BandsOverTime:
    """Return the bands over time, of those that are a search at every time only time t (cut to the observations).

    Raises:
        ValueError: a world that cannot be.
    """
    return _bands(setting, t)


def _bands(setting: BandSetting, only: int | None) -> BandsOverTime:
    world, p = setting.world, problem(setting.world)
    history = observations(p, setting.design, world.seed)
    bound = p.norm_bound if p.norm_bound is not None else world.norm_bound
    bands = listed_bands(setting, bound, p.noise_sd)
    only = None if only is None else min(max(only, 0), len(history.y))
    films: dict[str, BandFilm] = {}
    refused: dict[str, str] = {}
    listed = {name: band for name, band in bands.items() if name not in ADMITTED}
    for some in (listed, *({name: bands[name]} for name in bands.keys() - listed.keys())):
        try:
            films |= tv.films(some, p.kernel, history.X, history.y, p.x, None if only is None else [only])
        except Exception as error:  # a guest may raise anything, and the others stay
            if some is listed:
                raise
            refused |= {name: failure(error, ADMITTED[name].file) for name in some}
    bands = {name: band for name, band in bands.items() if name in films}
    truth = p.f[[max(t - 1, 0) for t in range(len(history.y) + 1)]]
    return BandsOverTime(
        setting=setting,
        history=history,
        bands=bands,
        films=films,
        truth=truth,
        misses={name: missed(film, truth) for name, film in films.items()},
        only=only,
        searched=frozenset(name for name, band in bands.items() if not band.fixed_regularisers),
        refused=refused,
    )


def facts(run: BandsOverTime, t: int) -> dict[str, float | None]:
    """Return the numbers of a time, those of each band after its name: `Scene.facts`.

    Since when a band fails that is known at one time only is left open: None.
    """
    found: dict[str, float | None] = {
        "t": t,
        "B": run.norm_bound,
        "true norm": run.true_norm,
        "level": 1 - run.setting.delta,
        "V_T": run.problem.sup_variation,
    }
    for name, film in run.films.items():
        known = run.known(name).all()
        found[f"{name} mean half-width"] = None if film.empty[t] else float(film.half_width[t])
        found[f"{name} first miss"] = run.first_miss[name] if known else None
        found[f"{name} first empty"] = run.first_empty[name] if known else None
    return found


def table(run: BandsOverTime, t: int) -> list[dict]:
    """Return the numbers behind the main figure at one time, every fifth arm of a long grid."""
    m, rows = run.truth.shape[1], []
    for j in range(0, m, EVERY if m > LONG_GRID else 1):
        row = {"x": place_name(run.problem, j), "truth": float(run.truth[t, j])}
        for name, film in run.films.items():
            row |= {f"{name} lower": float(film.lower[t, j]), f"{name} upper": float(film.upper[t, j])}
        rows.append(row)
    return rows
