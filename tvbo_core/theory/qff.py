r"""Quadrature Fourier features: a squared exponential kernel as an inner product of finitely many cosines."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from scipy.special import roots_hermite

from tvbo_core.kernels import as_points
from tvbo_core.validation import is_positive


@dataclass(frozen=True)
class Quadrature:
    r"""Features $\check\varphi$ with $\check\varphi(x)^\top\check\varphi(z)\approx e^{-\|x-z\|^2/2\ell^2}$.

    $\check\varphi(x)=(\sqrt{v_j}\cos\omega_j^\top x,\sqrt{v_j}\sin\omega_j^\top x)_j$ over the product grid of the
    $\bar m$ roots $\rho$ of the Hermite polynomial $H_{\bar m}$, $\omega=\sqrt2\rho/\ell$, with weights
    $v=\prod\frac{2^{\bar m-1}\bar m!}{\bar m^2H_{\bar m-1}(\rho)^2}$ that sum to 1.

    Attributes:
        nodes: $\bar m\ge1$ in each dimension.   dimension: d.   lengthscale: $\ell>0$.
    Raises:
        ValueError: a field is out of its range, or more than a million features are asked for.
    Source: Deng et al., sec. 4, with the square of $\bar m$ in the weights; Mutny & Krause (2018).
    """

    nodes: int
    dimension: int = 1
    lengthscale: float = 0.2

    def __post_init__(self) -> None:
        if self.nodes < 1 or self.dimension < 1 or not is_positive(self.lengthscale):
            raise ValueError(
                "nodes and dimension must be at least 1 and the lengthscale positive, got "
                f"{self.nodes}, {self.dimension} and {self.lengthscale}"
            )
        if self.count > 1_000_000:
            raise ValueError(f"at most a million features, got {self.count}: take fewer nodes or dimensions")

    @property
    def count(self) -> int:
        r"""Number of features, $2\bar m^d$."""
        return 2 * self.nodes**self.dimension

    @property
    def error(self) -> float:
        r"""Bound of the kernel's error on $[0,1]^d$.

        $\varepsilon_m\le d2^{d-1}\frac1{\sqrt2\,\bar m^{\bar m}}\big(\frac e{4\ell^2}\big)^{\bar m}$.

        Source: Deng et al., Lemma 14.
        """
        log = self.nodes * (1.0 - math.log(4.0 * self.lengthscale**2 * self.nodes)) - 0.5 * math.log(2.0)
        return self.dimension * 2.0 ** (self.dimension - 1) * math.exp(min(log, 700.0))

    def frequencies(self) -> tuple[np.ndarray, np.ndarray]:
        r"""($\bar m^d$, d) frequencies $\omega$ and ($\bar m^d$,) weights v."""
        rho, gauss = roots_hermite(self.nodes)
        grid = np.array(list(itertools.product(np.sqrt(2.0) * rho / self.lengthscale, repeat=self.dimension)))
        weights = np.array(list(itertools.product(gauss / math.sqrt(math.pi), repeat=self.dimension)))
        return grid, weights.prod(axis=1)

    def features(self, X: np.ndarray) -> np.ndarray:
        """(n, count) features of the points X (n, d)."""
        omega, v = self.frequencies()
        phase = as_points(X, "X") @ omega.T
        return np.concatenate([np.sqrt(v) * np.cos(phase), np.sqrt(v) * np.sin(phase)], axis=1)


def enough_nodes(T: int, gain: float, lengthscale: float) -> int:
    r"""Nodes a dimension that the regret analysis asks for.

    $\bar m=\lceil\log_{4/e}(T^3\gamma^{3/2})\rceil$, and more than $1/\ell^2$, from where on the error is below
    $(e/4)^{\bar m}$.

    Source: Deng et al., Lemma 22.
    """
    nodes = math.log(max(T**3 * gain**1.5, 1.0)) / math.log(4.0 / math.e)
    return max(math.ceil(nodes), math.floor(1.0 / lengthscale**2) + 1, 1)
