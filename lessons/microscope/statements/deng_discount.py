r"""Deng et al. (WGP-UCB), what discounting does: to old points, to the information gain, to the standard deviation."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from common.formats import number
from lessons.microscope.statements.deng import RIDGE, discounted_sums
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines, up_to
from tvbo_core.gp.dense import posterior, weighted_sd
from tvbo_core.gp.information_gain import information_gain
from tvbo_core.kernels import SquaredExponential


def _old_points_sentence(f: Mapping[str, float]) -> str:
    now, then = f["first arm, today"], f["then"]
    rises = f"<b>{number(now)}</b>, up from {number(then)} at its last query" if now > then else f"{number(now)}"
    side = "below" if f["sum"] <= f["bound"] else "above"
    return f"The first arm's standard deviation is {rises}. With the discount kept, the sum is {side} its bound."


def old_points(setting: MicroscopeSetting) -> MicroscopeResult:
    """Two independent arms: the first queried 20 times, then only the second."""
    gamma, ridge, turn, T = min(setting.gamma, 0.99), RIDGE, 20, 120
    queried = np.arange(T) < turn
    first, second = (discounted_sums(1.0 * arm, gamma) for arm in (queried, ~queried))  # observations of each arm
    sds = np.sqrt(ridge / (ridge + np.stack([first, second])))
    arms = np.where(np.arange(T) < turn, 0, 1)
    weights = gamma ** np.abs(np.subtract.outer(np.arange(T), np.arange(T)))
    used = np.tril(weights * sds[arms].T)  # (t, s): weight of round s at t, times sd at t of the arm of s
    sums = used.sum(axis=1)
    gain = 0.5 * (np.log1p(first / ridge) + np.log1p(second / ridge))
    bound = np.sqrt(2.0 * ridge * gain / (1.0 - gamma))
    t = np.arange(1.0, T + 1)
    then = np.where(t > turn, sds[0, turn - 1], np.nan)
    over = {
        ("first arm, today", "measured"): sds[0],
        ("second arm, today", "other"): sds[1],
        ("first arm, last query", "level"): then,
    }
    return MicroscopeResult(
        t,
        lines(t, over),
        lines(t, {("sum of sds", "measured"): up_to(sums, t), ("bound with the discount", "read"): bound}),
        f"two independent arms, the first queried in rounds 1 to {turn}, γ = {gamma:g}, λ = {ridge:g}",
        {"sum": sums, "bound": bound, "then": np.full(T, sds[0, turn - 1])},
        tells_at=60.0,
    )


OLD_POINTS = Statement(
    experiment=old_points,
    key="deng-old",
    name="Deng: old points",
    where="Deng et al., Lemma 18",
    printed=r"$\sum_{s=t-c}^t\check\sigma_{t-1}(x_s)\le\sqrt{4\lambda c\check\gamma_t+2\lambda mc^2\ln(1/\gamma)}$",
    read=r"$\sum_{s\le t}\gamma^{t-s}\hat\sigma_t(x_s)\le\sqrt{2\lambda\tilde\gamma_t/(1-\gamma)}$ (derived here)",
    reason="With forgetting, an old point can become uncertain again. Keeping the discount factor that the proof "
    "drops repairs the step at the same rate.",
    symbol="t =",
    sentence=_old_points_sentence,
    over=Axes("How uncertain the first arm is", "round t", "standard deviation σ̂", span=(0.0, 1.05)),
    here=Axes("The sum of Lemma 18, γ kept", "round t", "sum of weighted sds"),
    uses=("fade",),
)


def weighted_gains(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""The gain with single weights for a constant kernel beside both readings of the remark."""
    t, ridge = 400, RIDGE
    memory = np.geomspace(2.0, 50.0, 29)
    gammas, K = 1.0 - 1.0 / memory, np.ones((t, t))
    roots = gammas[:, None] ** (0.5 * np.arange(t)[::-1])
    exact = np.array([information_gain(root[:, None] * K * root, ridge) for root in roots])
    single, double = (0.5 * np.log1p(1.0 / (ridge * (1.0 - gammas**p))) for p in (1, 2))
    steps = np.arange(1, 201, 4)
    grown = 0.5 * np.log1p((1.0 - gammas[:, None] ** steps) / (ridge * (1.0 - gammas[:, None])))
    read, printed = ("with 1/(1−γ)", "read"), ("with 1/(1−γ²)", "printed")
    return MicroscopeResult(
        memory,
        lines(memory, {("gain, exact", "measured"): exact, read: single, printed: double}),
        lines(steps, {("gain so far", "measured"): grown, read: single[:, None], printed: double[:, None]}),
        f"constant kernel, {t} observations, λ = {ridge:g}",
        tells_at=10.0,
    )


WEIGHTED_GAINS = Statement(
    experiment=weighted_gains,
    key="deng-gain",
    name="Deng: remark, Cor. 8",
    where="Deng et al., remark after Corollary 8",
    printed=r"$\frac1{1-\gamma}$ is replaced by $\frac1{1-\gamma^2}$",
    read=r"$\frac1{1-\gamma^2}$ is replaced by $\frac1{1-\gamma}$",
    reason="As in the paper's Appendix D.2; a constant kernel shows it.",
    symbol="1/(1−γ) =",
    sentence=lambda f: (
        f"The information gain is {f['gain, exact']:.3f} nats; the formula as printed gives {f['with 1/(1−γ²)']:.3f}, "
        f"as read here <b>{f['with 1/(1−γ)']:.3f}</b>."
    ),
    over=Axes("Information with weights γ<sup>age</sup>", "memory 1/(1−γ)", "nats", log_x=True),
    here=Axes("At this γ", "round t", "nats"),
    uses=(),
)


def two_sds(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""The tighter $\tilde\sigma$ by kernels alone, as a share of $\hat\sigma$, over the discount."""
    kernel, x = SquaredExponential(lengthscale=0.2), np.linspace(0.0, 1.0, 61)[:, None]
    X = setting.rng(2).uniform(0.0, 1.0, (60, 1))
    ridge = setting.sigma**2
    memory = np.geomspace(2.0, 50.0, 29)
    gammas = 1.0 - 1.0 / memory
    ages = np.arange(len(X))[::-1]
    loose, tight = np.empty((2, len(gammas), len(x)))
    for i, gamma in enumerate(gammas):
        noise = ridge * gamma ** -ages.astype(float)
        _, loose[i] = posterior(kernel, X, np.zeros(len(X)), x, noise)
        tight[i] = weighted_sd(kernel, X, x, noise, ridge)
    ratio = tight / loose
    over = {
        ("mean over x", "measured"): ratio.mean(axis=1),
        ("smallest over x", "read"): ratio.min(axis=1),
        ("equal", "level"): 1.0,
    }
    return MicroscopeResult(
        memory,
        lines(memory, over),
        lines(x[:, 0], {("σ̂", "other"): loose, ("σ̃", "read"): tight}),
        f"60 random queries on [0, 1], SE kernel with ℓ = 0.2, λ = σ² = {ridge:g}",
        tells_at=10.0,
    )


TWO_SDS = Statement(
    experiment=two_sds,
    key="deng-sd",
    name="Deng: tighter sd",
    where="Deng et al., Theorem 2",
    printed=r"$\tilde\sigma_t$ needs the feature map; the paper goes on with the larger $\hat\sigma_t$",
    read=r"$\tilde\sigma^2=\lambda\lVert a\rVert^2+k-2a^\top k_t+a^\top K_ta$, $a=(K+N)^{-1}k_t$ (derived here)",
    reason="The tighter sd of Theorem 2 can be computed with kernels only; offered as an option.",
    symbol="1/(1−γ) =",
    sentence=lambda f: (
        f"On average the tighter standard deviation is <b>{f['mean over x']:.2f}</b> times the other one; the smallest "
        f"ratio is {f['smallest over x']:.2f}."
    ),
    over=Axes("σ̃ as a share of σ̂", "memory 1/(1−γ)", "σ̃ / σ̂", log_x=True, span=(0.0, 1.05)),
    here=Axes("At this γ", "action x", "standard deviation"),
    uses=("sigma", "seed"),
)


STATEMENTS = (OLD_POINTS, WEIGHTED_GAINS, TWO_SDS)
