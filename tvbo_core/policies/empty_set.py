r"""Kernel CMM-UCB that starts over when CMM's confidence set is empty: the event trigger without a new bound."""

from __future__ import annotations

from dataclasses import dataclass

from tvbo_core.policies.kernel_ucb import BandState, KernelUCB


@dataclass(frozen=True)
class ETCMMUCB(KernelUCB):
    r"""Kernel CMM-UCB that forgets everything but $y_t$ when no function fits: $\|f\|\le B$ and CMM's constraint.

    Proved: where the reward stands still, $\|f\|\le B$ and the noise is sigma-sub-Gaussian, f lies in the set at all
    times with probability at least $1-\delta$ (Flynn & Reeb, Theorem 1), so that it ever starts over with probability
    at most $\delta$. A restart therefore says at level $\delta$ that an assumption failed: mostly, that the reward
    moved. Not proved: that every move is noticed (what B and the noise can explain is not), and any bound on the
    regret of a reward that drifts. The idea of the trigger is that of ET-GP-UCB; its use with CMM is in no paper.

    Attributes:
        band: the band whose empty set counts, "CMM" or one of yours.   delta, c, dense: see `KernelUCB`.
    Raises:
        ValueError: a field is out of its range.
    Source: derived here, after Brunzema et al. (2025) and Flynn & Reeb.

    >>> problem = tv.make_problem(tv.World(kind="jumps", budget=12, horizon=60, arms=15))
    >>> policies = {"Kernel CMM-UCB": tv.KernelUCB(), "ET-CMM-UCB": tv.ETCMMUCB()}
    >>> tv.race(problem, policies, seeds=[0]).final[:, 0, 0].round(1).tolist()
    [0.0, 0.0]
    """

    def update(self, state: BandState, t: int, arm: int, y: float) -> BandState:
        state.learn(arm, y)
        if not state.band().empty:
            return state
        anew = self.init(state.known)
        for _ in range(t):
            anew.skip()
        anew.learn(arm, y)
        anew.restarts = (*state.restarts, t)
        return anew
