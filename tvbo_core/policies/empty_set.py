r"""Kernel CMM-UCB that starts over when no function is left: the event trigger with CMM's confidence set."""

from __future__ import annotations

from dataclasses import dataclass

from tvbo_core.policies.kernel_ucb import BandState, KernelUCB
from tvbo_core.policies.width import union_width


@dataclass(frozen=True)
class ETCMMUCB(KernelUCB):
    r"""Kernel CMM-UCB that forgets everything but $y_t$ when no function of CMM's set is near $y_t$.

    None is when the set is empty, or $y_t$ lies above $\mathrm{ucb}_t(x_t)+w_t$ or below $\mathrm{lcb}_t(x_t)-w_t$ with
    $w_t=\sigma\sqrt{2\ln(2\pi_t/\delta)}$, $\pi_t=\pi^2t^2/6$. An empty set alone notices little: CMM's radius grows
    with the misfit, so that contradictions are taken for noise unless a fit would need a norm above B.

    Proved (derived here): where the reward stands still, $\|f\|\le B$ and the noise is sigma-sub-Gaussian, it ever
    starts over with probability at most $2\delta$: CMM contains f at all times with probability at least $1-\delta$
    (Flynn & Reeb), and $|\xi_t|>w_t$ has probability at most $\delta/\pi_t$, with $\sum_t1/\pi_t=1$. Not proved: that a
    move of the reward is noticed, and any bound on the regret of one that drifts.

    Attributes:
        band: band whose set counts, "CMM" or another.   delta, c, dense: see `KernelUCB`.
    Raises:
        ValueError: a field is out of its range.
    Source: derived here, after the trigger of Brunzema et al. (2025).

    >>> problem = tv.make_problem(tv.World(kind="jumps", budget=12, horizon=60, arms=15))
    >>> policies = {"Kernel CMM-UCB": tv.KernelUCB(), "ET-CMM-UCB": tv.ETCMMUCB()}
    >>> tv.race(problem, policies, seeds=[0]).final[:, 0, 0].round(1).tolist()
    [38.4, 29.7]
    """

    def update(self, state: BandState, t: int, arm: int, y: float) -> BandState:
        band, sigma = state.band(), self.resolved(state.known).sigma
        near = sigma * union_width(2.0, t, self.delta)
        if band.empty or not band.lower[arm] - near <= y <= band.upper[arm] + near:
            restarts, state = (*state.restarts, t), self.init(state.known)
            state.restarts = restarts
            for _ in range(t):
                state.skip()
        state.learn(arm, y)
        return state
