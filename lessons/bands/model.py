"""Confidence bands on one history: the lesson's numbers, from plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

import tvbo_core as tv
from common.cache import keyed, shared
from lessons.bands.knobs import BANDS_WORLD
from lessons.record import Values
from lessons.shared import worlds
from lessons.shared.problems import place_name, problem
from tvbo_core import History, Problem, World
from tvbo_core.bands import ALL, BoundError
from tvbo_core.bands.base import Bound
from tvbo_core.bands.over_time import missed
from tvbo_core.bands.radius import RadiusTerms, UCBCurve
from tvbo_core.gp.spectral import Spectrum, spectrum
from tvbo_core.guests import ADMITTED, failure
from tvbo_core.records import BandFilm
from tvbo_core.worlds import Reshaped

_closer_looks = keyed(64)
LONG_GRID, EVERY = 40, 5  # arms; of a longer grid the table lists every fifth


@dataclass(frozen=True)
class BandSetting:
    """Choices of the reader: plain values.

    Attributes:
        world: gives the reward; as many observations are made as it has rounds.
        ratio: assumed norm bound over the world's.   delta: failure probability.
        c: covariance scale, 0 for the paper's choice.
        ridge: AY's ridge as a multiple of sigma^2/c.   design: "random", "ucb" or "clustered".
        match: set c so that AMM's regulariser equals IGP's, and AY's with it.
    """

    world: World
    ratio: float = 1.0
    delta: float = 0.01
    c: float = 1.0
    ridge: float = 1.0
    design: str = "random"
    match: bool = False

    @property
    def sized(self) -> World:
        """The world with the norm bound that it has: a hill that was reshaped has its own."""
        if not isinstance(self.world, Reshaped):
            return self.world
        bound = problem(self.world).norm_bound
        assert bound is not None  # it is a sum of kernels
        return replace(self.world.drawn, norm_bound=bound)


@dataclass(frozen=True)
class BandVerdict:
    """State of a band at one time.

    Attributes:
        now: "covers" (the whole curve), "misses" or "empty" (no function fits).   since: frame since which it holds.
        first: frame of the first miss so far, an empty set counted; None where every frame so far covers.
    """

    now: str
    since: int
    first: int | None


@dataclass(frozen=True, eq=False)
class BandsOverTime:
    """The bands on one history of n observations, one frame a time.

    Attributes:
        setting: of the page.   history: the n observations.
        bands: name -> band.   films: name -> its film with n+1 frames.
        truth: (n+1, m) reward of each frame.   misses: name -> (n+1, m) bool, where the truth is outside.
        unit: of a reward.   only: the one time at which the bands `searched` are known, None where all are.
        searched: names of the bands whose every time is a search of its own.
        refused: name of a guest that raised -> what it raised.
    """

    setting: BandSetting
    history: History
    bands: Mapping[str, Bound]
    films: Mapping[str, BandFilm]
    truth: np.ndarray
    misses: Mapping[str, np.ndarray]
    unit: str = "reward"
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
    def arm_names(self) -> tuple[str, ...] | None:
        return self.problem.arm_names

    @property
    def x(self) -> np.ndarray:
        """(m,) coordinate of each arm: its place, or its number where arms are names."""
        if self.arm_names is not None:
            return np.arange(len(self.arm_names), dtype=np.float32)
        return self.problem.x[:, 0].astype(np.float32)

    @property
    def span(self) -> tuple[float, float]:
        """The first and the last place."""
        return float(self.problem.x[0, 0]), float(self.problem.x[-1, 0])

    @property
    def moving(self) -> bool:
        """True where the reward moves, so that no band's promise holds."""
        return self.problem.sup_variation > 0

    @property
    def norm_bound(self) -> float:
        """The assumed norm bound."""
        return next(iter(self.bands.values())).B

    @property
    def c(self) -> float:
        """The covariance scale."""
        return self.cmm.c

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
    def verdicts(self) -> dict[str, list[BandVerdict]]:
        """Name -> the band's verdict at every frame."""
        missed_at = {name: np.asarray(miss.any(axis=1)) for name, miss in self.misses.items()}
        return {name: _verdicts(at, self.films[name].empty) for name, at in missed_at.items()}

    def until(self, t: int) -> BandsOverTime:
        """Return the film up to time t, as if no later observation had been heard."""
        n, film = t + 1, self.history.problem
        heard = replace(self.history, problem=film.head(max(t, 1)), arms=self.history.arms[:t], y=self.history.y[:t])
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


def _verdicts(missing: np.ndarray, empty: np.ndarray) -> list[BandVerdict]:
    """Return the verdict of every frame, from whether it misses and whether its set is empty."""
    found: list[BandVerdict] = []
    for t, (bad, none) in enumerate(zip(missing.tolist(), empty.tolist(), strict=True)):
        now = "empty" if none else "misses" if bad else "covers"
        before = found[-1] if found else None
        since = before.since if before and before.now == now else t
        first = before.first if before and before.first is not None else t if now != "covers" else None
        found.append(BandVerdict(now, since, first))
    return found


@dataclass(frozen=True, eq=False)
class BandsAtPlace:
    """The bands at one time and arm.

    Attributes:
        bounds: name -> (lower, mean, upper).   truth: the reward there.
        parts: name -> part of the half-width by term, reward units; of the bands that have terms.
    """

    bounds: Mapping[str, tuple[float, float, float]]
    truth: float
    parts: Mapping[str, Mapping[str, float]]


def setting_from(values: Values) -> BandSetting:
    """Return the setting that these values of the page's knobs describe."""
    v = values
    world = worlds.build(v, BANDS_WORLD)
    return BandSetting(world, v["Bhat"], v["delta"], v["c"], v["ridge"], v["design"], v["match"])


def listed_bands(setting: BandSetting, norm_bound: float, noise_sd: float) -> dict[str, Bound]:
    """Return every band of `tvbo_core.bands.ALL` under the same assumptions.

    Args:
        norm_bound: of the reward, before it is assumed larger or smaller.   noise_sd: of one observation.
    """
    eta = 2.0 / setting.world.horizon
    sigma, delta = noise_sd, setting.delta
    B = norm_bound * setting.ratio
    c = sigma**2 / (1.0 + eta) if setting.match else setting.c or _papers_c(setting.world)
    ridge = sigma**2 / c * (1.0 if setting.match else setting.ridge)
    return {name: entry.make(B, sigma, delta, c=c, ridge=ridge, eta=eta) for name, entry in ALL.items()}


def _papers_c(world: World) -> float:
    """Return Flynn & Reeb's choice: n^(-d/(2 nu + 2 d)) for a Matern kernel, 1 for the squared exponential (sec. 7)."""
    if world.kernel == "se":
        return 1.0
    return float(world.horizon ** (-world.dimension / (2.0 * world.nu + 2.0 * world.dimension)))


def _history(p: Problem, design: str, seed: int) -> History:
    rng = tv.observe.play_rng(seed)
    if design == "ucb":
        return tv.observe.ucb_design(p, p.horizon, rng)
    if design == "clustered" and p.arm_names is None:
        return tv.observe.clustered_design(p, p.horizon, rng)
    return tv.observe.random_design(p, p.horizon, rng)


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
    history = _history(p, setting.design, world.seed)
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
        unit=tv.data.load(world.dataset).unit if world.kind == "data" else "reward",
        only=only,
        searched=frozenset(name for name, band in bands.items() if not band.fixed_regularisers),
        refused=refused,
    )


def closer_look(run: BandsOverTime, t: int, arm: int) -> tuple[BandsAtPlace, UCBCurve]:
    """Return the bands at one time and arm, and there UCB(alpha) with DMM's five alphas and CMM's minimum."""

    def make() -> tuple[BandsAtPlace, UCBCurve]:
        spec = _spectrum_of(run, t)
        return _at_place(run, spec, t, arm), run.cmm.curve(spec, arm)

    return _closer_looks((run.setting, run.only, t, arm), make)


def _at_place(run: BandsOverTime, spec: Spectrum, t: int, arm: int) -> BandsAtPlace:
    return BandsAtPlace(
        bounds={
            n: (float(f.lower[t, arm]), float(f.mean[t, arm]), float(f.upper[t, arm])) for n, f in run.films.items()
        },
        truth=float(run.truth[t, arm]),
        parts={name: half_width_parts(terms) for name, band in run.bands.items() if (terms := band.terms(spec, arm))},
    )


def half_width_parts(terms: RadiusTerms) -> dict[str, float]:
    """Return parts by term that add up to the half-width, reward units.

    Legs (AY, IGP): B, then the noise leg split by the shares under its root. Hypotenuse (AMM, DMM, CMM): by the
    shares of the squares. It is a way to draw a root of a sum, stated in the caption.
    """
    noise = {
        "log_det": terms.scale * terms.log_det,
        "log_delta": terms.scale * terms.log_delta,
        "steps": terms.scale * terms.steps,
    }
    if terms.rule == "legs":
        total, leg = sum(noise.values()), terms.width - terms.norm
        parts = {key: leg * part / total if total > 0 else 0.0 for key, part in noise.items()}
        parts |= {"norm": terms.norm, "misfit": 0.0}
    else:
        squares = {**noise, "norm": terms.norm**2, "misfit": terms.misfit}
        parts = {key: part / terms.width if terms.width > 0 else 0.0 for key, part in squares.items()}
    return {key: part * terms.sd for key, part in parts.items()}


def _spectrum_of(run: BandsOverTime, t: int) -> Spectrum:
    h = run.history
    return spectrum(h.problem.kernel, h.X[:t], h.y[:t], h.problem.x)


@shared(32)
def certificates(setting: BandSetting, t: int, arm: int) -> list[dict] | str:
    """Return CMM beside the conic program at an arm and at both ends, or one sentence on why there is no answer."""
    run = bands_over_time(setting)
    h, band, film, x = run.history, run.cmm, run.films["CMM"], run.problem.x
    rows = []
    for j in dict.fromkeys((0, arm, len(x) - 1)):
        try:
            bounds = tv.certify.socp_bounds(
                run.problem.kernel, h.X[:t], h.y[:t], x[j], band.B, band.sigma, band.delta, band.c
            )
        except ImportError:
            return "The conic solver is not installed; `pip install cvxpy clarabel` brings it."
        except BoundError as refusal:
            return str(refusal)
        for side, cone, dual in zip(("lower", "upper"), bounds, (film.lower[t, j], film.upper[t, j]), strict=True):
            rows.append(
                {
                    "x": place_name(run.problem, j),
                    "side": side,
                    "conic program": cone,
                    "dual (drawn)": float(dual),
                    "gap": f"{abs(cone - dual):.1e}",
                }
            )
    return rows


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
