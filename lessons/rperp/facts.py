"""Facts of the R-PERP page: the numbers of each frame, under the names by which its script prints them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from lessons.rperp.model import NAMES, SHUFFLES, Walkthrough
from lessons.rperp.steps import Step
from tvbo_core.policies.elimination.batch import Batch

Facts = Mapping[str, float | None]


def covered(b: Batch) -> np.ndarray:
    """Return (m,) whether the band covers the batch average at each action."""
    return (b.band.lower <= b.truth) & (b.truth <= b.band.upper)


def best_row(walk: Walkthrough, step: Step, b: Batch) -> int:
    """Return the row of the rewards that a step shows: after the batch once its band stands."""
    if step.judged:
        return min(b.start + step.heard, walk.runs.problem.horizon - 1)
    return b.start + max(step.heard - 1, 0)


def of_step(walk: Walkthrough, frame: int, order: str) -> dict[str, float | None]:
    """Return the numbers of a step of Algorithm 1: those of its batch and of its line.

    Args:
        order: of the run on screen, "fixed" or "shuffled".
    """
    step, runs = walk.steps[frame], walk.runs
    run, p = runs.run(NAMES[order]), runs.problem
    b = run[step.batch]
    left = b.survivors if step.is_end else b.alive
    found = {
        "t": b.start + step.heard,
        "candidates": int(b.alive.sum()),
        "left": int(left.sum()),
        "x*": float(p.x[p.f[best_row(walk, step, b)].argmax(), 0]),
    }
    return found | _of_line(walk, step, run)


def _of_line(walk: Walkthrough, step: Step, run: Sequence[Batch]) -> dict[str, float | None]:
    """Return the numbers of the line of Algorithm 1 that is lit."""
    b, p = run[step.batch], walk.runs.problem
    n, total = len(b.picks), sum(b.sizes)
    if step.line == 2:
        H, T = walk.runs.H, p.horizon
        return {
            "H": H,
            "V_T": p.sup_variation,
            "T": T,
            "restart": b.interval,
            "restarts": math.ceil(T / H),
            "length": total,
        }
    if step.line == 3:
        return {f"N_{k}": size for k, size in enumerate(b.sizes, start=1)}
    if step.line == 5:
        before = (1, *b.sizes)[b.number - 1]
        formula = math.isqrt(total * before - 1) + 1
        return {"batch": b.number, "length": total, "N before": before, "formula": formula, "N": n}
    if step.line == 8:
        m = step.picked - 1
        return {"pick": step.picked, "N": n, "x picked": float(p.x[b.picks[m], 0]), "s": float(b.sds[m])}
    if step.line == 11:
        return {"N": n}
    if step.line == 13:
        m = int(np.flatnonzero(b.permutation == step.heard - 1)[0])
        return {
            "query": step.heard,
            "N": n,
            "x evaluated": float(p.x[b.picks[m], 0]),
            "observation": float(b.rewards[m]),
            "average there": float(b.truth[b.picks[m]]),
        }
    if step.line == 16:
        return {"N": n, "actions": len(b.alive), "covered": int(covered(b)[b.alive].sum())}
    if step.line == 20 and eliminates(b):
        return _of_elimination(run[: step.batch + 1])
    wide = {
        "half-width": float((b.band.upper - b.band.mean)[b.alive].max()),
        "rewards vary by": 0.5 * float(np.ptp(p.f)),
    }
    return wide if step.line == 20 else {"covered": int(covered(b)[b.alive].sum()), **wide}


def eliminates(b: Batch) -> bool:
    """Return whether fewer actions are left after a batch."""
    return bool(b.survivors.sum() < b.alive.sum())


def _of_elimination(run: Sequence[Batch]) -> dict[str, float | None]:
    """Return what the eliminations of a run so far come to, and with how many actions each batch of a restart began."""
    b = run[-1]
    begun = {f"candidates of batch {c.number}": int(c.alive.sum()) for c in run if c.interval == b.interval}
    return {
        "batch": b.number,
        "queries so far": sum(b.sizes[: b.number]),
        "ruled out": int((~b.survivors).sum()),
        "actions": len(b.alive),
        "cost": float(b.cost),
        **begun,
    }


def of_question(walk: Walkthrough, frame: int) -> dict[str, float | None]:
    """Return the errors of a batch after so many questions, in the known order and in shuffled ones."""
    step, runs = walk.steps[frame], walk.runs
    found, k = runs.pulls(step.batch), step.heard
    known, mine = found.known.path, found.shuffled.path
    return {
        "H": runs.H,
        "x, known order": float(runs.problem.x[found.known.arm, 0]),
        "x, one shuffle": float(runs.problem.x[found.shuffled.arm, 0]),
        "queries": len(known) - 1,
        "query": k,
        "known order": float(known[k]),
        "one shuffle": float(mine[k]),
        "shuffles": SHUFFLES,
        "their median": found.median,
        "err less than half as much": found.less,
    }
