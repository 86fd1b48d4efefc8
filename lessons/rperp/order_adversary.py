r"""An oblivious adversary that moves the reward against the fixed order of phased elimination.

The adversary is oblivious, as every paper demands: it fixes f_1..f_T before the learner moves. It plays phased
elimination for itself, in the fixed order and without noise, and makes today's question look good where the reward
is bad and bad where it is good, until its drift budget is spent. Over each batch its moves sum to zero, so the
batch average is the still base: a learner that asks the same questions in an order the adversary does not know
sees through it.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tvbo_core.kernels import Kernel
from tvbo_core.policies.elimination.policy import RPERP
from tvbo_core.policies.elimination.schedule import resolve_restart
from tvbo_core.records import Problem

MAX_MOVEMENT_SHARE = 0.6  # largest share of the norm bound that may go into the movement; the rest is the base
MAX_TUNING_ROUNDS = 6  # of a restart that needs the drift, which depends on the restart
PLATEAU_RIDGE = 1e-4  # ridge of the plateau's fit, as a share of the prior variance: its norm stays moderate


def plateau(kernel: Kernel, x: np.ndarray, most: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""A function that is about 1 at every arm: its centres (p, d), coefficients (p,) and values (m,), at most 1.

    The ridge fit of the constant 1, divided by its largest value.
    """
    centres = x[np.unique(np.linspace(0, len(x) - 1, min(len(x), most)).round().astype(int))]
    gram = kernel(centres, centres)
    gram.flat[:: len(gram) + 1] += PLATEAU_RIDGE * gram.diagonal().max()
    coefficients = np.linalg.solve(gram, np.ones(len(centres)))
    values = kernel(x, centres) @ coefficients
    top = np.abs(values).max()
    return centres, coefficients / top, values / top


def largest_swing(base: Problem) -> float:
    r"""The largest swing $\Delta$, reward units, that leaves the base room: $\frac\Delta2\|g\|\le0.6B$ (plateau g)."""
    centres, coefficients, _ = plateau(base.kernel, base.x)
    return 2.0 * MAX_MOVEMENT_SHARE * _bound(base) / _norm(base.kernel, centres, coefficients)


def follower(base: Problem, rule: RPERP, swing: float, budget: float = math.inf) -> Problem:
    r"""The base world, shrunk a little, moved against the fixed order of a rule while its drift budget lasts.

    $f_t=cf+a_js_tg$ with g the plateau and $s_t\in\{-1,0,1\}$: in each batch the half of the questions whose base
    reward is lower gets +1, the other half -1, and the middle one of an odd batch 0. The amplitude $a_j$ of a
    batch is $\frac\Delta2$, or the largest that the budget still pays for (with the way back to the base). The
    factor $c\le1$ keeps $\|f_t\|_{\mathcal H}\le B$ by the triangle inequality.

    Args:
        base: a still world with known kernel centres.
        rule: its `restart` is a number or None (the drift that "paper" needs follows from the moves); the
            adversary knows all of it but its shuffle.
        swing: $\Delta$, how far the reward goes between its two states, reward units, at most `largest_swing`.
        budget: the most drift $V_T$, reward units; when it is spent, the world stands still.
    Source: derived here, after Figure 1 of Iwazaki & Takeno.
    """
    centres, coefficients, g = plateau(base.kernel, base.x)
    assert base.norms is not None and base.centres is not None and base.coefficients is not None  # a sum of kernels
    size, spare = float(base.norms[0]), _bound(base) - 0.5 * swing * _norm(base.kernel, centres, coefficients)
    c = min(1.0, spare / size) if size > 0 else 1.0
    stage = replace(base, f=np.tile(c * base.f[0], (base.horizon, 1)))
    moves = _moves(stage, replace(rule, shuffle=False), g, 0.5 * swing, budget)[:, None]
    still = np.tile(c * base.coefficients[0], (base.horizon, 1))
    return replace(
        base,
        f=stage.f + moves * g,
        centres=np.concatenate([base.centres, centres]),
        coefficients=np.concatenate([still, moves * coefficients], axis=1),
    )


def tuned(base: Problem, rule: RPERP, swing: float, budget: float) -> tuple[Problem, int]:
    """The world that follows a rule, and the restart H with which the rule then meets it.

    A restart of "paper" needs the drift, and a follower that cannot spend its budget drifts less: H is taken from
    the budget first, then from the drift that came of it, until both agree (at most `MAX_TUNING_ROUNDS` times).

    A swing that does not fit into the norm bound is cut to `largest_swing`.
    """
    swing = min(swing, largest_swing(base))
    H = resolve_restart(rule.restart, replace(base.known, sup_variation=budget))
    problem = follower(base, replace(rule, restart=H), swing, budget)
    for _ in range(MAX_TUNING_ROUNDS if isinstance(rule.restart, str) else 0):
        wanted = resolve_restart(rule.restart, problem.known)
        if wanted == H:
            break
        H = wanted
        problem = follower(base, replace(rule, restart=H), swing, budget)
    return problem, H


def against(rewards: np.ndarray) -> np.ndarray:
    """(N,) +1 for the lower half of these rewards, -1 for the upper half, 0 for the middle one of an odd number."""
    n = len(rewards)
    sign = np.zeros(n)
    order = np.argsort(rewards, kind="stable")
    sign[order[: n // 2]] = 1.0
    sign[order[n - n // 2 :]] = -1.0
    return sign


def _moves(base: Problem, rule: RPERP, g: np.ndarray, most: float, budget: float) -> np.ndarray:
    """(T,) multiples of g, from a run of the rule in its fixed order on the rewards that the adversary makes."""
    run, moves, rng = rule.init(base.known), np.empty(base.horizon), np.random.default_rng(0)  # nothing is drawn
    still, t, now = base.f[0], 0, None  # before the first round nothing has moved
    while t < base.horizon:
        queue = run.line_up(rng)
        moved, budget = _batch(still[queue], now, most, budget)
        for arm, move in zip(queue.tolist(), moved, strict=True):
            run.observe(arm, float(still[arm] + move * g[arm]))
        moves[t : t + len(queue)], now = moved, float(moved[-1])
        t += len(queue)
    return moves


def _batch(still: np.ndarray, now: float | None, most: float, budget: float) -> tuple[np.ndarray, float]:
    """The moves (N,) in a batch whose base rewards are (N,), and what is left of the budget."""
    sign = against(still)
    moved = _affordable(sign, now, most, budget) * sign
    path = np.concatenate([moved[:1] if now is None else [now], moved])
    return moved, budget - float(np.abs(np.diff(path)).sum())


def _affordable(sign: np.ndarray, now: float | None, most: float, budget: float) -> float:
    """The largest amplitude up to `most` whose moves, and the way back to nothing after them, the budget pays for.

    The cost is convex in the amplitude and payable at 0 (the way back is kept in reserve): bisection finds it.
    """
    within, first, all_of_it = float(np.abs(np.diff(sign)).sum() + abs(sign[-1])), float(sign[0]), budget * (1 + 1e-12)

    def payable(a: float) -> bool:
        return (0.0 if now is None else abs(a * first - now)) + a * within <= all_of_it

    if payable(most):
        return most
    low, high = 0.0, most
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if payable(middle) else (low, middle)
    return low


def _norm(kernel: Kernel, centres: np.ndarray, coefficients: np.ndarray) -> float:
    return math.sqrt(max(float(coefficients @ kernel(centres, centres) @ coefficients), 0.0))


def _bound(base: Problem) -> float:
    assert base.norm_bound is not None  # a still world is a sum of kernels of known norm
    return base.norm_bound
