r"""GP-UCB that starts over when a reward contradicts it: the event trigger of ET-GP-UCB."""

from __future__ import annotations

from dataclasses import dataclass

from tvbo_core.policies.index import IndexPolicy, IndexState
from tvbo_core.policies.width import union_width
from tvbo_core.records import LearnerInfo


@dataclass(frozen=True)
class ETGPUCB(IndexPolicy):
    r"""ET-GP-UCB: GP-UCB that forgets everything but $y_t$ when $|y_t-\mu(x_t)|>\sqrt{\rho_t}\,(s(x_t)+\sigma)$.

    $\rho_t=2\ln\frac{2\pi_t}\delta$, $\pi_t=\pi^2t^2/6$ for t = 1, 2, ... It needs no budget, window or rate of change.

    Proved (derived here): where the reward is a path of the Gaussian process that stands still and the noise is
    Gaussian, it ever starts over with probability at most $\delta$. Given the past, $f(x_t)-\mu(x_t)$ has the sd
    $s(x_t)$, it and the noise each leave their part of the threshold with probability at most
    $e^{-\rho_t/2}=\delta/(2\pi_t)$, and $\sum_t1/\pi_t=1$. Not proved here: that a change is noticed, and any bound on
    the regret of a reward that drifts. The paper has regret bounds, of a form with a least and a largest time
    between restarts that is not played here; its constants were not at hand.

    Attributes:
        width, ridge, delta, dense: see `index`; delta is the trigger's level too.
    Raises:
        ValueError: a field is out of its range.
    Source: Brunzema, von Rohr, Solowjow & Trimpe (2025), for the idea of the trigger.

    >>> problem = tv.make_problem(tv.World(kind="jumps", budget=12, horizon=60, arms=15))
    >>> policies = {"GP-UCB": tv.GPUCB(), "ET-GP-UCB": tv.ETGPUCB()}
    >>> tv.race(problem, policies, seeds=[0]).final[:, 0, 0].round(1).tolist()
    [36.7, 29.4]
    """

    def threshold(self, known: LearnerInfo, t: int, sd: float) -> float:
        r"""Return $\sqrt{\rho_t}(s+\sigma)$ for round t = 0, 1, ... (the paper's t + 1), reward units."""
        return union_width(2.0, t, self.delta) * (sd + known.noise_sd)

    def update(self, state: IndexState, t: int, arm: int, y: float) -> IndexState:
        mean, sd = state.past.curves()
        if abs(y - mean[arm]) > self.threshold(state.known, t, float(sd[arm])):
            restarts = (*state.restarts, t)
            state = self.init(state.known)
            state.restarts = restarts
            for _ in range(t):
                state.past.skip()
        state.past.learn(arm, y)
        return state
