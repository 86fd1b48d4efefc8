"""The view of where the bands come from: its bounds are the bands', its share is at most the promise."""

from __future__ import annotations

import numpy as np
import pytest

import tvbo_core as tv
from lessons.bands import words
from lessons.bands.mixture import LENGTHSCALE, NOISE_SHARE, PLACES, mixture_view, observed


@pytest.mark.parametrize(("B", "delta", "c", "seed"), [(3.0, 0.01, 1.0, 3), (1.0, 0.2, 0.5, 8)])
def test_the_edges_of_the_ellipses_are_the_bands_of_the_core(B: float, delta: float, c: float, seed: int) -> None:
    """The bands never see the plane: they come from the dual and from the posterior."""
    view = mixture_view(B, delta, c, seed)
    _, _, asked, y = observed(B, B / NOISE_SHARE, seed)
    kernel, x = tv.Matern(1.5, LENGTHSCALE), np.array(PLACES)[:, None]
    for name, tolerance in (("AMM", 1e-8), ("DMM", 1e-8), ("CMM", 1e-4)):  # CMM: least of 1601 alphas
        band = getattr(tv, name)(B=B, sigma=B / NOISE_SHARE, delta=delta, c=c).band(kernel, x[asked], y[0], x[:1])
        assert view.edges[name] == pytest.approx(float(band.upper[0]), rel=tolerance, abs=tolerance)
    assert view.edges["CMM"] <= view.edges["DMM"] <= view.edges["AMM"]


@pytest.mark.parametrize("delta", [0.01, 0.2])
def test_the_share_that_crosses_is_at_most_the_promise_and_is_the_one_that_is_said(delta: float) -> None:
    view = mixture_view(3.0, delta, 1.0, 3)
    share = view.crossed.mean()
    assert share <= delta + 3 * np.sqrt(delta * (1 - delta) / len(view.paths))
    said = words.origin(view)["paths"]
    assert f"{int(view.crossed.sum())} of 300" in said and f"{100 * share:.1f} %" in said


def test_a_path_below_the_threshold_is_a_truth_inside_both_sets() -> None:
    view = mixture_view(3.0, 0.01, 1.0, 3)
    assert view.crossed[0] == (view.errors > view.radius).any()
    if not view.crossed[0]:
        for name in ("data", "norm", "AMM", "CMM"):  # convex: the truth is on the inner side of every chord
            border = view.regions[name]
            centre = border.mean(axis=0)
            angle = np.arctan2(*(view.truth - centre)[::-1])
            reach = np.hypot(*(border - centre).T)
            nearest = np.abs(np.angle(np.exp(1j * (np.arctan2(*(border - centre).T[::-1]) - angle)))).argmin()
            assert np.hypot(*(view.truth - centre)) <= 1.02 * reach[nearest]  # between corners: 2 %


def inside(border: np.ndarray, point: np.ndarray) -> bool:
    """Whether a point lies in a convex polygon: on one side of all its edges."""
    edges = np.diff(border, axis=0)
    turn = edges[:, 0] * (point - border[:-1])[:, 1] - edges[:, 1] * (point - border[:-1])[:, 0]
    return bool((turn >= 0).all() or (turn <= 0).all())


@pytest.mark.parametrize(("delta", "seed", "said"), [(0.2, 57, "the second alone"), (0.01, 3, "both")])
def test_the_page_says_which_sets_hold_the_truth(delta: float, seed: int, said: str) -> None:
    """At delta = 0.2 and seed 57 the truth is outside of the confidence set, as it may be once in five runs."""
    view = mixture_view(3.0, delta, 1.0, seed)
    assert (inside(view.regions["data"], view.truth), inside(view.regions["norm"], view.truth)) == view.held
    assert f"the truth (star) is in {said}." in words.origin(view)["plane"]


@pytest.mark.parametrize(("seed", "above"), [(81, True), (3, False)])
def test_a_share_above_the_promise_is_put_down_to_chance_and_another_one_is_not(seed: int, above: bool) -> None:
    view = mixture_view(3.0, 0.01, 1.0, seed)
    assert (view.crossed.mean() > 0.01) == above
    assert ("by chance" in words.origin(view)["paths"]) == above


def test_a_path_crosses_where_it_lies_above_the_logarithm_of_one_over_delta() -> None:
    view = mixture_view(1.0, 0.1, 1.0, 0)
    highest = view.paths.max(axis=1)
    for delta in (0.5, 0.1, 0.01):
        np.testing.assert_array_equal(view.above(delta), np.exp(highest) > 1.0 / delta)
    assert 0 < view.above(0.5).sum() < len(highest)
