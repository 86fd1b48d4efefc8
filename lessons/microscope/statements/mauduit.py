r"""Mauduit et al.: two sparse posteriors, and drift beside the independent noise that stands for it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from common.formats import number, percent
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines, up_to
from lessons.shared.nystrom import coordinates, nystrom_left
from tvbo_core.gp.grid import grid_posterior
from tvbo_core.gp.kdpp import KDPP
from tvbo_core.kernels import SquaredExponential
from tvbo_core.race_results import paired_difference


def through_points(gram: np.ndarray, arms: np.ndarray, chosen: np.ndarray, noise: float) -> tuple[np.ndarray, float]:
    r"""Return (m,) the sd of the sparse posterior of observations of these arms (n,) through the chosen ones.

    Also returned is the trace of the Nystrom residual of all observations, which bounds, divided by the noise variance,
    the expected KL divergence from this posterior to the full one.

    Source: Titsias (2009), eq. 10; Burt et al. (2020), sec. 2.
    """
    phi, (distinct, count) = coordinates(gram, chosen), np.unique(arms, return_counts=True)
    seen, left = phi[:, distinct], nystrom_left(gram, phi)
    kept = np.einsum("rm,rm->m", phi, np.linalg.solve(np.eye(len(phi)) + (seen * (count / noise)) @ seen.T, phi))
    return np.sqrt(left + np.maximum(kept, 0.0)), float(count @ left[distinct])


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
        sets = [chosen for chosen in sets if len(chosen) == size]
        if not sets:
            break  # The rank of the covariance is reached: there are no more independent points.
        subsets = [grid_posterior(gram, chosen, np.zeros(size), noise)[1] for chosen in sets]
        sparse, left = zip(*(through_points(gram, arms, chosen, noise) for chosen in sets), strict=True)
        ratios = [np.median([((sd / every) ** 2).max() for sd in sds]) for sds in (subsets, sparse)]
        rows.append([*ratios, np.median(left) / noise])
        curves.append((every, sparse[0], subsets[0]))
    subset, variational, residual = np.array(rows).T
    full, through, alone = map(np.array, zip(*curves, strict=True))
    sweep = sizes[: len(rows)].astype(float)
    over = {
        ("subset of data", "measured"): subset,
        ("variational", "other"): variational,
        ("residual / σ²", "read"): residual,
        ("equal", "level"): 1.0,
    }
    here = {
        ("subset of data", "measured"): alone,
        ("variational", "other"): through,
        ("full posterior", "level"): full,
    }
    return MicroscopeResult(
        sweep,
        lines(sweep, over),
        lines(x[:, 0], here),
        f"{n} random queries on 101 actions of [0, 1], SE kernel with ℓ = 0.2, σ = {setting.sigma:g}, points from a "
        "k-DPP, median of 3 draws",
        tells_at=10.0,
    )


TWO_POSTERIORS = Statement(
    experiment=two_posteriors,
    key="mauduit-subset",
    name="Mauduit: sparse sd",
    where="Mauduit et al., Proposition 3.2",
    printed="A KL guarantee, quoted from Burt et al., for the posterior of the selected points.",
    read="The guarantee concerns the sparse posterior that uses all outputs through inducing points.",
    reason="The algorithm has only the outputs at the selected points. Both variances are shown.",
    symbol="points:",
    sentence=lambda f: (
        f"The selected observations alone leave up to <b>{number(f['subset of data'])} times</b> the full posterior's "
        f"variance; all observations, summarised at these points, at most {number(f['variational'])} times."
    ),
    over=Axes("Variance over the full posterior's", "chosen points", "largest ratio over x", log_y=True),
    here=Axes("With this many points", "action x", "standard deviation", log_y=True),
    uses=("sigma", "seed"),
)


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
        f"one arm, |f| ≤ 1, σ = {sigma:g}, α = {alpha:g}, δ = {delta:g} (stated: 1 − δ/2), "
        "steps uniform on [−σ, σ] (over n rounds "
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
