r"""TV-GP-UCB that removes observations which no longer matter to its predictions (after W-DBO)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from tvbo_core.gp.learner_state import DenseState
from tvbo_core.gp.memory import Markov
from tvbo_core.policies.index import TVGPUCB, IndexState
from tvbo_core.policies.width import resolve_ridge
from tvbo_core.records import LearnerInfo
from tvbo_core.validation import check_amount

FEWEST = 2  # observations that are never removed, as in the authors' code


class PrunedState(DenseState):
    r"""The past without what has become irrelevant; a removal is paid from a budget that grows with time.

    Attributes:
        budget: $\ln b_t$; it grows by $\ln(1+\alpha)/\ell$ a round, $\ell=-2/\ln(1-\epsilon)$ rounds being the
            temporal length-scale of $(1-\epsilon)^{|t-t'|/2}$, and falls by $\ln(1+R_i)$ when i is removed.
    """

    memory: Markov

    def __init__(self, known: LearnerInfo, epsilon: float, ridge: float, alpha: float) -> None:
        super().__init__(known, Markov(epsilon), ridge)
        rounds = -0.5 * math.log1p(-epsilon) if epsilon < 1 else math.inf
        self.budget, self._growth = 0.0, math.log1p(alpha) * rounds if alpha else 0.0

    @property
    def kept(self) -> np.ndarray:
        """Rounds whose observations it still holds."""
        return np.array([int(point[-1]) for point in self._points], dtype=int)

    def relevancy(self) -> np.ndarray:
        r"""$R_i$ (n,): how far the predictions from today on move without observation i, as a share of how far all
        observations together moved them from the prior.

        $R_i^2=\sum_x\left[\Delta_i\mu(x)^2+\Delta_i\sigma^2(x)\right]/\sum_x[\mu(x)^2+k(x,x)-\sigma^2(x)]$, in which
        $|\Delta\sigma|^2\le|\Delta\sigma^2|$ bounds the squared Wasserstein distance of two normal distributions. The
        sum over future rounds multiplies both sums by $1/\epsilon$, as every term fades by $1-\epsilon$ a round.
        """
        X, y, noise = self._observations()
        precision = np.linalg.inv(self._kernel(X, X) + np.diag(noise))
        covariance = self._kernel(X, self._points_today)  # (n, m)
        seen = precision @ covariance
        weights, own = precision @ y, precision.diagonal()
        moved = (weights**2 / own**2 + 1 / own) * (seen**2).sum(axis=1)
        mean = y @ seen
        total = float(mean @ mean) + float((covariance * seen).sum())
        return np.sqrt(moved / total) if total > 0 else np.zeros(len(y))

    def learn(self, arm: int, y: float) -> None:
        super().learn(arm, y)
        self._remove()

    def skip(self) -> None:
        super().skip()
        self._remove()

    def _remove(self) -> None:
        self.budget += self._growth
        while len(self._y) > FEWEST and self.budget > 0:
            relevancy = self.relevancy()
            least = int(relevancy.argmin())
            cost = math.log1p(relevancy[least])
            if cost >= self.budget:
                return
            self.budget -= cost
            del self._points[least], self._y[least]


@dataclass(frozen=True)
class WDBO(TVGPUCB):
    r"""W-DBO (adapted): TV-GP-UCB on the observations that still matter, $x_t=\arg\max_x\mu_t(x)+\beta s_t(x)$.

    After each round the observation with the smallest relevancy $R_i$ (`PrunedState.relevancy`) is removed while
    $1+R_i<b_t$; each removal divides the budget $b_t$ by $1+R_i$, each round multiplies it by
    $(1+\alpha)^{1/\ell}$. Here arms are finite and $\epsilon$ is given, where the paper integrates over space and
    fits its kernels. Nothing is proved of its regret.

    Attributes:
        epsilon: as of TV-GP-UCB.   alpha: $\alpha\ge0$, the paper's 0.25; 0 removes nothing.
        width, ridge, delta: see `index`.
    Raises:
        ValueError: a field is out of its range.
    Source: Bardou, Thiran & Ranieri, *This Too Shall Pass* (NeurIPS 2024), and its authors' code for the budget.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.WDBO(epsilon=0.05), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    17.8
    """

    alpha: float = field(default=0.25, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_amount("alpha", self.alpha)

    def init(self, known: LearnerInfo) -> IndexState:
        """A fresh state."""
        ridge = resolve_ridge(self.ridge, known)
        return IndexState(known, PrunedState(known, self.memory(known).epsilon, ridge, self.alpha), ridge, None)
