"""Under the microscope: experiments against another way to compute them, and their edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lessons.microscope.statements import STATEMENTS, MicroscopeSetting, deng, flynn, run
from tvbo_core.bands import certify

SEEDS = (0, 11)


def at(found, value: float) -> int:
    return int(np.abs(found.sweep - value).argmin())


def test_unknown_statements_and_values_are_named() -> None:
    with pytest.raises(ValueError, match="no statement is called"):
        run("deng", MicroscopeSetting())
    wrong = (("delta", 0.0), ("delta", 1.0), ("sigma", 0.0), ("epsilon", 1.5), ("gamma", 0.0), ("alpha", 3.0))
    for field, value in wrong:
        with pytest.raises(ValueError):
            MicroscopeSetting(**{field: value})


def test_the_statistic_is_lemma_10() -> None:
    gamma, ridge, t = 0.8, 0.3, 7
    noise = np.random.default_rng(0).standard_normal((1, t))
    left, log_det = deng.statistic(noise, gamma, ridge)
    w = gamma ** -np.arange(1.0, t + 1)  # w_s = gamma^-s, alpha_t = lambda w_t^2
    alpha = ridge * w[-1] ** 2
    S, V = float(w @ noise[0]), float(w @ w) + alpha
    K = np.eye(t) + np.outer(w, w) / alpha
    assert left[0, -1] == pytest.approx(S * S / V, rel=1e-12)  # rounding only
    assert log_det[-1] == pytest.approx(np.linalg.slogdet(K)[1], rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_forgetting_leaves_its_width_in_time(seed: int) -> None:
    found = run("deng-times", MicroscopeSetting(seed=seed))
    ever, fixed = found.value("missed at least once"), found.value("missed at T")
    error = 4 * math.sqrt(0.25 / deng.RUNS)  # four standard errors of a share, at most
    assert ever[at(found, 100)] == pytest.approx(0.13, abs=error)  # .12 to .14, .72 to .77 and 1.00 elsewhere
    assert ever[at(found, 1000)] == pytest.approx(0.745, abs=error)
    assert ever[-1] > 0.99
    assert fixed.max() <= 0.1 and found.value("same, with δ/T").max() <= 0.1
    assert (np.diff(ever) >= 0).all() and (ever >= fixed).all()


def test_shares_are_told_by_their_intervals() -> None:
    """A share of 300 runs is below or above a stated one where its 95 % Student interval leaves that out."""
    found, sentence, told = run("mauduit-walk", MicroscopeSetting(seed=3)), STATEMENTS["mauduit-walk"].sentence, set()
    for i in range(found.frames):
        share, stated = float(found.value("random walk")[i]), float(found.value("stated")[i])
        reach = 1.968 * math.sqrt(share * (1 - share) / 299)  # Student's quantile of 299 degrees of freedom
        side = "fewer" if share + reach < stated else "more" if share - reach > stated else "about"
        words = {"fewer": "fewer than the stated", "more": "more than the stated", "about": "about the stated"}[side]
        assert words in sentence(found.at(i)), i
        told.add(side)
    assert {"fewer", "about"} <= told


@pytest.mark.parametrize("seed", SEEDS)
def test_a_function_reaches_the_bound_with_plus(seed: int) -> None:
    found = run("flynn-11", MicroscopeSetting(seed=seed))
    reached = found.value("a function of the set")
    # The norm and the misfit feel the square root of the search's error.
    assert found.facts["norm"].max() < 1 + 1e-5 and found.facts["misfit"].max() < 1 + 1e-5
    np.testing.assert_allclose(reached, found.value("with plus"), atol=1e-7)
    assert (found.value("with minus") < reached).all()


def test_the_conic_program_agrees_with_plus() -> None:
    pytest.importorskip("cvxpy")
    found = run("flynn-11", MicroscopeSetting())
    X, y, _ = flynn.sample(MicroscopeSetting(), 40, 7)
    for i in (0, 8, 30):
        n, z = int(found.sweep[i]), np.array([flynn.PLACE])
        upper = certify.socp_bounds(flynn.KERNEL, X[:n], y[:n], z, flynn.B, 0.1, 0.1, flynn.C)[1]
        gap = upper - found.value("with plus")[i]
        assert abs(gap) < 1e-6  # the solver's own accuracy
