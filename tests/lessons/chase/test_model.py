"""The chase computes what the core computes: band, regret, weights; bends and questions by hand keep their laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tvbo_core as tv
from lessons.chase import model
from lessons.chase.model import ARMS, HALF_LIFE, ROUNDS, WIDTH, Setting
from lessons.shared import hills
from tests.strategies import LAW
from tvbo_core.worlds.reshaped import FLAT, HANDLES, UNIT, bends

MEMORIES = list(HALF_LIFE)
BENDS = st.tuples(*[st.integers(-120, 120)] * len(HANDLES))


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("t", [0, 1, 17, ROUNDS - 1])
def test_mean_and_band_of_a_round_are_the_posterior_of_what_was_heard_with_fading_weights(memory: str, t: int) -> None:
    film = model.chase(Setting(memory=memory))
    one, p = film.learners[0], film.problem
    age = t - 1 - np.arange(t)
    mean, sd = tv.posterior(
        p.kernel, one.history.X[:t], one.history.y[:t], p.x, p.noise_sd**2 * model.discount(memory) ** -age
    )
    np.testing.assert_allclose(one.mean[t], mean, atol=1e-6)
    np.testing.assert_allclose(one.upper[t], mean + WIDTH * sd, atol=1e-6)
    np.testing.assert_allclose(one.lower[t], mean - WIDTH * sd, atol=1e-6)
    assert one.history.arms[t] == one.choice[t] == one.upper[t].argmax()


@pytest.mark.parametrize("drift", [0.0, 0.2, 2.2, 4.0])
def test_unbent_the_hill_is_the_world_of_the_core_and_regret_is_read_from_its_table(drift: float) -> None:
    film = model.chase(Setting(drift=drift))
    world = tv.make_problem(film.setting.world)
    np.testing.assert_allclose(film.problem.f, world.f, atol=1e-12)
    assert film.problem.sup_variation == pytest.approx(drift, abs=1e-9)
    one, f = film.learners[0], world.f
    gap = f.max(axis=1) - f[np.arange(ROUNDS), one.history.arms]
    np.testing.assert_allclose(one.history.regret, gap, atol=1e-12)
    np.testing.assert_allclose(one.paid, np.cumsum(gap), atol=1e-9)


@given(start=BENDS, end=BENDS, drift=st.sampled_from([0.2, 2.2, 4.0]))
@LAW
def test_a_bent_hill_is_a_kernel_sum_that_has_its_first_bend_at_rest_and_its_last_after_the_way(start, end, drift):
    s = Setting(drift=drift, start=start, end=end)
    (problem, way), (plain, _) = model.hill(s), model.hill(Setting(drift=drift))
    lift = UNIT * bends(plain.kernel, HANDLES, plain.x)[1]
    assert (way[:18] == 0).all() and (way[43:] == 1).all() and (np.diff(way[17:44]) > 0).all()
    for row in (0, 17):
        np.testing.assert_allclose(problem.f[row], plain.f[row] + np.array(start) @ lift, atol=1e-9)
    for row in (43, ROUNDS - 1):
        np.testing.assert_allclose(problem.f[row], plain.f[row] + np.array(end) @ lift, atol=1e-9)
    half = 0.5 * (np.array(start) + np.array(end)) @ lift
    middle = np.interp(0.5, way[17:44], np.arange(17, 44))
    assert middle == 30  # round 31 is half way
    np.testing.assert_allclose(problem.f[30], plain.f[30] + half, atol=1e-9)
    sums = problem.coefficients @ problem.kernel(problem.centres, problem.x)
    np.testing.assert_allclose(sums, problem.f, atol=1e-6)
    assert problem.norm_bound == pytest.approx(problem.norms.max())


def test_a_handle_lifts_the_shape_by_what_it_was_lifted_and_leaves_the_other_handles_alone() -> None:
    at = np.round(HANDLES[:, 0] * (ARMS - 1)).astype(int)
    plain = model.chase(Setting()).shapes
    for j in range(len(HANDLES)):
        bent = tuple(20 * (i == j) for i in range(len(HANDLES)))
        film = model.chase(Setting(end=bent))
        lifted = film.shapes
        np.testing.assert_allclose(lifted[0], plain[0], atol=1e-12)
        np.testing.assert_allclose((lifted - plain)[1, at], 20 * UNIT * (np.arange(len(at)) == j), atol=1e-9)
        # The browser previews with the same curve.
        np.testing.assert_allclose(lifted[1], plain[1] + 20 * UNIT * film.bend[j], atol=1e-9)


@given(end=BENDS)
@LAW
def test_without_drift_the_hill_stands_still_whatever_the_end_shape(end) -> None:
    film = model.chase(Setting(drift=0.0, end=end))
    plain = model.chase(Setting(drift=0.0))
    assert np.ptp(film.problem.f, axis=0).max() == 0 and not film.way.any()
    np.testing.assert_array_equal(film.problem.f, plain.problem.f)
    np.testing.assert_array_equal(film.learners[0].history.arms, plain.learners[0].history.arms)


def test_who_keeps_all_forgets_nothing_and_who_forgets_halves_on_time() -> None:
    keeper = model.chase(Setting(memory="all")).learners[0]
    heard = np.tril(np.ones((ROUNDS, ROUNDS)), -1)
    np.testing.assert_array_equal(keeper.weight, heard)
    for memory, half in HALF_LIFE.items():
        if half:
            weight = model.chase(Setting(memory=memory)).learners[0].weight
            assert (weight[heard == 0] == 0).all()
            assert weight[half + 1, 0] == pytest.approx(0.5) and weight[1, 0] == 1


@given(row=st.integers(0, ROUNDS - 1), memory=st.sampled_from(MEMORIES))
@LAW
def test_a_question_at_the_learners_own_choice_changes_nothing(row: int, memory: str) -> None:
    plain = model.chase(Setting(memory=memory)).learners[0]
    yours = model.chase(Setting(memory=memory, asked=((row, int(plain.choice[row])),))).learners[0]
    np.testing.assert_array_equal(yours.history.arms, plain.history.arms)
    np.testing.assert_array_equal(yours.history.y, plain.history.y)
    np.testing.assert_array_equal(yours.upper, plain.upper)


@given(row=st.integers(0, ROUNDS - 1), arm=st.integers(0, ARMS - 1))
@LAW
def test_a_question_of_the_readers_keeps_the_rounds_before_it_and_is_learnt_from(row: int, arm: int) -> None:
    plain, asked = model.chase(Setting()), model.chase(Setting(asked=((row, arm),)))
    one, yours = plain.learners[0], asked.learners[0]
    np.testing.assert_array_equal(yours.history.arms[:row], one.history.arms[:row])
    np.testing.assert_array_equal(yours.upper[: row + 1], one.upper[: row + 1])
    assert yours.history.arms[row] == arm
    noise = one.history.y - plain.problem.f[np.arange(ROUNDS), one.history.arms]
    assert yours.history.y[row] == pytest.approx(plain.problem.f[row, arm] + noise[row])  # the noise of that round
    if row + 1 < ROUNDS:
        mean, _ = tv.posterior(
            plain.problem.kernel,
            yours.history.X[: row + 1],
            yours.history.y[: row + 1],
            plain.problem.x,
            plain.problem.noise_sd**2 * model.discount("10") ** -np.arange(row, -1.0, -1),
        )
        np.testing.assert_allclose(yours.mean[row + 1], mean, atol=1e-5)


def test_the_learner_beside_keeps_all_in_the_same_world_with_the_same_noise() -> None:
    film = model.chase(Setting(beside=True))
    alone = [model.chase(Setting(memory=memory)).learners[0] for memory in ("10", "all")]
    assert [one.memory for one in film.learners] == ["10", "all"]
    for one, other in zip(film.learners, alone, strict=True):
        np.testing.assert_array_equal(one.history.y, other.history.y)


@pytest.mark.parametrize("drift", [0.0, 4.0])
@pytest.mark.parametrize("memory", ["all", "1"])
@pytest.mark.parametrize("noise", [0.05, 0.5])
@pytest.mark.parametrize("bent", [FLAT, (120,) * 6, (-120, 120) * 3])
def test_both_ends_of_every_knob_and_of_every_handle_give_a_finite_film(drift, memory, noise, bent) -> None:
    film = model.chase(Setting(drift, memory, noise, 99, True, bent, bent[::-1], ((0, 0), (ROUNDS - 1, ARMS - 1))))
    for one in film.learners:
        for curve in (one.mean, one.lower, one.upper, one.paid):
            assert np.isfinite(curve).all()
        assert (one.lower <= one.upper).all() and (one.history.regret >= 0).all()
        assert one.history.arms[0] == 0 and one.history.arms[-1] == ARMS - 1


@given(BENDS, st.dictionaries(st.integers(0, ROUNDS - 1), st.integers(0, ARMS - 1), max_size=ROUNDS))
@LAW
def test_bends_and_questions_travel_in_a_link(bent, pairs) -> None:
    asked = tuple(sorted(pairs.items()))
    assert hills.decode(hills.encode(bent)) == bent
    assert model.questions(model.written(asked)) == asked


def test_a_question_takes_the_place_of_those_after_it_and_of_one_in_its_round() -> None:
    assert model.asked_here(((2, 5), (7, 1), (9, 9)), 7, 30) == ((2, 5), (7, 30))
    assert model.questions("56-3_2-101_2-7_2-8") == ((2, 8),)  # rounds and actions that are not there are left out


@pytest.mark.parametrize("code", ["2-101", "56-3", "56-101", "99-999"])  # 56 rounds and 101 actions, both from 0
def test_a_link_that_asks_in_a_round_or_at_an_action_that_is_not_there_asks_nothing(code: str) -> None:
    assert ROUNDS == 56 and ARMS == 101
    assert model.questions(code) == ()
    assert model.questions(f"{code}_55-100_0-0") == ((0, 0), (55, 100))  # the last and the first are there


def test_the_table_has_a_row_for_each_round_and_learner_and_ends_at_what_was_paid() -> None:
    film = model.chase(replace(Setting(), beside=True))
    rows = model.table(film)
    assert len(rows) == 2 * ROUNDS
    assert [row["paid so far"] for row in rows[-2:]] == [one.paid[-1] for one in film.learners]
