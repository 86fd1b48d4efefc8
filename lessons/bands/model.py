"""Five bands on one history: the lesson's numbers, from plain values."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

import tvbo_core as tv
from lessons.shared.cache import shared
from lessons.shared.problems import place_name, problem
from shell.run_panel import computed
from tvbo_core import History, Problem, World
from tvbo_core.bands import BoundError
from tvbo_core.bands.coverage import Coverage, still_coverage
from tvbo_core.bands.over_time import missed
from tvbo_core.gp.spectral import spectrum
from tvbo_core.records import BandFilm

COVERAGE_MS = 0.2  # of one world with 100 observations


COVERAGE_STREAM = 5  # of a world's seed; worlds.py and observe.py use others


@dataclass(frozen=True)
class Assumed:
    """What the five bands are told, and how the data are gathered: plain values.

    Attributes:
        ratio: assumed norm bound over the world's.   delta: failure probability.
        c: covariance scale, 0 for the paper's choice.
        ridge: AY's ridge as a multiple of sigma^2/c.   design: "random", "ucb" or "clustered".
        match: set c so that AMM's regulariser equals IGP's, and AY's with it.   n: observations.
    """

    ratio: float = 1.0
    delta: float = 0.01
    c: float = 1.0
    ridge: float = 1.0
    design: str = "random"
    match: bool = False
    n: int = 100


@dataclass(frozen=True, eq=False)
class BandShow:
    """Five films on one history: what page 2 draws."""

    problem: Problem
    history: History
    bands: dict
    films: dict[str, BandFilm]
    truth: object  # (n+1, m) the reward of each frame
    misses: dict[str, object]  # name -> (n+1, m) bool
    first_miss: dict[str, int | None]
    first_empty: dict[str, int | None]
    norm_bound: float
    true_norm: float | None
    c: float
    moving: bool
    unit: str

    @property
    def span(self) -> tuple[float, float]:
        """The first and the last place."""
        return float(self.problem.x[0, 0]), float(self.problem.x[-1, 0])

    @property
    def events(self) -> list[int]:
        """Frames worth stopping at: first misses and first empty sets."""
        found = [*self.first_miss.values(), *self.first_empty.values()]
        return sorted({t for t in found if t is not None})


def five_bands(world: World, assumed: Assumed, norm_bound: float, noise_sd: float) -> dict:
    """The five bands under the same assumptions."""
    eta = 2.0 / world.horizon
    sigma, delta = noise_sd, assumed.delta
    B = norm_bound * assumed.ratio
    c = sigma**2 / (1.0 + eta) if assumed.match else assumed.c or _papers_c(world, assumed.n)
    ridge = sigma**2 / c * (1.0 if assumed.match else assumed.ridge)
    return {
        "CMM": tv.CMM(B, sigma, delta, c),
        "DMM": tv.DMM(B, sigma, delta, c),
        "AMM": tv.AMM(B, sigma, delta, c),
        "AY": tv.AY(B, sigma, delta, ridge),
        "IGP": tv.IGP(B, sigma, delta, eta),
    }


def _papers_c(world: World, n: int) -> float:
    """Flynn & Reeb's choice: n^(-d/(2 nu + 2 d)) for a Matern kernel, 1 for the squared exponential (sec. 7)."""
    if world.kernel == "se":
        return 1.0
    return float(n ** (-world.dimension / (2.0 * world.nu + 2.0 * world.dimension)))


def _history(p: Problem, design: str, n: int, seed: int) -> History:
    rng = tv.observe.play_rng(seed)
    if design == "ucb":
        return tv.observe.ucb_design(p, n, rng)
    if design == "clustered" and p.arm_names is None:
        return tv.observe.clustered_design(p, n, rng)
    return tv.observe.random_design(p, n, rng)


@shared(24)
def band_show(world: World, assumed: Assumed) -> BandShow:
    """Play the world once and film the five bands over it."""
    p = problem(world)
    n = min(assumed.n, p.horizon)
    history = _history(p, assumed.design, n, world.seed)
    bound = p.norm_bound if p.norm_bound is not None else world.norm_bound
    bands = five_bands(world, assumed, bound, p.noise_sd)
    rows = [max(t - 1, 0) for t in range(n + 1)]
    truth, norms = p.f[rows], p.norms
    films = tv.films(bands, p.kernel, history.X, history.y, p.x)
    misses = {name: missed(film, truth) for name, film in films.items()}
    return BandShow(
        problem=p,
        history=history,
        bands=bands,
        films=films,
        truth=truth,
        misses=misses,
        first_miss={name: _first(m.any(axis=1)) for name, m in misses.items()},
        first_empty={name: _first(film.empty) for name, film in films.items()},
        norm_bound=bound * assumed.ratio,
        true_norm=None if norms is None else float(norms.max()),
        c=bands["CMM"].c,
        moving=p.sup_variation > 0,
        unit=tv.data.load(world.dataset).unit if world.kind == "data" else "reward",
    )


def band_frames(world: World, assumed: Assumed) -> int:
    """How many frames the films of this setting have: one more than observations."""
    return min(assumed.n, problem(world).horizon) + 1


def _first(flags) -> int | None:
    return int(flags.argmax()) if flags.any() else None


@shared(64)
def at_place(world: World, assumed: Assumed, t: int, arm: int) -> tuple[dict, dict, float]:
    """Radius terms, (lower, mean, upper) of each band and the truth, at one time and arm."""
    show, spec = band_show(world, assumed), _spectrum(world, assumed, t)
    terms = {name: band.terms(spec, arm) for name, band in show.bands.items()}
    bounds = {n: tuple(float(a[t, arm]) for a in (f.lower, f.mean, f.upper)) for n, f in show.films.items()}
    return terms, bounds, float(show.truth[t, arm])


@shared(64)
def ucb_curve(world: World, assumed: Assumed, t: int, arm: int):
    """UCB(alpha) at one time and arm, with DMM's five alphas and CMM's minimum."""
    return band_show(world, assumed).bands["CMM"].curve(_spectrum(world, assumed, t), arm)


@shared(64)
def _spectrum(world: World, assumed: Assumed, t: int):
    show = band_show(world, assumed)
    h = show.history
    return spectrum(show.problem.kernel, h.X[:t], h.y[:t], show.problem.x)


@shared(32)
def certificates(world: World, assumed: Assumed, t: int, arm: int) -> list[dict] | str:
    """CMM beside the conic program at an arm and at both ends, or one sentence on why there is no answer."""
    show = band_show(world, assumed)
    h, band, film, x = show.history, show.bands["CMM"], show.films["CMM"], show.problem.x
    rows = []
    for j in dict.fromkeys((0, arm, len(x) - 1)):
        try:
            bounds = tv.certify.socp_bounds(
                show.problem.kernel, h.X[:t], h.y[:t], x[j], band.B, band.sigma, band.delta, band.c
            )
        except ImportError:
            return "The conic solver is not installed; `pip install cvxpy clarabel` brings it."
        except BoundError as problem:
            return str(problem)
        for side, cone, dual in zip(("lower", "upper"), bounds, (film.lower[t, j], film.upper[t, j]), strict=True):
            rows.append(
                {
                    "x": place_name(show.problem, j),
                    "side": side,
                    "conic program": cone,
                    "dual (drawn)": float(dual),
                    "gap": f"{abs(cone - dual):.1e}",
                }
            )
    return rows


def band_table(world: World, assumed: Assumed, t: int) -> list[dict]:
    """The numbers behind the main figure at one time, every fifth arm of a long grid."""
    show = band_show(world, assumed)
    m = show.truth.shape[1]
    rows = []
    for j in range(0, m, 5 if m > 40 else 1):
        row = {"x": place_name(show.problem, j), "truth": float(show.truth[t, j])}
        for name, film in show.films.items():
            row |= {f"{name} lower": float(film.lower[t, j]), f"{name} upper": float(film.upper[t, j])}
        rows.append(row)
    return rows


def coverage(world: World, assumed: Assumed) -> Coverage | None:
    """Coverage of the five bands over repeated still worlds with this kernel, noise and norm."""
    if world.kind == "data" or math.isinf(world.norm_bound):
        return None
    # Neither how the reward moves nor where the data of the stage fall plays a part: same key, same answer.
    still = replace(world, kind="still", budget=0.0, epsilon=0.01, alpha=1.0, dataset="stocks")
    return _coverage(still, replace(assumed, design="random"))


@shared(64)
def _coverage(world: World, assumed: Assumed, worlds: int = 200) -> Coverage:
    n = min(assumed.n, world.horizon)
    return computed(measured_coverage, world, assumed, worlds, seconds=worlds * COVERAGE_MS / 1000 * (n / 100) ** 2)


def measured_coverage(world: World, assumed: Assumed, worlds: int) -> Coverage:
    """Return how often each band covered, over so many still worlds: a function of plain values, for workers."""
    p = tv.make_problem(world)
    bands = five_bands(world, assumed, world.norm_bound, p.noise_sd)
    rng = np.random.default_rng([world.seed, COVERAGE_STREAM])
    return still_coverage(bands, p.kernel, p.x, min(assumed.n, p.horizon), worlds, world.norm_bound, p.noise_sd, rng)
