"""Records: what they compute is what the papers define, and they refuse what cannot be."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.kernels import Matern, SquaredExponential
from tvbo_core.records import Band, BandFilm, History, Problem, World


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
def test_the_sup_norm_budget_is_the_sum_of_the_largest_moves(problem):
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
def test_the_rkhs_budget_is_the_sum_of_the_norms_of_the_moves(problem):
    c, z = problem.coefficients, problem.centres
    gram = problem.kernel(z, z)
    by_hand = sum(
        math.sqrt(max(sum(a * b * gram[i, j] for i, a in enumerate(s) for j, b in enumerate(s)), 0.0))
        for s in np.diff(c, axis=0)
    )
    # 1e-6: near zero a norm is the root of a rounded number.
    assert problem.rkhs_variation == pytest.approx(by_hand, rel=1e-9, abs=1e-6)


@given(tables())
@LAW
def test_rewards_and_moves_are_bounded_by_their_norms(problem):
    kappa = float(problem.kernel.diag(problem.x).max())
    sup = np.abs(problem.f).max(axis=1)
    # 1e-6: near zero a norm is the root of a rounded number.
    assert (sup <= math.sqrt(kappa) * problem.norms + 1e-6).all()
    assert (problem.steps <= math.sqrt(kappa) * problem.rkhs_steps + 1e-6).all()


@given(tables(), st.integers(0, 2**32 - 1))
@LAW
def test_regret_is_never_negative_and_the_best_arm_has_none(problem, seed):
    T, m = problem.f.shape
    arms = np.random.default_rng(seed).integers(m, size=T)
    regret = History(problem, arms, np.zeros(T)).regret
    assert (regret >= 0).all()
    assert (regret <= 2 * np.abs(problem.f).max(axis=1)).all()
    assert (History(problem, problem.best, np.zeros(T)).regret == 0).all()


def test_a_history_may_be_shorter_than_its_problem():
    f = np.array([[1.0, 3.0], [2.0, 0.0], [5.0, 5.0]])
    problem = Problem(np.array([[0.0], [1.0]]), f, 0.1, SquaredExponential(), None)
    history = History(problem, np.array([0, 1]), np.zeros(2))
    assert history.regret.tolist() == [2.0, 2.0]
    assert history.X.tolist() == [[0.0], [1.0]]
    assert problem.best.tolist() == [1, 0, 0]  # the first one when several tie


def test_unknown_coefficients_mean_unknown_norms():
    problem = Problem(np.zeros((1, 1)), np.zeros((3, 1)), 0.1, SquaredExponential(), 1.0)
    assert problem.norms is None
    assert problem.rkhs_steps is None
    assert problem.rkhs_variation is None


def test_one_round_has_no_drift():
    z = np.zeros((1, 1))
    problem = Problem(z, np.ones((1, 1)), 0.1, SquaredExponential(), 1.0, z, np.ones((1, 1)))
    assert problem.sup_variation == 0.0
    assert problem.rkhs_variation == 0.0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"f": np.zeros(4)}, "f must have shape"),
        ({"f": np.zeros((0, 4))}, "f must have shape"),
        ({"f": np.zeros((3, 0)), "x": np.zeros((0, 1))}, "f must have shape"),
        ({"f": np.full((3, 4), math.nan)}, "must be finite everywhere"),
        ({"x": np.full((4, 1), math.inf)}, "must be finite everywhere"),
        ({"x": np.zeros((5, 1))}, r"x must have shape \(4, d\)"),
        ({"x": np.zeros(4)}, r"x must have shape \(4, d\)"),
        ({"x": np.zeros((2, 4, 1))}, "2 rounds of arms, f has 3"),
        ({"noise_sd": -1.0}, "noise_sd must be"),
        ({"noise_sd": math.nan}, "noise_sd must be"),
        ({"norm_bound": -1.0}, "norm_bound must be"),
        ({"norm_bound": math.inf}, "norm_bound must be"),
    ],
)
def test_an_impossible_problem_is_refused_in_one_sentence(change, sentence):
    good = Problem(np.zeros((4, 1)), np.zeros((3, 4)), 0.1, SquaredExponential(), 1.0)
    with pytest.raises(ValueError, match=sentence):
        replace(good, **change)


def test_a_world_is_a_key_and_cannot_change():
    assert {World(seed=1): "a"}[World(seed=1)] == "a"
    with pytest.raises(FrozenInstanceError):
        World().seed = 2  # type: ignore[misc]


def test_a_frame_of_a_film_is_a_band_and_its_half_width_is_half_of_it():
    lower, upper = np.array([[-1.0, -3.0], [0.0, 0.5]]), np.array([[1.0, 3.0], [1.0, 0.5]])
    film = BandFilm("CMM", 0.5 * (lower + upper), lower, upper, np.array([False, True]))
    frame = film.at(1)
    assert isinstance(frame, Band) and frame.empty is True
    assert frame.upper.tolist() == [1.0, 0.5]
    assert film.half_width.tolist() == [2.0, 0.25]
