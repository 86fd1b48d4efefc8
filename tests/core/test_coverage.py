"""The promise of the bands by Monte Carlo, and the fast way to count against the slow one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, listed_bands
from tvbo_core.bands import AMM, CMM, IGP, Bound
from tvbo_core.bands.containment import OneWorld, left_at_once, surely_near
from tvbo_core.bands.coverage import StillWorlds, draw_still_worlds, running_statistics, score, still_coverage, wilson
from tvbo_core.bands.over_time import films, first_miss, missed
from tvbo_core.gp import RankOne
from tvbo_core.gp.spectral import spectrum_from_gram
from tvbo_core.kernels import Matern, SquaredExponential

POOL = np.linspace(0, 1, 31)[:, None]


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
def test_fast_count_equals_the_count_over_films(B, sigma):
    kernel = Matern(1.5, 0.2)
    drawn = draw_still_worlds(kernel, POOL, 20, 12, 3.0, 0.2, np.random.default_rng(2))
    bands = listed_bands(B, sigma, 0.1)
    scores = score(bands, drawn, max_frames=10_000)
    assert {name: count.covered for name, count in scores.counts.items()} == by_films(bands, kernel, drawn)
    assert all(count.worlds == 12 for count in scores.counts.values())


@pytest.mark.parametrize("B", [1.2, 2.0, 2.8])
def test_shortcuts_of_counting_agree_with_the_films(B):
    """Both shortcuts answer for some worlds, and no answer differs from that of the whole film."""
    kernel, answered = Matern(1.5, 0.2), 0
    drawn = draw_still_worlds(kernel, POOL, 20, 30, 3.0, 0.2, np.random.default_rng(3))
    for name, band in listed_bands(B, 0.2, 0.1, c=4.0).items():
        if not band.fixed_regularisers:
            continue
        prior = np.diagonal(drawn.gram)
        left = left_at_once(band, prior, drawn.f)
        near, alpha = np.zeros(30, bool), band.ellipsoid_regulariser
        if alpha is not None:
            near = surely_near(band, alpha, drawn.residual + alpha * 9.0, *running_statistics(drawn, alpha))
        for w in range(30):
            world = OneWorld(*drawn.matrices(w), drawn.f[w])
            bad = missed(films({name: band}, kernel, POOL[drawn.picks[w]], drawn.y[w], POOL)[name], drawn.f[w])
            assert left[w] == bad[0].any()
            assert not (near[w] and bad[1:].any())
            assert world.leaves(band) == bad.any()
        answered += left.sum() + near.sum()
    assert answered > 30


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("reach", "covered"), [(0.9, 1), (0.9999, 1), (1.0001, 0), (1.01, 0), (1.1, 0)])
def test_curves_at_the_edge_are_counted_exactly(side, reach, covered):
    r"""One arm and one reward by hand: $|f-\mu|$ is `reach` times AMM's $\rho\sqrt{B^2+c(\ln\det+2\ln\frac1\delta)}$.

    The norm is above the assumed B, so that membership in the confidence set decides nothing.
    """
    B, sigma, delta, c, f = 1.0, 0.5, 0.1, 0.7, side * 1.2
    alpha = sigma**2 / c
    rho = np.sqrt(alpha / (1 + alpha))
    width = np.sqrt(B**2 + c * (np.log1p(1 / alpha) - 2 * np.log(delta)))
    mean = f - side * reach * width * rho
    noise = mean * (1 + alpha) - f
    drawn = StillWorlds(np.ones((1, 1)), np.array([[f]]), np.zeros((1, 1), int), np.array([[noise]]), 1.2)
    assert score({"AMM": AMM(B, sigma, delta, c)}, drawn).counts["AMM"].covered == covered


def leaves_its_match(bound, seed):
    """Return whether CMM at c = sigma^2 / alpha, alpha the declared regulariser, is outside the band somewhere."""
    rng, kernel = np.random.default_rng(seed), SquaredExponential(0.3)
    picks = rng.integers(0, 31, 8)
    y = kernel(POOL[picks], POOL[[4]])[:, 0] + bound.sigma * rng.normal(size=8)
    exact = CMM(bound.B, bound.sigma, bound.delta, bound.sigma**2 / bound.matched_regulariser)
    inner, outer = (one.band(kernel, POOL[picks], y, POOL) for one in (exact, bound))
    return not inner.empty and bool(
        (inner.upper > outer.upper + 1e-9).any() or (inner.lower < outer.lower - 1e-9).any()
    )


@pytest.mark.parametrize("c", [0.3, 1.0, 20.0])
@pytest.mark.parametrize("seed", range(6))
def test_matched_membership_puts_curves_inside_the_band(c, seed):
    """The claim behind the fast count: CMM at c = sigma^2 / alpha lies in each band matched with alpha."""
    bands = listed_bands(0.3, 1.0, 0.01, c) | {"IGP narrow": IGP(0.3, 1.0, 0.01, eta=0.5 / c)}
    matched = {name: bound for name, bound in bands.items() if bound.matched_regulariser is not None}
    assert matched["IGP"].matched_regulariser == 1.02
    assert not any(leaves_its_match(bound, seed) for bound in matched.values())


# --- what every band of the list promises -----------------------------------------------------------

WORLDS, STEPS, SIGMA, DELTA = 300, 40, 0.2, 0.2
# Norm of the curves and scale c: the usual sizes, one where the norm decides the width, and one where noise does.
SIZES = {"usual": (3.0, 1.0), "norm": (3.0, 0.003), "noise": (0.003, 1.0)}
SITUATIONS = [("random", "usual"), ("adaptive", "usual"), ("adaptive", "norm"), ("random", "noise")]


@cache
def drawn_for(design: str, size: str) -> StillWorlds:
    """Worlds whose arms are picked at random, or by GP-UCB: mean plus twice the sd on all rewards so far."""
    norm, _ = SIZES[size]
    drawn = draw_still_worlds(SquaredExponential(0.2), POOL, STEPS, WORLDS, norm, SIGMA, np.random.default_rng(5))
    if design == "random":
        return drawn
    picks = np.empty((WORLDS, STEPS), int)
    for w in range(WORLDS):
        state = RankOne(drawn.gram)
        for t in range(STEPS):
            picks[w, t] = np.argmax(state.mean + 2 * state.sd)
            state.learn(int(picks[w, t]), drawn.f[w, picks[w, t]] + drawn.noise[w, t], SIGMA**2)
    return replace(drawn, picks=picks)


def covered_at_the_end(band: Bound, drawn: StillWorlds) -> int:
    """Worlds in which the whole curve is inside after the last observation."""
    inside = 0
    for w, f in enumerate(drawn.f):
        K, y, Kxz, kzz = drawn.matrices(w)
        last = band.from_spectrum(spectrum_from_gram(K, y, Kxz, kzz))
        inside += bool(((last.lower <= f) & (f <= last.upper)).all())
    return inside


def broken(bands: Mapping[str, Bound], drawn: StillWorlds) -> list[str]:
    """Return the bands that contain the whole curve in clearly fewer worlds than they promise.

    At all times at once, or after the last observation for a band that promises one time.
    """
    always = {name: band for name, band in bands.items() if band.at_all_times}
    covered = {name: count.covered for name, count in score(always, drawn, max_frames=10**6).counts.items()}
    covered |= {name: covered_at_the_end(band, drawn) for name, band in bands.items() if not band.at_all_times}
    # Three standard errors of a share of 1 - delta: an exact band would fail once in 700 runs.
    worlds, delta = len(drawn.f), np.array([band.delta for band in bands.values()])
    least = worlds * (1 - delta) - 3 * np.sqrt(worlds * delta * (1 - delta))
    return [name for name, most in zip(bands, least, strict=True) if covered[name] < most]


@pytest.mark.parametrize(("design", "size"), SITUATIONS)
def test_every_band_covers_as_promised(design, size):
    norm, c = SIZES[size]
    assert broken(listed_bands(norm, SIGMA, DELTA, c), drawn_for(design, size)) == []


def test_understated_noise_breaks_the_promise():
    """The same count falls below the promise when the assumptions fail: the test above can fail."""
    kernel = SquaredExponential(0.2)
    drawn = draw_still_worlds(kernel, POOL, 40, 40, 3.0, 0.2, np.random.default_rng(5))
    assert score({"CMM": CMM(3.0, 0.2 / 3, 0.2)}, drawn).counts["CMM"].covered < 16


def test_drawn_curves_have_exactly_the_stated_norm():
    """By interpolation: f'K^-1 f of a rough kernel, whose matrix is well conditioned."""
    kernel = Matern(0.5, 0.3)
    drawn = draw_still_worlds(kernel, POOL, 3, 6, 2.5, 0.1, np.random.default_rng(0))
    norms = np.sqrt(np.einsum("wi,ij,wj->w", drawn.f, np.linalg.inv(drawn.gram), drawn.f))
    assert norms == pytest.approx(np.full(6, 2.5), rel=1e-10)  # condition number 1e3
    assert drawn.y == pytest.approx(np.take_along_axis(drawn.f, drawn.picks, 1) + drawn.noise, abs=0)


def test_exhausted_frames_judge_the_worlds_decided_so_far():
    kernel = Matern(1.5, 0.2)
    drawn = draw_still_worlds(kernel, POOL, 20, 12, 3.0, 0.2, np.random.default_rng(2))
    bands = {"CMM": CMM(2.9, 0.2, 0.1)}
    full, short = score(bands, drawn, max_frames=10_000), score(bands, drawn, max_frames=60)
    assert short.frames <= 60 < full.frames
    k = short.counts["CMM"].worlds
    assert 0 < k < 12
    first = StillWorlds(drawn.gram, drawn.f[:k], drawn.picks[:k], drawn.noise[:k], drawn.norm)
    assert short.counts["CMM"].covered == score(bands, first, max_frames=10_000).counts["CMM"].covered


def test_scores_repeat_and_no_data_is_covered():
    arguments = (listed_bands(3.0, 0.1, 0.1), Matern(), POOL, 10, 5, 3.0, 0.1)
    one = still_coverage(*arguments, np.random.default_rng(3))
    assert one == still_coverage(*arguments, np.random.default_rng(3)) and one.steps == 10
    nothing = still_coverage(listed_bands(3.0, 0.1, 0.1), Matern(), POOL, 0, 5, 3.0, 0.1, np.random.default_rng(3))
    assert all(count.covered == 5 for count in nothing.counts.values())


def test_wilson_interval_has_its_published_values():
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
def test_wilson_ends_are_roots_of_the_test(n, share, level):
    from scipy.stats import norm

    hits = round(share * n)
    z = norm.ppf(0.5 + level / 2)
    for end in wilson(hits, n, level):
        assert 0 <= end <= 1
        left, right = (hits / n - end) ** 2, z**2 * end * (1 - end) / n
        assert left == pytest.approx(right, rel=1e-6, abs=1e-12)  # a difference of nearly equal shares


def test_true_assumptions_need_no_film():
    """The cases above exercise both ways: true assumptions need no band, wrong ones do and often miss."""
    kernel = Matern(1.5, 0.2)
    drawn = draw_still_worlds(kernel, POOL, 20, 12, 3.0, 0.2, np.random.default_rng(2))
    matched = {name: band for name, band in listed_bands(3.0, 0.2, 0.1).items() if band.matched_regulariser}
    assert "CMM" in matched and score(matched, drawn).frames == 0
    wrong = score(listed_bands(2.4, 0.2, 0.1), drawn, max_frames=10_000)
    assert wrong.frames > 0 and wrong.counts["CMM"].covered < 12
