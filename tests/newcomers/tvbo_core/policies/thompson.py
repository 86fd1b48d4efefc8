"""Thompson sampling: plays a curve drawn from the posterior as if it were the truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvbo_core.policies.index import IndexPolicy, IndexState


@dataclass(frozen=True)
class ThompsonSampling(IndexPolicy):
    r"""Asks $\arg\max_x\tilde f(x)$ of one joint draw $\tilde f$ from the posterior at the arms.

    Attributes:
        width, ridge, delta, dense: see `index`; the width is not used.
    Source: Chowdhury & Gopalan (2017), Algorithm 2, with the scale $v_t=1$.
    """

    def select(self, state: IndexState, t: int, rng: np.random.Generator) -> int:
        return int(state.past.draw(rng).argmax())
