"""How fast are side queries? `python -m benchmarks.queries` prints the table; one BLAS thread, all in one run."""

from __future__ import annotations

import numpy as np

from benchmarks.race import fastest
from benchmarks.rows import Row, show
from tvbo_core.designs import play_rng
from tvbo_core.gp.kdpp import KDPP, kdpp
from tvbo_core.gp.sparse import grid_sparse_sds
from tvbo_core.kernels import Kernel, Matern, SquaredExponential
from tvbo_core.policies.side_queries.budget import asked, plan, schedule, totals
from tvbo_core.policies.side_queries.policy import SparQ, WSparQ, evidence_of
from tvbo_core.race import play
from tvbo_core.records import World
from tvbo_core.threads import one_thread
from tvbo_core.worlds import make_problem
from tvbo_core.worlds.mauduit import Stale, Synthetic

SEED = 0


def picks() -> list[Row]:
    """10 of 500 points by k-DPP: eigenvalues and draw, then a further draw, and the chain of 10,000 swaps."""
    rows, X = [], np.random.default_rng(SEED).uniform(0, 1, (500, 2))
    kernels: list[tuple[str, Kernel]] = [("Matern 3/2", Matern(1.5, 0.2)), ("SE", SquaredExponential(0.2))]
    for label, kernel in kernels:
        K, rng = kernel(X, X), np.random.default_rng(SEED)
        whole = fastest(lambda K=K, rng=rng: kdpp(K, 10, rng), 5)
        ready = KDPP(K)
        ready.sample(10, rng)
        again = fastest(lambda ready=ready, rng=rng: ready.sample(10, rng), 20)
        chain = fastest(lambda ready=ready, rng=rng: ready.sample(10, rng, "mcmc", 10_000), 3)
        note = f"a further draw {1e3 * again:.1f} ms, chain of 10,000 {1e3 * chain:.0f} ms"
        rows.append((f"k-DPP, 10 of 500 points, {label}", f"{1e3 * whole:.0f} ms", note, "", "< 50 ms"))
    return rows


def plays() -> list[Row]:
    """A whole run of 500 rounds in three worlds, and of 1000 in the first."""
    worlds: list[tuple[str, World]] = [
        ("rough, 100 arms", Stale(seed=SEED)),
        ("rough, T = 1000", Stale(seed=SEED, horizon=1000)),
        ("jumps, Matern 3/2", World(kind="jumps", kernel="matern", horizon=500, seed=SEED)),
        ("sec. 4.1, 101 arms", Synthetic(seed=SEED)),
    ]
    rows = []
    for label, world in worlds:
        problem = make_problem(world)
        for name, policy in (("W-SparQ", WSparQ()), ("SparQ", SparQ())):
            took = fastest(lambda problem=problem, policy=policy: play(problem, policy, play_rng(SEED)), 3)
            target = "< 1 s" if name == "W-SparQ" and world.horizon == 500 else ""
            rows.append((f"{name}, T = {world.horizon}, {label}", f"{took:.2f} s", "", "", target))
    return rows


def schedules() -> list[Row]:
    """Windows and counts are closed form."""
    rows = []
    for T, alpha, w in ((500, 1.0, 0.25), (100_000, 1.0, 0.25), (100_000, 2.0, 0.05), (1_000_000, 1.0, 0.25)):
        took = fastest(lambda T=T, alpha=alpha, w=w: asked(schedule(T, alpha, w), 1.0, 1), 5)
        rows.append((f"schedule, T = {T:,}, alpha = {alpha:g}, w = {w:g}", f"{1e3 * took:.2f} ms", "", "", "instant"))
    took = fastest(lambda: totals(100_000, 1.0, 0.25, 1.0), 5)
    rows.append(("totals of both schedules to T = 100,000", f"{1e3 * took:.1f} ms", "", "", "instant"))
    took = fastest(lambda: plan(100_000, 1.0, 1, 10_000), 3)
    rows.append(("plan, T = 100,000, 29 window exponents", f"{1e3 * took:.0f} ms", "", "", "instant"))
    return rows


def glass() -> list[Row]:
    """What a page asks of one run: the evidence of every round, and three posteriors at every window."""
    problem, policy = make_problem(Stale(seed=SEED)), WSparQ()
    history = play(problem, policy, play_rng(SEED))
    gram = problem.kernel(problem.x, problem.x)
    starts = policy.starts(problem.horizon)

    def at_every_window() -> None:
        for s in starts:
            grid_sparse_sds(gram, history.arms[:s], history.asked_before(s)[0], problem.noise_sd**2)

    took = fastest(lambda: evidence_of(policy, history, range(problem.horizon)), 3)
    rows = [("evidence of 500 rounds", f"{1e3 * took:.0f} ms", "", "", "")]
    took = fastest(at_every_window, 3)
    rows.append((f"full, variational and subset sd at {len(starts)} windows", f"{1e3 * took:.0f} ms", "", "", ""))
    return rows


def table() -> list[Row]:
    rows: list[Row] = [("what", "time", "also", "ratio", "target")]
    with one_thread():
        rows += picks()
        rows += plays()
        rows += schedules()
        rows += glass()
    return rows


if __name__ == "__main__":
    show(table())
