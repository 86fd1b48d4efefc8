r"""Deng et al. (WGP-UCB), what the regret bound stands on: features instead of a kernel, and gains by eigenvalues."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from common.formats import number, power
from lessons.microscope.statements.gains import GAINS, mercer
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines
from tvbo_core.gp.information_gain import greedy_gain
from tvbo_core.kernels import SquaredExponential
from tvbo_core.theory.qff import Quadrature

LENGTHSCALE, MOST_NODES = 0.2, 36  # With more nodes rounding is larger than the bound.


def _features_sentence(f: Mapping[str, float]) -> str:
    error, bound = f["largest error"], f["Lemma 14"]
    allows = f"the lemma allows {power(bound)}" + ("" if bound < 1 else ", more than the kernel itself")
    return f"The features differ from the kernel by up to <b>{power(error)}</b>; {allows}."


def features(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""Largest error of quadrature features on [0, 1] beside Lemma 14, over the nodes $\bar m$."""
    distance = np.linspace(0.0, 1.0, 201)
    kernel = SquaredExponential(LENGTHSCALE)(distance[:, None], np.zeros((1, 1)))[:, 0]
    made, bounds = [], []
    for nodes in range(1, MOST_NODES + 1):
        quadrature = Quadrature(nodes, 1, LENGTHSCALE)
        omega, v = quadrature.frequencies()
        made.append(np.cos(np.outer(distance, omega[:, 0])) @ v)  # cos a cos b + sin a sin b = cos(a - b)
        bounds.append(quadrature.error)
    approximate = np.array(made)
    error = np.abs(approximate - kernel).max(axis=1)
    sweep = np.arange(1.0, MOST_NODES + 1)
    over = {("largest error", "measured"): error, ("Lemma 14", "read"): bounds, ("k(x, x)", "level"): 1.0}
    return MicroscopeResult(
        sweep,
        lines(sweep, over),
        lines(distance, {("kernel", "measured"): kernel, ("features", "read"): approximate}),
        f"actions on [0, 1], SE kernel with ℓ = {LENGTHSCALE:g}, {len(distance)} distances",
        tells_at=12.0,
    )


FEATURES = Statement(
    experiment=features,
    key="deng-14",
    name="Deng: features",
    where="Deng et al., Lemma 14",
    printed=r"Squared exponential kernel and $2\bar m^d$ quadrature features differ by $O\big(\frac{d2^{d-1}}{(\bar "
    r"m\ell^2)^{\bar m}}\big)$",
    read=r"$\varepsilon_m\le d2^{d-1}\frac1{\sqrt2\,\bar m^{\bar m}}\big(\frac e{4\ell^2}\big)^{\bar m}$",
    reason=r"The features are used in the analysis only. The bound is below the kernel's own size from about $\bar "
    r"m=\frac e{4\ell^2}$ on.",
    symbol="nodes:",
    sentence=_features_sentence,
    over=Axes("Error of the features", "nodes m̄", "largest over x, z", log_y=True, span=(1e-17, 1e4)),
    here=Axes("With so many nodes", "distance |x − z|", "kernel", span=(-1.1, 1.1)),
    uses=(),
)


GRID, ROUNDS, RIDGE, MOST_TERMS = 40, 150, 0.1, 24


def eigenvalue_bounds(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""The largest gain with double weights beside Theorems 6 and 7 and Corollary 8, over the memory."""
    x = np.linspace(0.0, 1.0, GRID)[:, None]
    gram = SquaredExponential(LENGTHSCALE)(x, x)
    expansion = mercer(gram, RIDGE)
    memory = np.geomspace(2.0, 100.0, 25)
    gammas = 1.0 - 1.0 / memory
    largest = np.array([greedy_gain(gram, g ** (2.0 * np.arange(ROUNDS)), RIDGE) for g in gammas])
    masses = 1.0 / (1.0 - gammas**2)
    theorem = np.array([GAINS["deng-7"](expansion, float(m)) for m in masses])
    corollary = np.array([GAINS["deng-8-exponential"](expansion, float(m)) for m in masses])
    N = np.arange(1.0, MOST_TERMS + 1)
    tails = expansion.peak**2 * (expansion.eigenvalues.sum() - np.cumsum(expansion.eigenvalues)[:MOST_TERMS])
    share = masses[:, None] / RIDGE
    by_terms = 0.5 * N * np.log1p(share / N) + 0.5 * share * np.maximum(tails, 0.0)
    over = {
        ("greedy design", "measured"): largest,
        ("Theorem 7", "read"): theorem,
        ("Corollary 8", "printed"): corollary,
        ("Theorem 6", "other"): GAINS["deng-6"](expansion, float(ROUNDS)),
    }
    return MicroscopeResult(
        memory,
        lines(memory, over),
        lines(N, {("by N terms", "read"): by_terms, ("greedy design", "measured"): largest[:, None]}),
        f"{GRID} actions on [0, 1], SE kernel with ℓ = {LENGTHSCALE:g}, λ = {RIDGE:g}, T = {ROUNDS}; the greedy "
        "design has at least half of the largest gain",
        tells_at=10.0,
    )


EIGENVALUE_BOUNDS = Statement(
    experiment=eigenvalue_bounds,
    key="deng-7",
    name="Deng: gain, bounded",
    where="Deng et al., Theorems 6 and 7, Corollary 8",
    printed=r"Theorem 6: $\bar\gamma_T\le\frac N2\ln\big(1+\frac{\bar kT}{\lambda N}\big)+\frac T{2\lambda}\delta_N$. "
    r"Corollary 8 puts a decay of the eigenvalues in place of $N$.",
    read=r"Theorem 7: $\bar\gamma_T\le\frac N2\ln\big(1+\frac{\bar k}{\lambda "
    r"N(1-\gamma^2)}\big)+\frac1{2\lambda(1-\gamma^2)}\delta_N$",
    reason=r"$N$ eigenvalues are kept, $\delta_N$ is what the others can add. The bound holds for every $N$; drawn is "
    r"the least. Corollary 8 with the best of 25 rates $C_{e,2}$ and the least $C_{e,1}$ that fits.",
    symbol="1/(1−γ) =",
    sentence=lambda f: (
        f"The greedy design gains <b>{number(f['greedy design'])}</b> nats; Theorem 7 allows {number(f['Theorem 7'])}, "
        f"Corollary 8 {number(f['Corollary 8'])}."
    ),
    over=Axes("Largest gain and its bounds", "memory 1/(1−γ)", "nats", log_x=True, log_y=True),
    here=Axes("Theorem 7 at this γ", "eigenvalues kept N", "nats", log_y=True),
    uses=(),
)


STATEMENTS = (FEATURES, EIGENVALUE_BOUNDS)
