r"""Mauduit et al. (W-SparQ-GP-UCB): rates, two sparse posteriors, and drift that is not independent noise."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from tvbo_core.gp.dense import log_det
from tvbo_core.gp.grid import grid_posterior
from tvbo_core.gp.kdpp import KDPP
from tvbo_core.gp.sparse import grid_sparse_sds
from tvbo_core.kernels import SquaredExponential
from tvbo_core.microscope.record import (
    LEVEL,
    MEASURED,
    OTHER,
    PRINTED,
    READ,
    Line,
    MicroscopeResult,
    MicroscopeSetting,
    nearest,
    on_sweep,
    up_to,
)
from tvbo_core.theory import THEOREMS
from tvbo_core.theory.costs import full_cost, sparq_cost, wsparq_cost


def square_root(setting: MicroscopeSetting) -> MicroscopeResult:
    """Powers of T in (34) as stored and with the root of Table 2, over the window exponent."""
    windows = np.round(np.linspace(0.01, 0.33, 33), 2)
    theorem = THEOREMS["mauduit-3.10"]
    read = np.array([float(theorem.exponent(alpha=1, window_exponent=Fraction(str(w))).T) for w in windows])
    printed = 2.0 * read  # without the root every power is twice as large
    log_T = np.linspace(2.0, 7.0, 26)
    curves = {("(34) as printed", PRINTED): printed, ("with the root", READ): read, ("grows like T", LEVEL): 1.0}
    return MicroscopeResult(
        "mauduit-34", windows, on_sweep(windows, curves),
        (Line("(34) as printed", PRINTED, 10.0**log_T, 10.0 ** np.outer(printed, log_T)),
         Line("with the root", READ, 10.0**log_T, 10.0 ** np.outer(read, log_T)),
         Line("grows like T", LEVEL, 10.0**log_T, 10.0**log_T)),
        "powers of T only; constants and logarithms count as 1", tells=nearest(windows, 0.25),
    )  # fmt: skip


def two_posteriors(setting: MicroscopeSetting) -> MicroscopeResult:
    """Largest variance ratio to the full posterior, subset of data and variational, by number of chosen points."""
    n, noise, rng = 200, setting.sigma**2, setting.rng(3)
    x = np.linspace(0.0, 1.0, 101)[:, None]
    gram = SquaredExponential(lengthscale=0.2)(x, x)
    arms = rng.integers(0, len(x), n)
    distinct = np.unique(arms)
    points = KDPP(gram[np.ix_(distinct, distinct)])
    _, every = grid_posterior(gram, arms, np.zeros(n), noise)
    sizes, rows, curves = np.arange(1, 21), [], []
    for size in sizes:
        sets = [distinct[points.sample(int(size), rng)] for _ in range(3)]
        found = [grid_sparse_sds(gram, arms, chosen, noise, every) for chosen in sets if len(chosen) == size]
        if not found:
            break  # the rank of the covariance: there are no more independent points
        rows.append([np.median([getattr(s, name).max() for s in found])
                     for name in ("subset_ratio", "variational_ratio")])  # fmt: skip
        rows[-1].append(np.median([s.residual for s in found]) / noise)
        curves.append((found[0].full, found[0].variational, found[0].subset))
    subset, variational, residual = np.array(rows).T
    full, through, alone = (np.array(c) for c in zip(*curves, strict=True))
    sweep = sizes[: len(rows)].astype(float)
    over = {("subset of data", MEASURED): subset, ("variational", OTHER): variational, ("equal", LEVEL): 1.0}
    return MicroscopeResult(
        "mauduit-subset", sweep, on_sweep(sweep, over),
        (Line("subset of data", MEASURED, x[:, 0], alone), Line("variational", OTHER, x[:, 0], through),
         Line("all answers", LEVEL, x[:, 0], full)),
        f"{n} random answers on 101 arms of [0, 1], SE ℓ = 0.2, σ = {setting.sigma:g}, points by k-DPP, median of 3 "
        f"draws",
        {"residual": residual}, tells=min(9, len(rows) - 1),
    )  # fmt: skip


def three_times(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""Correlation of the drifts $v_{13}$ and $v_{23}$ of one reward, over the drift exponent.

    $\mathrm{Var}(v_{ij})=(j-i)^\alpha$ leaves no choice: $v_{12}=v_{13}-v_{23}$ gives
    $\mathrm{corr}(v_{13},v_{23})=2^{\alpha/2-1}$.
    """
    alphas = np.round(np.linspace(0.1, 2.0, 39), 3)
    z = setting.rng(4).standard_normal((2, 1000))
    exact = 2.0 ** (alphas / 2.0 - 1.0)
    lag = 2.0 ** (alphas / 2.0)  # sd of v_13
    last = np.broadcast_to(z[0], (len(alphas), z.shape[1]))  # v_23
    whole = lag[:, None] * (exact[:, None] * z[0] + np.sqrt(np.maximum(1.0 - exact**2, 0.0))[:, None] * z[1])
    measured = np.array([np.corrcoef(a, b)[0, 1] for a, b in zip(whole, last, strict=True)])
    shown = 200
    over = {("exact", READ): exact, ("independent", PRINTED): 0.0}
    return MicroscopeResult(
        "mauduit-three", alphas,
        (*on_sweep(alphas, over), Line("1000 draws", MEASURED, alphas, measured, dots=True)),
        (Line("", MEASURED, last[:, :shown], whole[:, :shown], dots=True),
         Line("v₁₃ = v₂₃", LEVEL, np.array([-3.0, 3.0]), np.array([-3.0, 3.0]))),
        "one arm at times 1, 2, 3; Gaussian increments of variance n^α over n steps; 1000 draws, 200 shown",
        tells=nearest(alphas, 1.0),
    )  # fmt: skip


def walk(setting: MicroscopeSetting) -> MicroscopeResult:
    """Coverage of the band of Lemma 2.3 for one arm: the reward walks, or every old answer has noise of its own."""
    runs, T, sigma, alpha, delta, B = 300, 3000, 0.1, setting.alpha, 0.1, 1.0
    rng = setting.rng(5)
    steps = rng.uniform(-sigma, sigma, (runs, T)).cumsum(axis=1)
    folded = (steps + rng.uniform(-1.0, 1.0, (runs, 1)) + B) % (4.0 * B)
    f = np.where(folded > 2.0 * B, 4.0 * B - folded, folded) - B  # the walk reflected at -1 and 1
    y = f + sigma * rng.standard_normal((runs, T))
    times = np.unique(np.geomspace(2, T, 34).round().astype(int))
    inside, free, low, high = np.empty(len(times)), np.empty(len(times)), [], []
    for i, t in enumerate(times):
        noise = sigma**2 * (1.0 + np.arange(t - 1, 0, -1.0) ** alpha)  # of the answers of rounds 1..t-1
        total = 1.0 + (1.0 / noise).sum()
        half = (math.sqrt(2.0 * math.log(2.0 / delta) + math.log(total)) + B) / math.sqrt(total)
        mean = y[:, : t - 1] @ (1.0 / noise) / total
        inside[i] = (np.abs(mean - f[:, t - 1]) <= half).mean()
        error = math.sqrt((1.0 / noise).sum()) / total * rng.standard_normal(runs) - f[:, t - 1] / total
        free[i] = (np.abs(error) <= half).mean()
        low.append(mean[0] - half)
        high.append(mean[0] + half)
    sweep = times.astype(float)
    stops = np.arange(1, len(times) + 1)
    over = {
        ("random walk", MEASURED): inside,
        ("independent noise", OTHER): free,
        ("promise", PRINTED): 1.0 - delta / 2.0,
    }
    return MicroscopeResult(
        "mauduit-walk", sweep, on_sweep(sweep, over),
        (Line("reward", MEASURED, sweep, up_to(f[0, times - 1], stops)),
         Line("band", PRINTED, sweep, up_to(np.array(low), stops)),
         Line("", PRINTED, sweep, up_to(np.array(high), stops))),
        f"one arm, |f| ≤ 1, σ = {sigma:g}, α = {alpha:g}, δ = {delta:g}, steps uniform on [−σ, σ], {runs} runs, at "
        f"{len(times)} rounds",
        tells=len(times) - 1,
    )  # fmt: skip


def injected(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""$\ln\det(I+\Sigma^{-1}K)$ with and without injected noise, over the drift exponent."""
    T, noise = 200, setting.sigma**2
    X = setting.rng(6).uniform(0.0, 1.0, (T, 1))
    K = SquaredExponential(lengthscale=0.2)(X, X)
    alphas, sizes = np.round(np.linspace(0.05, 2.0, 40), 3), np.unique(np.geomspace(5, T, 10).round().astype(int))

    def gain(n: int, alpha: float | None) -> float:
        ages = np.arange(n, 0, -1.0)
        return log_det(K[:n, :n], noise if alpha is None else noise * (1.0 + ages**alpha))

    still = np.array([gain(n, None) for n in sizes])
    aged = np.array([[gain(n, float(a)) for n in sizes] for a in alphas])
    over = {("injected noise", MEASURED): aged[:, -1], ("none", OTHER): still[-1]}
    x = sizes.astype(float)
    return MicroscopeResult(
        "mauduit-third", alphas, on_sweep(alphas, over),
        (Line("injected noise", MEASURED, x, aged), Line("none", OTHER, x, still)),
        f"{T} random points of [0, 1], SE ℓ = 0.2, σ = {setting.sigma:g}; no factor ½",
        {"printed": (1.0 + 3.0 * alphas) / 2.0, "read": (1.0 + alphas) / 2.0}, tells=nearest(alphas, 1.0),
    )  # fmt: skip


def window_length(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""Minimum of $F(L)=L^{-\alpha}+4L/T$, by search and by both constants in $L^*$."""
    alpha = setting.alpha
    T = np.geomspace(1e2, 1e6, 41)
    L = np.geomspace(1.0, 1e5, 400)
    F = L**-alpha + 4.0 * L / T[:, None]
    fine = np.geomspace(1.0, 1e5, 20_001)
    found = fine[np.array([(fine**-alpha + 4.0 * fine / t).argmin() for t in T])]
    by = {c: (alpha * T / c) ** (1.0 / (alpha + 1.0)) for c in (4.0, 8.0)}
    over = {("lowest, by search", MEASURED): found, ("with 4", READ): by[4.0], ("with 8", PRINTED): by[8.0]}
    marks = [Line(f"{c:g}", role, by[c][:, None], (by[c] ** -alpha + 4.0 * by[c] / T)[:, None], dots=True)
             for c, role in ((4.0, READ), (8.0, PRINTED))]  # fmt: skip
    return MicroscopeResult(
        "mauduit-length", T, on_sweep(T, over), (Line("F(L)", MEASURED, L, F), *marks),
        f"α = {alpha:g} (the theorem asks for more than 1)",
        {"ratio": marks[1].y[:, 0] / marks[0].y[:, 0]}, tells=nearest(T, 1e4),
    )  # fmt: skip


def cost_of_a_round(setting: MicroscopeSetting) -> MicroscopeResult:
    """Orders of the cost of a round as shares of the full posterior's, over the horizon; constants count as 1."""
    d, window = setting.d, 0.25
    T = np.geomspace(10.0, 1e10, 37)
    full = full_cost(T)
    shares = {("SparQ, Theorem 3.6", PRINTED): sparq_cost(T, d) / full,
              ("W-SparQ, mean", READ): wsparq_cost(T, d, window, setting.alpha) / full,
              ("full posterior", LEVEL): 1.0}  # fmt: skip
    dimensions = np.arange(1.0, 7.0)
    by_d = [np.stack([cost(T, int(n)) / full for n in dimensions], axis=1)
            for cost in (sparq_cost, lambda t, n: wsparq_cost(t, n, window, setting.alpha))]  # fmt: skip
    return MicroscopeResult(
        "mauduit-36", T, on_sweep(T, shares),
        (Line("SparQ", PRINTED, dimensions, by_d[0]), Line("W-SparQ, mean", READ, dimensions, by_d[1]),
         Line("full posterior", LEVEL, dimensions, np.ones(len(dimensions)))),
        f"orders with every constant counted as 1, d = {d}, α̃ = {window:g}, α = {setting.alpha:g}; full: T³",
        tells=nearest(T, 1e3 if d == 1 else 1e6),
    )  # fmt: skip
