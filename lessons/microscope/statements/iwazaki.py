r"""Iwazaki & Takeno (R-PERP): the error of a shuffle with an explicit constant, and the estimate of a batch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from common.formats import number, percent
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines
from tvbo_core.gp.dense import posterior_weights
from tvbo_core.kernels import SquaredExponential

SHUFFLES = 20_000


def _tail_sentence(f: Mapping[str, float]) -> str:
    share, bound = f["share"], f["bound, C = 2√2"]
    limit = f"the bound is {percent(bound)}" if bound < 1 else "the bound is vacuous here (over 100 %)"
    measured = percent(share) if share >= 1e-3 or share == 0 else f"{100 * share:.3f} %"
    return f"A random order has an error of {f['sweep at']:g} B‖w‖ or more in <b>{measured}</b> of shuffles; {limit}."


def tail(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""Share of $|Z-\mathbb EZ|$, $Z=\sum_mw_mF_{\psi(m),m}$, of $uB\|w\|$ or more, beside $2e^{-u^2/8}$."""
    n, rng = 40, setting.rng(11)
    w = rng.standard_normal(n)
    F = rng.choice([-1.0, 1.0], (n, n))  # The rewards F[time, query] lie at the ends of [-B, B], B = 1.
    times = rng.permuted(np.tile(np.arange(n), (SHUFFLES, 1)), axis=1)
    Z = (F[times, np.arange(n)] @ w - (F.mean(axis=0) @ w)) / np.linalg.norm(w)
    levels = np.round(np.linspace(0.0, 6.0, 61), 2)
    share = (np.abs(Z) >= levels[:, None]).mean(axis=1)
    bound = 2.0 * np.exp(-(levels**2) / 8.0)
    edges = np.linspace(-6.0, 6.0, 49)
    middle = 0.5 * (edges[1:] + edges[:-1])
    density = np.histogram(Z, edges)[0] / SHUFFLES
    beyond = np.where(np.abs(middle) >= levels[:, None], density, np.nan)
    over = {("measured", "measured"): np.where(share > 0, share, np.nan), ("bound, C = 2√2", "read"): bound}
    return MicroscopeResult(
        levels,
        lines(levels, over),
        lines(middle, {("all shuffles", "level"): density})
        + lines(middle, {("at least this far", "measured"): beyond}, dots=True),
        f"{n} queries, rewards −1 or 1 at random, random weights, {SHUFFLES:,} shuffles",
        {"share": share},
        tells_at=3.0,
    )


TAIL = Statement(
    experiment=tail,
    key="iwazaki-C",
    name="Iwazaki: constant C",
    where="Iwazaki & Takeno, Theorem 4",
    printed=r"$C>0$ is an absolute constant",
    read=r"$C=2\sqrt2$ (derived here)",
    reason="The paper leaves the constant unspecified. Revealing the shuffle point by point, largest weight first, "
    "gives the explicit value.",
    symbol="distance:",
    sentence=_tail_sentence,
    over=Axes("How often the error is larger", "error, in B‖w‖", "share of shuffles", log_y=True, span=(3e-5, 3.0)),
    here=Axes("20,000 shuffles", "error, in B‖w‖", "share of shuffles"),
    uses=("seed",),
)


def average_estimate(setting: MicroscopeSetting) -> MicroscopeResult:
    """The mean of R-PERP's estimate over more and more shuffles, and the posterior mean of the batch average."""
    n, draws, rng = 32, 400, setting.rng(13)
    kernel, x, ridge = SquaredExponential(lengthscale=0.2), np.linspace(0.0, 1.0, 61), setting.sigma**2
    queries = np.sort(rng.uniform(0.0, 1.0, n))
    ends = 2.0 * np.sin(2.0 * np.pi * (x + rng.uniform(0.0, 1.0))), 2.0 * np.sin(3.0 * np.pi * (x + rng.uniform()))
    share = np.linspace(0.0, 1.0, n)[:, None]
    rewards = np.stack([np.interp(queries, x, e) for e in ends])
    table = (1.0 - share) * rewards[0] + share * rewards[1]  # table[time, query] glides from one curve to another.
    weights = posterior_weights(kernel, queries[:, None], x[:, None], ridge)
    times = rng.permuted(np.tile(np.arange(n), (draws, 1)), axis=1)
    observed = table[times, np.arange(n)] + setting.sigma * rng.standard_normal((draws, n))
    k = np.arange(1, draws + 1)
    running = (observed @ weights).cumsum(axis=0) / k[:, None]
    target = table.mean(axis=0) @ weights
    stops = np.unique(np.geomspace(1, draws, 31).round().astype(int))
    error = np.abs(running - target).max(axis=1)
    spread = float(np.std(observed @ weights, axis=0).max())
    sweep = stops.astype(float)
    over = {("measured", "measured"): error[stops - 1], ("one shuffle's spread / √k", "level"): spread / np.sqrt(sweep)}
    return MicroscopeResult(
        sweep,
        lines(sweep, over),
        lines(x, {("mean estimate", "measured"): running[stops - 1], ("from the batch average", "read"): target}),
        f"{n} queries, a gliding reward, SE kernel with ℓ = 0.2, σ = {setting.sigma:g}, {draws} shuffles",
        tells_at=float(draws),
    )


AVERAGE_ESTIMATE = Statement(
    experiment=average_estimate,
    key="iwazaki-mean",
    name="R-PERP's estimate",
    where="Iwazaki & Takeno, Algorithm 1",
    printed=r"The posterior mean of rewards observed in a shuffled order",
    read=r"Averaged over the shuffle and the noise, it equals the posterior mean fed with the batch-average rewards.",
    reason="A uniform shuffle gives a query every time of the batch with the same probability.",
    symbol="shuffles:",
    sentence=lambda f: (
        f"Averaged over {f['sweep at']:.0f} shuffles, the estimate differs by at most "
        f"<b>{number(f['measured'])}</b> from the posterior mean that is fed with the batch's average rewards."
    ),
    over=Axes("Error of the mean estimate", "shuffles k", "largest over x", log_x=True, log_y=True),
    here=Axes("After k shuffles", "action x", "reward"),
    uses=("sigma", "seed"),
)
