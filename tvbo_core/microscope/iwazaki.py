r"""Iwazaki & Takeno (R-PERP): what a shuffle may do, with an explicit constant, and when a restart fits."""

from __future__ import annotations

import math

import numpy as np

from tvbo_core.gp.dense import posterior_weights
from tvbo_core.kernels import SquaredExponential
from tvbo_core.microscope.record import (
    LEVEL,
    MEASURED,
    PRINTED,
    READ,
    Line,
    MicroscopeResult,
    MicroscopeSetting,
    nearest,
    on_sweep,
)
from tvbo_core.policies.elimination.schedule import least_variation, restart_length

SHUFFLES = 20_000


def tail(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""Share of $|Z-\mathbb EZ|$, $Z=\sum_mw_mF_{\psi(m),m}$, of $uB\|w\|$ or more, beside $2e^{-u^2/8}$."""
    n, rng = 40, setting.rng(11)
    w = rng.standard_normal(n)
    F = rng.choice([-1.0, 1.0], (n, n))  # rewards at the ends of [-B, B], B = 1, by time and question
    times = rng.permuted(np.tile(np.arange(n), (SHUFFLES, 1)), axis=1)
    Z = (F[times, np.arange(n)] @ w - (F.mean(axis=0) @ w)) / np.linalg.norm(w)
    levels = np.round(np.linspace(0.0, 6.0, 61), 2)
    share = (np.abs(Z) >= levels[:, None]).mean(axis=1)
    bound = 2.0 * np.exp(-(levels**2) / 8.0)
    edges = np.linspace(-6.0, 6.0, 49)
    middle = 0.5 * (edges[1:] + edges[:-1])
    density = np.histogram(Z, edges)[0] / SHUFFLES
    beyond = np.where(np.abs(middle) >= levels[:, None], density, np.nan)
    over = {("measured", MEASURED): np.where(share > 0, share, np.nan), ("bound, C = 2√2", READ): bound}
    return MicroscopeResult(
        "iwazaki-C", levels, on_sweep(levels, over),
        (Line("all shuffles", LEVEL, middle, density), Line("at least this far", MEASURED, middle, beyond, dots=True)),
        f"{n} questions, rewards −1 or 1 by lot, random weights, {SHUFFLES:,} shuffles", {"share": share}, tells=30,
    )  # fmt: skip


def two_steps(setting: MicroscopeSetting) -> MicroscopeResult:
    """A batch of two: the entries are (1, 1) or (-1, -1), which no shuffle of one fixed list gives."""
    shuffles = 60
    swapped = setting.rng(12).integers(0, 2, shuffles)
    F = np.array([[1.0, -1.0], [-1.0, 1.0]])  # reward of question m at time s: F[s, m]
    first, second = F[swapped, 0], F[1 - swapped, 1]
    k = np.arange(1, shuffles + 1).astype(float)
    share = (first > 0).cumsum() / k
    over = {("sum of a fixed list (1, −1)", PRINTED): 0.0}
    at = np.array([1.0, 2.0])
    return MicroscopeResult(
        "iwazaki-list", k,
        (*on_sweep(k, over), Line("sum of the two rewards", MEASURED, k, first + second, dots=True)),
        (Line("this shuffle", MEASURED, at, np.stack([first, second], axis=1), dots=True),
         Line("a fixed list", PRINTED, at, np.stack([1.0 - 2.0 * swapped, 2.0 * swapped - 1.0], axis=1), dots=True)),
        f"two questions at two times: reward 1 in one order, −1 in the other; {shuffles} shuffles",
        {"share": share, "sum": first + second}, tells=shuffles - 1,
    )  # fmt: skip


def restart_fits(setting: MicroscopeSetting) -> MicroscopeResult:
    """The prescribed restart length over T at both thresholds, over the horizon."""
    T, d = np.geomspace(1e2, 1e7, 41), setting.d
    logs = np.log(T)
    printed = {math.inf: T**-0.5 * logs ** ((d + 2) / 3),
               2.5: T ** (-2.5 / (5 + d)) * logs ** ((2.5 + d) / (5 + d))}  # fmt: skip

    def share(nu: float, V: np.ndarray) -> np.ndarray:
        return np.array([restart_length(t, v, nu, d) / t for t, v in zip(T, V, strict=True)])

    read = {nu: np.array([least_variation(t, nu, d) for t in T]) for nu in printed}
    over = {("printed, SE", PRINTED): share(math.inf, printed[math.inf]),
            ("printed, Matérn 5/2", PRINTED): share(2.5, printed[2.5]),
            ("read, both", READ): share(math.inf, read[math.inf])}  # fmt: skip
    drift = np.geomspace(1e-3, 1e2, 61)
    length = np.array([[restart_length(t, v, math.inf, d) / t for v in drift] for t in T])

    def mark(name: str, role: str, V: np.ndarray) -> Line:
        return Line(name, role, V[:, None], share(math.inf, V)[:, None], dots=True)

    return MicroscopeResult(
        "iwazaki-H", T, on_sweep(T, over),
        (Line("H/T, SE", MEASURED, drift, length), mark("printed", PRINTED, printed[math.inf]),
         mark("read", READ, read[math.inf]), Line("H = T", LEVEL, drift, np.ones(len(drift)))),
        f"Theorems 3 and 5, d = {d}", {"matern": share(2.5, read[2.5])}, tells=nearest(T, 1e3),
    )  # fmt: skip


def average_estimate(setting: MicroscopeSetting) -> MicroscopeResult:
    """The mean of R-PERP's estimate over more and more shuffles, and the posterior mean of the batch average."""
    n, draws, rng = 32, 400, setting.rng(13)
    kernel, x, ridge = SquaredExponential(lengthscale=0.2), np.linspace(0.0, 1.0, 61), setting.sigma**2
    questions = np.sort(rng.uniform(0.0, 1.0, n))
    ends = 2.0 * np.sin(2.0 * np.pi * (x + rng.uniform(0.0, 1.0))), 2.0 * np.sin(3.0 * np.pi * (x + rng.uniform()))
    share = np.linspace(0.0, 1.0, n)[:, None]
    rewards = np.stack([np.interp(questions, x, e) for e in ends])
    table = (1.0 - share) * rewards[0] + share * rewards[1]  # (time, question): a glide from one curve to another
    weights = posterior_weights(kernel, questions[:, None], x[:, None], ridge)
    times = rng.permuted(np.tile(np.arange(n), (draws, 1)), axis=1)
    heard = table[times, np.arange(n)] + setting.sigma * rng.standard_normal((draws, n))
    k = np.arange(1, draws + 1)
    running = (heard @ weights).cumsum(axis=0) / k[:, None]
    target = table.mean(axis=0) @ weights
    stops = np.unique(np.geomspace(1, draws, 31).round().astype(int))
    error = np.abs(running - target).max(axis=1)
    spread = float(np.std(heard @ weights, axis=0).max())
    sweep = stops.astype(float)
    over = {("measured", MEASURED): error[stops - 1], ("one shuffle's spread / √k", LEVEL): spread / np.sqrt(sweep)}
    return MicroscopeResult(
        "iwazaki-mean", sweep, on_sweep(sweep, over),
        (Line("mean estimate", MEASURED, x, running[stops - 1]),
         Line("from the batch average", READ, x, target)),
        f"{n} questions, a gliding reward, SE ℓ = 0.2, σ = {setting.sigma:g}, {draws} shuffles", tells=len(stops) - 1,
    )  # fmt: skip
