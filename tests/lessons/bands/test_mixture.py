"""The view of where the bands come from: its bounds are the bands', its share is at most the promise."""

from __future__ import annotations

import numpy as np
import pytest

import tvbo_core as tv
from lessons.bands import words
from lessons.bands.mixture import LENGTHSCALE, NOISE_SHARE, PLACES, mixture_view, observed


@pytest.mark.parametrize(("B", "delta", "c", "seed"), [(3.0, 0.01, 1.0, 3), (1.0, 0.2, 0.5, 8)])
def test_edges_of_ellipses_are_the_bands(B: float, delta: float, c: float, seed: int) -> None:
    """The bands never see the plane: they come from the dual and from the posterior."""
    view = mixture_view(B, delta, c, seed)
    _, _, asked, y = observed(B, B / NOISE_SHARE, seed)
    kernel, x = tv.Matern(1.5, LENGTHSCALE), np.array(PLACES)[:, None]
    for name, tolerance in (("AMM", 1e-8), ("DMM", 1e-8), ("CMM", 1e-4)):  # CMM: least of 1601 alphas
        band = getattr(tv, name)(B=B, sigma=B / NOISE_SHARE, delta=delta, c=c).band(kernel, x[asked], y[0], x[:1])
        assert view.edges[name] == pytest.approx(float(band.upper[0]), rel=tolerance, abs=tolerance)
    assert view.edges["CMM"] <= view.edges["DMM"] <= view.edges["AMM"]


@pytest.mark.parametrize(("delta", "seed"), [(0.01, 3), (0.2, 3), (0.01, 81)])
def test_share_that_crosses_keeps_the_promise(delta: float, seed: int) -> None:
    view = mixture_view(3.0, delta, 1.0, seed)
    share = view.crossed.mean()
    assert share <= delta + 3 * np.sqrt(delta * (1 - delta) / len(view.paths))  # three standard deviations
    said = words.origin(view)["paths"]
    assert f"{int(view.crossed.sum())} of 300" in said and f"{100 * share:.1f} %" in said
    assert ("by chance" in said) == (share > delta) == (seed == 81)
