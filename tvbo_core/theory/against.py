r"""Bounds meet runs: for each bound with explicit constants its algorithm, its world and its value there.

A case builds, for one horizon, the World, the policy exactly as its theorem tunes it, and the bound; the bound is
about every world inside the assumptions, so one that is drawn is as good as another. It needs no drawn world either:
`Case.at` is told what the learner knows and how much drift there is, at any horizon.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from tvbo_core.gp.information_gain import best_blocks, largest_gain
from tvbo_core.kernels import ALL as KERNELS
from tvbo_core.kernels import Kernel, SquaredExponential
from tvbo_core.policies.elimination.policy import RPERP
from tvbo_core.policies.index import RGPUCB, TVGPUCB, WGPUCB, tuning
from tvbo_core.policies.kernel_ucb import KernelUCB
from tvbo_core.policies.width import largest_prior, norm_bound, resolve_ridge
from tvbo_core.records import LearnerInfo, Policy, Problem, World
from tvbo_core.theory.finite import (
    FiniteBound,
    kernelucb_bound,
    rgp_bound,
    rperp_bound,
    rperp_width_terms,
    tvgp_bound,
    wgp_bound,
)
from tvbo_core.theory.qff import Quadrature, enough_nodes
from tvbo_core.worlds import adversary
from tvbo_core.worlds.make import make_problem

DELTA = 0.1


@dataclass(frozen=True)
class Case:
    r"""One theorem with explicit constants.

    Attributes:
        key: of the case.   theorem: stem of its record.   name: of the algorithm.
        kinds: worlds inside the theorem's assumptions; the first is its own.
        policy: (World) -> the policy as the theorem tunes it; hashable, so that runs can be kept by it.
        drift: (Problem, World) -> the drift there, in the theorem's own budget.
        at: (LearnerInfo, drift, delta) -> the bound; what the learner knows of the drift is not looked at.
        se_only: the bound is worked out for the squared exponential kernel.
        caution: what to know before comparing, empty for nothing.
    """

    key: str
    theorem: str
    name: str
    kinds: tuple[str, ...]
    policy: Callable[[World], Policy]
    drift: Callable[[Problem, World], float]
    at: Callable[[LearnerInfo, float, float], FiniteBound]
    se_only: bool = False
    caution: str = ""

    def bound(self, problem: Problem, world: World) -> FiniteBound:
        """The bound at the horizon of a world that was drawn, with probability at least 0.9."""
        return self.at(problem.known, self.drift(problem, world), DELTA)

    def world(self, base: World, kind: str | None = None) -> World:
        """The base world, moved inside the assumptions of the theorem."""
        kind = kind if kind in self.kinds else self.kinds[0]
        kernel: dict[str, Any] = {"kernel": "se", "nu": math.inf} if self.se_only else {}
        return replace(base, kind=kind, budget=0.0 if self.kinds == ("still",) else base.budget, **kernel)


def _gain(known: LearnerInfo, mass: float, ridge: float) -> float:
    """Upper bound of the gain of so much weight on the learner's arms."""
    kernel: Any = known.kernel  # hashable, as every kernel of the lab is
    return _gain_of(kernel, known.x.tobytes(), known.x.shape[-1], mass, ridge)


@lru_cache(maxsize=1024)  # the bounds of neighbouring horizons share blocks and restarts
def _gain_of(kernel: Kernel, arms: bytes, d: int, mass: float, ridge: float) -> float:
    x = np.frombuffer(arms).reshape(-1, d)
    return largest_gain(kernel(x, x), mass, ridge)


def _rperp(known: LearnerInfo, V: float, delta: float) -> FiniteBound:
    known, rule = replace(known, sup_variation=V), RPERP(width="theory", delta=delta)
    H = rule.restart_rounds(known)
    ridge = resolve_ridge(None, known)
    gain = _gain(known, float(H), ridge)
    width, B = rule.theory_width(known), norm_bound(known)
    parts = rperp_width_terms(width, B, known.noise_sd, ridge, largest_prior(known), rule.C)
    bound = rperp_bound(known.horizon, V, H, B, width, gain, ridge, delta, parts=parts)
    return replace(bound, source=f"{bound.source} with C = 2√2")  # the rule's default, derived here


def rkhs_budget(p: Problem, world: World) -> float:
    r"""$B_T$, or for an adversary's bumps the most they can move, 2B a jump."""
    if p.rkhs_variation is not None:
        return p.rkhs_variation
    return 2.0 * norm_bound(p.known) * (len(adversary.plan(world).lengths) - 1)


def _wgp(known: LearnerInfo, drift: float, delta: float) -> FiniteBound:
    T, ridge, B = known.horizon, resolve_ridge(None, known), norm_bound(known)
    discount = _discount(known, drift)
    double = _gain(known, _weight(T, discount**2), ridge)
    width = B + known.noise_sd / math.sqrt(ridge) * math.sqrt(2.0 * math.log(T / delta) + 2.0 * double)
    assert isinstance(known.kernel, SquaredExponential)  # `se_only`: the features are worked out for it
    nodes = enough_nodes(T, tuning.known_gain_rate(known), known.kernel.lengthscale)
    features = Quadrature(nodes, known.x.shape[-1], known.kernel.lengthscale)
    phi = features.features(known.x)
    gain = largest_gain(phi @ phi.T, _weight(T, discount), ridge)
    return wgp_bound(T, drift, discount, B, width, gain, features.count, features.error, ridge, delta)


def _weight(T: int, discount: float) -> float:
    r"""Sum of the weights of T observations, $\frac{1-\gamma^T}{1-\gamma}$."""
    return -math.expm1(T * math.log(discount)) / (1.0 - discount)


def _discount(known: LearnerInfo, drift: float) -> float:
    r"""Corollary 5's $\gamma$ kept within [1/2, 1 - 1/T]: the bound holds for any in (0, 1), not at the ends."""
    wanted = tuning.discount(known.horizon, drift, tuning.known_gain_rate(known))
    return min(max(wanted, 0.5), 1.0 - 1.0 / known.horizon)


def _wgp_policy(world: World) -> WGPUCB:
    p = make_problem(world)
    return WGPUCB(discount=_discount(p.known, rkhs_budget(p, world)), width="theory", every_round=True, delta=DELTA)


def _tvgp(known: LearnerInfo, epsilon: float, delta: float) -> FiniteBound:
    noise = known.noise_sd**2
    gain, _ = best_blocks(lambda N: _gain(known, float(N), noise), known.horizon, noise, epsilon)
    return tvgp_bound(known.horizon, len(known.x), gain, noise, delta)


def _restart(world: World) -> int:
    nu = KERNELS[world.kernel].smoothness(world.nu)
    return tuning.markov_restart(world.horizon, world.epsilon, nu, world.dimension)


def _rgp(known: LearnerInfo, epsilon: float, delta: float) -> FiniteBound:
    noise, nu = known.noise_sd**2, float(getattr(known.kernel, "nu", math.inf))
    N = tuning.markov_restart(known.horizon, epsilon, nu, known.x.shape[-1])
    gain = _gain(known, float(N), noise)
    return rgp_bound(known.horizon, N, len(known.x), epsilon, gain, noise, delta)


def _bayes_width(world: World) -> float:
    r"""$\sqrt{\beta_T}$ of R-GP-UCB on finitely many arms."""
    return math.sqrt(2.0 * math.log(4.0 * world.arm_count * (math.pi * world.horizon) ** 2 / 6.0 / DELTA))


def _kernelucb(known: LearnerInfo, drift: float, delta: float) -> FiniteBound:
    gain = _gain(known, float(known.horizon), known.noise_sd**2)
    return kernelucb_bound(known.horizon, norm_bound(known), known.noise_sd, 1.0, gain, delta)


def _budget(p: Problem, world: World) -> float:
    return p.sup_variation


def _share(p: Problem, world: World) -> float:
    return world.epsilon


MOVING = ("jumps", "adversary", "glide")
CASES = {
    case.key: case
    for case in (
        Case("rperp", "iwazaki-5", "R-PERP", MOVING, lambda w: RPERP(width="theory", delta=DELTA), _budget,
             _rperp),
        Case("wgp", "deng-5", "WGP-UCB", MOVING, _wgp_policy, rkhs_budget, _wgp, se_only=True,
             caution="With δ/T in the width, so that it holds in all rounds at once. The proof's step for an old point "
             "that becomes uncertain again keeps its rate when the discount factor is kept (derived here); the bound "
             "is drawn with the constants as printed."),
        Case("tv", "bogunovic-4.3", "TV-GP-UCB", ("markov",),
             lambda w: TVGPUCB(epsilon=w.epsilon, width="theory", delta=DELTA), _share, _tvgp,
             caution="With the sharper block bound on the time-varying information gain, valid for every σ²."),
        Case("rgp", "bogunovic-4.2", "R-GP-UCB", ("markov",),
             lambda w: RGPUCB(restart=_restart(w), width=_bayes_width(w), delta=DELTA), _share, _rgp),
        Case("kernelucb", "flynn-6.4", "KernelUCB", ("still", "adversary"),
             lambda w: KernelUCB(band="AMM", delta=DELTA), lambda p, w: 0.0, _kernelucb),
    )
}  # fmt: skip
