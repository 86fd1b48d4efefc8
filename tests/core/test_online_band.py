"""Online bands: the theorem on any sequence, the recursion by hand, and that nothing of the future is used."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tvbo_core as tv
from tests.strategies import LAW
from tvbo_core.bands import ALL

ROUNDING = 1e-9  # sums of some thousand steps of size eta, each rounded once


def adversarial(band: tv.OnlineBand, b: float, T: int, kind: str, seed: int) -> np.ndarray:
    """Return scores in [0, b] of somebody who knows q: just above it where that is allowed, or as this kind says."""
    rng, q, scores = np.random.default_rng(seed), band.start, np.empty(T)
    for t in range(T):
        above = np.nextafter(q, np.inf) if 0 <= q < b else b
        scores[t] = {
            "always miss": above,
            "just inside": min(max(q, 0.0), b),
            "miss in blocks": above if (t // 50) % 2 else 0.0,
            "random": rng.uniform(0, b),
            "jump": (0.1 if t < T // 2 else 1.0) * b * rng.uniform(),
            "coin": above if rng.random() < 0.5 else 0.0,
        }[kind]
        q += band.eta * ((scores[t] > q) - band.delta)
    return scores


KINDS = ("always miss", "just inside", "miss in blocks", "random", "jump", "coin")


@LAW
@given(
    kind=st.sampled_from(KINDS),
    delta=st.floats(0.01, 0.5),
    eta=st.floats(0.01, 3.0),
    b=st.floats(0.1, 20.0),
    first=st.floats(0.0, 2.0),
    seed=st.integers(0, 99),
)
def test_misses_are_bounded_for_any_sequence(kind, delta, eta, b, first, seed) -> None:
    band = tv.OnlineBand(delta=delta, eta=eta, start=first * b)
    widths = band.widths(adversarial(band, b, 600, kind, seed))
    for T in range(1, 601):
        share = widths.missed[:T].mean()
        assert abs(share - delta) <= band.miss_bound(b, T) + ROUNDING


def test_recursion_is_that_of_exact_fractions() -> None:
    delta, eta, q = Fraction(1, 10), Fraction(1, 4), Fraction(1)
    scores, expected, missed = [Fraction(k * k % 7, 3) for k in range(40)], [q], []
    for r in scores:
        missed.append(r > q)
        q = q - eta * delta if r <= q else q + eta * (1 - delta)
        expected.append(q)
    found = tv.OnlineBand(delta=0.1, eta=0.25).widths([float(r) for r in scores])
    np.testing.assert_allclose(found.q, [float(one) for one in expected], atol=ROUNDING)
    assert found.missed.tolist() == missed
    assert found.share_inside[-1] == pytest.approx(1 - sum(missed) / 40)


def _film(kind: str = "jumps", seed: int = 0) -> tuple[tv.BandFilm, np.ndarray, np.ndarray]:
    """Return the bands of a discounted learner at random places of a world, with arms and rewards."""
    problem = tv.make_problem(tv.World(kind=kind, budget=4.0, horizon=80, arms=30, seed=seed))
    policy, rng = tv.WGPUCB(discount=0.95, width=1.645), np.random.default_rng(seed)
    arms, state, bands = rng.integers(30, size=80), policy.init(problem.known), []
    y = problem.f[np.arange(80), arms] + problem.noise_sd * rng.standard_normal(80)
    for t in range(80):
        bands.append(policy.band(state, t))
        state = policy.update(state, t, int(arms[t]), float(y[t]))
    return tv.BandFilm.of([*bands, policy.band(state, 80)], "discounted"), arms, y


def test_drawn_interval_is_the_one_counted() -> None:
    film, arms, y = _film()
    adapted, widths = tv.OnlineBand(sigma=0.1).film(film, arms, y)
    rows = np.arange(80)
    outside = (y < adapted.lower[rows, arms]) | (y > adapted.upper[rows, arms])
    np.testing.assert_array_equal(widths.missed, outside | adapted.empty[:-1])
    # Half-width by its definition, at one place of one frame.
    half, again = (film.upper[40, 7] - film.lower[40, 7]) / 2, (adapted.upper[40, 7] - adapted.lower[40, 7]) / 2
    assert again == pytest.approx(widths.q[40] * (half**2 + 0.1**2) ** 0.5)


def test_no_frame_knows_a_later_reward() -> None:
    film, arms, y = _film()
    other = np.where(np.arange(80) < 50, y, y + 5.0)
    band = tv.OnlineBand(sigma=0.1)
    one, two = (band.film(film, arms, rewards)[0] for rewards in (y, other))
    np.testing.assert_array_equal(one.upper[:51], two.upper[:51])
    assert not np.array_equal(one.upper[51:], two.upper[51:])


def test_five_bands_of_the_list_can_be_adapted() -> None:
    problem = tv.make_problem(tv.World(kind="glide", budget=4.0, horizon=40, arms=20))
    history = tv.observe.random_design(problem, 40, tv.observe.play_rng(1))
    for entry in ALL.values():
        band = entry.make(3.0, 0.1, 0.01, c=1.0, ridge=0.01, eta=0.05)
        film = tv.band_film(band, problem.kernel, history.X, history.y, problem.x)
        adapted, widths = tv.OnlineBand(sigma=0.1).film(film, history.arms, history.y)
        b = float(widths.scores.max())
        assert abs(widths.missed.mean() - 0.1) <= tv.OnlineBand().miss_bound(max(b, 1.0), 40)
        assert adapted.name == f"online {entry.name}"
