"""The band is the regression of its observations, misses where it says, and a click is the query of its round."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from figures.theme import Theme
from lessons.points import model
from lessons.points.lesson import LESSON
from lessons.points.model import ARMS, LAST, Points
from lessons.points.scene import scene, sentence
from tests.strategies import LAW

FEW = settings(LAW, max_examples=15)


def film(**values: object) -> Points:
    return model.points(model.setting_from(LESSON.defaults | values))


@pytest.mark.parametrize(("guessed", "noise", "width"), [(0.15, 0.1, 2.0), (0.5, 0.5, 1.0), (0.05, 0.01, 4.0)])
def test_two_points_are_solved_by_hand(guessed: float, noise: float, width: float) -> None:
    """The inverse of K + noise² I for two observations, written out; the weights of the estimate at each action."""
    one = film(guessed=guessed, noise=noise, width=width)
    (a, b), (u, v) = one.x[one.history.arms[:2]], one.history.y[:2]

    def k(s: float, t: float) -> float:
        return math.exp(-((s - t) ** 2) / (2 * guessed**2))

    p, q = 1 + noise**2, k(a, b)
    det = p * p - q * q
    for i in (0, 17, 30, 64, 100):
        c, d = k(one.x[i], a), k(one.x[i], b)
        to_u, to_v = (p * c - q * d) / det, (p * d - q * c) / det
        assert one.mean[2, i] == pytest.approx(to_u * u + to_v * v, abs=1e-7)
        # Of a variance near 0 the root has half as many digits.
        assert one.half[2, i] == pytest.approx(width * math.sqrt(max(1 - to_u * c - to_v * d, 0.0)), abs=1e-5)


def test_band_is_level_before_any_observation() -> None:
    one = film(width=3.0)
    assert not one.mean[0].any() and one.half[0] == pytest.approx(3.0) and one.x[one.choice[0]] == 0.3


def test_band_misses_where_the_reward_leaves_it() -> None:
    one = film(guessed=0.5)
    facts = model.facts(one, LAST)
    misses = [not m - h <= f <= m + h for f, m, h in zip(one.f, one.mean[LAST], one.half[LAST], strict=True)]
    assert facts["outside the band"] == sum(misses) / ARMS > 0.25 and one.outside[LAST].tolist() == misses


def test_headline_gives_both_ends_of_the_width() -> None:
    one = film()
    for t in (2, LAST):
        narrow, wide = one.half[t].min(), one.half[t].max()
        assert f"±{narrow:.2f} wide at its narrowest and ±{wide:.2f} at its widest" in sentence(one, t, unseen=False)


def test_every_query_is_the_bands_highest_point() -> None:
    one = film()
    for t in range(1, LAST):
        mean, sd = tv.posterior(tv.SquaredExponential(0.15), one.history.X[:t], one.history.y[:t], one.x[:, None], 0.01)
        assert (mean + 2 * sd)[one.history.arms[t]] == pytest.approx((mean + 2 * sd).max(), abs=1e-6)
        assert model.facts(one, t + 1)["it was highest at x"] == one.x[one.history.arms[t]]


def test_regret_is_the_peak_minus_the_queried_reward() -> None:
    one = film(curve=1003)
    gaps = [float(one.f.max() - one.f[arm]) for arm in one.history.arms]
    for t in range(1, LAST + 1):
        assert model.facts(one, t)["regret of this round"] == pytest.approx(gaps[t - 1])


@given(row=st.integers(0, LAST), arm=st.integers(0, ARMS - 1))
@FEW
def test_a_click_replaces_the_query_of_its_round(row: int, arm: int) -> None:
    """After the last observation it replaces the last one; what was before it stays."""
    plain, yours, at = film(), film(asked=f"{row}-{arm}"), min(row, LAST - 1)
    assert yours.history.arms[at] == arm and yours.asked.nonzero()[0].tolist() == [at]
    np.testing.assert_array_equal(yours.mean[: at + 1], plain.mean[: at + 1])
    noise = (one.history.y[at] - one.f[one.history.arms[at]] for one in (plain, yours))
    assert next(noise) == pytest.approx(next(noise))
    made = scene(LESSON.defaults | {"asked": f"{row}-{arm}"}, Theme())
    assert made.films["main"].pick.ask.plays == (at, at + 1)


def test_hidden_reward_is_neither_drawn_nor_said() -> None:
    values = LESSON.defaults | {"unseen": True, "asked": "3-70"}
    one = film(asked="3-70")
    made = scene(values, Theme())
    drawn = made.films["main"].draw(3)
    curves = [row for track in drawn.tracks if track.attribute == "y" for row in track.values]
    curves += [trace["y"] for trace in drawn.figure.spec["data"]]
    assert not any(len(y) == ARMS and np.allclose(y, one.f, atol=1e-3) for y in curves)
    highest = model.facts(one, 4)["it was highest at x"]
    assert "Where would you query next?" in made.says(3)
    assert f"{highest:.2f}" in made.says(4) and f"{one.x[70]:.2f}" in made.says(4)
