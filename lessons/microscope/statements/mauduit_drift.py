r"""Mauduit et al.: drift and the independent noise that stands for it, and the window that drift asks for."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from common.formats import number, percent
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines, up_to
from tvbo_core.gp.dense import log_det
from tvbo_core.kernels import SquaredExponential
from tvbo_core.race_results import paired_difference


def _walk_sentence(f: Mapping[str, float]) -> str:
    walk, free = f["random walk"], f["independent noise"]
    # The runs are few: a side is taken where the 95 % interval of the share leaves out what is stated.
    where = "fewer than" if f["walk − stated, high"] < 0 else "more than" if f["walk − stated, low"] > 0 else "about"
    return (
        f"The band covers the reward in <b>{percent(walk)}</b> of random walks, {where} the stated "
        f"{percent(f['stated'])}; with independent noise in {percent(free)}."
    )


def walk(setting: MicroscopeSetting) -> MicroscopeResult:
    """Coverage of the band of Lemma 2.3 for one arm: the reward walks, or old observations have own noise."""
    runs, T, sigma, alpha, delta, B = 300, 3000, 0.1, setting.alpha, 0.1, 1.0
    rng = setting.rng(5)
    steps = rng.uniform(-sigma, sigma, (runs, T)).cumsum(axis=1)
    folded = (steps + rng.uniform(-1.0, 1.0, (runs, 1)) + B) % (4.0 * B)
    f = np.where(folded > 2.0 * B, 4.0 * B - folded, folded) - B  # The walk is reflected at -1 and 1.
    y = f + sigma * rng.standard_normal((runs, T))
    times = np.unique(np.geomspace(2, T, 34).round().astype(int))
    inside, free, low, high = np.empty(len(times)), np.empty(len(times)), [], []
    beyond = np.empty((2, len(times)))
    for i, t in enumerate(times):
        noise = sigma**2 * (1.0 + np.arange(t - 1, 0, -1.0) ** alpha)  # the variances of rounds 1 to t - 1
        total = 1.0 + (1.0 / noise).sum()
        half = (math.sqrt(2.0 * math.log(2.0 / delta) + math.log(total)) + B) / math.sqrt(total)
        mean = y[:, : t - 1] @ (1.0 / noise) / total
        covered = np.abs(mean - f[:, t - 1]) <= half
        gap = paired_difference(covered, np.full(runs, 1.0 - delta / 2.0))
        inside[i], beyond[:, i] = covered.mean(), (gap.low, gap.high)
        error = math.sqrt((1.0 / noise).sum()) / total * rng.standard_normal(runs) - f[:, t - 1] / total
        free[i] = (np.abs(error) <= half).mean()
        low.append(mean[0] - half)
        high.append(mean[0] + half)
    stops = np.arange(1, len(times) + 1)
    over = {
        ("random walk", "measured"): inside,
        ("independent noise", "other"): free,
        ("stated", "printed"): 1.0 - delta / 2.0,
    }
    one_run = {("reward", "measured"): f[0, times - 1], ("band", "printed"): low, ("", "printed"): high}
    return MicroscopeResult(
        times.astype(float),
        lines(times, over),
        lines(times, {name: up_to(np.array(values), stops) for name, values in one_run.items()}),
        f"one arm, |f| ≤ 1, σ = {sigma:g}, α = {alpha:g}, δ = {delta:g}, steps uniform on [−σ, σ] (over n rounds "
        f"variance at most nσ²/3: within the band's model for α ≥ 1), {runs} runs, coverage at {len(times)} rounds",
        {"walk − stated, low": beyond[0], "walk − stated, high": beyond[1]},
        tells_at=float(T),
    )


WALK = Statement(
    experiment=walk,
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


def three_times(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""Correlation of the drifts $v_{13}$ and $v_{23}$ of one reward, over the drift exponent.

    $\mathrm{Var}(v_{ij})=(j-i)^\alpha$ leaves no choice: $v_{12}=v_{13}-v_{23}$ gives
    $\mathrm{corr}(v_{13},v_{23})=2^{\alpha/2-1}$.
    """
    alphas = np.round(np.linspace(0.1, 2.0, 39), 3)
    z = setting.rng(4).standard_normal((2, 1000))
    exact = 2.0 ** (alphas / 2.0 - 1.0)
    lag = 2.0 ** (alphas / 2.0)  # the sd of v_13
    whole = lag[:, None] * (exact[:, None] * z[0] + np.sqrt(np.maximum(1.0 - exact**2, 0.0))[:, None] * z[1])
    measured = np.array([np.corrcoef(row, z[0])[0, 1] for row in whole])  # z[0] is v_23
    shown, ends = 200, np.array([-3.0, 3.0])
    over = {("exact", "read"): exact, ("independent", "printed"): 0.0}
    return MicroscopeResult(
        alphas,
        lines(alphas, over) + lines(alphas, {("1000 draws", "measured"): measured}, dots=True),
        lines(z[0, :shown], {("", "measured"): whole[:, :shown]}, dots=True)
        + lines(ends, {("v₁₃ = v₂₃", "level"): ends}),
        "one arm at times 1, 2, 3; Gaussian increments of variance n^α over n steps; 1000 draws, 200 shown",
        tells_at=1.0,
    )


THREE_TIMES = Statement(
    experiment=three_times,
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


def injected(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""$\ln\det(I+\Sigma^{-1}K)$ with and without injected noise, over the drift exponent."""
    T, noise = 200, setting.sigma**2
    X = setting.rng(6).uniform(0.0, 1.0, (T, 1))
    K = SquaredExponential(lengthscale=0.2)(X, X)
    alphas, sizes = np.round(np.linspace(0.05, 2.0, 40), 3), np.unique(np.geomspace(5, T, 10).round().astype(int))

    def gain(n: int, alpha: float | None) -> float:
        ages = np.arange(n, 0, -1.0)
        return log_det(K[:n, :n], noise if alpha is None else noise * (1.0 + ages**alpha))

    own = np.array([gain(n, None) for n in sizes])
    aged = np.array([[gain(n, float(a)) for n in sizes] for a in alphas])
    over = {("injected noise", "measured"): aged[:, -1], ("none", "other"): own[-1]}
    return MicroscopeResult(
        alphas,
        lines(alphas, over),
        lines(sizes, {("injected noise", "measured"): aged, ("none", "other"): own}),
        f"{T} random queries on [0, 1], SE kernel with ℓ = 0.2, σ = {setting.sigma:g}; without the factor ½",
        {"printed": (1.0 + 3.0 * alphas) / 2.0, "read": (1.0 + alphas) / 2.0},
        tells_at=1.0,
    )


INJECTED = Statement(
    experiment=injected,
    key="mauduit-third",
    name="Mauduit: threshold ⅓",
    where="Mauduit et al., Proposition 2.2",
    printed=r"$R_T=O\big(\sqrt{T^{1+3\alpha}}\big)$ up to logarithms, so $\alpha<\frac13$",
    read=r"$\sqrt{T^{1+\alpha}}$ up to logarithms (derived here)",
    reason="Granting the paper's confidence lemma: injected noise only lowers the log determinant. In this "
    "idealisation the threshold ⅓ comes from the proof technique.",
    symbol="α =",
    sentence=lambda f: (
        f"Injected noise only lowers the log determinant, here from {number(f['none'])} to "
        f"<b>{number(f['injected noise'])}</b>. Then the bound grows like T<sup>{f['read']:.2f}</sup> (derived "
        f"here), not T<sup>{f['printed']:.2f}</sup>."
    ),
    over=Axes("Log determinant of 200 observations", "drift exponent α", "ln det(I + Σ⁻¹K)"),
    here=Axes("With more observations", "observations", "ln det(I + Σ⁻¹K)"),
    uses=("sigma", "seed"),
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
    height = {c: length**-alpha + 4.0 * length / T for c, length in by.items()}
    marks = [
        lines(by[c][:, None], {(f"{c:g}", role): height[c][:, None]}, dots=True)
        for c, role in ((4.0, "read"), (8.0, "printed"))
    ]
    return MicroscopeResult(
        T,
        lines(T, over),
        sum(marks, lines(L, {("F(L)", "measured"): F})),
        f"α = {alpha:g} (the theorem requires α > 1)",
        {"ratio": height[8.0] / height[4.0]},
        tells_at=1e4,
    )


WINDOW_LENGTH = Statement(
    experiment=window_length,
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


STATEMENTS = (WALK, THREE_TIMES, INJECTED, WINDOW_LENGTH)
