r"""The synthetic world of Mauduit et al., sec. 4.1: a wave of kernel bumps on [-50, 50].

$f_t=\sum_ia_i(t)k(\cdot,c_i)$, $k$ squared exponential with variance 1/2 and lengthscale 3, $u_i(t)=\sin(0.3t+i)$,
$a(t)=\frac{B}{\sqrt{\lambda_{\max}}}\frac{u(t)}{\|u(t)\|}$ with $\lambda_{\max}$ of the Gram matrix of the centres:
then $\|f_t\|^2=a^\top Ka\le B^2$. The square root is missing in the copy we read; without it the norm exceeds B
wherever $\lambda_{\max}<1$.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvbo_core.kernels import SquaredExponential, make_kernel
from tvbo_core.records import Problem, World
from tvbo_core.worlds.draws import fractional_brownian, norms

CENTRES_STREAM = 7  # of a world's seed; worlds/make.py and designs.py use others


@dataclass(frozen=True)
class Synthetic(World):
    r"""The paper's world as a World of its own: what the paper states, and our choice where it states nothing.

    Stated: D, kernel, B = 5, T = 500, the coefficients. Ours: 101 arms, noise sd 0.1, 20 centres that are
    uniform on D and drawn anew by every seed (the paper's 30 realisations say no more).

    Attributes:
        variance: of the kernel, squared reward units; all others as `World`.
    """

    kind: str = "cyclic"
    budget: float | None = None
    horizon: int = 500
    lengthscale: float = 3.0
    arms: int = 101
    low: float = -50.0
    high: float = 50.0
    norm_bound: float = 5.0
    seed: int = 0
    variance: float = 0.5

    def problem(self) -> Problem:
        """Return the table of this world: arms are a grid on D, centres come from the seed."""
        kernel = SquaredExponential(self.lengthscale, self.variance)
        rng = np.random.default_rng([self.seed, CENTRES_STREAM])
        centres = rng.uniform(self.low, self.high, (self.centres, 1))
        x = np.linspace(self.low, self.high, self.arm_count)[:, None]
        a = waves(kernel, centres, self.horizon, self.norm_bound)
        return Problem(
            x=x,
            f=a @ kernel(centres, x),
            noise_sd=self.noise_sd,
            kernel=kernel,
            norm_bound=self.norm_bound,
            centres=centres,
            coefficients=a,
        )


def waves(kernel: SquaredExponential, centres: np.ndarray, horizon: int, norm_bound: float) -> np.ndarray:
    r"""(T, p) coefficients $a(t)$ for t = 1..T, so that every $\|f_t\|\le B$.

    Args:
        centres: (p, d).   norm_bound: B.
    Source: Mauduit et al., sec. 4.1, with $\sqrt{\lambda_{\max}}$ for the printed $\lambda_{\max}$.
    """
    t, i = np.arange(1, horizon + 1)[:, None], np.arange(1, len(centres) + 1)
    u = np.sin(0.3 * t + i)
    largest = float(np.linalg.eigvalsh(kernel(centres, centres))[-1])
    return u * (norm_bound / np.sqrt(largest) / np.linalg.norm(u, axis=1))[:, None]


@dataclass(frozen=True)
class Stale(World):
    r"""A rough world that satisfies Assumption 2: $\mathrm{Var}(f_t(x)-f_s(x))=\sigma^2|t-s|^\alpha$.

    Coefficients are fractional Brownian motions from a draw of N(0, 1), scaled so that the equation holds on
    average over the arms. Only the variances are those of the assumption: its independence excludes drift.

    Attributes:
        all as `World`; `norm_bound` is not used (the problem reports $\max_t\|f_t\|$), nor is `budget`.
    """

    kind: str = "rough"
    budget: float | None = None
    horizon: int = 500
    norm_bound: float = float("inf")

    def problem(self) -> Problem:
        """Return the table of this world: arms are a grid, centres and coefficients come from the seed."""
        kernel = make_kernel(self.kernel, self.nu, self.lengthscale)
        rng = np.random.default_rng([self.seed, CENTRES_STREAM])
        centres = rng.uniform(self.low, self.high, (self.centres, 1))
        x = np.linspace(self.low, self.high, self.arm_count)[:, None]
        features = kernel(centres, x)
        step = self.noise_sd / np.sqrt((features**2).sum(axis=0).mean())
        start = rng.standard_normal(self.centres)
        a = start + step * fractional_brownian(self.horizon - 1, self.alpha, self.centres, rng)
        return Problem(
            x=x,
            f=a @ features,
            noise_sd=self.noise_sd,
            kernel=kernel,
            norm_bound=float(norms(kernel, centres, a).max()),
            centres=centres,
            coefficients=a,
        )
