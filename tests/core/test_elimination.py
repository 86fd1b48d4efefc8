"""Phased elimination: its schedule, its picks, its bands, and what the shuffle is for."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, kernels, points
from tvbo_core.gp import grid_posterior, posterior
from tvbo_core.kernels import SquaredExponential, Tabulated
from tvbo_core.play import play
from tvbo_core.policies.elimination.max_variance import MaxVarianceDesign, MaxVarianceDesigns, argmax_variance
from tvbo_core.policies.elimination.policy import PE, RPERP
from tvbo_core.policies.elimination.schedule import (
    SHUFFLE_CONSTANT,
    batch_sizes,
    resolve_restart,
    restart_length,
)
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import LearnerInfo, Problem, World
from tvbo_core.worlds import make_problem

GRID = np.linspace(0.0, 1.0, 30)[:, None]
SMOOTH = SquaredExponential(0.2)


def dense_max_variance(gram: np.ndarray, alive: np.ndarray, n: int, ridge: float) -> np.ndarray:
    """(n,) the same picks, each from a posterior computed anew: the reference form of `MaxVarianceDesign`."""
    candidates, picks = np.flatnonzero(alive), np.empty(n, dtype=int)
    for m in range(n):
        _, sd = grid_posterior(gram, picks[:m], np.zeros(m), ridge)
        picks[m] = candidates[argmax_variance(sd[candidates] ** 2)]
    return picks


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def kernel_sum(seed: int, kernel=SMOOTH, x: np.ndarray = GRID) -> tuple[np.ndarray, float]:
    """A function of known norm on the arms."""
    draw = rng(seed)
    centres, c = draw.uniform(0, 1, (6, x.shape[1])), draw.normal(size=6)
    return kernel(x, centres) @ c, float(np.sqrt(c @ kernel(centres, centres) @ c))


def still_problem(T: int, seed: int = 0, noise_sd: float = 0.1) -> Problem:
    f, norm = kernel_sum(seed)
    return Problem(GRID, np.tile(f, (T, 1)), noise_sd, SMOOTH, norm)


def moving_problem(T: int, seed: int = 0, noise_sd: float = 0.1) -> Problem:
    return make_problem(World(kind="jumps", horizon=T, arms=40, noise_sd=noise_sd, seed=seed, switches=4))


def known(**changes) -> LearnerInfo:
    base = still_problem(60).known
    return replace(base, **changes)


# ------------------------------------------------------------------ schedule


PRINTED = {
    1: [1], 2: [2], 3: [2, 1], 5: [3, 2], 16: [4, 8, 4], 17: [5, 10, 2], 25: [5, 12, 8], 50: [8, 20, 22],
    100: [10, 32, 57, 1], 277: [17, 69, 139, 52], 1000: [32, 179, 424, 365], 5000: [71, 596, 1727, 2606],
}  # fmt: skip


def test_batch_sizes_are_those_of_the_paper() -> None:
    assert {T: batch_sizes(T) for T in PRINTED} == PRINTED


@LAW
@given(st.integers(1, 10**30))
def test_batch_sizes_are_integer_roots(T: int) -> None:
    sizes, before = batch_sizes(T), 1
    assert sum(sizes) == T
    for size in sizes[:-1]:  # in whole numbers: no float knows the root of 10**30
        assert (size - 1) ** 2 < T * before <= size**2
        before = size
    assert (sizes[-1] - 1) ** 2 < T * before


def test_restart_has_the_exponents_of_the_paper() -> None:
    # nu = 5/2, d = 2: T^(14/19) V^(-14/19) ln^(12/19) T; squared exponential, d = 1: (T/V)^(2/3) ln T.
    assert restart_length(5000, 3.0, 2.5, 2) == pytest.approx((5000 / 3) ** (14 / 19) * math.log(5000) ** (12 / 19))
    assert restart_length(5000, 3.0, np.inf, 1) == pytest.approx((5000 / 3) ** (2 / 3) * math.log(5000))
    assert restart_length(5000, 3.0, 1e7, 1) == pytest.approx(
        restart_length(5000, 3.0, np.inf, 1) / math.log(5000) ** (1 / 3), rel=1e-5
    )  # the Matern rate of T / V has the same limit; its logarithm's power goes to 2/3, not to 1


def test_restart_stays_between_two_and_the_horizon() -> None:
    assert resolve_restart("paper", known(sup_variation=0.0)) == 60
    assert resolve_restart("paper", known(sup_variation=1e-9)) == 60
    assert resolve_restart("paper", known(sup_variation=1e9)) == 2
    assert resolve_restart("paper", known(horizon=1)) == 1
    assert resolve_restart("unknown", known(sup_variation=50.0)) == resolve_restart("paper", known(sup_variation=1.0))
    assert resolve_restart(1000, known()) == 60
    assert resolve_restart(None, known()) == 60
    assert resolve_restart(7, known()) == 7
    H = math.ceil(restart_length(2000, 40.0, np.inf, 1))
    assert resolve_restart("paper", known(horizon=2000, sup_variation=40.0)) == H


def test_tables_count_as_linear_in_their_arms() -> None:
    table = known(kernel=Tabulated(np.eye(5)), x=np.arange(5.0)[:, None], horizon=10_000, sup_variation=500.0)
    log = math.log(10_000)
    assert resolve_restart("paper", table) == math.ceil((10_000 / 500) ** (2 / 3) * (5 * log * log) ** (1 / 3))


# --------------------------------------------------------------------- picks


@LAW
@given(data=st.data(), kernel=kernels(), ridge=st.floats(1e-3, 10.0), n=st.integers(1, 100))
def test_picks_have_the_largest_posterior_variance(data, kernel, ridge, n) -> None:
    m, d = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 2))
    x = data.draw(points(m, d))
    alive = np.array(data.draw(st.lists(st.booleans(), min_size=m, max_size=m)))
    alive[data.draw(st.integers(0, m - 1))] = True
    picks = MaxVarianceDesign(kernel(x, x), alive, ridge).first(n)
    assert alive[picks].all()
    for i in (0, n // 3, n - 1):
        _, sd = posterior(kernel, x[picks[:i]], np.zeros(i), x, ridge)
        # Ties within 1e-9 go to the first arm; the rest is the rounding of prior variances up to 20 against a
        # largest posterior variance that may be as small as ridge/n = 1e-5.
        assert sd[picks[i]] ** 2 >= sd[alive].max() ** 2 * (1 - 1e-7)


# --------------------------------------------------------------- one run


RULES = [
    PE(width=1.0),
    RPERP(restart=50, width=1.0),
    RPERP(restart=33, width=0.5, shuffle=False),
    RPERP(restart=17, width=LogWidth(0.6)),
    RPERP(restart="paper", width="theory"),
]


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_batches_are_the_run_that_play_makes(rule) -> None:
    problem = moving_problem(120)
    history, batches = play(problem, rule, rng(4)), list(rule.batches(problem, rng(4)))
    order = np.concatenate([batch.asked for batch in batches])
    assert np.array_equal(order, history.arms)
    for batch in batches:
        assert np.array_equal(batch.picks, history.arms[batch.times])
        assert np.array_equal(batch.rewards, history.y[batch.times])


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_batches_follow_the_algorithm_line_by_line(rule) -> None:
    problem = moving_problem(120, seed=1)
    H, ridge, round_ = rule.restart_rounds(problem.known), problem.noise_sd**2, 0
    gram = problem.kernel(problem.x, problem.x)
    for batch in rule.batches(problem, rng(4)):
        interval = round_ // H
        sizes = batch_sizes(min(H, 120 - interval * H))
        number = list(np.cumsum([0, *sizes])).index(round_ - interval * H)
        assert (batch.interval, batch.number, batch.start) == (interval + 1, number + 1, round_)
        assert batch.sizes == tuple(sizes) and len(batch.picks) == sizes[number]
        assert batch.last == (number == len(sizes) - 1)
        if number == 0:
            alive = np.ones(len(problem.x), dtype=bool)
        assert np.array_equal(batch.alive, alive)
        assert np.array_equal(batch.picks, dense_max_variance(gram, alive, sizes[number], ridge))
        assert sorted(batch.permutation) == list(range(sizes[number]))
        # The band: this batch's rewards alone, in any order.
        mean, sd = posterior(problem.kernel, problem.x[batch.picks], batch.rewards, problem.x, ridge)
        # 1e-9: sums of up to 70 rewards of size 1, divided by a ridge of 0.01.
        np.testing.assert_allclose(batch.band.mean, mean, atol=1e-9)
        np.testing.assert_allclose(batch.band.upper - batch.band.mean, batch.width * sd, atol=1e-7)
        np.testing.assert_allclose(batch.band.mean - batch.band.lower, batch.width * sd, atol=1e-7)
        kept = alive & (batch.band.upper >= batch.band.lower[alive].max())
        assert np.array_equal(batch.survivors, alive if batch.last else kept)
        alive, round_ = batch.survivors, round_ + sizes[number]
    assert round_ == 120


def test_phased_elimination_draws_nothing() -> None:
    problem = replace(moving_problem(120), noise_sd=0.0)
    assert np.array_equal(play(problem, PE(), rng(1)).arms, play(problem, PE(), rng(2)).arms)


def test_rounds_are_decided_by_the_latest_band() -> None:
    problem, rule = moving_problem(100), RPERP(restart=50, width=1.0)
    watched = play(problem, rule, rng(3), bands=True)
    batches = list(rule.batches(problem, rng(3)))
    prior = np.sqrt(problem.kernel.diag(problem.x))
    for batch in batches:
        for t in range(batch.start, batch.start + len(batch.picks)):
            if batch.number == 1:
                np.testing.assert_array_equal(watched.bands[t].upper, prior)
            else:
                before = batches[batches.index(batch) - 1].band
                np.testing.assert_array_equal(watched.bands[t].upper, before.upper)


# ------------------------------------------------------------------- width


def test_theory_width_is_equation_eight() -> None:
    problem = still_problem(100)
    B, lam, delta, C = problem.norm_bound, 0.01, 0.1, 2 * math.sqrt(2)
    Q = math.ceil(100 / 30) * (1 + math.log2(math.log2(30)))
    L = math.log(4 * 30 * Q / delta)
    expected = B * (C / math.sqrt(lam) * math.sqrt(L) + 1) + 0.1 / math.sqrt(lam) * math.sqrt(2 * L)
    batch = next(RPERP(restart=30, width="theory").batches(problem, rng()))
    assert batch.width == pytest.approx(expected, rel=1e-12)
    L = math.log(2 * 30 * (1 + math.log2(math.log2(100))) / delta)
    batch = next(PE(width="theory").batches(problem, rng()))
    assert batch.width == pytest.approx(B + 0.1 / math.sqrt(lam) * math.sqrt(2 * L), rel=1e-12)


def exceeds(F: np.ndarray, w: np.ndarray, C: float) -> float:
    """Largest ratio of P(|Z - EZ| >= t) to its bound over all t, with every permutation counted.

    The bound 2 exp(-t^2/(C^2 B^2 |w|^2)) is C sqrt(ln(2/delta)) of the width read backwards.
    """
    n = len(w)
    Z = np.array([F[list(psi), np.arange(n)] @ w for psi in permutations(range(n))])
    error = np.sort(np.abs(Z - F.mean(axis=0) @ w))
    # 1e-9: equal errors that differ by rounding must count as reaching each other.
    tail = 1.0 - np.searchsorted(error, error - 1e-9) / len(error)
    bound = 2.0 * np.exp(-(error**2) / (C**2 * np.abs(F).max() ** 2 * (w @ w)))
    return float((tail / bound).max())


@LAW
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.booleans())
def test_shuffle_error_has_the_promised_tail(seed: int, n: int, signs: bool) -> None:
    """Oracle 24, exactly: all permutations, entries that depend on both the query and its time."""
    draw = rng(seed)
    F = draw.choice([-1.0, 1.0], (n, n)) if signs else draw.uniform(-1, 1, (n, n))
    w = draw.normal(size=n) * draw.choice([0.1, 1.0, 5.0], n)
    assert exceeds(F, w, SHUFFLE_CONSTANT) <= 1.0


def test_half_the_shuffle_constant_fails() -> None:
    # Two steps whose reward is 1 when query and time agree and -1 when not: the error is always 2.
    assert exceeds(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.ones(2), SHUFFLE_CONSTANT / 2) > 1.0
    assert exceeds(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.ones(2), SHUFFLE_CONSTANT) <= 1.0


# ------------------------------------------------------------------- edges


def test_restart_of_one_asks_the_first_arm() -> None:
    assert (play(moving_problem(30), RPERP(restart=1), rng()).arms == 0).all()


def test_stacked_picks_are_those_of_each_set() -> None:
    rng, x = np.random.default_rng(2), np.linspace(0, 1, 30)[:, None]
    gram = SquaredExponential(0.2)(x, x)
    alive = rng.random((6, 30)) < 0.5
    alive[0] = True
    found = MaxVarianceDesigns(gram, alive, 40, 0.01)
    for one, picks in zip(alive, found.picks, strict=True):
        assert picks.tolist() == MaxVarianceDesign(gram, one, 0.01).first(40).tolist()
