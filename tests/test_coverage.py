"""The promise of the bands by Monte Carlo, and the fast way to count against the slow one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.bands import AMM, AY, CMM, DMM, IGP
from tvbo_core.bands.containment import OneWorld, left_at_once, surely_near
from tvbo_core.bands.coverage import (
    StillWorlds,
    draw_still_worlds,
    running_statistics,
    score,
    still_coverage,
    wilson,
)
from tvbo_core.bands.over_time import films, first_miss, missed
from tvbo_core.gp import RankOne
from tvbo_core.kernels import Matern, SquaredExponential

POOL = np.linspace(0, 1, 31)[:, None]


def five(B, sigma, delta, c=1.0):
    return {
        "CMM": CMM(B, sigma, delta, c),
        "DMM": DMM(B, sigma, delta, c),
        "AMM": AMM(B, sigma, delta, c),
        "AY": AY(B, sigma, delta, sigma**2 / c),
        "IGP": IGP(B, sigma, delta, 0.05),
    }


def by_films(bands, kernel, drawn):
    """Covered worlds counted the slow way: every band at every time."""
    covered = dict.fromkeys(bands, 0)
    for w in range(len(drawn.f)):
        X = POOL[drawn.picks[w]]
        for name, film in films(bands, kernel, X, drawn.f[w][drawn.picks[w]] + drawn.noise[w], POOL).items():
            covered[name] += first_miss(film, drawn.f[w]) is None
    return covered


@pytest.mark.parametrize(
    ("B", "sigma"),
    [(3.0, 0.2), (2.4, 0.2), (1.5, 0.2), (3.0, 0.08), (3.0, 0.04)],
    ids=["as assumed", "norm a little larger", "norm twice", "noise larger", "noise five times"],
)
def test_the_fast_count_is_the_count_of_all_bands_at_all_times(B, sigma):
    kernel = Matern(1.5, 0.2)
    drawn = draw_still_worlds(kernel, POOL, 20, 12, 3.0, 0.2, np.random.default_rng(2))
    bands = five(B, sigma, 0.1)
    scores = score(bands, drawn, max_frames=10_000)
    assert {name: count.covered for name, count in scores.counts.items()} == by_films(bands, kernel, drawn)
    assert all(count.worlds == 12 for count in scores.counts.values())


@pytest.mark.parametrize("B", [1.2, 2.0, 2.8])
def test_what_is_known_of_a_world_before_its_bands_is_what_its_bands_say(B):
    """Both shortcuts answer for some worlds, and no answer differs from that of the whole film."""
    kernel, answered = Matern(1.5, 0.2), 0
    drawn = draw_still_worlds(kernel, POOL, 20, 30, 3.0, 0.2, np.random.default_rng(3))
    for name, band in five(B, 0.2, 0.1, c=4.0).items():
        if name == "CMM":
            continue
        prior = np.diagonal(drawn.gram)
        left = left_at_once(band, prior, drawn.f)
        near = np.zeros(30, bool)
        if name != "DMM":
            alpha = band.matched_regulariser
            near = surely_near(band, alpha, drawn.residual + alpha * 9.0, *running_statistics(drawn, alpha))
        for w in range(30):
            world = OneWorld(*drawn.matrices(w), drawn.f[w])
            bad = missed(films({name: band}, kernel, POOL[drawn.picks[w]], drawn.y[w], POOL)[name], drawn.f[w])
            assert left[w] == bad[0].any()
            assert not (near[w] and bad[1:].any())
            assert world.leaves(band) == bad.any()
        answered += left.sum() + near.sum()
    assert answered > 30


def test_a_shared_film_of_wrong_assumptions_does_not_hide_behind_membership():
    """The cases above exercise both ways: true assumptions need no band, wrong ones do and often miss."""
    kernel = Matern(1.5, 0.2)
    drawn = draw_still_worlds(kernel, POOL, 20, 12, 3.0, 0.2, np.random.default_rng(2))
    assert score(five(3.0, 0.2, 0.1), drawn).frames == 0
    wrong = score(five(2.4, 0.2, 0.1), drawn, max_frames=10_000)
    assert wrong.frames > 0 and wrong.counts["CMM"].covered < 12


@pytest.mark.parametrize("c", [0.3, 1.0, 20.0])
@pytest.mark.parametrize("seed", range(6))
def test_membership_at_the_matched_regulariser_puts_a_curve_inside_the_band(c, seed):
    """The claim behind the fast count: CMM at c = sigma^2 / alpha lies in each band matched with alpha."""
    rng, sigma, kernel = np.random.default_rng(seed), 1.0, SquaredExponential(0.3)
    picks = rng.integers(0, 31, 8)
    y = kernel(POOL[picks], POOL[[4]])[:, 0] + sigma * rng.normal(size=8)
    bands = five(0.3, sigma, 0.01, c) | {"IGP narrow": IGP(0.3, sigma, 0.01, eta=0.5 / c)}
    for bound in bands.values():
        inner = CMM(0.3, sigma, 0.01, sigma**2 / bound.matched_regulariser).band(kernel, POOL[picks], y, POOL)
        outer = bound.band(kernel, POOL[picks], y, POOL)
        if not inner.empty:
            assert (inner.upper <= outer.upper + 1e-9).all() and (inner.lower >= outer.lower - 1e-9).all()
    assert bands["IGP"].matched_regulariser == 1.05


def test_the_running_statistics_of_a_world_are_those_of_each_time():
    kernel = Matern(1.5, 0.2)
    drawn = draw_still_worlds(kernel, POOL, 9, 3, 2.0, 0.3, np.random.default_rng(4))
    log_det, misfit = running_statistics(drawn, 0.05)
    for w in range(3):
        for t in range(10):
            X, y = POOL[drawn.picks[w, :t]], drawn.y[w, :t]
            A = np.eye(t) + kernel(X, X) / 0.05
            # determinants and solves of condition at most 200
            assert log_det[w, t] == pytest.approx(np.linalg.slogdet(A)[1], abs=1e-11)
            assert misfit[w, t] == pytest.approx(y @ np.linalg.solve(A, y), abs=1e-11)


def adaptive(kernel, worlds, n, delta_seed):
    """Worlds in which GP-UCB picks: mean plus twice the sd on all rewards so far."""
    drawn = draw_still_worlds(kernel, POOL, n, worlds, 3.0, 0.2, np.random.default_rng(delta_seed))
    picks = np.empty((worlds, n), int)
    for w in range(worlds):
        state = RankOne(drawn.gram)
        for t in range(n):
            picks[w, t] = np.argmax(state.mean + 2 * state.sd)
            state.learn(int(picks[w, t]), drawn.f[w, picks[w, t]] + drawn.noise[w, t], 0.04)
    return replace(drawn, picks=picks)


@pytest.mark.parametrize("design", ["random", "adaptive"])
def test_every_band_keeps_its_promise_over_the_whole_curve_at_all_times(design):
    """Coverage at least 1 - delta, the picks random or made by GP-UCB."""
    kernel, worlds, n, delta = SquaredExponential(0.2), 300, 40, 0.2
    if design == "adaptive":
        drawn = adaptive(kernel, worlds, n, 5)
    else:
        drawn = draw_still_worlds(kernel, POOL, n, worlds, 3.0, 0.2, np.random.default_rng(5))
    # three standard errors of a share of .8 over 300 worlds: an exact band would fail once in 700 runs
    least = worlds * (1 - delta) - 3 * np.sqrt(worlds * delta * (1 - delta))
    for count in score(five(3.0, 0.2, delta), drawn).counts.values():
        assert count.covered >= least and count.worlds == worlds
        assert count.promised == pytest.approx(0.8, abs=1e-15)


def test_a_noise_sd_assumed_three_times_too_small_breaks_the_promise():
    """The same count falls below the promise when the assumptions fail: the test above can fail."""
    kernel = SquaredExponential(0.2)
    drawn = draw_still_worlds(kernel, POOL, 40, 40, 3.0, 0.2, np.random.default_rng(5))
    assert score({"CMM": CMM(3.0, 0.2 / 3, 0.2)}, drawn).counts["CMM"].covered < 16


def test_the_curves_have_exactly_the_norm_asked_for():
    """By interpolation: f'K^-1 f of a rough kernel, whose matrix is well conditioned."""
    kernel = Matern(0.5, 0.3)
    drawn = draw_still_worlds(kernel, POOL, 3, 6, 2.5, 0.1, np.random.default_rng(0))
    norms = np.sqrt(np.einsum("wi,ij,wj->w", drawn.f, np.linalg.inv(drawn.gram), drawn.f))
    assert norms == pytest.approx(np.full(6, 2.5), rel=1e-10)  # condition number 1e3
    assert drawn.y == pytest.approx(np.take_along_axis(drawn.f, drawn.picks, 1) + drawn.noise, abs=0)


def test_when_the_exact_bands_run_out_the_worlds_decided_so_far_are_judged():
    kernel = Matern(1.5, 0.2)
    drawn = draw_still_worlds(kernel, POOL, 20, 12, 3.0, 0.2, np.random.default_rng(2))
    bands = {"CMM": CMM(2.9, 0.2, 0.1)}
    full, short = score(bands, drawn, max_frames=10_000), score(bands, drawn, max_frames=60)
    assert short.frames <= 60 < full.frames
    k = short.counts["CMM"].worlds
    assert 0 < k < 12
    first = StillWorlds(drawn.gram, drawn.f[:k], drawn.picks[:k], drawn.noise[:k], drawn.norm)
    assert short.counts["CMM"].covered == score(bands, first, max_frames=10_000).counts["CMM"].covered


def test_the_same_seed_gives_the_same_score_and_no_data_is_always_covered():
    arguments = (five(3.0, 0.1, 0.1), Matern(), POOL, 10, 5, 3.0, 0.1)
    one = still_coverage(*arguments, np.random.default_rng(3))
    assert one == still_coverage(*arguments, np.random.default_rng(3)) and one.steps == 10
    nothing = still_coverage(five(3.0, 0.1, 0.1), Matern(), POOL, 0, 5, 3.0, 0.1, np.random.default_rng(3))
    assert all(count.covered == 5 for count in nothing.counts.values())


def test_wilsons_interval_has_its_published_values():
    """Newcombe (1998), table I: 81/263, 15/148, 0/20, 1/29; and the 200/200 of the screen."""
    for (hits, n), (low, high) in {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }.items():
        assert wilson(hits, n) == pytest.approx((low, high), abs=5e-5)  # four published decimals
    assert wilson(200, 200) == pytest.approx((200 / (200 + 3.841458821), 1.0), abs=1e-9)
    assert wilson(0, 0) == (0.0, 1.0)


@LAW
@given(n=st.integers(1, 10**6), share=st.floats(0, 1), level=st.floats(0.5, 0.999))
def test_wilsons_ends_are_where_the_normal_test_just_rejects(n, share, level):
    from scipy.stats import norm

    hits = round(share * n)
    z = norm.ppf(0.5 + level / 2)
    for end in wilson(hits, n, level):
        assert 0 <= end <= 1
        left, right = (hits / n - end) ** 2, z**2 * end * (1 - end) / n
        assert left == pytest.approx(right, rel=1e-6, abs=1e-12)  # a difference of nearly equal shares


def test_a_count_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="between 0 and n = 3"):
        wilson(4, 3)
    with pytest.raises(ValueError, match="level must lie strictly"):
        wilson(1, 3, level=1.0)
