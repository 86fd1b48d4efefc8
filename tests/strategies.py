"""Strategies that all laws share: random kernels, points and observations, and what stands on the lists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from tvbo_core import bands, worlds
from tvbo_core.bands import Bound
from tvbo_core.kernels import ALL as KERNELS
from tvbo_core.kernels import Kernel, Matern, SquaredExponential

LAW = settings(max_examples=30)  # what all laws share stands in conftest.py
DRAWN = tuple(name for name, kind in worlds.ALL.items() if kind.path)  # kinds whose rewards are kernel sums
# The adversary refuses what its theorem does not cover, dimensions above two among them: it has tests of its own.
SYNTHETIC = tuple(name for name in worlds.ALL if name not in ("adversary", "data"))


def listed_bands(
    B: float, sigma: float, delta: float, c: float = 1.0, ridge: float | None = None, eta: float = 0.02
) -> dict[str, Bound]:
    """Return every band of the list under the same assumptions, AY's ridge where it is left out at sigma^2 / c."""
    told = {"c": c, "ridge": sigma**2 / c if ridge is None else ridge, "eta": eta}
    return {name: entry.make(B, sigma, delta, **told) for name, entry in bands.ALL.items()}


@dataclass(frozen=True, eq=False)
class Data:
    """Observations y (n,) at X (n, d) of variances noise (n,), and query points Z (m, d)."""

    kernel: Kernel
    X: np.ndarray
    y: np.ndarray
    Z: np.ndarray
    noise: np.ndarray


def smoothnesses() -> st.SearchStrategy[float]:
    """Matérn nu: the closed forms, both sides of every border of the code, and anything between."""
    return st.one_of(st.sampled_from([0.05, 0.5, 1.0, 1.5, 2.5, 3.5, 29.999, 30.0, np.inf]), st.floats(0.05, 30.0))


@st.composite
def kernels(draw: st.DrawFn) -> Kernel:
    lengthscale = draw(st.floats(0.02, 20.0))
    variance = draw(st.floats(0.05, 20.0))
    if draw(st.booleans()):
        return SquaredExponential(lengthscale, variance)
    return Matern(draw(smoothnesses()), lengthscale, variance)


@st.composite
def listed_kernels(draw: st.DrawFn) -> Kernel:
    """One of the list, of variance 1."""
    return draw(st.sampled_from(list(KERNELS.values()))).make(draw(smoothnesses()), draw(st.floats(0.02, 20.0)))


@st.composite
def points(draw: st.DrawFn, n: int, d: int) -> np.ndarray:
    """(n, d) points of [-1, 1]^d, some of them repeated."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.uniform(-1, 1, (n, d))
    if n > 1 and draw(st.booleans()):
        X = X[rng.integers(0, n, n)]
    return X


@st.composite
def observations(
    draw: st.DrawFn, min_n: int = 0, max_n: int = 15, min_noise: float = 1e-4, max_noise: float = 1e4
) -> Data:
    """A data set with one noise variance per observation."""
    n, m, d = draw(st.integers(min_n, max_n)), draw(st.integers(1, 8)), draw(st.integers(1, 3))
    X, Z = draw(points(n, d)), draw(points(m, d))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    noise = np.exp(rng.uniform(np.log(min_noise), np.log(max_noise), n))
    return Data(draw(kernels()), X, rng.normal(0, 2, n), Z, noise)
