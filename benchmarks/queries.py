"""How fast are side queries? `python -m benchmarks.queries [--quick]` prints the table; one BLAS thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.race import fastest
from benchmarks.rows import Row, asked_quick, show
from lessons.side_queries.planner import asked, plan, schedule, totals
from tvbo_core.designs import play_rng
from tvbo_core.gp.kdpp import KDPP, kdpp
from tvbo_core.gp.sparse import grid_sparse_sds
from tvbo_core.kernels import Kernel, Matern, SquaredExponential
from tvbo_core.play import play
from tvbo_core.policies.side_queries.policy import SparQ, WSparQ, evidence_of
from tvbo_core.records import World
from tvbo_core.threads import one_thread
from tvbo_core.worlds import make_problem
from tvbo_core.worlds.mauduit import Stale, Synthetic

SEED = 0
WIDTHS = (52, 10, 52, 5, 8)


@dataclass(frozen=True)
class Size:
    """How much is measured.

    Attributes:
        points: that a pick chooses from.   swaps: of its chain.   rounds: of a run.
        horizons: of the schedules, and their longest for all of them at once.   repeats: of each timing.
    """

    points: int = 500
    swaps: int = 10_000
    rounds: int = 500
    horizons: tuple[int, int, int] = (500, 100_000, 1_000_000)
    repeats: int = 3


QUICK = Size(points=20, swaps=20, rounds=20, horizons=(20, 50, 100), repeats=1)


def picks(size: Size) -> Iterator[Row]:
    """10 points by k-DPP: eigenvalues and draw, then a further draw, and the chain of swaps."""
    X = np.random.default_rng(SEED).uniform(0, 1, (size.points, 2))
    kernels: list[tuple[str, Kernel]] = [("Matern 3/2", Matern(1.5, 0.2)), ("SE", SquaredExponential(0.2))]
    for label, kernel in kernels:
        K, rng = kernel(X, X), np.random.default_rng(SEED)
        whole = fastest(lambda K=K, rng=rng: kdpp(K, 10, rng), size.repeats)
        ready = KDPP(K)
        ready.sample(10, rng)
        again = fastest(lambda ready=ready, rng=rng: ready.sample(10, rng), size.repeats)
        chain = fastest(lambda ready=ready, rng=rng: ready.sample(10, rng, "mcmc", size.swaps), size.repeats)
        note = f"a further draw {1e3 * again:.1f} ms, chain of {size.swaps:,} {1e3 * chain:.0f} ms"
        yield f"k-DPP, 10 of {size.points} points, {label}", f"{1e3 * whole:.0f} ms", note, "", "< 50 ms"


def plays(size: Size) -> Iterator[Row]:
    """A whole run in three worlds, and one twice as long in the first."""
    T = size.rounds
    worlds: list[tuple[str, World]] = [
        ("rough, 100 arms", Stale(seed=SEED, horizon=T)),
        ("rough, 100 arms", Stale(seed=SEED, horizon=2 * T)),
        ("jumps, Matern 3/2", World(kind="jumps", kernel="matern", horizon=T, seed=SEED)),
        ("sec. 4.1, 101 arms", Synthetic(seed=SEED, horizon=T)),
    ]
    for label, world in worlds:
        problem = make_problem(world)
        for name, policy in (("W-SparQ", WSparQ()), ("SparQ", SparQ())):
            took = fastest(lambda problem=problem, policy=policy: play(problem, policy, play_rng(SEED)), size.repeats)
            target = "< 1 s" if name == "W-SparQ" and world.horizon == T else ""
            yield f"{name}, T = {world.horizon}, {label}", f"{took:.2f} s", "", "", target


def schedules(size: Size) -> Iterator[Row]:
    """Windows and counts are closed form."""
    short, long, longest = size.horizons
    for T, alpha, w in ((short, 1.0, 0.25), (long, 1.0, 0.25), (long, 2.0, 0.05), (longest, 1.0, 0.25)):
        took = fastest(lambda T=T, alpha=alpha, w=w: asked(schedule(T, alpha, w), 1.0, 1), size.repeats)
        yield f"schedule, T = {T:,}, alpha = {alpha:g}, w = {w:g}", f"{1e3 * took:.2f} ms", "", "", "instant"
    took = fastest(lambda: totals(long, 1.0, 0.25, 1.0), size.repeats)
    yield f"totals of both schedules to T = {long:,}", f"{1e3 * took:.1f} ms", "", "", "instant"
    took = fastest(lambda: plan(long, 1.0, 1, long // 10), size.repeats)
    yield f"plan, T = {long:,}, 29 window exponents", f"{1e3 * took:.0f} ms", "", "", "instant"


def glass(size: Size) -> Iterator[Row]:
    """What a page asks of one run: the evidence of every round, and three posteriors at every window."""
    problem, policy = make_problem(Stale(seed=SEED, horizon=size.rounds)), WSparQ()
    history = play(problem, policy, play_rng(SEED))
    gram = problem.kernel(problem.x, problem.x)
    starts = policy.starts(problem.horizon)

    def at_every_window() -> None:
        for s in starts:
            grid_sparse_sds(gram, history.arms[:s], history.asked_before(s)[0], problem.noise_sd**2)

    took = fastest(lambda: evidence_of(policy, history, range(problem.horizon)), size.repeats)
    yield f"evidence of {size.rounds} rounds", f"{1e3 * took:.0f} ms", "", "", ""
    took = fastest(at_every_window, size.repeats)
    yield f"full, variational and subset sd at {len(starts)} windows", f"{1e3 * took:.0f} ms", "", "", ""


def rows(size: Size) -> Iterator[Row]:
    """The table, row by row."""
    yield "what", "time", "also", "ratio", "target"
    with one_thread():
        yield from picks(size)
        yield from plays(size)
        yield from schedules(size)
        yield from glass(size)


if __name__ == "__main__":
    show(rows(QUICK if asked_quick(__doc__) else Size()), WIDTHS)
