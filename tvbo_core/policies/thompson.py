r"""Thompson sampling that forgets: the arm where one draw of today's reward from the posterior is highest."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tvbo_core.gp.memory import Discount, Keep, Memory, Window
from tvbo_core.policies import tuning
from tvbo_core.policies.index import IndexPolicy, IndexState
from tvbo_core.records import LearnerInfo
from tvbo_core.validation import is_word

FORGETS = ("discount", "window", "nothing")


@dataclass(frozen=True)
class ThompsonSampling(IndexPolicy):
    r"""$x_t=\arg\max_xg(x)$, g one joint draw from the posterior of what is remembered; no width.

    Nothing is proved here for a reward that drifts. For a static reward drawn from the prior, and nothing forgotten,
    the expected regret is of the order of GP-UCB's (Russo & Van Roy, 2014).

    Attributes:
        forgets: "discount" (weights $\gamma^{a-1}$ of age a), "window" (the last W) or "nothing".
        discount, window: $\gamma$ and W; a number, "paper" or "unknown", as of WGP-UCB and SW-GP-UCB.
        ridge, delta, dense: see `index`; its `band` has the field `width`, which decides nothing
            but what `Learner.ask(n)` takes in place of a drawn arm that is taken.
    Raises:
        ValueError: a field is out of its range.
    Source: Thompson (1933); with a window or a discount Trovò et al. (2020) and Raj & Kalyani (2017), for few arms.

    >>> problem = tv.make_problem(tv.World(kind="jumps", budget=12, horizon=60, arms=15))
    >>> policies = {"TS": tv.ThompsonSampling(forgets="nothing"), "SW-TS": tv.ThompsonSampling("window", window=20)}
    >>> tv.race(problem, policies, seeds=[0]).final[:, 0, 0].round(1).tolist()
    [36.1, 29.8]
    """

    forgets: str = "discount"
    discount: float | str = field(default=tuning.PAPER, kw_only=True)
    window: int | str = field(default=tuning.PAPER, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_word(self.forgets, FORGETS):
            raise ValueError(f'forgets must be "discount", "window" or "nothing", got {self.forgets!r}')
        tuning.check_tuned_share("discount", self.discount, (tuning.PAPER, tuning.UNKNOWN))
        tuning.check_length("window", self.window)

    def memory(self, known: LearnerInfo) -> Memory:
        if self.forgets == "window":
            return Window(tuning.resolve_length(self.window, known))
        return Discount(tuning.resolve_discount(self.discount, known)) if self.forgets == "discount" else Keep()

    def select(self, state: IndexState, t: int, rng: np.random.Generator) -> int:
        return int(state.past.draw(rng).argmax())
