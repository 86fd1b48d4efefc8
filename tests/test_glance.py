"""A glance at one frame says what the whole film says of that frame, and of who misses when."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from tests.strategies import LAW
from tvbo_core import World
from tvbo_core.bands.over_time import missed
from tvbo_core.glance import glance
from tvbo_core.records import History, Problem

GLIDE = World(kind="glide", budget=1.0, horizon=60, kernel="matern", nu=1.5, arms=21, seed=12)
LAWS = settings(LAW, max_examples=30)  # each computes a whole film as the oracle, about 50 ms


def five(p: Problem, n: int, ratio: float, c: float) -> dict:
    B, sigma, delta = p.norm_bound * ratio, p.noise_sd, 0.01
    return {
        "CMM": tv.CMM(B, sigma, delta, c),
        "DMM": tv.DMM(B, sigma, delta, c),
        "AMM": tv.AMM(B, sigma, delta, c),
        "AY": tv.AY(B, sigma, delta, sigma**2),
        "IGP": tv.IGP(B, sigma, delta, 2.0 / max(n, 1)),
    }


def compared(p: Problem, n: int, t: int, ratio: float = 1.0, c: float = 1.0, norms: bool = True) -> None:
    history = tv.observe.random_design(p, n, np.random.default_rng(5))
    rows = [max(i - 1, 0) for i in range(n + 1)]
    truth = p.f[rows]
    bands = five(p, n, ratio, c)
    films = tv.films(bands, p.kernel, history.X, history.y, p.x)
    seen = glance(bands, p.kernel, history, truth, p.norms[rows] if norms else None, t)
    assert list(seen.films) == list(films) == list(seen.misses)
    for name, film in films.items():
        wanted = missed(film, truth)
        np.testing.assert_array_equal(seen.misses[name].any(axis=1), wanted.any(axis=1), err_msg=name)
        np.testing.assert_array_equal(seen.misses[name][t], wanted[t], err_msg=name)
        assert seen.films[name].empty[t] == film.empty[t]
        for side in ("mean", "lower", "upper"):
            # The search begins elsewhere and ends within 1e-13 of a bound; bounds are up to 1e1.
            np.testing.assert_allclose(getattr(seen.films[name], side)[t], getattr(film, side)[t], rtol=0, atol=1e-9)
        back = t
        while film.empty[back] and back:  # since when the set is empty is said beside it
            assert seen.films[name].empty[back]
            back -= 1
        assert not film.empty[t] or seen.films[name].empty[back] == film.empty[back]


@pytest.mark.parametrize("budget", [0.0, 0.5, 1.0, 4.0, 8.0])
@pytest.mark.parametrize("t", [0, 1, 30, 60])
def test_a_glance_agrees_with_the_film(budget: float, t: int):
    kind = "glide" if budget else "still"
    compared(tv.make_problem(replace(GLIDE, kind=kind, budget=budget)), 60, t)


@LAWS
@given(
    st.integers(0, 99),
    st.sampled_from([0.0, 0.5, 2.0, 8.0]),
    st.integers(0, 30),
    st.floats(0.5, 2.0),
    st.sampled_from([0.01, 1.0, 100.0]),
    st.booleans(),
    st.data(),
)
def test_a_glance_agrees_with_the_film_whatever_the_world_and_the_assumptions(
    seed: int, V: float, n: int, ratio: float, c: float, norms: bool, data: st.DataObject
):
    kind = "glide" if V else "still"
    p = tv.make_problem(replace(GLIDE, kind=kind, budget=V, seed=seed, horizon=max(n, 2)))
    compared(p, n, data.draw(st.integers(0, n)), ratio, c, norms)


def test_at_least_half_of_the_costly_frames_are_never_solved(monkeypatch: pytest.MonkeyPatch):
    asked, solve = [], tv.CMM.from_spectra

    def counted(self, spectra, dmms):
        asked.append(len(spectra))
        return solve(self, spectra, dmms)

    p = tv.make_problem(GLIDE)
    compared(p, 60, 30)
    monkeypatch.setattr(tv.CMM, "from_spectra", counted)
    history, rows = tv.observe.random_design(p, 60, np.random.default_rng(5)), [max(i - 1, 0) for i in range(61)]
    glance(five(p, 60, 1.0, 1.0), p.kernel, history, p.f[rows], p.norms[rows], 30)
    assert 1 <= sum(asked) <= 30  # of 61: those outside the set that DMM still covers, and the one that is shown


def test_no_data_at_all_is_one_frame():
    p = tv.make_problem(replace(GLIDE, horizon=2))
    history = History(p, np.zeros(0, dtype=int), np.zeros(0))
    seen = glance(five(p, 0, 1.0, 1.0), p.kernel, history, p.f[[0]], p.norms[[0]], 0)
    assert all(len(film.empty) == 1 and not film.empty.any() for film in seen.films.values())
