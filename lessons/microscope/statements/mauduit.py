r"""Mauduit et al. (W-SparQ-GP-UCB): the power of T in the regret bound, and two sparse posteriors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from common.formats import number
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines
from lessons.shared.nystrom import coordinates, nystrom_left
from tvbo_core.gp.grid import grid_posterior
from tvbo_core.gp.kdpp import KDPP
from tvbo_core.kernels import SquaredExponential
from tvbo_core.theory import THEOREMS


def square_root(setting: MicroscopeSetting) -> MicroscopeResult:
    """Powers of T in (34) as stored and with the root of Table 2, over the window exponent."""
    windows = np.round(np.linspace(0.01, 0.33, 33), 2)
    theorem = THEOREMS["mauduit-3.10"]
    read = np.array([float(theorem.exponent(alpha=1, window_exponent=Fraction(str(w))).T) for w in windows])
    printed = 2.0 * read  # Without the root every power is twice as large.
    log_T = np.linspace(2.0, 7.0, 26)
    powers = {("(34) as printed", "printed"): printed, ("with the root", "read"): read, ("grows like T", "level"): 1.0}
    return MicroscopeResult(
        windows,
        lines(windows, powers),
        lines(10.0**log_T, {name: 10.0 ** (np.asarray(power)[..., None] * log_T) for name, power in powers.items()}),
        "powers of T only; constants and logarithms count as 1",
        tells_at=0.25,
    )


SQUARE_ROOT = Statement(
    experiment=square_root,
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


STATEMENTS = (SQUARE_ROOT, TWO_POSTERIORS)
