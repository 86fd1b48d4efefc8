"""The chase computes what the core computes: band, regret, weights; bends and questions by hand keep their laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from lessons.chase import model
from lessons.chase.model import ARMS, HALF_LIFE, ROUNDS, WIDTH, Chase, ChaseLearner, ChaseSetting
from lessons.shared import hills
from tests.strategies import LAW
from tvbo_core.worlds.reshaped import HANDLES, UNIT, bends

FEW = settings(LAW, max_examples=15)  # a film takes about 15 ms
BENDS = st.tuples(*[st.integers(-120, 120)] * len(HANDLES))


def believed(film: Chase, one: ChaseLearner, t: int) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and sd that the core computes from the first t answers with fading weights."""
    p = film.problem
    noise = p.noise_sd**2 * model.discount(one.memory) ** -(t - 1.0 - np.arange(t))
    return tv.posterior(p.kernel, one.history.X[:t], one.history.y[:t], p.x, noise)


@pytest.mark.parametrize("memory", list(HALF_LIFE))
def test_band_is_the_posterior_with_fading_weights(memory: str) -> None:
    film = model.chase(ChaseSetting(memory=memory))
    one, half = film.learners[0], HALF_LIFE[memory]
    for t in (0, 1, 17, ROUNDS - 1):
        mean, sd = believed(film, one, t)
        np.testing.assert_allclose(one.mean[t], mean, atol=1e-6)
        np.testing.assert_allclose(one.upper[t], mean + WIDTH * sd, atol=1e-6)
        np.testing.assert_allclose(one.lower[t], mean - WIDTH * sd, atol=1e-6)
        assert one.history.arms[t] == one.choice[t] == one.upper[t].argmax()
    heard = np.tril(np.ones((ROUNDS, ROUNDS)), -1)
    age = np.clip(np.subtract.outer(np.arange(ROUNDS), np.arange(ROUNDS)) - 1, 0, None)
    np.testing.assert_allclose(one.weight, heard * (0.5 ** (age / half) if half else 1.0), rtol=1e-12)


@pytest.mark.parametrize("drift", [0.0, 0.2, 4.0])
def test_unbent_hill_is_the_world_of_the_core(drift: float) -> None:
    film = model.chase(ChaseSetting(drift=drift))
    f, one = tv.make_problem(film.setting.world).f, film.learners[0]
    np.testing.assert_allclose(film.problem.f, f, atol=1e-12)
    assert film.problem.sup_variation == pytest.approx(drift, abs=1e-9)
    gap = f.max(axis=1) - f[np.arange(ROUNDS), one.history.arms]
    np.testing.assert_allclose(one.history.regret, gap, atol=1e-12)
    np.testing.assert_allclose(one.paid, np.cumsum(gap), atol=1e-9)


@given(start=BENDS, end=BENDS, drift=st.sampled_from([0.2, 2.2, 4.0]))
@FEW
def test_bent_hill_travels_between_its_two_bends(start: tuple, end: tuple, drift: float) -> None:
    s = ChaseSetting(drift=drift, start=start, end=end)
    (problem, way), (plain, _) = model.hill(s), model.hill(ChaseSetting(drift=drift))
    lift = UNIT * bends(plain.kernel, HANDLES, plain.x)[1]
    first, last = np.array(start) @ lift, np.array(end) @ lift
    assert (way[:18] == 0).all() and (way[43:] == 1).all() and (np.diff(way[17:44]) > 0).all()
    assert np.interp(0.5, way[17:44], np.arange(17, 44)) == 30  # round 31 is half way
    for row, bend in ((0, first), (17, first), (30, 0.5 * (first + last)), (43, last), (ROUNDS - 1, last)):
        np.testing.assert_allclose(problem.f[row], plain.f[row] + bend, atol=1e-9)
    np.testing.assert_allclose(problem.coefficients @ problem.kernel(problem.centres, problem.x), problem.f, atol=1e-6)
    assert problem.norm_bound == pytest.approx(problem.norms.max())


@given(row=st.integers(0, ROUNDS - 1), memory=st.sampled_from(list(HALF_LIFE)))
@FEW
def test_question_at_the_learners_choice_changes_nothing(row: int, memory: str) -> None:
    plain = model.chase(ChaseSetting(memory=memory)).learners[0]
    yours = model.chase(ChaseSetting(memory=memory, asked=((row, int(plain.choice[row])),))).learners[0]
    np.testing.assert_array_equal(yours.history.y, plain.history.y)
    np.testing.assert_array_equal(yours.upper, plain.upper)


@given(row=st.integers(0, ROUNDS - 1), arm=st.integers(0, ARMS - 1))
@FEW
def test_readers_question_is_learnt_from(row: int, arm: int) -> None:
    plain, asked = model.chase(ChaseSetting()), model.chase(ChaseSetting(asked=((row, arm),)))
    one, yours = plain.learners[0], asked.learners[0]
    np.testing.assert_array_equal(yours.upper[: row + 1], one.upper[: row + 1])  # what was before it stays
    assert yours.history.arms[row] == arm
    noise = one.history.y - plain.problem.f[np.arange(ROUNDS), one.history.arms]
    assert yours.history.y[row] == pytest.approx(plain.problem.f[row, arm] + noise[row])  # the noise of that round
    if row + 1 < ROUNDS:
        np.testing.assert_allclose(yours.mean[row + 1], believed(asked, yours, row + 1)[0], atol=1e-5)


@given(BENDS, st.dictionaries(st.integers(0, ROUNDS - 1), st.integers(0, ARMS - 1), max_size=ROUNDS))
@LAW
def test_bends_and_questions_travel_in_a_link(bent: tuple, pairs: dict) -> None:
    asked = tuple(sorted(pairs.items()))
    assert hills.decode(hills.encode(bent)) == bent
    assert model.queries(model.query_code(asked)) == asked
