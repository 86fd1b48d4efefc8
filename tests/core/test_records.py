"""Records: what they compute is what the papers define, and they refuse what cannot be."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.kernels import Matern, SquaredExponential
from tvbo_core.records import History, Problem


@st.composite
def tables(draw: st.DrawFn) -> Problem:
    """A problem of random kernel sums, with fixed arms."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    T, m, p, d = (draw(st.integers(1, 6)) for _ in range(4))
    kernel = draw(st.sampled_from([SquaredExponential(0.4, 2.0), Matern(0.5, 0.3), Matern(2.5, 1.0, 0.5)]))
    x, z, c = rng.uniform(size=(m, d)), rng.uniform(size=(p, d)), rng.normal(size=(T, p))
    f = c @ kernel(z, x)
    return Problem(x=x, f=f, noise_sd=0.1, kernel=kernel, norm_bound=None, centres=z, coefficients=c)


@given(tables())
@LAW
def test_sup_budget_sums_the_largest_moves(problem):
    T, m = problem.f.shape
    by_hand = sum(max(abs(problem.f[t + 1, i] - problem.f[t, i]) for i in range(m)) for t in range(T - 1))
    assert problem.sup_variation == pytest.approx(by_hand, rel=1e-12)
    assert len(problem.steps) == problem.horizon - 1


def test_head_cuts_every_field_that_has_rounds() -> None:
    """Six rounds, two of them left; no other length is six."""
    rng, names, times = np.random.default_rng(0), ("a", "b", "c", "d"), tuple("uvwxyz")
    x, f, z, c = (rng.normal(size=size) for size in ((6, 4, 2), (6, 4), (3, 2), (6, 3)))
    whole = Problem(x, f, 0.1, Matern(), 1.0, centres=z, coefficients=c, arm_names=names, times=times, note="a note")
    head = whole.head(2)
    for one in fields(Problem):
        here, all_of_it = getattr(head, one.name), getattr(whole, one.name)
        cut = all_of_it[:2] if isinstance(all_of_it, np.ndarray | tuple) and len(all_of_it) == 6 else all_of_it
        assert np.array_equal(here, cut), one.name


@given(tables())
@LAW
def test_rkhs_budget_sums_the_norms_of_moves(problem):
    c, z = problem.coefficients, problem.centres
    gram = problem.kernel(z, z)
    by_hand = sum(
        math.sqrt(max(sum(a * b * gram[i, j] for i, a in enumerate(s) for j, b in enumerate(s)), 0.0))
        for s in np.diff(c, axis=0)
    )
    # 1e-6: near zero a norm is the root of a rounded number.
    assert problem.rkhs_variation == pytest.approx(by_hand, rel=1e-9, abs=1e-6)


def test_histories_may_be_shorter_than_problems():
    f = np.array([[1.0, 3.0], [2.0, 0.0], [5.0, 5.0]])
    problem = Problem(np.array([[0.0], [1.0]]), f, 0.1, SquaredExponential(), None)
    history = History(problem, np.array([0, 1]), np.zeros(2))
    assert history.regret.tolist() == [2.0, 2.0]
    assert history.X.tolist() == [[0.0], [1.0]]
    assert problem.best.tolist() == [1, 0, 0]  # the first one when several tie
