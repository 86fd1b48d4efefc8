"""How fast are the bands? `python -m benchmarks.bands` prints the table; one BLAS thread, one run."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.rows import Row, show
from tvbo_core.bands import ALL, CMM
from tvbo_core.bands.certify import socp_bounds
from tvbo_core.bands.coverage import still_coverage
from tvbo_core.bands.over_time import films
from tvbo_core.kernels import Matern
from tvbo_core.threads import one_thread

POINTS = 100
SOLVED = 10  # points actually solved by the conic program; the rest of the 100 is extrapolated
KERNEL = Matern(nu=1.5, lengthscale=0.2)
ASSUMED = {"B": 3.0, "sigma": 0.1, "delta": 0.01}


def seconds(run: Callable[[], object], repeats: int) -> float:
    """Median time of one call after one unmeasured call."""
    run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def data(n: int) -> tuple[np.ndarray, np.ndarray]:
    """n noisy rewards of a still curve of norm 3 at random points."""
    rng = np.random.default_rng(0)
    X, centres, a = rng.uniform(0, 1, (n, 1)), rng.uniform(0, 1, (20, 1)), rng.normal(size=20)
    a *= ASSUMED["B"] / np.sqrt(a @ KERNEL(centres, centres) @ a)
    return X, KERNEL(X, centres) @ a + ASSUMED["sigma"] * rng.normal(size=n)


def against_the_conic_program(n: int, target: float) -> Row:
    """CMM at 100 points, both sides, against one conic program a point and side; they must also agree."""
    X, y = data(n)
    Z = np.linspace(0, 1, POINTS)[:, None]
    bound = CMM(**ASSUMED)
    ours = seconds(lambda: bound.band(KERNEL, X, y, Z), 15)
    band, chosen = bound.band(KERNEL, X, y, Z), np.linspace(0, POINTS - 1, SOLVED).astype(int)
    socp_bounds(KERNEL, X, y, Z[0], **ASSUMED)  # imports the solver
    start = time.perf_counter()
    solved = np.array([socp_bounds(KERNEL, X, y, Z[j], **ASSUMED) for j in chosen])
    theirs = (time.perf_counter() - start) * POINTS / SOLVED
    gap = max(np.abs(solved[:, 0] - band.lower[chosen]).max(), np.abs(solved[:, 1] - band.upper[chosen]).max())
    note = f"{theirs:.2f} s from {SOLVED} of {POINTS} points; largest gap {gap:.0e}"
    return (
        f"CMM, n = {n}, {POINTS} points, both sides, against conic programs",
        f"{1e3 * ours:.2f} ms",
        note,
        f"{theirs / ours:.0f}x",
        f">= {target:.0f}x",
    )


def against_the_eigendecomposition(n: int) -> Row:
    """The floor: numpy's eigendecomposition of the Gram matrix, already built."""
    X, y = data(n)
    Z, K = np.linspace(0, 1, POINTS)[:, None], KERNEL(X, X)
    bound = CMM(**ASSUMED)
    ours = seconds(lambda: bound.band(KERNEL, X, y, Z), 25)
    floor = seconds(lambda: np.linalg.eigh(K), 25)
    return (
        f"CMM, n = {n}, {POINTS} points, kernel and all, against eigh(K) alone",
        f"{1e3 * ours:.2f} ms",
        f"{1e3 * floor:.2f} ms",
        f"{ours / floor:.1f}x",
        "<= 6x",
    )


def listed() -> dict:
    """Return every band of the list."""
    return {name: entry.make(**ASSUMED, c=1.0, ridge=ASSUMED["sigma"] ** 2, eta=2 / 100) for name, entry in ALL.items()}


def all_bands_at_all_times() -> Row:
    X, y = data(100)
    Z = np.linspace(0, 1, 101)[:, None]
    ours = seconds(lambda: films(listed(), KERNEL, X, y, Z), 5)
    return f"{len(ALL)} bands, t = 0..100, 101 points", f"{ours:.3f} s", "", "", "< 1.5 s"


def coverage_of_still_worlds() -> Row:
    pool = np.linspace(0, 1, 101)[:, None]
    B, noise = ASSUMED["B"], ASSUMED["sigma"]
    ours = seconds(lambda: still_coverage(listed(), KERNEL, pool, 100, 200, B, noise, np.random.default_rng(0)), 5)
    return f"coverage of 200 still worlds, 100 times, {len(ALL)} bands", f"{ours:.3f} s", "", "", "< 0.3 s"


def table() -> list[Row]:
    with one_thread():
        return [
            ("what", "time", "the other way", "ratio", "target"),
            against_the_conic_program(50, 300),
            against_the_conic_program(200, 1000),
            against_the_eigendecomposition(200),
            all_bands_at_all_times(),
            coverage_of_still_worlds(),
        ]


if __name__ == "__main__":
    show(table())
