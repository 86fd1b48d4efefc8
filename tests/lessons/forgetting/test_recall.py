"""The influence of a memory's past on an estimate: the fast form is the definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.forgetting.influence import influence
from tests.strategies import LAW, kernels, points
from tvbo_core.gp import posterior_weights
from tvbo_core.gp.memory import Discount, Injected, Keep, Markov, Memory, Restart, SpaceTime, Window

ROUND = 1e-8  # sums of up to 30 terms of size 1 after a solve with condition below 1e6: rounding is far below
memories = st.one_of(
    st.just(Keep()),
    st.builds(Restart, st.integers(1, 40)),
    st.builds(Window, st.integers(1, 40)),
    st.builds(Discount, st.floats(0.1, 1)),
    st.builds(Injected, st.floats(0, 3), st.booleans()),
    st.builds(Markov, st.floats(0, 1)),
)


@settings(LAW, max_examples=40)
@given(kernels(), memories, st.integers(1, 6), st.integers(0, 30), st.floats(1e-2, 10.0), st.data())
def test_every_round_is_the_papers_formula(kernel, memory: Memory, m, n, ridge, data):
    x = data.draw(points(m, 2))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    arms = rng.integers(0, m, n)
    at = data.draw(st.integers(0, m - 1))
    rows = sorted({0, n // 3, n})
    seen = influence(kernel, x, arms, memory, ridge, rows, at)
    scale = float(kernel.diag(x).max()) ** 0.5 + 1.0
    for i, row in enumerate(rows):
        ages = row - np.arange(row)
        there = SpaceTime(kernel, memory.epsilon if isinstance(memory, Markov) else 0.0)
        noise = memory.noise(ages, ridge, row)
        kept = np.isfinite(noise)
        then = np.column_stack([x[arms[:row]], np.arange(row)])[kept]
        here = np.append(x[at], row)[None]
        omega = np.zeros(row)  # forgotten rewards count for nothing
        omega[kept] = posterior_weights(there, then, here, noise[kept])[:, 0]
        np.testing.assert_allclose(seen[i, :row], omega, atol=ROUND * scale / ridge)
        assert (seen[i, row:] == 0).all()
