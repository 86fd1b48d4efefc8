r"""Flynn & Reeb: the dual of the exact band, certified by a function that reaches it, and what comes of a bad set."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from common.formats import number, plural
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines
from tvbo_core.bands.dual import Dual
from tvbo_core.bands.dual_search import minimise, smallest_radius
from tvbo_core.bands.theorems import CMM
from tvbo_core.gp.spectral import spectrum
from tvbo_core.kernels import Matern

B, C, PLACE = 3.0, 1.0, 0.43
KERNEL = Matern(nu=1.5, lengthscale=0.2)


def sample(setting: MicroscopeSetting, n: int, stream: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return X (n, 1) and n noisy rewards of a random function with norm exactly B, and its value at `PLACE`."""
    rng = setting.rng(stream)
    centres, weights = rng.uniform(0.0, 1.0, (20, 1)), rng.standard_normal(20)
    weights *= B / math.sqrt(weights @ KERNEL(centres, centres) @ weights)
    X = rng.uniform(0.0, 1.0, (n, 1))
    y = KERNEL(X, centres) @ weights + setting.sigma * rng.standard_normal(n)
    return X, y, float((KERNEL(np.array([[PLACE]]), centres) @ weights)[0])


def _setup(setting: MicroscopeSetting) -> str:
    return f"Matérn 3/2 kernel with ℓ = 0.2, B = {B:g}, σ = {setting.sigma:g}, δ = {setting.delta:g}, c = {C:g}"


def dual_at(setting: MicroscopeSetting, X: np.ndarray, y: np.ndarray) -> Dual:
    """The dual of the upper bound at `PLACE`."""
    return CMM(B, setting.sigma, setting.delta, C).dual(spectrum(KERNEL, X, y, np.array([[PLACE]])))


def reaching(setting: MicroscopeSetting, X: np.ndarray, y: np.ndarray, alpha: float) -> tuple[float, float, float]:
    r"""Return the value at z of a function of the confidence set, and its norm and misfit as shares of B and R.

    $f=\mu_\alpha+\frac{\tilde R_\alpha}{\sqrt\alpha\,\rho_\alpha}(k(\cdot,z)-k_t^\top(K+\alpha I)^{-1}k_t(z))$ is the
    farthest point of the ellipsoid that $\alpha$ makes of both constraints (derived here). At the best regulariser it
    attains the bound: no upper bound can be below its value.
    """
    z = np.array([[PLACE]])
    K, kz, n = KERNEL(X, X), KERNEL(X, z)[:, 0], len(y)
    inverse = np.linalg.inv(K + alpha * np.eye(n))
    rho_sq = float(KERNEL.diag(z)[0] - kz @ inverse @ kz)
    A = np.eye(n) + C / setting.sigma**2 * K
    noise = setting.sigma**2 * (np.linalg.slogdet(A)[1] - 2.0 * math.log(setting.delta))
    radius_sq = float(y @ np.linalg.solve(A, y) + noise)
    squeezed = radius_sq + alpha * B**2 - float(y @ np.linalg.solve(np.eye(n) + K / alpha, y))
    push = math.sqrt(max(squeezed, 0.0) / (alpha * rho_sq))
    weights = inverse @ (y - push * kz)
    at_data, at_z = K @ weights + push * kz, float(kz @ weights + push * KERNEL.diag(z)[0])
    norm_sq = float(weights @ at_data + push * at_z)
    return at_z, math.sqrt(max(norm_sq, 0.0)) / B, float(np.linalg.norm(at_data - y)) / math.sqrt(radius_sq)


def either_sign(setting: MicroscopeSetting) -> MicroscopeResult:
    """The dual objective with either sign at its best multipliers, and a function of the set, by observations."""
    X, y, truth = sample(setting, 40, 7)
    counts = np.arange(2, 41)
    shares = np.geomspace(0.05, 20.0, 61)
    plus, minus, member, norm, misfit = np.empty((5, len(counts)))
    curves = np.empty((2, len(counts), len(shares)))
    for i, n in enumerate(counts):
        dual = dual_at(setting, X[:n], y[:n])
        found = minimise(dual)
        alpha = float(found.alpha[0, 0])
        mean, spread = (float(v[0, 0]) for v in dual.evaluate(np.array([alpha])))
        # At alpha the objective is mean +- spread/(2u) + spread*u/2 with u = eta_1 over its best value.
        curves[:, i] = mean + spread * (0.5 * shares + np.outer([1.0, -1.0], 0.5 / shares))
        plus[i], minus[i] = found.value[0, 0], mean
        member[i], norm[i], misfit[i] = reaching(setting, X[:n], y[:n], alpha)
    sweep = counts.astype(float)
    over = {("with plus", "read"): plus, ("with minus", "printed"): minus, ("truth", "level"): truth}
    reached_by = ("a function of the set", "measured")
    here = {("with plus", "read"): curves[0], ("with minus", "printed"): curves[1], reached_by: member[:, None]}
    return MicroscopeResult(
        sweep,
        lines(sweep, over) + lines(sweep, {reached_by: member}, dots=True),
        lines(shares, here),
        f"{_setup(setting)}, upper bound at x = {PLACE}",
        {"norm": norm, "misfit": misfit},
        tells_at=10.0,
    )


EITHER_SIGN = Statement(
    experiment=either_sign,
    key="flynn-11",
    name="Flynn: sign in (11)",
    where="Flynn & Reeb, eq. 11",
    printed=r"$\min_\eta\ \mu_\alpha(x)-\frac{\rho^2_\alpha(x)}{4\eta_2}+\eta_1\tilde R^2_\alpha$, "
    r"$\alpha=\eta_2/\eta_1$",
    read=r"$\min_\eta\ \mu_\alpha(x)+\frac{\rho^2_\alpha(x)}{4\eta_2}+\eta_1\tilde R^2_\alpha$",
    reason="(11) is read with a plus sign, as in the authors' Appendix B.4. “Confidence bands” compares that "
    "bound with a conic program.",
    symbol="observations:",
    sentence=lambda f: (
        f"A function of the confidence set reaches {number(f['a function of the set'])}. With “+” the bound is "
        f"<b>{number(f['with plus'])}</b> (tight); with “−” the bound is {number(f['with minus'])}."
    ),
    over=Axes("Upper bound at one place", "observations", "reward"),
    here=Axes("The dual objective", "multiplier η₁, 1 = best", "reward", log_x=True, span=(-3.0, 6.0)),
    uses=("sigma", "delta", "seed"),
)


def _one_parameter_sentence(f: Mapping[str, float]) -> str:
    radius = f"the least squared radius is {number(f['least squared radius'])} σ²"
    if f["empty"]:
        return f"<b>No function fits</b>: {radius}. B or σ is too small, the reward has moved, or chance."
    return f"Functions fit the data: {radius}. The curve UCB(α) has <b>{plural(int(f['dips']), 'valley')}</b>."


def one_parameter(setting: MicroscopeSetting) -> MicroscopeResult:
    """The curve UCB(alpha) and its lowest point while the reward moves by more and more halfway through."""
    X, y, _ = sample(setting, 30, 8)
    late = np.arange(len(y)) >= len(y) // 2
    shifts = np.round(np.linspace(0.0, 1.5, 31), 3)
    alphas = np.geomspace(1e-4, 1e3, 141)
    least, best, bends, empty = np.empty(len(shifts)), np.empty(len(shifts)), np.zeros(len(shifts)), []
    curves = np.empty((len(shifts), len(alphas)))
    for i, shift in enumerate(shifts):
        dual = dual_at(setting, X, y + shift * late)
        alpha, gone = smallest_radius(dual)
        least[i] = dual.radius_sq(alpha, 1.0 / (dual.spec.eigenvalues + alpha))
        mean, spread = dual.evaluate(alphas)
        curves[i] = (mean + spread)[:, 0]
        best[i] = np.nan if gone else min(float(minimise(dual).value[0, 0]), B)
        bends[i] = 0 if gone else _dips(curves[i])
        empty.append(gone)
    void = np.array(empty)
    over = {
        ("least squared radius", "measured"): least / setting.sigma**2,
        ("below zero: empty", "level"): 0.0,
    }
    here = {
        ("UCB(α)", "measured"): np.where(void[:, None], np.nan, curves),
        ("empty set", "level"): np.where(void[:, None], curves, np.nan),
        ("lowest point", "read"): best[:, None],
    }
    return MicroscopeResult(
        shifts,
        lines(shifts, over),
        lines(alphas, here),
        f"{_setup(setting)}, 30 observations, upper bound at x = {PLACE}",
        {"empty": void.astype(float), "dips": bends},
        tells_at=0.5,
    )


ONE_PARAMETER = Statement(
    experiment=one_parameter,
    key="flynn-12",
    name="Flynn: (12)",
    where="Flynn & Reeb, eq. 12",
    printed=r"“Empirical evidence suggests that it is quasiconvex in $\alpha$”: the authors observed it",
    read="It is: sublevel sets are projections of convex sets (derived here), so golden-section search is safe.",
    reason=r"If the squared radius is negative for some $\alpha$, no function with norm at most $B$ fits the data at "
    r"this noise level: $B$ or $\sigma$ is too small, the reward has moved, or it is chance, $\delta$ at most.",
    symbol="moved by",
    sentence=_one_parameter_sentence,
    over=Axes("Does any function fit?", "the reward moved by", "least squared radius, in σ²", span=(-300.0, 100.0)),
    here=Axes("One parameter", "regulariser α", "UCB(α)", log_x=True, span=(-1.0, 4.0)),
    uses=("sigma", "delta", "seed"),
)


def _dips(curve: np.ndarray) -> int:
    """Number of separate valleys of a curve, rounding aside; a quasi-convex one has one."""
    step = np.diff(curve)
    steps = np.sign(step[np.abs(step) > 1e-9 * np.abs(curve).max()])
    turns = np.flatnonzero(np.diff(steps) > 0)
    return len(turns) if len(turns) else 1
