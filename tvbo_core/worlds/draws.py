r"""Paths of a drawn reward: functions of the RKHS ball, and ways from one to another.

A drawn function is $g=\sum_i a_i k(\cdot,z_i)$, so its norm is known: $\|g\|_{\mathcal H}^2=a^\top Ka$.
A path is a table of such functions, one row a round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_banded

from tvbo_core.kernels import Kernel


@dataclass(frozen=True, eq=False)
class Path:
    """Functions known as kernel sums, one a row: the pieces of a world, or the world itself.

    Attributes:
        centres: (p, d) kernel centres.
        coefficients: (n, p), row j of the kernel sum of function j.
        values: (n, m) the functions at the arms, reward units.
    """

    centres: np.ndarray
    coefficients: np.ndarray
    values: np.ndarray


def norms(kernel: Kernel, centres: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    r"""(n,) RKHS norms $\sqrt{a^\top Ka}$ of kernel sums with coefficients (n, p) at centres (p, d)."""
    K = kernel(centres, centres)
    return np.sqrt(np.maximum(((coefficients @ K) * coefficients).sum(axis=1), 0.0))


def draw_pieces(
    kernel: Kernel, x: np.ndarray, count: int, centres: int, norm_bound: float, rng: np.random.Generator
) -> Path:
    r"""Independent functions $g_0,\dots,g_{count-1}$ of norm exactly $B$, each with its own centres.

    $g_j=b_j\sum_i a_{ji}k(\cdot,z_{ji})$, $a\sim U[-1,1]$, $z\sim U[0,1]^d$, with $b_j$ such that
    $\|g_j\|_{\mathcal H}=B$; $b_j=1$ (as drawn) when $B=\infty$. The first ones do not depend on `count`.

    Source: Deng et al. (2022), sec. 7 and Iwazaki & Takeno (2025), sec. 6 (as drawn); Flynn & Reeb (2024),
        sec. 7 (norm exactly B).
    """
    d = x.shape[1]
    places = np.empty((count, centres, d))
    blocks = np.zeros((count, count, centres))
    for j in range(count):
        places[j] = rng.uniform(size=(centres, d))
        a = rng.uniform(-1.0, 1.0, size=centres)
        if np.isfinite(norm_bound):
            a *= norm_bound / norms(kernel, places[j], a[None])[0]
        blocks[j, j] = a
    z, coefficients = places.reshape(count * centres, d), blocks.reshape(count, count * centres)
    return Path(z, coefficients, coefficients @ kernel(z, x))


def follow(pieces: Path, which: np.ndarray, how_far: np.ndarray) -> Path:
    r"""The path $f_t=g_0+s_t(g_{j_t}-g_0)$, for `which` $j_t$ (T,) and `how_far` $s_t\in[0,1]$ (T,).

    It stays in every ball that holds the pieces, by convexity. Equal $(j_t,s_t)$ give bitwise equal rows, so
    that a reward that stands still contributes exactly 0 to $V_T$.
    """

    def blend(rows: np.ndarray) -> np.ndarray:
        return rows[0] + how_far[:, None] * (rows[which] - rows[0])

    return Path(pieces.centres, blend(pieces.coefficients), blend(pieces.values))


def legs(gaps: np.ndarray, horizon: int, budget: float | None, least: int) -> tuple[int, float]:
    r"""Number of legs $n$ and factor $s\le1$ such that legs of length $s\cdot\text{gap}_j$ sum to the budget.

    $n$ is the smallest number in $[\text{least},T-1]$ with $\sum_{j\le n}\text{gap}_j\ge V$ (gaps repeat),
    and $s=\min\{1,V/\sum_{j\le n}\text{gap}_j\}$. No budget: `least` legs at full length.
    """
    most = horizon - 1
    if most < 1 or budget == 0:
        return 0, 0.0
    reach = np.cumsum(np.resize(gaps, most))
    n = min(least, most)
    if budget is None:
        return n, 1.0
    # Without the slack a budget of exactly n legs would ask for one more leg by rounding.
    n = min(max(n, int(np.searchsorted(reach, budget * (1.0 - 1e-12))) + 1), most)
    return n, (min(1.0, budget / float(reach[n - 1])) if reach[n - 1] > 0 else 0.0)


def cycle_gaps(pieces: Path) -> np.ndarray:
    r"""(J,) sup-norm lengths of $g_0\to g_1\to\dots\to g_{J-1}\to g_0$ over the arms."""
    return np.abs(np.roll(pieces.values, -1, axis=0) - pieces.values).max(axis=1)


def glide(pieces: Path, horizon: int, budget: float | None) -> Path:
    r"""The straight line between $g_0$ and $g_1$, there and back, with $V_T$ exactly as asked.

    $n=\lceil V/L\rceil$ legs of amplitude $V/n$, $L=\|g_1-g_0\|_\infty$; the turning points fall on rounds.
    """
    n, shrink = legs(cycle_gaps(pieces), horizon, budget, least=1)
    turns = np.arange(n + 1) * (horizon - 1) // max(n, 1)
    how_far = np.interp(np.arange(horizon), turns, shrink * (np.arange(n + 1) % 2))
    return follow(pieces, np.ones(horizon, dtype=int), how_far)


def jump_rows(horizon: int, jumps: int) -> np.ndarray:
    """(n,) increasing rows (from 0) in which a new piece starts, each in [1, T-1].

    Two jumps fall at T/5 and 2T/5 (Deng et al. sec. 7, Iwazaki & Takeno sec. 6), others evenly at jT/(n+1).
    """
    if jumps == 2:
        first = max(1, horizon // 5)
        return np.array([first, max(first + 1, 2 * horizon // 5)])
    return np.arange(1, jumps + 1) * horizon // (jumps + 1)


def jump(pieces: Path, horizon: int, budget: float | None) -> Path:
    r"""The pieces $g_0,\dots,g_k,g_0,\dots$ one by one, shrunk towards $g_0$ so that $V_T$ is as asked."""
    count = len(pieces.values)
    n, shrink = legs(cycle_gaps(pieces), horizon, budget, least=count - 1)
    which = np.searchsorted(jump_rows(horizon, n), np.arange(horizon), side="right") % count
    return follow(pieces, which, np.full(horizon, shrink))


def shrink_to(path: Path, budget: float | None) -> Path:
    r"""The path $f_1+s(f_t-f_1)$ with $s=\min\{1,V/V_T\}$: the budget, or less if it moves less."""
    moved = float(np.abs(np.diff(path.values, axis=0)).max(axis=1).sum())
    if budget is None or moved <= budget:
        return path
    s = budget / moved

    def closer(rows: np.ndarray) -> np.ndarray:
        return rows[0] + s * (rows - rows[0])

    return Path(path.centres, closer(path.coefficients), closer(path.values))


def spread_points(count: int, dimension: int) -> np.ndarray:
    r"""(n, d) evenly spread points of $[0,1]^d$: a grid when $d=1$, else the additive golden-ratio lattice.

    Its point i is the fractional part of $\tfrac12+i\,(\phi^{-1},\dots,\phi^{-d})$ with $\phi^{d+1}=\phi+1$.
    """
    if dimension == 1:
        return np.linspace(0.0, 1.0, count)[:, None] if count > 1 else np.array([[0.5]])
    phi = 2.0
    for _ in range(60):  # a contraction: converges to double precision well before
        phi = (1.0 + phi) ** (1.0 / (dimension + 1))
    return (0.5 + np.arange(1, count + 1)[:, None] * phi ** -np.arange(1.0, dimension + 1)) % 1.0


def cyclic(kernel: Kernel, x: np.ndarray, horizon: int, centres: int, norm_bound: float) -> Path:
    r"""The cyclic reward $a(t)=\frac{B}{\sqrt{\lambda_{\max}}}\frac{u(t)}{\|u(t)\|}$, $u_i(t)=\sin(0.3t+i)$.

    $\lambda_{\max}$ belongs to the Gram matrix of the centres, so $\|f_t\|_{\mathcal H}\le B$. These are
    evenly spread: at most `centres`, and at most one a lengthscale along a side, because closer ones, with
    coefficients of both signs, cancel and leave a flat reward (the paper has lengthscale 3 on [-50, 50]).

    Source: Mauduit et al., sec. 4.1, with the square root that the printed $a(t)$ lacks.
    """
    d = x.shape[1]
    lengthscale: float = getattr(kernel, "lengthscale")  # noqa: B009  (a Kernel need not have one)
    a_side = max(2, 1 + int(1.0 / lengthscale + 1e-9))
    z = spread_points(min(centres, a_side**d), d)
    t, i = np.arange(1, horizon + 1)[:, None], np.arange(1, len(z) + 1)
    u = np.sin(0.3 * t + i)
    a = u * (norm_bound / np.sqrt(np.linalg.eigvalsh(kernel(z, z))[-1]) / np.linalg.norm(u, axis=1))[:, None]
    return Path(z, a, a @ kernel(z, x))


def travelled(horizon: int) -> np.ndarray:
    r"""(T,) share of its way that a travelling hill has covered in each round: 0 at rest, linear, 1 at rest.

    It leaves after $\lfloor18T/56\rfloor$ rounds and arrives in round $\lceil44T/56\rceil$.
    """
    leaves, arrives = max(horizon * 18 // 56 - 1, 0), -(-horizon * 44 // 56) - 1
    return np.interp(np.arange(horizon), [leaves, max(arrives, leaves + 1)], [0.0, 1.0])


def travel(
    kernel: Kernel, x: np.ndarray, horizon: int, norm_bound: float, budget: float | None, rng: np.random.Generator
) -> Path:
    r"""The travelling hill $f_t=\frac{B}{\sqrt{k(c_t,c_t)}}k(\cdot,c_t)$, of norm B in every round.

    $c_t$ runs along the first coordinate, from $m-L/2$ to $m+L/2$ as `travelled` says; the others are 1/2. As drawn the
    two ends are uniform within 0.05 of 0.275 and of 0.725; a budget keeps their middle $m$ and sets $L$ so that $V_T$
    is exactly as asked, as far as the box allows. Derived here.
    """
    first, last = np.array([0.275, 0.725]) + rng.uniform(-0.05, 0.05, size=2)
    middle, share = (first + last) / 2, travelled(horizon)

    def hill(length: float) -> Path:
        along, row = np.unique(middle + length * (share - 0.5), return_inverse=True)
        z = np.full((len(along), x.shape[1]), 0.5)
        z[:, 0] = along
        coefficients = np.eye(len(along))[row] * (norm_bound / np.sqrt(kernel.diag(z)))
        return Path(z, coefficients, coefficients @ kernel(z, x))

    def moved(length: float) -> float:
        return float(np.abs(np.diff(hill(length).values, axis=0)).max(axis=1).sum())

    longest = 2.0 * min(middle, 1.0 - middle)
    if budget is None:
        return hill(last - first)
    if budget == 0.0 or horizon == 1:
        return hill(0.0)
    if moved(longest) <= budget:
        return hill(longest)
    from scipy.optimize import brentq  # It is slow to import, and few need it.

    return hill(brentq(lambda length: moved(length) - budget, 0.0, longest, xtol=1e-15, rtol=1e-14))


def fractional_brownian(steps: int, alpha: float, paths: int, rng: np.random.Generator) -> np.ndarray:
    r"""(steps+1, paths) fractional Brownian motions from 0, $\mathrm{Var}(b_t-b_s)=|t-s|^\alpha$, exactly.

    The increments are stationary; they are drawn by embedding their covariance in a circulant one, whose
    eigenvalues are a Fourier transform and are not negative. For $\alpha=2$ they are straight lines.

    Source: Davies & Harte (1987), Biometrika 74, p. 95-101; Hurst exponent $\alpha/2$.
    """
    if steps == 0:
        return np.zeros((1, paths))
    if alpha == 2:
        return np.arange(steps + 1)[:, None] * rng.standard_normal(paths)
    lag = np.arange(steps + 1.0)
    covariance = 0.5 * ((lag + 1) ** alpha - 2 * lag**alpha + np.abs(lag - 1) ** alpha)
    circle = np.concatenate([covariance, covariance[-2:0:-1]])
    eigenvalues = np.maximum(np.fft.fft(circle).real, 0.0)  # only rounding is negative
    z = rng.standard_normal((len(circle), paths)) + 1j * rng.standard_normal((len(circle), paths))
    noise = np.fft.fft(np.sqrt(eigenvalues / len(circle))[:, None] * z, axis=0).real[:steps]
    return np.concatenate([np.zeros((1, paths)), np.cumsum(noise, axis=0)])


def rough(
    kernel: Kernel,
    x: np.ndarray,
    horizon: int,
    centres: int,
    norm_bound: float,
    alpha: float,
    rng: np.random.Generator,
) -> Path:
    r"""Coefficients that wander, $\mathrm{Var}(a_i(t)-a_i(s))\propto|t-s|^\alpha$.

    Rescaled so that $\max_t\|f_t\|_{\mathcal H}=B$ (unless $B=\infty$); before, $a_i(1)\sim N(0,1)$, and over
    the whole horizon a coefficient moves by one standard deviation.

    Source: the drift of Mauduit et al. sec. 2, by a process that exists (fractional Brownian motion).
    """
    z = rng.uniform(size=(centres, x.shape[1]))
    start = rng.standard_normal(centres)
    wander = fractional_brownian(horizon - 1, alpha, centres, rng)
    a = start + wander / max(horizon - 1, 1) ** (alpha / 2)
    if np.isfinite(norm_bound):
        a *= norm_bound / norms(kernel, z, a).max()
    return Path(z, a, a @ kernel(z, x))


def markov(kernel: Kernel, x: np.ndarray, horizon: int, epsilon: float, rng: np.random.Generator) -> np.ndarray:
    r"""(T, m) Gaussian-process rewards, $f_1=g_1$, $f_{t+1}=\sqrt{1-\epsilon}f_t+\sqrt\epsilon\,g_{t+1}$.

    Every $g_t$ is an independent draw of $GP(0,k)$ at the arms, so
    $\mathrm{Cov}(f_t(x),f_{t'}(x'))=(1-\epsilon)^{|t-t'|/2}k(x,x')$.

    Source: Bogunovic et al. (2016), eq. 3-4 (from t = 1).
    """
    values, vectors = np.linalg.eigh(kernel(x, x))
    keep = values > len(values) * np.finfo(float).eps * values[-1]  # the rest is rounding, often negative
    z = rng.standard_normal((horizon, int(keep.sum())))
    z[1:] *= np.sqrt(epsilon)
    # The recursion is a bidiagonal system: z_{t+1} - sqrt(1-eps) z_t = innovation, solved without a loop.
    bands = np.stack([np.ones(horizon), np.full(horizon, -np.sqrt(1.0 - epsilon))])
    return solve_banded((1, 0), bands, z) @ (vectors[:, keep] * np.sqrt(values[keep])).T
