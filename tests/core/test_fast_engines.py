"""The fast engines after very many rounds, beside one fresh dense solve."""

from __future__ import annotations

import math

import numpy as np

from lessons.real_data.stacks import stack_of
from tvbo_core.gp import posterior
from tvbo_core.gp.learner_state import make_state
from tvbo_core.gp.memory import Discount, Keep, Markov, Restart, SpaceTime, Window
from tvbo_core.kernels import SquaredExponential
from tvbo_core.records import LearnerInfo

MEMORIES = (Keep(), Restart(900), Window(200), Markov(0.05), Discount(0.98))


def test_fast_engines_hold_after_many_rounds() -> None:
    """Alone and in lockstep, beside one fresh dense solve; of what forgets only rounds that still weigh count."""
    noise, rounds, x, kernel = (
        1e-6,
        1_000,
        np.linspace(0, 1, 60)[:, None],
        SquaredExponential(0.2),
    )  # in floats of rank about 20
    rng = np.random.default_rng(1)
    arms = rng.integers(0, 60, rounds)
    y = np.sin(7 * x[arms, 0] + 1e-3 * np.arange(rounds)) + math.sqrt(noise) * rng.normal(size=rounds)
    known = LearnerInfo(x, rounds, math.sqrt(noise), kernel, None, 0.0, None)
    for memory in MEMORIES:
        past, stack = make_state(known, memory, noise), stack_of([memory], kernel(x, x), np.array([noise]), rounds)
        for arm, reward in zip(arms, y, strict=True):
            past.learn(int(arm), float(reward))
            stack.learn(arm[None], reward[None])
        variances = memory.noise(rounds - np.arange(rounds), noise, rounds)
        kept = variances < noise * 1e18
        if isinstance(memory, Markov):
            kept &= rounds - np.arange(rounds) < 2 * math.log(1e-18) / math.log(1 - memory.epsilon)
        there = SpaceTime(kernel, memory.epsilon if isinstance(memory, Markov) else 0.0)
        then = np.column_stack([x[arms], np.arange(rounds)])[kept]
        mean, sd = posterior(there, then, y[kept], np.column_stack([x, np.full(60, rounds)]), variances[kept])
        # A round puts an error of eps times the prior variance (1) over the noise into a gain, and they add up.
        share = np.finfo(float).eps * rounds / noise
        for found in (past.curves(), [curve[0] for curve in stack.curves()]):
            assert np.abs(found[0] - mean).max() <= share * np.abs(y).max(), memory
            assert np.abs(found[1] / sd - 1).max() <= 10 * share, memory  # in units of an sd below 1
