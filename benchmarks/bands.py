"""How fast are the bands? `python -m benchmarks.bands [--quick]` prints the table; one BLAS thread, one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.rows import Row, asked_quick, show
from tvbo_core.bands import ALL, CMM
from tvbo_core.bands.certify import socp_bounds
from tvbo_core.bands.coverage import still_coverage
from tvbo_core.bands.over_time import films
from tvbo_core.kernels import Matern
from tvbo_core.threads import one_thread

KERNEL = Matern(nu=1.5, lengthscale=0.2)
ASSUMED = {"B": 3.0, "sigma": 0.1, "delta": 0.01}
WIDTHS = (66, 10, 58, 6, 9)


@dataclass(frozen=True)
class Size:
    """How much is measured.

    Attributes:
        few, many: observations of a band.   points: at which it is computed.
        solved: points that the conic program really solves; the rest is extrapolated.
        repeats: of each timing.   times: of the films and of the coverage.   worlds: of the coverage.
    """

    few: int = 50
    many: int = 200
    points: int = 100
    solved: int = 10
    repeats: int = 15
    times: int = 100
    worlds: int = 200


QUICK = Size(few=5, many=10, points=10, solved=2, repeats=1, times=5, worlds=4)


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


def against_the_conic_program(n: int, target: float, size: Size) -> Row:
    """CMM at all points, both sides, against one conic program a point and side; they must also agree."""
    X, y = data(n)
    Z = np.linspace(0, 1, size.points)[:, None]
    bound = CMM(**ASSUMED)
    ours = seconds(lambda: bound.band(KERNEL, X, y, Z), size.repeats)
    band, chosen = bound.band(KERNEL, X, y, Z), np.linspace(0, size.points - 1, size.solved).astype(int)
    socp_bounds(KERNEL, X, y, Z[0], **ASSUMED)  # imports the solver
    start = time.perf_counter()
    solved = np.array([socp_bounds(KERNEL, X, y, Z[j], **ASSUMED) for j in chosen])
    theirs = (time.perf_counter() - start) * size.points / size.solved
    gap = max(np.abs(solved[:, 0] - band.lower[chosen]).max(), np.abs(solved[:, 1] - band.upper[chosen]).max())
    note = f"{theirs:.2f} s from {size.solved} of {size.points} points; largest gap {gap:.0e}"
    return (
        f"CMM, n = {n}, {size.points} points, both sides, against conic programs",
        f"{1e3 * ours:.2f} ms",
        note,
        f"{theirs / ours:.0f}x",
        f">= {target:.0f}x",
    )


def against_the_eigendecomposition(n: int, size: Size) -> Row:
    """The floor: numpy's eigendecomposition of the Gram matrix, already built."""
    X, y = data(n)
    Z, K = np.linspace(0, 1, size.points)[:, None], KERNEL(X, X)
    bound = CMM(**ASSUMED)
    ours = seconds(lambda: bound.band(KERNEL, X, y, Z), size.repeats)
    floor = seconds(lambda: np.linalg.eigh(K), size.repeats)
    return (
        f"CMM, n = {n}, {size.points} points, kernel and all, against eigh(K) alone",
        f"{1e3 * ours:.2f} ms",
        f"{1e3 * floor:.2f} ms",
        f"{ours / floor:.1f}x",
        "<= 6x",
    )


def listed() -> dict:
    """Return every band of the list."""
    return {name: entry.make(**ASSUMED, c=1.0, ridge=ASSUMED["sigma"] ** 2, eta=2 / 100) for name, entry in ALL.items()}


def all_bands_at_all_times(size: Size) -> Row:
    X, y = data(size.times)
    Z = np.linspace(0, 1, 101)[:, None]
    ours = seconds(lambda: films(listed(), KERNEL, X, y, Z), min(size.repeats, 5))
    return f"{len(ALL)} bands, t = 0..{size.times}, 101 points", f"{ours:.3f} s", "", "", "< 1.5 s"


def coverage_of_still_worlds(size: Size) -> Row:
    pool = np.linspace(0, 1, 101)[:, None]
    asked = (pool, size.times, size.worlds, ASSUMED["B"], ASSUMED["sigma"])
    ours = seconds(lambda: still_coverage(listed(), KERNEL, *asked, np.random.default_rng(0)), min(size.repeats, 5))
    what = f"coverage of {size.worlds} still worlds, {size.times} times, {len(ALL)} bands"
    return what, f"{ours:.3f} s", "", "", "< 0.3 s"


def rows(size: Size) -> Iterator[Row]:
    """The table, row by row."""
    yield "what", "time", "the other way", "ratio", "target"
    with one_thread():
        yield against_the_conic_program(size.few, 300, size)
        yield against_the_conic_program(size.many, 1000, size)
        yield against_the_eigendecomposition(size.many, size)
        yield all_bands_at_all_times(size)
        yield coverage_of_still_worlds(size)


if __name__ == "__main__":
    show(rows(QUICK if asked_quick(__doc__) else Size()), WIDTHS)
