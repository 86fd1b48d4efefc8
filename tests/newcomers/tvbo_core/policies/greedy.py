"""Epsilon-greedy: plays the highest estimate, and now and then any arm."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tvbo_core.policies.index import IndexPolicy, IndexState


@dataclass(frozen=True)
class EpsilonGreedy(IndexPolicy):
    r"""$\arg\max_x\mu_t(x)$; with probability `explore` an arm drawn uniformly.

    Attributes:
        explore: that probability.   width, ridge, delta, dense: see `index`; the width is not used.
    Source: Sutton & Barto (2018), section 2.2.
    """

    explore: float = field(default=0.1, kw_only=True)

    def select(self, state: IndexState, t: int, rng: np.random.Generator) -> int:
        mean, _ = state.past.curves()
        return int(rng.integers(len(mean)) if rng.random() < self.explore else mean.argmax())
