r"""TV-GP-UCB that is not told how fast the reward drifts: it learns $\epsilon$ from its own rewards while it plays."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tvbo_core.gp.learner_state import PosteriorState, make_state
from tvbo_core.gp.memory import Markov
from tvbo_core.policies.index import IndexPolicy, IndexState
from tvbo_core.policies.width import resolve_ridge, union_width
from tvbo_core.records import LearnerInfo

EPSILONS = (0.0, *np.geomspace(1e-3, 0.5, 11).tolist())  # between which it chooses: from "never" to "two rounds"


class LearnedState(PosteriorState):
    r"""The past under each of some $\epsilon$, and how well each predicted the rewards so far.

    Attributes:
        epsilons: (E,).   score: (E,) log-likelihood of the rewards, $\sum_t\ln N(y_t;\mu_t(x_t),s_t^2(x_t)+\lambda)$.
    """

    def __init__(self, known: LearnerInfo, ridge: float, dense: bool, epsilons: tuple[float, ...] = EPSILONS) -> None:
        self.epsilons, self.ridge = np.array(epsilons), ridge
        self.pasts = [make_state(known, Markov(epsilon), ridge, dense) for epsilon in epsilons]
        self.score = np.zeros(len(epsilons))

    @property
    def best(self) -> int:
        """The index of the most likely epsilon; the smallest where several are."""
        return int(self.score.argmax())

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        return self.pasts[self.best].curves()

    def covariance(self) -> np.ndarray:
        return self.pasts[self.best].covariance()

    @property
    def log_det(self) -> float:
        return self.pasts[self.best].log_det

    def learn(self, arm: int, y: float) -> None:
        for i, past in enumerate(self.pasts):
            mean, sd = past.curves()
            variance = float(sd[arm]) ** 2 + self.ridge
            self.score[i] -= 0.5 * ((y - float(mean[arm])) ** 2 / variance + math.log(2 * math.pi * variance))
            past.learn(arm, y)

    def skip(self) -> None:
        for past in self.pasts:
            past.skip()

    def copy(self) -> LearnedState:
        new = super().copy()
        new.pasts, new.score = [past.copy() for past in self.pasts], self.score.copy()
        return new


@dataclass(frozen=True)
class LearnedTVGPUCB(IndexPolicy):
    r"""TV-GP-UCB with the $\epsilon$ under which its rewards so far are most likely, anew in every round.

    $\hat\epsilon_t=\arg\max_\epsilon\sum_{s<t}\ln N(y_s;\mu_s^\epsilon(x_s),\sigma_s^\epsilon(x_s)^2+\lambda)$ over
    `EPSILONS`, then $x_t=\arg\max_x\mu_t(x)+\beta s_t(x)$ of TV-GP-UCB with it. Nothing is proved about its regret.

    Attributes:
        width, ridge, delta, dense: see `index`.
    Raises:
        ValueError: a field is out of its range.
    Source: the likelihood is Bogunovic et al.'s, App. B, eq. 24; to choose by it while playing is the lab's version
        of what several later works do.

    >>> problem = tv.make_problem(tv.World(kind="jumps", budget=12, horizon=60, arms=15))
    >>> history = tv.play(problem, tv.LearnedTVGPUCB(), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    33.1
    """

    def init(self, known: LearnerInfo) -> IndexState:
        """A fresh state."""
        ridge = resolve_ridge(self.ridge, known)
        return IndexState(known, LearnedState(known, ridge, self.dense), ridge, None)

    def theory(self, state: IndexState, t: int) -> float:
        r"""$\sqrt{2\ln(3m\pi_t/\delta)}$, as TV-GP-UCB's for a known epsilon."""
        return union_width(3.0 * state.known.x.shape[-2], t, self.delta)

    @property
    def _needs_bound(self) -> bool:
        return False
