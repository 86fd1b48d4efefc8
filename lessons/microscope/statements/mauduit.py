r"""Mauduit et al. (W-SparQ-GP-UCB): rates, two sparse posteriors, and drift that is not independent noise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import partial

import numpy as np

from common.formats import number, percent, power
from lessons.microscope.statements.costs import full_cost, sparq_cost, wsparq_cost
from lessons.microscope.statements.record import (
    Axes,
    MicroscopeResult,
    MicroscopeSetting,
    Statement,
    SweepLine,
    nearest,
    on_sweep,
    up_to,
)
from tvbo_core.gp.dense import log_det
from tvbo_core.gp.grid import grid_posterior
from tvbo_core.gp.kdpp import KDPP
from tvbo_core.gp.sparse import grid_sparse_sds
from tvbo_core.kernels import SquaredExponential
from tvbo_core.theory import THEOREMS


@partial(
    Statement,
    key="mauduit-34",
    name="Mauduit: (34)",
    where="Mauduit et al., Theorem 3.10, eq. 34",
    printed=r"$R_T=O\big(T^{2\tilde\alpha+1}d\ln^{d+1}T\,(\ln\frac1\delta+dT^{\tilde\alpha}\ln^{d+1}T)\big)$",
    read=r"$R_T=O\Big(\sqrt{T^{2\tilde\alpha+1}d\ln^{d+1}T\,(\ln\frac1\delta+dT^{\tilde\alpha}\ln^{d+1}T)}\Big)$",
    reason="Plotted with the square root, as in the paper's Table 2.",
    symbol="α̃ =",
    sentence=lambda f: (
        f"As printed the bound grows like T<sup>{f['(34) as printed']:.3g}</sup>, faster than T; with the square root "
        f"of Table 2 it grows like <b>T<sup>{f['with the root']:.3g}</sup></b>."
    ),
    over=Axes("Power of T in the bound", "window exponent α̃", "power of T", span=(0.0, 2.1)),
    here=Axes(
        "How the bound grows", "horizon T", "regret, heights arbitrary", log_x=True, log_y=True, span=(1.0, 1e14)
    ),
    uses=(),
)
def square_root(setting: MicroscopeSetting) -> MicroscopeResult:
    """Powers of T in (34) as stored and with the root of Table 2, over the window exponent."""
    windows = np.round(np.linspace(0.01, 0.33, 33), 2)
    theorem = THEOREMS["mauduit-3.10"]
    read = np.array([float(theorem.exponent(alpha=1, window_exponent=Fraction(str(w))).T) for w in windows])
    printed = 2.0 * read  # without the root every power is twice as large
    log_T = np.linspace(2.0, 7.0, 26)
    curves = {("(34) as printed", "printed"): printed, ("with the root", "read"): read, ("grows like T", "level"): 1.0}
    return MicroscopeResult(
        windows,
        on_sweep(windows, curves),
        (
            SweepLine("(34) as printed", "printed", 10.0**log_T, 10.0 ** np.outer(printed, log_T)),
            SweepLine("with the root", "read", 10.0**log_T, 10.0 ** np.outer(read, log_T)),
            SweepLine("grows like T", "level", 10.0**log_T, 10.0**log_T),
        ),
        "powers of T only; constants and logarithms count as 1",
        tells=nearest(windows, 0.25),
    )


@partial(
    Statement,
    key="mauduit-subset",
    name="Mauduit: sparse sd",
    where="Mauduit et al., Proposition 3.2",
    printed="A KL guarantee, quoted from Burt et al., for the posterior of the selected points.",
    read="The guarantee concerns the sparse posterior that uses all outputs through inducing points.",
    reason="The algorithm has only the outputs at the selected points. Both variances are shown.",
    symbol="points:",
    sentence=lambda f: (
        f"The selected observations alone leave up to <b>{number(f['subset of data'])} times</b> the full posterior's "
        f"variance; all observations through these points at most {number(f['variational'])} times."
    ),
    over=Axes("Variance over the full posterior's", "chosen points", "largest ratio over x", log_y=True),
    here=Axes("With this many points", "action x", "standard deviation", log_y=True),
    uses=("sigma", "seed"),
)
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
        rows.append(
            [np.median([getattr(s, name).max() for s in found]) for name in ("subset_ratio", "variational_ratio")]
        )
        rows[-1].append(np.median([s.residual for s in found]) / noise)
        curves.append((found[0].full, found[0].variational, found[0].subset))
    subset, variational, residual = np.array(rows).T
    full, through, alone = (np.array(c) for c in zip(*curves, strict=True))
    sweep = sizes[: len(rows)].astype(float)
    over = {
        ("subset of data", "measured"): subset,
        ("variational", "other"): variational,
        ("residual / σ²", "read"): residual,
        ("equal", "level"): 1.0,
    }
    return MicroscopeResult(
        sweep,
        on_sweep(sweep, over),
        (
            SweepLine("subset of data", "measured", x[:, 0], alone),
            SweepLine("variational", "other", x[:, 0], through),
            SweepLine("full posterior", "level", x[:, 0], full),
        ),
        f"{n} random observations on 101 arms of [0, 1], SE ℓ = 0.2, σ = {setting.sigma:g}, points by k-DPP, median of "
        f"3 draws",
        tells=min(9, len(rows) - 1),
    )


def _walk_sentence(f: Mapping[str, float]) -> str:
    walk, free = f["random walk"], f["independent noise"]
    where = "fewer than" if walk < f["stated"] else "not fewer than"
    return (
        f"The band covers the reward in <b>{percent(walk)}</b> of random walks, {where} the stated "
        f"{percent(f['stated'])}; with independent noise in {percent(free)}."
    )


@partial(
    Statement,
    key="mauduit-walk",
    name="Mauduit: Lemma 2.3",
    where="Mauduit et al., Lemma 2.3 under a random walk",
    printed=r"$\lvert\mu_{t-1}(x)-f_t(x)\rvert\le\beta_t\sigma_{t-1}(x)$, with observations of age $n$ at variance "
    r"$\sigma^2(1+n^\alpha)$",
    read="Shown as a statement about an independent-noise idealisation; real drift is simulated separately.",
    reason=(
        "With independent noise coverage stays above the stated level; in the reflected random walk it is measured "
        "here."
    ),
    symbol="t =",
    sentence=_walk_sentence,
    over=Axes("How often the band covers the true value", "round t", "share of runs", log_x=True, span=(0.0, 1.05)),
    here=Axes("One run", "round t", "reward", log_x=True),
    uses=("alpha", "seed"),
)
def walk(setting: MicroscopeSetting) -> MicroscopeResult:
    """Coverage of the band of Lemma 2.3 for one arm: the reward walks, or old observations have own noise."""
    runs, T, sigma, alpha, delta, B = 300, 3000, 0.1, setting.alpha, 0.1, 1.0
    rng = setting.rng(5)
    steps = rng.uniform(-sigma, sigma, (runs, T)).cumsum(axis=1)
    folded = (steps + rng.uniform(-1.0, 1.0, (runs, 1)) + B) % (4.0 * B)
    f = np.where(folded > 2.0 * B, 4.0 * B - folded, folded) - B  # the walk reflected at -1 and 1
    y = f + sigma * rng.standard_normal((runs, T))
    times = np.unique(np.geomspace(2, T, 34).round().astype(int))
    inside, free, low, high = np.empty(len(times)), np.empty(len(times)), [], []
    for i, t in enumerate(times):
        noise = sigma**2 * (1.0 + np.arange(t - 1, 0, -1.0) ** alpha)  # of the observations of rounds 1..t-1
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
        ("random walk", "measured"): inside,
        ("independent noise", "other"): free,
        ("stated", "printed"): 1.0 - delta / 2.0,
    }
    return MicroscopeResult(
        sweep,
        on_sweep(sweep, over),
        (
            SweepLine("reward", "measured", sweep, up_to(f[0, times - 1], stops)),
            SweepLine("band", "printed", sweep, up_to(np.array(low), stops)),
            SweepLine("", "printed", sweep, up_to(np.array(high), stops)),
        ),
        f"one arm, |f| ≤ 1, σ = {sigma:g}, α = {alpha:g}, δ = {delta:g}, steps uniform on [−σ, σ], {runs} runs, at "
        f"{len(times)} rounds",
        tells=len(times) - 1,
    )


@partial(
    Statement,
    key="mauduit-three",
    name="Mauduit: Assumption 2",
    where="Mauduit et al., Assumption 2",
    printed=r"The drift $v_{t_1,t_2}$ between two times is “independent across times $t_1,t_2$”.",
    read=r"At a point that is observed more than once, $v_{13}=v_{12}+v_{23}$.",
    reason="Read at such a point, the independence excludes any drift. The theorems are shown as statements about an "
    "independent-noise idealisation.",
    symbol="α =",
    sentence=lambda f: (
        f"Two changes of a reward that share their last step have correlation <b>{f['exact']:.2f}</b>: they are not "
        "independent."
    ),
    over=Axes("Correlation of two changes of one reward", "drift exponent α", "correlation", span=(-0.1, 1.05)),
    here=Axes("200 draws", "change from time 2 to 3", "change from time 1 to 3", span=(-5.0, 5.0)),
    uses=("seed",),
)
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
    over = {("exact", "read"): exact, ("independent", "printed"): 0.0}
    return MicroscopeResult(
        alphas,
        (*on_sweep(alphas, over), SweepLine("1000 draws", "measured", alphas, measured, dots=True)),
        (
            SweepLine("", "measured", last[:, :shown], whole[:, :shown], dots=True),
            SweepLine("v₁₃ = v₂₃", "level", np.array([-3.0, 3.0]), np.array([-3.0, 3.0])),
        ),
        "one arm at times 1, 2, 3; Gaussian increments of variance n^α over n steps; 1000 draws, 200 shown",
        tells=nearest(alphas, 1.0),
    )


@partial(
    Statement,
    key="mauduit-third",
    name="Mauduit: threshold ⅓",
    where="Mauduit et al., Proposition 2.2",
    printed=r"$R_T=O\big(\sqrt{T^{1+3\alpha}}\big)$ up to logarithms, so $\alpha<\frac13$",
    read=r"$\sqrt{T^{1+\alpha}}$ up to logarithms (derived here)",
    reason="Granting the paper's confidence lemma: injected noise only lowers the log determinant. In this "
    "idealisation the threshold ⅓ comes from the proof technique.",
    symbol="α =",
    sentence=lambda f: (
        f"Injected noise only lowers the log determinant, here to <b>{number(f['injected noise'])}</b>. Then the bound "
        f"grows like T<sup>{f['read']:.2f}</sup> (derived here) and not T<sup>{f['printed']:.2f}</sup>."
    ),
    over=Axes("Log determinant of 200 observations", "drift exponent α", "ln det(I + Σ⁻¹K)"),
    here=Axes("With more observations", "observations", "ln det(I + Σ⁻¹K)"),
    uses=("sigma", "seed"),
)
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
    over = {("injected noise", "measured"): aged[:, -1], ("none", "other"): still[-1]}
    x = sizes.astype(float)
    return MicroscopeResult(
        alphas,
        on_sweep(alphas, over),
        (SweepLine("injected noise", "measured", x, aged), SweepLine("none", "other", x, still)),
        f"{T} random points of [0, 1], SE ℓ = 0.2, σ = {setting.sigma:g}; no factor ½",
        {"printed": (1.0 + 3.0 * alphas) / 2.0, "read": (1.0 + alphas) / 2.0},
        tells=nearest(alphas, 1.0),
    )


@partial(
    Statement,
    key="mauduit-length",
    name="Mauduit: L*",
    where="Mauduit et al., Theorem 5.3",
    printed=r"$L^*=\big(\frac{\alpha T}8\big)^{1/(\alpha+1)}$",
    read=r"$L^*=\big(\frac{\alpha T}4\big)^{1/(\alpha+1)}$",
    reason="4 in place of 8 in $L^*$; orders unaffected.",
    symbol="T =",
    sentence=lambda f: (
        f"The formula read here gives window length <b>{number(f['with 4'])}</b>, the printed one "
        f"{number(f['with 8'])}, where the function F is {percent(f['ratio'] - 1)} higher."
    ),
    over=Axes("Best window length", "horizon T", "length L*", log_x=True, log_y=True),
    here=Axes("The function to be minimised", "length L", "F(L)", log_x=True, log_y=True, span=(1e-4, 2.0)),
    uses=("alpha",),
)
def window_length(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""Minimum of $F(L)=L^{-\alpha}+4L/T$, by search and by both constants in $L^*$."""
    alpha = setting.alpha
    T = np.geomspace(1e2, 1e6, 41)
    L = np.geomspace(1.0, 1e5, 400)
    F = L**-alpha + 4.0 * L / T[:, None]
    fine = np.geomspace(1.0, 1e5, 20_001)
    found = fine[np.array([(fine**-alpha + 4.0 * fine / t).argmin() for t in T])]
    by = {c: (alpha * T / c) ** (1.0 / (alpha + 1.0)) for c in (4.0, 8.0)}
    over = {("lowest, by search", "measured"): found, ("with 4", "read"): by[4.0], ("with 8", "printed"): by[8.0]}
    marks = [
        SweepLine(f"{c:g}", role, by[c][:, None], (by[c] ** -alpha + 4.0 * by[c] / T)[:, None], dots=True)
        for c, role in ((4.0, "read"), (8.0, "printed"))
    ]
    return MicroscopeResult(
        T,
        on_sweep(T, over),
        (SweepLine("F(L)", "measured", L, F), *marks),
        f"α = {alpha:g} (the theorem asks for more than 1)",
        {"ratio": marks[1].y[:, 0] / marks[0].y[:, 0]},
        tells=nearest(T, 1e4),
    )


def _cost_sentence(f: Mapping[str, float]) -> str:
    share = f["SparQ, Theorem 3.6"]
    verdict = "below" if share < 1 else "above"
    return (
        f"SparQ's order is <b>{power(share)}</b> times T³, {verdict} it; a round of W-SparQ is on average "
        f"{power(f['W-SparQ, mean'])} times T³. Constants count as one."
    )


@partial(
    Statement,
    key="mauduit-36",
    name="Mauduit: cost",
    where="Mauduit et al., Theorem 3.6",
    printed=r"A round of SparQ-GP-UCB costs $O\big(T^2\ln T\,\ln^{3d}\frac T{\ln T}\big)$",
    read=r"W-SparQ-GP-UCB: $O\big(T^2(\ln^dT+T^{\tilde\alpha/\alpha})^2\big)$ in all (section 3.3), here a round on "
    r"average",
    reason=r"The full posterior costs $O(T^3)$ a round. Constants are not stated and count as 1, so a crossing shows "
    r"an order, not a time; times of steps are measured in “The race”.",
    symbol="T =",
    sentence=_cost_sentence,
    over=Axes("Cost of a round, over T³", "horizon T", "share, heights arbitrary", log_x=True, log_y=True),
    here=Axes("At this T", "dimension d", "share, heights arbitrary", log_y=True),
    uses=("alpha", "d"),
)
def cost_of_a_round(setting: MicroscopeSetting) -> MicroscopeResult:
    """Orders of the cost of a round as shares of the full posterior's, over the horizon; constants count as 1."""
    d, window = setting.d, 0.25
    T = np.geomspace(10.0, 1e10, 37)
    full = full_cost(T)
    shares = {
        ("SparQ, Theorem 3.6", "printed"): sparq_cost(T, d) / full,
        ("W-SparQ, mean", "read"): wsparq_cost(T, d, window, setting.alpha) / full,
        ("full posterior", "level"): 1.0,
    }
    dimensions = np.arange(1.0, 7.0)
    by_d = [
        np.stack([cost(T, int(n)) / full for n in dimensions], axis=1)
        for cost in (sparq_cost, lambda t, n: wsparq_cost(t, n, window, setting.alpha))
    ]
    return MicroscopeResult(
        T,
        on_sweep(T, shares),
        (
            SweepLine("SparQ", "printed", dimensions, by_d[0]),
            SweepLine("W-SparQ, mean", "read", dimensions, by_d[1]),
            SweepLine("full posterior", "level", dimensions, np.ones(len(dimensions))),
        ),
        f"orders with every constant counted as 1, d = {d}, α̃ = {window:g}, α = {setting.alpha:g}; full: T³",
        tells=nearest(T, 1e3 if d == 1 else 1e6),
    )
