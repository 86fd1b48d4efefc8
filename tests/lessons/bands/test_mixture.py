"""The view of where the bands come from: its bounds are the bands', its share is at most the promise."""

from __future__ import annotations

import numpy as np
import pytest

import tvbo_core as tv
from figures.theme import Theme
from lessons.bands import figure_mixture, words
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


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True, lecture=True)])
def test_the_pictures_have_fixed_axes_and_no_hole(theme: Theme) -> None:
    for draw in (figure_mixture.paths, figure_mixture.radius, figure_mixture.plane):
        layout = draw(mixture_view(3.0, 0.01, 1.0, 3), theme).figure.checked().layout
        assert layout.xaxis.range and layout.yaxis.range
